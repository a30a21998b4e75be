package search

import (
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// Worker is a worker in one run. The gate's lock guards its state.
type Worker struct {
	Name   string
	Mortal bool // it may die: see Restarted
	// a consumer's trigger, which calls its function with records
	Trigger *trigger.Trigger
	Streams bool // the worker may read streams by requests

	index    int
	past     uint64 // what it has asked for and got: see record
	values   []any  // the values of its result
	requests int    // how many requests have gone
	waiting  int    // requests at the gate
	ended    bool
	asksTime bool // it has asked for its clock: see Ahead
	ahead    time.Duration
	unborn   bool   // it begins later: see BeginLate
	err      error  // what it returned, once it has ended
	broken   string // how it ended, if it did not return
	deaths   int
	hit      bool // a fault has hit it

	// the fields of a consumer
	consumption *emulator.Consumption
	places      []emulator.Place // the places whose batches are offered or on their way
	flights     int              // batches on their way
	calls       int
}

// WorkerResult holds what a worker has returned, with the values of its result.
type WorkerResult struct {
	Err    error
	Values []any
}

// Died counts a death of a worker, and reports whether it may start again.
func (g *Gate) Died(w *Worker) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.deaths++
	w.past = ^w.past // it has forgotten it: the point is another one
	return !g.over
}

// Ahead returns by how much the worker's clock is ahead of the run's.
func (s *WorkerClient) Ahead() time.Duration {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.Worker.asksTime = true
	return s.Worker.ahead
}

// Token returns a token for the nth transaction of a worker, the same in each run.
// Each call of a consumer has tokens of its own.
func (w *Worker) Token(n int) string {
	return fmt.Sprintf("%.20s-%d-%d", w.Name, w.deaths+w.calls, n)
}
