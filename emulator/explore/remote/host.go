package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// Limits of one exploration.
const (
	maxLeft    = 100 // workers that were left behind
	maxWaiting = 256 // requests that are being answered
)

// quiet is how long no request may have come if workers send several at a time, and one is at a
// point where none was before: see habits. firstRuns are those that show whether they do.
const (
	quiet     = 20 * time.Millisecond
	firstRuns = 3
)

// host runs the workers of a program elsewhere.
type host struct {
	server  *emulator.Emulator
	search  *search.Search
	program Program
	alive   func() // called for each request
	done    chan struct{}

	mu       sync.Mutex
	changed  chan struct{} // closed when there is another step
	steps    []*Step       // steps that were not returned yet; the last one of all stays
	number   int           // the number of the run
	run      *search.Run
	stuck    bool // workers of the run wait forever
	warm     bool // a request has come: the program has loaded its SDK
	parallel bool // workers send several requests at a time
	habits   habits
	lives    map[place]*life
	keys     map[place]string // the keys of workers
	checkKey string
	verdict  chan error // the outcome of the checks
	watching bool       // they look between requests
	left     []string   // keys of workers that were left behind
	waiting  int        // requests that are being answered

	deliveries int // deliveries of all runs
}

// place is where a worker works. One that consumes a stream has several if batches overlap.
type place struct {
	worker string
	slot   int
}

// life is a worker of a run, from its beginning to its end or its death.
type life struct {
	worker  *search.Worker
	client  *search.WorkerClient
	restart bool
	ended   bool
	heard   heard

	// a consumer's call
	delivery int
	reply    chan reply

	ctx    context.Context // ends with the run
	cancel context.CancelFunc
}

// failure is the error of a worker.
type failure struct {
	text    string
	aborted bool
}

func (f *failure) Error() string { return f.text }

var errDied = errors.New("explore: the worker died")

func newHost(server *emulator.Emulator, s *search.Search, p Program) *host {
	h := &host{server: server, search: s, program: p, done: make(chan struct{}),
		changed: make(chan struct{}), keys: map[place]string{}, checkKey: newKey(),
		habits: habits{}}
	for _, w := range p.Workers {
		h.newKeyOf(place{w.Name, 0})
	}
	server.Intercept(h.checkKey, h.checkGate())
	return h
}

// newKeyOf makes an access key for a place, unless h is closed: nobody would give the key back. The
// caller holds the lock, unless nobody knows h yet.
func (h *host) newKeyOf(at place) {
	select {
	case <-h.done:
		return
	default:
	}
	h.keys[at] = newKey()
	h.server.Intercept(h.keys[at], h.gate(at))
}

// close ends what waits, and gives the access keys back.
func (h *host) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.done:
		return
	default:
	}
	close(h.done)
	for _, key := range h.keys {
		h.server.Intercept(key, nil)
	}
	for _, key := range append(h.left, h.checkKey) {
		h.server.Intercept(key, nil)
	}
	for _, l := range h.lives {
		l.cancel()
	}
}

// publish has next return a step: a batch after those that are there, and another one in place of
// them, which are of a run that is over. The caller holds the lock.
func (h *host) publish(s *Step) {
	if s.Do != Handle {
		h.steps = nil
	}
	h.steps = append(h.steps, s)
	close(h.changed)
	h.changed = make(chan struct{})
}

// finish publishes the last step.
func (h *host) finish(s *Step) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.publish(s)
}

func (h *host) progress() (runs int, end *Step) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.steps) > 0 && h.steps[0].Do == Finish {
		end = h.steps[0]
	}
	return h.number, end
}

func (h *host) next(ctx context.Context) (*Step, error) {
	for {
		h.mu.Lock()
		changed := h.changed
		if len(h.steps) > 0 {
			s := h.steps[0]
			if s.Do != Finish {
				h.steps = h.steps[1:]
			}
			h.mu.Unlock()
			return s, nil
		}
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return &Step{Do: Wait}, nil
		case <-h.done:
			return nil, ErrClosed
		}
	}
}

// Workers returns the workers of a new run.
func (h *host) Workers() (list []*search.Worker) {
	for _, w := range h.program.Workers {
		of := &search.Worker{Name: w.Name, Mortal: w.Mortal || w.Consumes != nil}
		if w.Consumes != nil {
			h.consumer(of, *w.Consumes)
		}
		list = append(list, of)
	}
	return list
}

// Run calls f, and then leaves the workers behind that have not ended.
func (h *host) Run(_ time.Time, f func()) {
	defer h.endRun()
	f()
}

// Begin tells the program to start workers.
func (h *host) Begin(r *search.Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.run, h.stuck, h.lives = r, false, map[place]*life{}
	h.number++
	s := &Step{Do: Start, Run: h.number}
	for i, w := range r.Workers() {
		if !r.Starts(w) || w.Trigger != nil {
			continue
		}
		at := place{w.Name, 0}
		h.lives[at] = h.newLife(w, h.program.Workers[i].Restarts)
		s.Workers = append(s.Workers, Access{w.Name, h.keys[at]})
	}
	h.publish(s)
}

