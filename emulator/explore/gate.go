package explore

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// gate holds the requests of a run until the search lets them go.
type gate struct {
	mu      sync.Mutex
	changed *sync.Cond // a worker has come to the gate or has ended
	arrived chan struct{}
	tickets []*ticket
	workers []*worker
	perform func(*ticket) (*http.Response, error)
}

func newGate(workers []*worker) *gate {
	g := &gate{workers: workers, arrived: make(chan struct{}, 1)}
	g.changed = sync.NewCond(&g.mu)
	return g
}

// seat is the place of a worker at the gate: the HTTP client of its SDK client.
type seat struct {
	gate   *gate
	worker *worker
	index  int // of the worker
	next   aws.HTTPClient
	dead   bool // its worker has died
}

// ticket is a request that waits.
type ticket struct {
	seat      *seat
	request   *http.Request
	operation string
	body      []byte
	lane      int // -1: not yet known
	fault     Fault
	pass      chan struct{}
}

// Do waits for the search and then sends the request.
func (s *seat) Do(r *http.Request) (*http.Response, error) {
	if s.isDead() {
		runtime.Goexit()
	}
	t := &ticket{seat: s, request: r, lane: -1, pass: make(chan struct{})}
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
	s.gate.come(t)
	select {
	case <-t.pass:
		return s.gate.perform(t)
	case <-r.Context().Done():
		s.gate.leave(t)
		return nil, context.Cause(r.Context())
	}
}

func (s *seat) isDead() bool {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	return s.dead
}

func (g *gate) come(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tickets = append(g.tickets, t)
	t.seat.worker.waiting++
	g.tell()
}

// tell wakes who waits for a change. The caller holds the lock.
func (g *gate) tell() {
	g.changed.Broadcast()
	select {
	case g.arrived <- struct{}{}:
	default:
	}
}

// leave takes a ticket back, unless its request has just been let go.
func (g *gate) leave(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.tickets, t); i >= 0 {
		g.tickets = slices.Delete(g.tickets, i, i+1)
		t.seat.worker.waiting--
	}
}

// end says that a worker has ended.
func (g *gate) end(w *worker, err error, broken string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.ended, w.err, w.broken = true, err, broken
	g.tell()
}

// proc is a line of requests: the requests of a worker that sends one at a time are all in lane 0.
type proc struct{ worker, lane int }

func compareProcs(a, b proc) int {
	return cmp.Or(a.worker-b.worker, a.lane-b.lane)
}

// line gives the requests that wait their lanes and returns them, sorted. Of requests that a worker
// sends at the same time, the order of arrival is not determined, but their texts are.
func (g *gate) line() []*ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortStableFunc(g.tickets, func(a, b *ticket) int {
		if (a.lane < 0) != (b.lane < 0) {
			return b.lane - a.lane // those with a lane come first
		}
		return cmp.Or(cmp.Compare(a.operation, b.operation), bytes.Compare(a.body, b.body))
	})
	for i, t := range g.tickets {
		for t.lane < 0 || slices.ContainsFunc(g.tickets[:i], t.samePlace) {
			t.lane++
		}
	}
	slices.SortFunc(g.tickets, func(a, b *ticket) int { return compareProcs(a.proc(), b.proc()) })
	return slices.Clone(g.tickets)
}

func (t *ticket) proc() proc { return proc{t.seat.index, t.lane} }

func (t *ticket) samePlace(other *ticket) bool { return t.proc() == other.proc() }

// let lets a request go.
func (g *gate) let(t *ticket) {
	g.mu.Lock()
	g.tickets = slices.DeleteFunc(g.tickets, func(other *ticket) bool { return other == t })
	t.seat.worker.waiting--
	t.seat.worker.requests++
	g.mu.Unlock()
	close(t.pass)
}

// busy returns the workers that neither wait at the gate nor have ended. The caller holds the lock.
func (g *gate) busy() (list []*worker) {
	for _, w := range g.workers {
		if !w.ended && w.waiting == 0 {
			list = append(list, w)
		}
	}
	return list
}
