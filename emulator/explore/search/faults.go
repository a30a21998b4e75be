package search

import (
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/fault"
)

// effects are the faults that the emulator itself can inject.
var effects = map[Fault]fault.Effect{
	ServerError: fault.InternalServerError(),
	Throttled:   fault.Throttle(""),
	Unprocessed: fault.Unprocessed(0.5),
	Conflict:    fault.TransactionConflict(),
}

// send sends a request with a fault or, if that is "", without.
func (e *Run) send(t *Pending, st *step) (*http.Response, error) {
	switch st.fault {
	case "", Later, LaterKept, Expired, Redelivered: // see let and invoke
		return t.next.Do(t.request)
	case LostAnswer:
		response, err := t.next.Do(t.request)
		if err == nil {
			response.Body.Close()
		}
		return nil, &url.Error{Op: "Post", URL: t.request.URL.String(), Err: io.EOF}
	case DiesBefore:
		return t.client.die()
	case DiesAfter:
		_, _ = t.next.Do(t.request)
		return nil, nil // perform has the worker die after it has looked at the items
	case Stale1, Stale2, Stale3:
		return e.sendToPast(t, st)
	}
	if st.fault.agesOf() != nil {
		return e.sendToCache(t, st)
	}
	injected := e.fork.AddFault(fault.Fault{Do: effects[st.fault]})
	defer injected.Remove()
	return t.next.Do(t.request)
}

// remember keeps the data before a step if a read of the run may show them.
func (e *Run) remember(st *step) {
	if e.plan.stale() && !e.plan.cached() && !readOperation(st.operation) {
		e.past = append(e.past, past{fork: e.fork.Fork(), index: len(e.steps) - 1})
	}
}

// rememberAll keeps the data before the next step, whatever that is, also before the clock moves.
func (e *Run) rememberAll() {
	next := len(e.steps)
	e.past = slices.DeleteFunc(e.past, func(p past) bool { return p.index == next }) // it left
	e.past = append(e.past, past{fork: e.fork.Fork(), index: next})
}

// sendToPast has a read see the data before the last writes to its tables.
func (e *Run) sendToPast(t *Pending, st *step) (*http.Response, error) {
	for i := range st.print.items { // it depends on when the table was written, not only the item
		st.print.ranges = append(st.print.ranges, reach{table: st.print.items[i].table})
	}
	for i := range st.print.ranges {
		st.print.ranges[i].terms = nil
	}
	if st.old = e.version(st, st.fault.behind()); st.old == nil {
		st.fault = "" // there are not so many versions
		return t.next.Do(t.request)
	}
	for i := range st.print.items {
		st.print.items[i].shows = st.old
	}
	e.look(st)
	return e.sendTo(st.old, t.request)
}

// version returns the data as they were some writes to the tables of a read ago, or nil.
func (e *Run) version(st *step, behind int) *past {
	for i := len(e.past) - 1; i >= 0; i-- {
		p := &e.past[i]
		if p.index >= len(e.steps) || !e.steps[p.index].print.changesTableOf(st.print) {
			continue
		}
		if behind--; behind == 0 {
			return p
		}
	}
	return nil
}
