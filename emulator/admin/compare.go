package admin

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/emulator"
)

// stateInfo names a state: what an access key sees, now or in a snapshot of its fork or of the
// server.
type stateInfo struct {
	AccessKey string `json:"accessKey"`
	Snapshot  string `json:"snapshot,omitempty"`
}

// states is a request to compare two states.
type states struct {
	Before stateInfo `json:"before"`
	After  stateInfo `json:"after"`
}

// tableStates is a request to compare the items of a table.
type tableStates struct {
	Before stateInfo `json:"before"`
	After  stateInfo `json:"after"`
	Region string    `json:"region"`
	Table  string    `json:"table"`
	From   string    `json:"from,omitempty"`
	Limit  int       `json:"limit,omitempty"`
}

type tableComparison struct {
	Region  string `json:"region"`
	Table   string `json:"table"`
	Before  bool   `json:"before"`
	After   bool   `json:"after"`
	Added   int64  `json:"added"`
	Changed int64  `json:"changed"`
	Removed int64  `json:"removed"`
}

type itemComparison struct {
	Key    json.RawMessage `json:"key"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

type itemComparisons struct {
	Items []itemComparison `json:"items"`
	Next  string           `json:"next,omitempty"`
}

// Limits of the items of a comparison.
const (
	usualCompared = 100
	maxCompared   = 1000
)

// state returns the state that a request names.
func (a *admin) state(in stateInfo) (s emulator.State, err error) {
	a.mu.Lock()
	f := a.forks[in.AccessKey]
	a.mu.Unlock()
	of := a.base
	if f != nil {
		of = f.scope
	}
	s = emulator.State{Emulator: of.emulator, AccessKey: in.AccessKey}
	switch known := of.emulator.Inspect().AccessKeys(); {
	case in.Snapshot != "":
		s.Snapshot, err = of.snapshots.named(in.Snapshot)
	case f == nil && !of.emulator.Inspect().SharesData() && !slices.Contains(known, in.AccessKey):
		err = notFound("there is nothing of the access key %q to compare: it was never used",
			in.AccessKey)
	}
	return s, err
}

func (a *admin) statesOf(before, after stateInfo) (was, is emulator.State, err error) {
	if was, err = a.state(before); err == nil {
		is, err = a.state(after)
	}
	return was, is, err
}

// compare lists the tables that differ between two states.
func (a *admin) compare(r *http.Request) (int, any, error) {
	var in states
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	before, after, err := a.statesOf(in.Before, in.After)
	if err != nil {
		return failed(err)
	}
	list := []tableComparison{}
	for _, t := range emulator.Compare(before, after) {
		list = append(list, tableComparison(t))
	}
	return http.StatusOK, map[string]any{"tables": list}, nil
}

// compareItems lists the items of a table that differ between two states.
func (a *admin) compareItems(r *http.Request) (int, any, error) {
	in := tableStates{Limit: usualCompared}
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	if in.Limit < 1 || in.Limit > maxCompared {
		return failed(
			badRequest("the limit %d: 1 to %d items can be asked for", in.Limit, maxCompared))
	}
	before, after, err := a.statesOf(in.Before, in.After)
	if err != nil {
		return failed(err)
	}
	items, next, err := emulator.CompareItems(before, after, in.Region, in.Table, in.From, in.Limit)
	if err != nil {
		return failed(badRequest("from: %v", err))
	}
	out := itemComparisons{Items: []itemComparison{}, Next: next}
	for _, x := range items {
		out.Items = append(out.Items,
			itemComparison{rawItem(x.Key), rawItem(x.Before), rawItem(x.After)})
	}
	return http.StatusOK, out, nil
}
