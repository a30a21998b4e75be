package explore

import (
	"io"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// mayHit reports whether a fault can hit a step of a run, in this order of its steps or in another.
func (s *search) mayHit(f Fault, st *step, run []*step, mortal bool) bool {
	batch := strings.HasPrefix(st.operation, "Batch")
	changes := !readOperation(st.operation)
	switch f {
	case LostAnswer:
		return changes
	case ServerError:
		return true
	case Throttled:
		return st.request != nil && len(st.request.Reads)+len(st.request.Writes) > 0
	case Unprocessed:
		return batch && st.request != nil && len(st.request.Reads)+len(st.request.Writes) > 1
	case Conflict:
		return st.operation == "TransactGetItems" || changes && st.request != nil &&
			len(st.request.Writes) > 0
	case Stale1, Stale2, Stale3:
		return eventual(st) && versions(st, run) >= f.behind()
	case DiesBefore:
		return mortal
	case DiesAfter:
		return mortal && changes
	case Later:
		return s.moves > 0
	}
	return false
}

// eventual reports whether a step is an eventually consistent read.
func eventual(st *step) bool {
	switch st.operation {
	case "GetItem", "Query", "Scan", "BatchGetItem":
		return !strings.Contains(string(st.body), `"ConsistentRead":true`)
	}
	return false
}

// versions returns how many steps that may come before a read changed what is in its tables.
func versions(st *step, run []*step) (n int) {
	for _, e := range run {
		after := e.proc.worker == st.proc.worker && e.nth >= st.nth
		if !after && e.print.changesTableOf(st.print) {
			n++
		}
	}
	return n
}

// effects are the faults that the emulator itself can inject.
var effects = map[Fault]fault.Effect{
	ServerError: fault.InternalServerError(),
	Throttled:   fault.Throttle(""),
	Unprocessed: fault.Unprocessed(0.5),
	Conflict:    fault.TransactionConflict(),
}

// send sends a request with a fault or, if that is "", without.
func (e *execution) send(t *ticket, st *step) (*http.Response, error) {
	switch st.fault {
	case "", Later:
		return t.seat.next.Do(t.request)
	case LostAnswer:
		response, err := t.seat.next.Do(t.request)
		if err == nil {
			response.Body.Close()
		}
		return nil, &url.Error{Op: "Post", URL: t.request.URL.String(), Err: io.EOF}
	case DiesBefore:
		t.seat.die()
	case DiesAfter:
		_, _ = t.seat.next.Do(t.request)
		return nil, nil // perform has the worker die after it has looked at the items
	case Stale1, Stale2, Stale3:
		return e.sendToPast(t, st)
	}
	injected := e.fork.AddFault(fault.Fault{Do: effects[st.fault]})
	defer injected.Remove()
	return t.seat.next.Do(t.request)
}

// die ends the worker at the gate, as far as its goroutine goes.
func (s *seat) die() {
	s.gate.mu.Lock()
	s.dead = true
	s.gate.mu.Unlock()
	runtime.Goexit()
}

// past is the data before a step.
type past struct {
	fork *emulator.Emulator
	step *step
}

// remember keeps the data before a step if a read of the run may show them.
func (e *execution) remember(st *step) {
	if e.plan.stale() && !readOperation(st.operation) {
		e.past = append(e.past, past{e.fork.Fork(), st})
	}
}

// sendToPast has a read see the data before the last writes to its tables.
func (e *execution) sendToPast(t *ticket, st *step) (*http.Response, error) {
	for i := range st.print.items { // it depends on when the table was written, not only the item
		st.print.ranges = append(st.print.ranges, reach{table: st.print.items[i].table})
	}
	for i := range st.print.ranges {
		st.print.ranges[i].terms = nil
	}
	past := e.version(st, st.fault.behind())
	if past == nil {
		st.fault = "" // there are not so many versions
		return t.seat.next.Do(t.request)
	}
	seat := seat{next: past.HTTPClient(e.search.accessKey, e.search.region)}
	return seat.next.Do(t.request)
}

// version returns the data as they were some writes to the tables of a read ago, or nil.
func (e *execution) version(st *step, behind int) *emulator.Emulator {
	for _, p := range slices.Backward(e.past) {
		if !p.step.print.changesTableOf(st.print) {
			continue
		}
		if behind--; behind == 0 {
			return p.fork
		}
	}
	return nil
}

// Faults has the search try every way in which at most k of a run's requests are hit by faults: by
// the given ones, or by all that there are. It tries no faults first, then one, and so on.
func Faults(k int, kinds ...Fault) Option {
	return func(o *options) {
		if o.faults, o.kinds = k, kinds; len(kinds) == 0 {
			o.kinds = faults
		}
	}
}

// ClockMoves says by how much the fault Later moves the clock: past a lease, for example. Without
// it there is no such fault.
func ClockMoves(d time.Duration) Option { return func(o *options) { o.moves = d } }
