package search

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Run is one run.
type Run struct {
	search *Search
	plan   plan
	only   uint64 // the workers that start, as bits; 0: all

	workers []*Worker
	fork    *emulator.Emulator
	gate    *Gate
	steps   []*step
	past    []past
	entries []entry // the entries of the cache
	watched bool    // something has to hold between requests
	longest int     // requests at most
	round   int     // how many requests it repeats, once it has come to Longest
	Outcome
}

// Starts reports whether a worker begins with the run. The others have ended at its beginning, or
// begin later: see Search.BeginLate.
func (e *Run) Starts(w *Worker) bool {
	return (e.only == 0 || e.only&(1<<w.index) != 0) && !w.unborn
}

// Workers returns all workers, in the order of Host.Workers.
func (e *Run) Workers() []*Worker { return e.workers }

// Fork returns the data of the run.
func (e *Run) Fork() *emulator.Emulator { return e.fork }

// Client returns a new client of a worker. Its owner sets how it sends.
func (e *Run) Client(w *Worker) *WorkerClient { return &WorkerClient{Worker: w, gate: e.gate} }

// Gate returns the gate of the run.
func (e *Run) Gate() *Gate { return e.gate }

// End returns the faults of a run, its final state and the results of its workers, as text. It
// returns false if the search has stopped the run.
func (s *Search) End(o *Outcome) (text string, ok bool) {
	text = o.plan.key() + o.state
	for _, w := range o.workers {
		text += "\n--\n" + s.resultOf(w)
	}
	return text, !o.stopped
}

// run runs the program once.
func (s *Search) run(choose chooser, p plan) *Outcome {
	return s.execute(&Run{search: s, plan: p}, choose)
}

func (s *Search) execute(e *Run, choose chooser) *Outcome {
	s.progress.Add(1)
	s.Host.Run(s.at, func() {
		e.begin()
		e.letGo(choose)
		e.finish()
	})
	s.progress.Add(1)
	e.Outcome.overslept = e.gate.overslept
	e.Outcome.plan, e.Outcome.steps, e.Outcome.workers = e.plan, e.steps, e.workers
	return &e.Outcome
}

// begin makes the fork and starts the workers.
func (e *Run) begin() {
	s := e.search
	e.fork = s.Emulator.Fork(emulator.WithHeldClock(emulator.NewClock(s.at)))
	e.workers = s.Host.Workers()
	if len(e.workers) > 64 {
		panic("a program has at most 64 workers")
	}
	if !s.Unjudged {
		mustBeUsable(e.workers, s.Kinds)
	}
	s.Cache.check(func(name string) bool {
		return slices.ContainsFunc(e.workers, func(w *Worker) bool { return w.Name == name })
	})
	e.watched, e.longest = s.Host.Watches() && !s.Unjudged, s.Longest
	e.gate = newGate(e.workers)
	e.gate.readings = s.readings
	e.gate.perform = e.perform
	for i, w := range e.workers {
		w.index = i
		w.ended = e.only != 0 && e.only&(1<<i) == 0
		if w.Trigger != nil {
			e.consume(w)
			continue
		}
		switch f := e.plan.at(w.Name, 0); {
		case f == Skewed:
			w.ahead = s.Skew
		case f != "" && !w.ended:
			holdBack(e, w)
		}
	}
	s.Host.Begin(e)
}

// letGo lets one request go after the other until all workers have ended.
func (e *Run) letGo(choose chooser) {
	for {
		before := e.search.Host.Now(e.search.at)
		if !e.search.Host.Settle(e.gate) {
			e.Outcome.stuck = e.stuck()
			return
		}
		if n := len(e.steps); n > 0 && e.search.Host.Now(e.search.at).After(before) {
			// A worker has slept after this step. All workers see the time.
			e.steps[n-1].print.writes = true
		}
		e.search.progress.Add(1)
		holds(e)
		e.offer()
		waiting := e.gate.line()
		e.watch(waiting)
		if len(waiting) == 0 {
			e.gate.endConsumers()
		}
		if fair, polled := letOthersGo(e.steps, waiting); polled && e.search.Schedule == "" {
			waiting, e.Outcome.polled = fair, true
		}
		if len(waiting) == 0 || !slices.ContainsFunc(e.workers, running) {
			return
		}
		if len(e.steps) >= e.longest {
			if goesOn(e, waiting) {
				continue
			}
			e.Outcome.cut = true
			return
		}
		i := choose(e.steps, waiting)
		if i < 0 {
			e.Outcome.stopped, e.Outcome.astray = true, i == astray
			return
		}
		e.let(waiting[i])
	}
}

