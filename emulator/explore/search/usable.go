package search

import (
	"bytes"
	"net/http"
	"slices"
)

// A search of a program that does nothing would find nothing, and say so. The functions here tell
// it from one that is right.

// mustBeUsable panics if a search of these workers and faults makes no sense.
func mustBeUsable(workers []*Worker, kinds []Fault) {
	if len(workers) == 0 {
		panic("the program has no workers: x.Go adds one")
	}
	if len(kinds) >= len(AllFaults) {
		return // those that make no sense are left out
	}
	mortal := slices.ContainsFunc(workers, func(w *Worker) bool { return w.Mortal })
	consumer := slices.ContainsFunc(workers, func(w *Worker) bool { return w.Trigger != nil })
	for _, f := range kinds {
		switch {
		case (f == DiesBefore || f == DiesAfter) && !mortal:
			panic("the fault " + string(f) + " hits only a worker that may die, and none may: " +
				"x.Restart(name, work) says what it does when it is started again, or nil")
		case f == Redelivered && !consumer:
			panic("the fault " + string(f) + " hits only a consumer, and there is none: " +
				"x.Consume adds one")
		}
	}
}

// use counts what the runs of a search have done.
type use struct {
	asked  bool           // a worker has sent a request
	served bool           // one has succeeded, or was refused by a condition
	ends   string         // how the workers of the first run have ended
	hits   map[Fault]bool // the faults that have hit
}

// note adds a run.
func (s *use) note(o *Outcome) {
	if s.hits == nil {
		s.hits = map[Fault]bool{}
	}
	for _, h := range o.plan {
		if h.fault == Skewed {
			s.hits[Skewed] = true
		}
	}
	for _, st := range o.steps {
		s.hits[st.fault.kind()], s.asked = true, true
		s.served = s.served || st.operation == Invoke || st.status == http.StatusOK ||
			bytes.Contains(st.answer, []byte("#ConditionalCheckFailedException")) ||
			bytes.Contains(st.answer, []byte("#TransactionCanceledException"))
	}
}

// nothing says why a search has looked at nothing, or returns "".
func (s *use) nothing() string {
	switch {
	case s.served:
		return ""
	case !s.asked:
		return "no worker has sent a request through the client that it gets, so there is nothing " +
			"to order. Pass that client on, in place of one of the module or the package:" + s.ends
	}
	return "no request of a worker has succeeded, so nothing was tried. Look at what the workers " +
		"say, and at the tables of the template:" + s.ends
}

// unhit returns those of the faults that were asked for by name which no request could have.
func (s *use) unhit(kinds []Fault) (list []string) {
	if len(kinds) >= len(AllFaults) {
		return nil
	}
	for _, f := range kinds {
		switch {
		case s.hits[f]:
		case f == Skewed:
			list = append(list, "skewed (no worker asks for its clock: explore.Now)")
		default:
			list = append(list, string(f))
		}
	}
	return list
}
