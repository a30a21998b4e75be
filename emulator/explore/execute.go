package explore

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
)

// step is a request that went.
type step struct {
	proc      proc
	operation string
	body      []byte
	request   *request.Request // nil if it could not be read
	status    int              // of HTTP; 0 if there was no answer
	print     *footprint
}

// execution is one run.
type execution struct {
	search  *search
	x       *X
	fork    *emulator.Emulator
	gate    *gate
	steps   []*step
	outcome outcome
}

// outcome is what a run has led to.
type outcome struct {
	steps   []*step
	names   []string // of the workers
	results []string
	deaths  []string // how workers ended that did not return; "" for the others
	state   string   // of all tables, as text
	check   error    // of the first check that failed
	stuck   string   // not "": a deadlock, with the stacks of who waits
	cut     bool     // the run had more requests than Longest
	stopped bool     // the chooser stopped the run
}

// chooser decides which of several requests goes next. It is asked once for each step. A negative
// answer stops the run. done is the steps so far.
type chooser func(done []*step, waiting []*ticket) int

// run runs the program once.
func (s *search) run(choose chooser) outcome {
	e := &execution{search: s}
	s.progress.Add(1)
	defer func() { s.progress.Add(1) }()
	e.inBubble(func() {
		e.begin()
		e.letGo(choose)
		e.finish()
	})
	e.outcome.steps = e.steps
	return e.outcome
}

// inBubble calls f in a bubble, in which goroutines may be left behind.
func (e *execution) inBubble(f func()) {
	var panicked any
	finished := false
	defer func() {
		if p := recover(); p != nil && !finished {
			panic(p)
		}
		if panicked != nil {
			panic(panicked)
		}
	}()
	bubble(e.search.t, e.search.at, func() {
		defer func() { panicked, finished = recover(), true }()
		f()
	})
}

// begin makes the fork and starts the workers.
func (e *execution) begin() {
	s := e.search
	e.fork = s.server.Emulator.Fork(emulator.WithHeldClock(emulator.NewClock(s.at)))
	e.x = &X{}
	s.program(e.x)
	e.gate = newGate(e.x.workers)
	e.gate.perform = e.perform
	for i, w := range e.x.workers {
		place := &seat{gate: e.gate, worker: w, index: i}
		db := s.server.ClientOf(e.fork, func(o *dynamodb.Options) {
			place.next, o.HTTPClient = o.HTTPClient, place
			o.IdempotencyTokenProvider = &tokens{worker: w.name}
		})
		go work(place, db)
	}
}

// tokens makes the tokens of a worker's transactions, the same in each run.
type tokens struct {
	worker string
	n      int
}

func (t *tokens) GetIdempotencyToken() (string, error) {
	t.n++
	return fmt.Sprintf("%.20s-%d", t.worker, t.n), nil
}

// work runs a worker until it ends in any way.
func work(place *seat, db *dynamodb.Client) {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), workerKey{}, place))
	result, died := "", "it left its goroutine, as t.FailNow does"
	defer func() {
		if p := recover(); p != nil {
			died = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
		cancel()
		place.gate.end(place.worker, result, died)
	}()
	if err := place.worker.work(ctx, db); err != nil {
		result = errorText(err)
	}
	died = ""
}

var requestID = regexp.MustCompile(`,? ?\bRequestID: [A-Z0-9]*`)

// errorText returns the text of an error without the ids of requests, which differ between orders.
func errorText(err error) string { return requestID.ReplaceAllString(err.Error(), "") }

// letGo lets one request go after the other until all workers have ended.
func (e *execution) letGo(choose chooser) {
	for {
		before := now(e.search.at)
		if !e.gate.settle() {
			e.outcome.stuck = e.stuck()
			return
		}
		if n := len(e.steps); n > 0 && now(e.search.at).After(before) {
			// A worker has slept after this step. All workers see the time.
			e.steps[n-1].print.writes = true
		}
		e.search.progress.Add(1)
		waiting := e.gate.line()
		if len(waiting) == 0 || !slices.ContainsFunc(e.x.workers, running) {
			return
		}
		if len(e.steps) >= e.search.longest {
			e.outcome.cut = true
			return
		}
		i := choose(e.steps, waiting)
		if i < 0 {
			e.outcome.stopped = true
			return
		}
		e.gate.let(waiting[i])
	}
}

func running(w *worker) bool { return !w.ended }

// perform sends a request that was let go. It runs in the worker's goroutine, and alone.
func (e *execution) perform(t *ticket) (*http.Response, error) {
	s := e.search
	st := &step{proc: t.proc(), operation: t.operation, body: t.body}
	e.steps = append(e.steps, st)
	if clock := e.fork.Clock(); clock.Now().Before(now(s.at)) {
		clock.Set(now(s.at))
	}
	st.print, st.request = touched(s.schemas, t.operation, t.body)
	for i := range st.print.items {
		x := &st.print.items[i]
		x.old = e.item(x)
	}
	response, err := t.seat.next.Do(t.request)
	for i := range st.print.items {
		x := &st.print.items[i]
		x.new = e.item(x)
	}
	if err == nil {
		st.status = response.StatusCode
	}
	return response, err
}

// item returns the item of a touch as it is now.
func (e *execution) item(t *touch) item.Item {
	found, err := e.fork.Item(e.search.accessKey, e.search.region, t.table, t.key)
	if err != nil {
		return ""
	}
	return found
}

// finish runs the checks and ends the workers that still wait.
func (e *execution) finish() {
	o := &e.outcome
	for _, w := range e.x.workers {
		o.names = append(o.names, w.name)
	}
	if o.stuck == "" && !o.cut && !o.stopped {
		for _, w := range e.x.workers {
			o.results = append(o.results, w.outcome())
			o.deaths = append(o.deaths, w.died)
		}
		o.state = e.search.stateOf(e.fork)
		for _, check := range e.x.checks {
			if o.check = e.check(check); o.check != nil {
				break
			}
		}
		return
	}
	e.abandon()
}

// outcome returns the result of a worker as text.
func (w *worker) outcome() string {
	text := w.result
	for _, v := range w.values {
		text += fmt.Sprintf("\n%v", v)
	}
	return text
}

func (e *execution) check(check Check) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return check(context.Background(), e.search.server.ClientOf(e.fork))
}

// abandon has all workers leave: their requests end their goroutines.
func (e *execution) abandon() {
	e.gate.perform = func(*ticket) (*http.Response, error) {
		runtime.Goexit()
		return nil, nil
	}
	for slices.ContainsFunc(e.x.workers, running) {
		waiting := e.gate.line()
		for _, t := range waiting {
			e.gate.let(t)
		}
		if len(waiting) == 0 || !e.gate.settle() {
			return
		}
	}
}

// stuck returns the stacks of the workers that wait for something that will never be.
func (e *execution) stuck() string {
	e.gate.mu.Lock()
	defer e.gate.mu.Unlock()
	text := ""
	for _, w := range e.gate.busy() {
		text += "worker " + w.name + " waits for something that never comes\n"
	}
	return text + stacks()
}