func (h *host) newLife(w *search.Worker, restart bool) *life {
	l := &life{worker: w, client: h.run.Client(w), restart: restart}
	l.client.Next = h.run.Fork().HTTPClient(h.search.AccessKey, h.search.Region)
	l.client.Heard = h.hears(l)
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// endRun ends the requests of the run that still wait. A worker that has not ended gets another
// access key, so that what it sends later does not count.
func (h *host) endRun() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for at, l := range h.lives {
		l.cancel()
		if l.ended {
			continue
		}
		if len(h.left) >= maxLeft {
			panic(fmt.Sprintf("explore: %d workers of earlier runs have not ended", maxLeft))
		}
		h.left = append(h.left, h.keys[at])
		h.newKeyOf(at)
	}
	h.run, h.lives = nil, nil
}

// Settle waits until every worker waits at the gate or has ended. It returns false if nothing
// happens for the time of the program's patience.
func (h *host) Settle(g *search.Gate) bool {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		busy, waiting := g.Count()
		limit := h.patience()
		if busy == 0 {
			if waiting == 0 || !h.severalAtATime(g) {
				return true
			}
			switch h.presence(g) {
			case allThere:
				return true
			case unknown:
				limit = quiet
			}
		}
		timer.Reset(limit)
		select {
		case <-g.Arrived():
		case <-h.done:
			panic(ErrClosed)
		case <-timer.C:
			if busy == 0 {
				h.learn(g)
				return true
			}
			if h.standsStill() {
				return false
			}
		}
	}
}

// coldPatience is how much longer nothing may happen before the first request of all: to load an
// SDK takes its time.
const coldPatience = 6

// patience is how long nothing may happen. Workers that wait forever are not waited for twice.
func (h *host) patience() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.stuck:
		return 100 * time.Millisecond
	case !h.warm:
		return coldPatience * h.program.Patience
	}
	return h.program.Patience
}

// standsStill reports whether the workers of the run will wait forever: nothing has happened for
// long, after the program has taken the run. In a replay it waits for who debugs a worker.
func (h *host) standsStill() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stuck = h.stuck || len(h.steps) == 0 && h.search.Schedule == ""
	return h.stuck
}

// severalAtATime reports whether workers send several requests at a time, or may do so.
func (h *host) severalAtATime(g *search.Gate) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parallel = h.parallel || g.Parallel()
	return h.parallel || h.number <= firstRuns
}

func (h *host) presence(g *search.Gate) presence {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.habits.presence(g, h.lives)
}

func (h *host) learn(g *search.Gate) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.habits.learn(g, h.lives)
}

// Check has the program run its checks.
func (h *host) Check(*search.Run) error {
	if !h.program.Checks {
		return nil
	}
	return h.ask(Check)
}

// ask has the program look at the tables, and waits for what it says.
func (h *host) ask(what string) error {
	verdict := make(chan error, 1)
	h.mu.Lock()
	h.verdict, h.watching = verdict, what == Always
	h.publish(&Step{Do: what, Run: h.number, Key: h.checkKey})
	h.mu.Unlock()
	select {
	case err := <-verdict:
		return err
	case <-h.done:
		panic(ErrClosed)
	}
}

// Watches reports whether the program has something that holds between requests.
func (h *host) Watches() bool { return h.program.Always }

// Holds has the program look whether that holds now.
func (h *host) Holds(*search.Run) error { return h.ask(Always) }

// Now returns at: the clock of the service stands still.
func (h *host) Now(at time.Time) time.Time { return at }

// Pass does nothing: the clock of the workers is the real one.
func (h *host) Pass(time.Duration) {}

// Stacks says what is known of workers that wait forever.
func (h *host) Stacks() string {
	return fmt.Sprintf("for %s or longer they have neither sent a request nor ended", h.program.Patience)
}

// ended says that a worker has ended, and reports whether it is to begin anew.
func (h *host) ended(run int, worker string, r Result) (again bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := place{worker, 0}
	for other, l := range h.lives {
		if r.Delivery > 0 && other.worker == worker && l.delivery == r.Delivery {
			at = other
		}
	}
	l := h.lives[at]
	if l == nil || run != h.number || l.ended || l.delivery != r.Delivery {
		return false, fmt.Errorf("run %d has no worker %q that has not ended", run, worker)
	}
	if l.delivery > 0 {
		h.handled(l, r)
		return false, nil
	}
	gate := h.run.Gate()
	switch {
	case l.client.Dead() && gate.Died(l.worker) && l.restart:
		l.cancel()
		again := h.newLife(l.worker, true)
		again.heard = l.heard // the worker has heard so much up to its death
		h.lives[at] = again
		return true, nil
	case l.client.Dead():
		gate.End(l.worker, errDied, "")
	default:
		for _, v := range r.Values {
			l.client.Add(v)
		}
		end, broken := error(nil), ""
		if r.Failed {
			end = &failure{r.Error, r.Aborted}
		}
		if r.Broken {
			broken = r.Error
		}
		gate.End(l.worker, end, broken)
	}
	l.ended = true
	return false, nil
}

// checked says what the checks of a run have found.
func (h *host) checked(run int, found error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.verdict == nil || run != h.number {
		return fmt.Errorf("run %d has no checks that have not ended", run)
	}
	h.verdict <- found
	h.verdict = nil
	return nil
}
