package explore

import (
	"context"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// X describes a run: the function that Run gets calls its methods, before the workers start.
type X struct {
	workers []*worker
	checks  []Check
	always  []Check
	streams bool // workers may read streams
	begun   bool // the function that Run gets has returned
	host    *host

	mu    sync.Mutex
	rands map[string]*Rand
}

// Work is the function of a worker. Its context ends when it returns.
type Work func(ctx context.Context, db *dynamodb.Client) error

// Check looks at what the workers have left behind. An error is a failure.
type Check func(ctx context.Context, db *dynamodb.Client) error

// Go adds a worker. Workers start together, after the function that Run gets has returned. The
// error that a worker returns is its result, and no failure by itself.
func (x *X) Go(name string, work Work) {
	x.add(&worker{Worker: &search.Worker{Name: name}, work: work})
}

// add adds a worker or a consumer.
func (x *X) add(w *worker) {
	x.mustNotHaveBegun("a worker is added")
	for _, other := range x.workers {
		if other.Name == w.Name {
			panic(fmt.Sprintf("explore: there are two workers %q", w.Name))
		}
	}
	x.workers = append(x.workers, w)
}

// Restart says that a worker of Go can die, and what it does when it is started again. With nil it
// is not. Deaths are among the faults: see Faults.
func (x *X) Restart(name string, work Work) {
	x.mustNotHaveBegun("Restart is called")
	for _, w := range x.workers {
		if w.Name == name && w.work != nil {
			w.Mortal, w.again = true, work
			return
		}
	}
	panic(fmt.Sprintf("explore: Restart of %q, which is no worker", name))
}

// Check adds a check, which runs after all workers have ended. Its requests do not wait.
func (x *X) Check(check Check) {
	x.mustNotHaveBegun("Check is called")
	x.checks = append(x.checks, check)
}

// Always adds what has to hold between requests: it is called before the first request of the run
// and after each one that changes something, while no request is on its way. An error is a failure
// that names the request. Its client reads what is there, and only reads; its requests do not wait.
//
// With it, the order of any two changes makes a difference, so a search has more orders.
func (x *X) Always(holds Check) {
	x.mustNotHaveBegun("Always is called")
	x.always = append(x.always, holds)
}

// mustNotHaveBegun panics if the workers run already: the search would not see what is added.
func (x *X) mustNotHaveBegun(what string) {
	if x.begun {
		panic("explore: " + what + " while the workers run: do that in the function that Run " +
			"gets, before it returns")
	}
}

// worker is a worker in one run.
type worker struct {
	*search.Worker
	work  Work
	again Work // the work after it has died; nil: nothing

	handle Handler // a consumer's handler, in place of work
}

// WorkerResult holds what a worker has returned, with the values of Result.
type WorkerResult = search.WorkerResult

type workerKey struct{}

// Result adds a value to the result of the worker whose context ctx is. Results of workers are
// compared by their text (%v). For other contexts Result does nothing.
func Result(ctx context.Context, value any) {
	if s, ok := ctx.Value(workerKey{}).(*search.WorkerClient); ok {
		s.Add(value)
	}
}
