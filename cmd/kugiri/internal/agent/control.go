package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

type lookIn struct {
	inFork
	What string `json:"what" jsonschema:"one of overview, forks, snapshots, clock, faults, findings, insights"`
}

type explainIn struct {
	inFork
	Operation string         `json:"operation" jsonschema:"an operation on items, such as Query"`
	Request   map[string]any `json:"request" jsonschema:"its input, such as {\"TableName\": \"orders\"}"`
}

type forkIn struct {
	Name     string `json:"name" jsonschema:"name of the fork, letters and digits"`
	From     string `json:"from,omitempty" jsonschema:"fork to begin from; without it the present tables"`
	Snapshot string `json:"snapshot,omitempty" jsonschema:"snapshot to begin from"`
	Clock    string `json:"clock,omitempty" jsonschema:"held, for a clock that advance_clock moves, or the time at which it stands"`
	Tenant   string `json:"tenant,omitempty" jsonschema:"tenant of the fork under a policy; without it that of what it begins from"`
}

type endIn struct {
	Name string `json:"name" jsonschema:"name of the fork"`
}

type snapshotIn struct {
	Name string `json:"name" jsonschema:"name of the snapshot"`
	inFork
}

type advanceIn struct {
	By string `json:"by" jsonschema:"how far, such as 90s or 25h"`
	inFork
}

type faultsIn struct {
	Faults []any `json:"faults" jsonschema:"faults, such as {\"when\": {\"operation\": \"PutItem\", \"first\": 2}, \"do\": {\"throttle\": {}}}"`
	inFork
}

// looks are the paths of the admin API that look shows.
var looks = map[string]string{"overview": "", "forks": "forks", "snapshots": "snapshots",
	"clock": "clock", "faults": "faults",
	"findings": "findings", "insights": "insights"}

// addLooks adds tools that show what only Kugiri has.
func (t *tools) addLooks() {
	add(t, "look",
		"Shows forks, snapshots, the clock, faults, what the policy found, or the most used keys",
		reads, func(ctx context.Context, in *lookIn) ([]byte, error) {
			path, ok := looks[in.What]
			if !ok {
				return nil, errors.New(
					"what is one of overview, forks, snapshots, clock, faults, findings, insights")
			}
			if in.What == "forks" && in.Fork != "" {
				return nil, errors.New("a fork has no forks of its own: leave out \"fork\"")
			}
			if err := t.mayUse(ctx, in.Fork); err != nil {
				return nil, err
			}
			return t.Admin(ctx, http.MethodGet, t.scope(in.Fork)+path, nil)
		})
	add(t, "explain",
		"Says which items a request would read and return, its units, and why, without sending it",
		reads, func(ctx context.Context, in *explainIn) ([]byte, error) {
			if err := t.mayUse(ctx, in.Fork); err != nil {
				return nil, err
			}
			body := map[string]any{
				"accessKey": t.AccessKey, "region": t.Region, "operation": in.Operation,
				"request": in.Request,
			}
			if in.Fork != "" {
				body["accessKey"] = in.Fork
			}
			return t.Admin(ctx, http.MethodPost, t.scope(in.Fork)+"explain", body)
		})
}

// scope returns the beginning of the paths of a fork, or of the server.
func (t *tools) scope(fork string) string {
	if fork == "" {
		return ""
	}
	return "forks/" + url.PathEscape(fork) + "/"
}

