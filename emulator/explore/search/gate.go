package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// Gate holds the requests of a run until the search lets them go.
type Gate struct {
	mu      sync.Mutex
	changed *sync.Cond // a worker has come to the gate or has ended
	arrived chan struct{}
	pending []*Pending
	workers []*Worker
	flying  int // requests that were let go and are not yet carried out
	// a worker has had two requests wait at a time
	parallel  bool
	perform   func(*Pending) (*http.Response, error)
	readings  *readings
	over      bool // the run is: no more requests come
	overslept bool // see Oversleep
}

// Sender sends requests: an HTTP client of an SDK.
type Sender interface {
	Do(r *http.Request) (*http.Response, error)
}

// newGate makes the gate of a run.
func newGate(workers []*Worker) *Gate {
	g := &Gate{workers: workers, arrived: make(chan struct{}, 1)}
	g.changed = sync.NewCond(&g.mu)
	return g
}

// WorkerClient is the HTTP client of the SDK client of a worker.
type WorkerClient struct {
	Worker *Worker
	Next   Sender // what sends its requests to the run's fork
	// Exit leaves the goroutine of a request whose worker has died, or whose run is over. With nil
	// the request fails with ErrOver.
	Exit func()
	// Bound, if it is not nil, reports whether a context ends in the run. For one from outside,
	// such as that of the test, a bubble would wait for good: a request with it waits without it.
	Bound func(ctx context.Context) bool
	// Heard, if it is not nil, is told of each answer before the worker gets it, and before another
	// request goes. The status is 0 for none.
	Heard func(operation string, request []byte, status int, answer []byte)

	gate *Gate
	dead bool // its worker has died
}

// ErrOver is the error of a request whose worker has died, or whose run is over.
var ErrOver = errors.New("explore: the run of this worker is over")

// Pending is a request that waits.
type Pending struct {
	client    *WorkerClient
	request   *http.Request
	next      Sender
	operation string
	body      []byte
	canonical string // once it is asked for: see text
	lane      int    // -1: not yet known
	fault     Fault
	pass      chan struct{}
	late      bool // its worker has ended

	// a consumer's batch, for which no goroutine waits yet; its call that is not the first
	offered, again bool
	place          emulator.Place // the place of a batch
	begins         bool           // it is the beginning of a worker, for which nobody waits either

	expired, expires bool // see step
}

// Do waits for the search and then sends the request.
func (s *WorkerClient) Do(r *http.Request) (*http.Response, error) { return s.Send(r, s.Next) }

// Send is Do with another Sender than Next.
func (s *WorkerClient) Send(r *http.Request, next Sender) (*http.Response, error) {
	if s.Dead() {
		return s.leave()
	}
	t := &Pending{client: s, request: r, next: next, lane: -1, pass: make(chan struct{})}
	_, t.operation, _ = strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
		t.body = body
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if !s.gate.come(t) {
		return nil, ErrOver
	}
	var ends <-chan struct{}
	if s.Bound == nil || s.Bound(r.Context()) {
		ends = r.Context().Done()
	}
	select {
	case <-t.pass:
		return s.gate.carryOut(t)
	case <-ends:
		if !s.gate.leave(t) {
			return s.gate.carryOut(t) // it was let go in this very moment
		}
		return nil, context.Cause(r.Context())
	}
}

// carryOut sends a request that was let go. Until it returns, or its goroutine ends, no other
// request goes.
func (g *Gate) carryOut(t *Pending) (*http.Response, error) {
	if t.late {
		return nil, ErrOver
	}
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.flying--
		g.tell()
	}()
	answer, err := g.perform(t)
	if t.client.Heard == nil {
		return answer, err
	}
	if err != nil || answer == nil {
		t.client.Heard(t.operation, t.body, 0, nil)
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(body))
	t.client.Heard(t.operation, t.body, answer.StatusCode, body)
	return answer, err
}

// leave ends the goroutine of a request, or fails the request.
func (s *WorkerClient) leave() (*http.Response, error) {
	if s.Exit != nil {
		s.Exit()
	}
	return nil, ErrOver
}

// die ends the worker at the gate, as far as its goroutine goes.
func (s *WorkerClient) die() (*http.Response, error) {
	s.gate.mu.Lock()
	s.dead = true
	s.gate.mu.Unlock()
	return s.leave()
}

// Add adds a value to the result of the worker.
func (s *WorkerClient) Add(value any) {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.Worker.values = append(s.Worker.values, value)
}

// Dead reports whether the worker has died.
func (s *WorkerClient) Dead() bool {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	return s.dead
}