// polls is how often a worker gets the same answer to the same request before others go first.
const polls = 10

// letOthersGo returns the requests of the workers that do not poll. A worker polls if its last
// requests were all the same, with the same answers, and nothing of another worker went between
// them. It goes on after another one has gone.
func letOthersGo(done []*step, waiting []*Pending) (others []*Pending, polled bool) {
	n := len(done)
	if n < polls {
		return nil, false
	}
	last := done[n-1]
	for _, st := range done[n-polls : n-1] {
		if !st.repeats(last) {
			return nil, false
		}
	}
	others = slices.DeleteFunc(slices.Clone(waiting), func(t *Pending) bool {
		return t.client.Worker.index == last.proc.worker
	})
	return others, len(others) > 0 && len(others) < len(waiting)
}

// holdBack has a worker begin when the search lets it.
func holdBack(e *Run, w *Worker) {
	if e.search.BeginLate == nil {
		panic("explore: " + w.Name + " cannot begin later: the clock of the workers does not move")
	}
	w.unborn = true
	e.gate.offer(&Pending{client: e.Client(w), operation: begin, lane: -1, offered: true,
		begins: true, pass: make(chan struct{})})
}

// beginLate has a worker begin that was held back.
func beginLate(e *Run, t *Pending) {
	w := t.client.Worker
	st := e.newStep(t)
	st.nth, st.print = 0, &footprint{writes: true}
	e.lives(st, w, begin, "")
	e.gate.mu.Lock()
	w.unborn, w.hit = false, true
	e.gate.mu.Unlock()
	e.search.BeginLate(e, w)
}

// let lets a request go, with its fault.
func (e *Run) let(t *Pending) {
	w := t.client.Worker
	t.fault = e.plan.at(w.Name, w.requests+1)
	if t.begins {
		t.fault = e.plan.at(w.Name, 0)
	}
	t.expired, t.expires = e.expiry()
	if e.plan.cached() {
		e.rememberAll()
	}
	e.catchUp()
	clock := e.fork.Clock()
	switch t.fault {
	case Later, beginsLater:
		e.search.Host.Pass(e.search.Moves)
		clock.Advance(e.search.Moves)
	case LaterKept, beginsLaterKept:
		e.search.Host.Pass(e.search.Moves)
		clock.SetKeeping(clock.Now().Add(e.search.Moves))
	case Expired:
		e.fork.ExpireItems()
	}
	if e.plan.cached() {
		e.past[len(e.past)-1].until = clock.Now()
	}
	switch {
	case !e.gate.let(t):
	case t.begins:
		beginLate(e, t)
	case t.offered:
		e.invoke(t)
	}
}

// catchUp has the clock of the service show the time of the workers, which may have slept.
func (e *Run) catchUp() {
	clock, now := e.fork.Clock(), e.search.Host.Now(e.search.at)
	switch {
	case !clock.Now().Before(now):
	case e.plan.keeps():
		clock.SetKeeping(now)
	default:
		clock.Set(now)
	}
}

// expiry reports whether an item has expired and is still there, and whether one will expire when
// the clock moves. Without faults of expiry it does not look.
func (e *Run) expiry() (expired, expires bool) {
	s := e.search
	if s.Faults == 0 || !slices.Contains(s.Kinds, LaterKept) && !slices.Contains(s.Kinds, Expired) {
		return false, false
	}
	for _, x := range e.fork.Inspect().Expirations(1) {
		now := e.fork.Now()
		if of := s.Host.Now(s.at); of.After(now) {
			now = of
		}
		expired = !x.Time.After(now)
		expires = !x.Time.After(now.Add(s.Moves))
	}
	return expired, expires
}

func running(w *Worker) bool { return !w.ended }

