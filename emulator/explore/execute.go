package explore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
)

// execution is one run.
type execution struct {
	search  *search
	plan    plan
	only    uint64 // the workers that start, as bits; 0: all
	answers bool   // keep them

	x     *X
	fork  *emulator.Emulator
	gate  *gate
	steps []*step
	past  []past
	outcome
}

// outcome is what a run has led to.
type outcome struct {
	plan    plan
	steps   []*step
	workers []*worker
	state   string // of all tables, as text
	check   error  // of the first check that failed
	refused string // by the policy
	stuck   string // not "": a deadlock, with the stacks of who waits
	cut     bool   // the run had more requests than Longest
	stopped bool   // the chooser stopped the run
}

// whole reports whether the run went on until its workers had ended.
func (o *outcome) whole() bool { return !o.cut && !o.stopped && o.stuck == "" }

// run runs the program once.
func (s *search) run(choose chooser, p plan) *outcome {
	return s.execute(&execution{search: s, plan: p}, choose)
}

func (s *search) execute(e *execution, choose chooser) *outcome {
	s.progress.Add(1)
	e.inBubble(func() {
		e.begin()
		e.letGo(choose)
		e.finish()
	})
	s.progress.Add(1)
	e.outcome.plan, e.outcome.steps, e.outcome.workers = e.plan, e.steps, e.x.workers
	return &e.outcome
}

// inBubble calls f in a bubble. After f has ended, goroutines may be left behind there for good.
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
	if len(e.x.workers) > 64 {
		panic("a program has at most 64 workers")
	}
	e.gate = newGate(e.x.workers)
	e.gate.perform = e.perform
	for i, w := range e.x.workers {
		if e.only != 0 && e.only&(1<<i) == 0 {
			w.ended = true
		}
	}
	for i, w := range e.x.workers {
		if !w.ended {
			go e.work(&seat{gate: e.gate, worker: w, index: i}, w.work)
		}
	}
}

// client returns the SDK client of a worker.
func (e *execution) client(place *seat) *dynamodb.Client {
	return e.search.server.ClientOf(e.fork, func(o *dynamodb.Options) {
		place.next, o.HTTPClient = o.HTTPClient, place
		o.IdempotencyTokenProvider = &tokens{worker: place.worker}
	})
}

// tokens makes the tokens of a worker's transactions, the same in each run.
type tokens struct {
	worker *worker
	n      int
}

func (t *tokens) GetIdempotencyToken() (string, error) {
	t.n++
	return fmt.Sprintf("%.20s-%d-%d", t.worker.name, t.worker.deaths, t.n), nil
}

// work runs a worker until it ends in any way. If it dies, work starts it again.
func (e *execution) work(place *seat, work Work) {
	ctx, cancel := context.WithCancel(context.WithValue(background, workerKey{}, place))
	var err error
	broken := "it left its goroutine, as t.FailNow does"
	defer func() {
		if p := recover(); p != nil {
			broken = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
		cancel()
		w := place.worker
		if !place.isDead() {
			e.gate.end(w, err, broken)
			return
		}
		w.deaths++
		if w.again == nil {
			e.gate.end(w, errDied, "")
			return
		}
		go e.work(&seat{gate: e.gate, worker: w, index: place.index}, w.again)
	}()
	err = work(ctx, e.client(place))
	broken = ""
}

var errDied = errors.New("explore: the worker died")

var requestID = regexp.MustCompile(`,? ?\bRequestID: [A-Z0-9]*`)

// errorText returns the text of an error without the ids of requests, which differ between orders.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return requestID.ReplaceAllString(err.Error(), "")
}

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
		e.let(waiting[i])
	}
}

// let lets a request go, with its fault.
func (e *execution) let(t *ticket) {
	w := t.seat.worker
	t.fault = e.plan.at(w.name, w.requests+1)
	if t.fault == Later {
		pass(e.search.moves)
		e.fork.Clock().Advance(e.search.moves)
	}
	e.gate.let(t)
}

func running(w *worker) bool { return !w.ended }

// perform sends a request that was let go. It runs in the worker's goroutine, and alone.
func (e *execution) perform(t *ticket) (*http.Response, error) {
	s, w := e.search, t.seat.worker
	st := &step{proc: t.proc(), nth: w.requests, operation: t.operation, body: t.body,
		fault: t.fault}
	e.steps = append(e.steps, st)
	if clock := e.fork.Clock(); clock.Now().Before(now(s.at)) {
		clock.Set(now(s.at))
	}
	st.print, st.request = touched(s.schemas, t.operation, t.body)
	st.print.writes = st.print.writes || st.fault == Later
	st.print.ordered = e.plan.stale() || e.fork.HasPolicy()
	for i := range st.print.items {
		x := &st.print.items[i]
		x.old = e.item(x)
		x.new = x.old
	}
	w.hit = w.hit || st.fault != ""
	e.remember(st)
	response, err := e.send(t, st)
	if !readOperation(st.operation) {
		for i := range st.print.items {
			x := &st.print.items[i]
			x.new = e.item(x)
		}
	}
	if st.fault == DiesAfter {
		t.seat.die()
	}
	if err == nil {
		st.status = response.StatusCode
		e.keepAnswer(st, response)
	}
	return response, err
}

func (e *execution) keepAnswer(st *step, response *http.Response) {
	if !e.answers {
		return
	}
	st.answer, _ = io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(strings.NewReader(string(st.answer)))
}

// item returns the item of a touch as it is now.
func (e *execution) item(t *touch) item.Item {
	found, err := e.fork.Item(e.search.accessKey, e.search.region, t.table, t.key)
	if err != nil {
		return ""
	}
	return found
}

// finish runs the checks, or ends the workers that still wait.
func (e *execution) finish() {
	if !e.whole() {
		e.abandon()
		return
	}
	e.state = stateOf(e.search.server, e.fork, e.search.ignored)
	if e.fork.HasPolicy() {
		e.refused = refusals(e.fork)
	}
	for _, check := range e.x.checks {
		if e.check = e.checked(check); e.check != nil {
			return
		}
	}
}

// refusals returns what the policy has refused in a run.
func refusals(fork *emulator.Emulator) string {
	var list []string
	for _, f := range fork.Findings() {
		if f.Severity == "enforce" {
			list = append(list, f.Rule+": "+f.Example)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func (e *execution) checked(check Check) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return check(background, e.search.server.ClientOf(e.fork))
}

// abandon has all workers leave: their requests end their goroutines.
func (e *execution) abandon() {
	for _, w := range e.x.workers {
		w.again = nil
	}
	e.gate.perform = func(t *ticket) (*http.Response, error) {
		t.seat.die()
		return nil, nil
	}
	for range 1000 {
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
	var names []string
	for _, w := range e.gate.busy() {
		names = append(names, w.name)
	}
	return strings.Join(names, " and ") + " wait forever\n" + stacks()
}
