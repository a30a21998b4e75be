package search

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// step is a request that went.
type step struct {
	proc      proc
	nth       int // request of its worker, from 1; 0 is its beginning
	operation string
	body      []byte
	text      string           // the request as the service understands it
	request   *request.Request // nil if it could not be read
	status    int              // HTTP's status; 0 if there was no answer
	fault     Fault
	print     *footprint
	answer    []byte   // the answer, if the Run keeps answers
	records   []string // the records of a batch
	asks      *asked   // what it asks of a cache; nil: nothing
	old       *past    // what a query shows, or all of a stale read; nil: what is there

	// If the search has faults of expiry: before the step an item had expired; one would expire if
	// the clock moved.
	expired, expires bool
}

// reads reports whether a step only reads.
func (st *step) reads() bool {
	return readOperation(st.operation) ||
		st.request != nil && len(st.request.Reads) > 0 && len(st.request.Writes) == 0
}

// repeats reports whether a step is the same as another one of its worker, has changed nothing, and
// has the same answer.
func (st *step) repeats(other *step) bool {
	changed := slices.ContainsFunc(st.print.items, func(t touch) bool { return t.changed() })
	return st.proc == other.proc && st.operation == other.operation && st.status == other.status &&
		!changed && st.text == other.text && bytes.Equal(st.answer, other.answer)
}

// shows reports whether the answer of a step shows items as they are after it.
func (st *step) shows() bool {
	if st.reads() {
		return true
	}
	if st.status == http.StatusOK {
		return bytes.Contains(st.body, []byte(`"ALL_NEW"`)) ||
			bytes.Contains(st.body, []byte(`"UPDATED_NEW"`))
	}
	return bytes.Contains(st.answer, []byte(`"Item":{`)) // the answer of a condition that failed
}

// deletes reports whether a step deletes an item.
func (st *step) deletes(x *touch) bool {
	return x != nil && x.old != "" && x.new == "" && st.request != nil && len(st.request.Writes) > 0
}

// chooser decides which of several requests goes next. It is asked once for each step. A negative
// answer stops the run. done is the steps so far.
type chooser func(done []*step, waiting []*Pending) int

// astray is the answer of a chooser whose request does not wait, as it did in the run before.
const astray = -2

// strategy decides which orders a search runs.
type strategy interface {
	next() chooser
	learn(steps []*step)
	// anew is the strategy from its beginning. In the first steps of runs it leaves nothing out
	// that could go, but for what is asleep.
	anew(top int) strategy
	back(steps []*step) bool // false: there are no more orders
}

// indexOf returns the place of a line of requests among those that wait, or -1.
func indexOf(waiting []*Pending, p proc) int {
	return slices.IndexFunc(waiting, func(t *Pending) bool { return t.proc() == p })
}

// again returns the place of a line of requests that waited in the run before, or astray.
func again(waiting []*Pending, p proc) int {
	if i := indexOf(waiting, p); i >= 0 {
		return i
	}
	return astray
}

// related reports whether the order of two steps makes a difference.
func related(a, b *step) bool {
	return a.proc.worker == b.proc.worker || dependent(a.print, b.print)
}

func orderOf(steps []*step) (list []proc) {
	for _, st := range steps {
		list = append(list, st.proc)
	}
	return list
}

// switches returns how often a request is of another worker than the one before.
func switches(steps []*step) (n int) {
	for i := 1; i < len(steps); i++ {
		if steps[i].proc.worker != steps[i-1].proc.worker {
			n++
		}
	}
	return n
}

// asked says what a request asks the cache for.
type asked struct {
	items []int  // items of the footprint, by table and key
	same  string // a query: its text
}

// changedBy reports whether a step has changed an item, or may have.
func (t *touch) changedBy(st *step) bool {
	if st.print.writes {
		return true
	}
	x := st.print.touchOf(t.table, t.key)
	return x != nil && x.changed()
}