// perform sends a request that was let go. It runs in the worker's goroutine, and alone.
func (e *Run) perform(t *Pending) (*http.Response, error) {
	s, w := e.search, t.client.Worker
	st := e.newStep(t)
	if t.again {
		st.print = &footprint{writes: st.fault.ofTime()}
		e.lives(st, w, t.text(), "")
		return nil, nil
	}
	st.print, st.request = s.readings.touched(t.operation, t.body)
	if t.operation == "GetRecords" {
		e.readsStream()
	}
	st.print.writes = st.print.writes || st.fault.ofTime()
	st.print.watched = e.watched
	st.print.ordered = e.plan.stale() || e.plan.cached() || e.fork.Inspect().HasPolicy()
	for i := range st.print.items {
		x := &st.print.items[i]
		x.old = e.item(x)
		x.new = x.old
		x.logged = e.logged(x.table)
	}
	w.hit = w.hit || st.fault != ""
	st.asks = e.asks(st, w)
	e.mark(st, w)
	e.remember(st)
	response, err := e.send(t, st)
	if !readOperation(st.operation) {
		for i := range st.print.items {
			x := &st.print.items[i]
			x.new = e.item(x)
		}
	}
	if st.fault == DiesAfter {
		e.keep(st, w)
		e.lives(st, w, t.text(), "")
		return t.client.die()
	}
	if err == nil {
		st.status = response.StatusCode
		e.keepAnswer(st, response)
	}
	e.keep(st, w)
	e.lives(st, w, t.text(), st.heard())
	return response, err
}

// readsStream has the order of writes count from now on, also of those before in this run: a worker
// reads the stream that shows it.
func (e *Run) readsStream() {
	if e.search.streams {
		return
	}
	e.search.streams = true
	for _, st := range e.steps {
		for i := range st.print.items {
			st.print.items[i].logged = e.logged(st.print.items[i].table)
		}
	}
}

// newStep adds the step of a request, or of a batch.
func (e *Run) newStep(t *Pending) *step {
	st := &step{proc: t.proc(), nth: t.client.Worker.requests, operation: t.operation, body: t.body,
		text:  t.text(),
		fault: t.fault, expired: t.expired, expires: t.expires}
	e.steps = append(e.steps, st)
	return st
}

// keepAnswer reads the answer before the worker does.
func (e *Run) keepAnswer(st *step, response *http.Response) {
	st.answer, _ = io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(st.answer))
}

// item returns the item of a touch as it is now.
func (e *Run) item(t *touch) item.Item { return e.search.itemIn(e.fork, t) }

func (s *Search) itemIn(fork *emulator.Emulator, t *touch) item.Item {
	found, err := fork.Item(s.AccessKey, s.Region, t.table, t.key)
	if err != nil {
		return ""
	}
	return found
}

// finish runs the checks, or ends the workers that still wait.
func (e *Run) finish() {
	if !e.whole() {
		e.abandon()
		return
	}
	e.state = stateOf(e.search.Emulator, e.fork, e.search.AccessKey, e.search.Ignored)
	if e.fork.Inspect().HasPolicy() {
		e.refused = refusals(e.fork)
	}
	e.check = e.search.Host.Check(e)
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

// abandon has all workers leave: their requests end their goroutines.
func (e *Run) abandon() {
	e.gate.mu.Lock()
	e.gate.over = true
	e.gate.mu.Unlock()
	e.gate.perform = func(t *Pending) (*http.Response, error) { return t.client.die() }
	for range 1000 {
		waiting := e.gate.line()
		for _, t := range waiting {
			e.gate.let(t) // a batch does not set out any more
		}
		if len(waiting) == 0 || !e.search.Host.Settle(e.gate) {
			return
		}
	}
}

// stuck returns the stacks of the workers that wait for something that will never be.
func (e *Run) stuck() string {
	return strings.Join(e.gate.Busy(), " and ") + " wait forever\n" + e.search.Host.Stacks()
}

// watch compares what the workers ask for now with other runs.
func (e *Run) watch(waiting []*Pending) {
	r := e.search.record
	now := strconv.FormatInt(e.search.Host.Now(e.search.at).UnixNano(), 36)
	for _, w := range e.workers {
		p := point{ended: w.ended && w.Trigger == nil}
		for _, t := range waiting {
			if t.client.Worker == w && !t.offered {
				p.asks = append(p.asks, t.text())
			}
		}
		if !e.Starts(w) || len(p.asks) == 0 && !p.ended {
			continue
		}
		if p.ended && w.broken != "" {
			continue // it may be the run that has ended it
		}
		slices.Sort(p.asks)
		r.compare(w.Name, r.after(w.past, w.Name, now, strconv.Itoa(w.deaths), w.ahead.String()),
			w.requests+1, p)
	}
}

// lives adds a step to the past of its worker.
func (e *Run) lives(st *step, w *Worker, asked, heard string) {
	r := e.search.record
	now := strconv.FormatInt(e.fork.Now().UnixNano(), 36)
	w.past = r.after(w.past, asked, string(st.fault), strconv.Itoa(st.status), heard, now)
}
