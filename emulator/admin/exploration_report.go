package admin

import (
	"github.com/kugiri-db/kugiri/emulator/explore/remote"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// explorationReport says what an exploration has tried, and what it has found.
type explorationReport struct {
	Text       string               `json:"text"`
	Complete   bool                 `json:"complete"`
	Runs       int                  `json:"runs"`
	Orders     string               `json:"orders"` // a number of any size
	Faults     int                  `json:"faults"`
	FaultsLeft int                  `json:"faultsLeft"`
	Pairs      int                  `json:"pairs"`
	BothOrders int                  `json:"bothOrders"`
	Cut        int                  `json:"cut"`
	Astray     int                  `json:"astray"`
	Replayed   bool                 `json:"replayed"`
	Failures   []explorationFailure `json:"failures"`
	// For "kugiri explore merge", if a part was asked for: older packages know no such member.
	Part *search.PartReport `json:"part,omitempty"`
}

// explorationFailure is a run that went wrong.
type explorationFailure struct {
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	Schedule string `json:"schedule"`
	Requests int    `json:"requests"`
	Switches int    `json:"switches"`
	Faults   int    `json:"faults"`
	Page     string `json:"page"`
	HTML     string `json:"html"`
	// only where the exploration is shown: packages of before know no such member
	Diagram *search.Diagram `json:"diagram,omitempty"`
}

func stepInfoOf(s *remote.Step) stepInfo {
	info := stepInfo{Do: s.Do, Run: s.Run, AccessKey: s.Key, Report: reportOf(s.Report),
		Delivery: s.Delivery, Event: s.Event}
	for _, w := range s.Workers {
		info.Workers = append(info.Workers, seatInfo{w.Worker, w.Key})
	}
	return info
}

func reportOf(r *search.Report) *explorationReport {
	if r == nil {
		return nil
	}
	out := &explorationReport{Text: r.String(), Complete: r.Complete, Runs: r.Runs, Orders: "0",
		Faults: r.Faults, FaultsLeft: r.FaultsLeft, Pairs: r.Pairs, BothOrders: r.BothOrders,
		Cut: r.Cut, Astray: r.Astray, Replayed: r.Replayed, Failures: []explorationFailure{}}
	if r.Orders != nil {
		out.Orders = r.Orders.String()
	}
	if r.Part.Of > 0 {
		out.Part = r.PartReport()
	}
	for _, f := range r.Failures {
		out.Failures = append(out.Failures, explorationFailure{Kind: f.Kind, Text: f.Text,
			Schedule: f.Schedule, Requests: f.Requests, Switches: f.Switches, Faults: f.Faults,
			Page: f.String(), HTML: f.HTML()})
	}
	return out
}