// come adds a request to those that wait, unless its worker has ended.
func (g *Gate) come(t *Pending) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.client.Worker.ended {
		return false
	}
	g.pending = append(g.pending, t)
	t.client.Worker.waiting++
	g.parallel = g.parallel || t.client.Worker.waiting > 1
	g.tell()
	return true
}

// tell wakes who waits for a change. The caller holds the lock.
func (g *Gate) tell() {
	g.changed.Broadcast()
	select {
	case g.arrived <- struct{}{}:
	default:
	}
}

// leave takes a request back, unless its request has just been let go.
func (g *Gate) leave(t *Pending) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.take(t)
}

// take is leave. The caller holds the lock.
func (g *Gate) take(t *Pending) bool {
	i := slices.Index(g.pending, t)
	if i >= 0 {
		g.pending = slices.Delete(g.pending, i, i+1)
		if !t.offered {
			t.client.Worker.waiting--
		}
	}
	return i >= 0
}

// End says that a worker has ended: with an error, or nil, or in another way than by returning. Its
// requests that still wait are not sent.
func (g *Gate) End(w *Worker, err error, broken string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.ended, w.err, w.broken = true, err, broken
	for _, t := range slices.Clone(g.pending) {
		if t.client.Worker == w && g.take(t) {
			t.late = true
			close(t.pass)
		}
	}
	g.tell()
}

// endConsumers ends the consumers, for which there are no more records.
func (g *Gate) endConsumers() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.workers {
		w.ended = w.ended || w.Trigger != nil
	}
}

// LongestSleep is how long requests wait for a worker that sleeps, on its clock.
const LongestSleep = 30 * 24 * time.Hour

// Oversleep says that requests have waited for a worker for LongestSleep, and go now: its next
// request does not come before them in any run.
func (g *Gate) Oversleep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.overslept = true
}

// Parallel reports whether a worker has had two requests wait at a time.
func (g *Gate) Parallel() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.parallel
}

// proc is a line of requests: the requests of a worker that sends one at a time are all in lane 0.
type proc struct{ worker, lane int }

func compareProcs(a, b proc) int {
	return cmp.Or(a.worker-b.worker, a.lane-b.lane)
}

// line gives the requests that wait their lanes and returns them, sorted. Of requests that a worker
// sends at the same time, the order of arrival is not determined, but their texts are.
func (g *Gate) line() []*Pending {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortStableFunc(g.pending, func(a, b *Pending) int {
		if (a.lane < 0) != (b.lane < 0) {
			return b.lane - a.lane // those with a lane come first
		}
		return cmp.Or(cmp.Compare(a.text(), b.text()), bytes.Compare(a.body, b.body))
	})
	for i, t := range g.pending {
		for t.lane < 0 || slices.ContainsFunc(g.pending[:i], t.samePlace) {
			t.lane++
		}
	}
	slices.SortFunc(g.pending, func(a, b *Pending) int { return compareProcs(a.proc(), b.proc()) })
	return slices.Clone(g.pending)
}

func (t *Pending) proc() proc { return proc{t.client.Worker.index, t.lane} }

func (t *Pending) samePlace(other *Pending) bool { return t.proc() == other.proc() }

// let lets a request go, unless it has just left the gate.
func (g *Gate) let(t *Pending) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.take(t) {
		return false
	}
	if !t.begins {
		t.client.Worker.requests++
	}
	if !t.offered {
		g.flying++
	}
	close(t.pass)
	return true
}

// Busy returns the names of the workers that neither wait at the gate nor have ended.
func (g *Gate) Busy() (names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.busy() {
		names = append(names, w.Name)
	}
	return names
}

// busy returns the workers that neither wait at the gate nor have ended. The caller holds the lock.
func (g *Gate) busy() (list []*Worker) {
	for _, w := range g.workers {
		switch {
		case w.ended, w.unborn:
		case w.Trigger == nil && w.waiting == 0, w.waiting < w.flights:
			list = append(list, w)
		}
	}
	return list
}

// Count returns how many workers neither wait at the gate nor have ended, or requests are being
// carried out, and how many requests wait. Arrived tells what comes after it.
func (g *Gate) Count() (busy, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.arrived: // what has come so far is counted
	default:
	}
	return len(g.busy()) + g.flying, len(g.pending)
}

// Waiting returns how many requests of a client wait.
func (g *Gate) Waiting(s *WorkerClient) (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.pending {
		if t.client == s && !t.offered {
			n++
		}
	}
	return n
}

// Arrived returns a channel that receives a value when a request or the end of a worker has come
// since Count.
func (g *Gate) Arrived() <-chan struct{} { return g.arrived }

// Wait waits until every worker waits at the gate or has ended, and no request is being carried
// out.
func (g *Gate) Wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.busy())+g.flying > 0 {
		g.changed.Wait()
	}
}
