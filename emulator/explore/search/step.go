package search

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// step is a request that went.
type step struct {
	proc      proc
	nth       int // request of its worker, from 1
	operation string
	body      []byte
	request   *request.Request // nil if it could not be read
	status    int              // of HTTP; 0 if there was no answer
	fault     Fault
	print     *footprint
	answer    []byte // if the Run keeps answers
}

// chooser decides which of several requests goes next. It is asked once for each step. A negative
// answer stops the run. done is the steps so far.
type chooser func(done []*step, waiting []*Ticket) int

// strategy decides which orders a search runs.
type strategy interface {
	next() chooser
	learn(steps []*step)
	back(steps []*step) bool // false: there are no more orders
}

// indexOf returns the place of a line of requests among those that wait, or -1.
func indexOf(waiting []*Ticket, p proc) int {
	return slices.IndexFunc(waiting, func(t *Ticket) bool { return t.proc() == p })
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