// addControls adds tools that change what only Kugiri has.
func (t *tools) addControls() {
	add(t, "make_fork", "Makes a copy of the tables, at once, which only tools with this fork see",
		writes, t.makeFork)
	add(t, "remove_fork", "Removes a fork with all that it has",
		destroys, func(ctx context.Context, in *endIn) ([]byte, error) {
			if err := t.mayUse(ctx, in.Name); err != nil {
				return nil, err
			}
			defer t.setMade(in.Name, false)
			return t.Admin(ctx, http.MethodDelete, "forks/"+url.PathEscape(in.Name), nil)
		})
	add(t, "take_snapshot", "Takes a snapshot of all tables",
		writes, func(ctx context.Context, in *snapshotIn) ([]byte, error) {
			return t.control(ctx, http.MethodPost, in.Fork, "snapshots",
				map[string]any{"name": in.Name})
		})
	add(t, "restore_snapshot", "Takes all tables back to a snapshot",
		destroys, func(ctx context.Context, in *snapshotIn) ([]byte, error) {
			return t.control(ctx, http.MethodPost, in.Fork,
				"snapshots/"+url.PathEscape(in.Name)+"/restore", nil)
		})
	add(t, "advance_clock", "Moves a held clock, and deletes the items that have expired",
		destroys, func(ctx context.Context, in *advanceIn) ([]byte, error) {
			return t.control(ctx, http.MethodPost, in.Fork, "clock/advance",
				map[string]any{"by": in.By})
		})
	add(t, "inject_faults", "Has requests fail on purpose",
		writes, func(ctx context.Context, in *faultsIn) ([]byte, error) {
			return t.control(ctx, http.MethodPost, in.Fork, "faults", in.Faults)
		})
	add(t, "end_faults", "Ends all faults",
		writes, func(ctx context.Context, in *inFork) ([]byte, error) {
			return t.control(ctx, http.MethodDelete, in.Fork, "faults", nil)
		})
}

// control sends a request to the admin API that changes a fork or, if writes allow that, the
// server.
func (t *tools) control(ctx context.Context, method, fork, path string, body any) ([]byte, error) {
	if err := t.writer(ctx, fork); err != nil {
		return nil, err
	}
	return t.Admin(ctx, method, t.scope(fork)+path, body)
}

// makeFork makes a fork of what the endpoint's access key sees, or of a fork that the agent may
// work in. One of a tenant that is named, or of another access key, is for agents who may write to
// all.
func (t *tools) makeFork(ctx context.Context, in *forkIn) ([]byte, error) {
	if in.Tenant != "" && t.writes != All {
		return nil, errors.New("a fork of a tenant that is named: want --write all")
	}
	o, err := t.overview(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case slices.Contains(o.AccessKeys, in.Name):
		return nil, fmt.Errorf("%q is an access key in use: its requests would go to the fork",
			in.Name)
	case t.writes != All && slices.Contains(o.Callers, in.Name):
		return nil, fmt.Errorf(
			"%q is an access key that the policy lists: give the fork another name", in.Name)
	}
	if in.From != "" {
		if !(t.writes == All && slices.Contains(o.AccessKeys, in.From)) {
			if err := t.mayUse(ctx, in.From); err != nil {
				return nil, err
			}
		}
		return t.addFork(ctx, in, in.From)
	}
	if !slices.Contains(o.AccessKeys, t.AccessKey) { // what was never used has nothing to fork
		_, _ = t.send(ctx, "ListTables", map[string]any{}, "")
	}
	answer, err := t.addFork(ctx, in, t.AccessKey)
	if err != nil { // all access keys have the same tables, and no policy tells them apart
		return t.addFork(ctx, in, "")
	}
	return answer, nil
}

// overview is the admin API's description of the whole.
type overview struct{ AccessKeys, Callers []string }

func (t *tools) overview(ctx context.Context) (o overview, err error) {
	text, err := t.Admin(ctx, http.MethodGet, "", nil)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(text, &o)
}

func (t *tools) addFork(ctx context.Context, in *forkIn, from string) ([]byte, error) {
	answer, err := t.Admin(ctx, http.MethodPost, "forks",
		filled(map[string]any{
			"accessKey": in.Name, "from": from, "snapshot": in.Snapshot, "clock": in.Clock,
			"tenant": in.Tenant,
		}))
	if err == nil {
		t.setMade(in.Name, true)
	}
	return answer, err
}
