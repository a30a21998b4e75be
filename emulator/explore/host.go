package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// host runs the workers of a test: each is a goroutine with an SDK client.
type host struct {
	t       *testing.T
	server  *emulatortest.Server
	program func(*X)
	x       *X // the X of the run
	run     *search.Run
	failed  bool // the test has, and a run was said to have done that
}

// Workers calls the test's function and returns the workers that it has added.
func (h *host) Workers() []*search.Worker {
	h.x = &X{host: h}
	h.program(h.x)
	h.x.begun = true
	list := make([]*search.Worker, len(h.x.workers))
	for i, w := range h.x.workers {
		list[i] = w.Worker
		w.Streams = h.x.streams
	}
	return list
}

// Run calls f in a bubble. After f has ended, goroutines may be left behind there for good.
func (h *host) Run(at time.Time, f func()) {
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
	bubble(h.t, at, func() {
		defer func() { panicked, finished = recover(), true }()
		f()
	})
}

// Begin starts the goroutines of the workers.
func (h *host) Begin(r *search.Run) {
	h.run = r
	for _, w := range h.x.workers {
		if r.Starts(w.Worker) && w.work != nil {
			go h.work(r, w, w.work)
		}
	}
}

// beginLate starts the goroutine of a worker that begins later than the run.
func (h *host) beginLate(r *search.Run, late *search.Worker) {
	for _, w := range h.x.workers {
		if w.Worker == late {
			go h.work(r, w, w.work)
		}
	}
}

// work runs a worker until it ends in any way. If it dies, work starts it again.
func (h *host) work(r *search.Run, w *worker, work Work) {
	grow()
	client := r.Client(w.Worker)
	client.Exit = runtime.Goexit
	client.Bound = bound
	ctx, cancel := context.WithCancel(context.WithValue(background, workerKey{}, client))
	var err error
	broken := leftGoroutine
	defer func() {
		if p := recover(); p != nil {
			broken = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
		cancel()
		switch {
		case !client.Dead():
			r.Gate().End(w.Worker, err, broken)
		case r.Gate().Died(w.Worker) && w.again != nil:
			go h.work(r, w, w.again)
		default:
			r.Gate().End(w.Worker, errDied, "")
		}
	}()
	err = work(ctx, h.client(r, client))
	broken = ""
}

// grow has the stack of a goroutine be as large as the SDK needs it. It would grow in several steps
// otherwise. Each step copies what is deep by then: that takes a twelfth of a run's time.
//
//go:noinline
func grow() byte {
	var room [20 << 10]byte
	return room[len(os.Args)&1]
}

// bound reports whether a context is that of a worker, or one that came of it.
func bound(ctx context.Context) bool { return ctx.Value(workerKey{}) != nil }

const leftGoroutine = "it left its goroutine, as t.FailNow does"

var errDied = errors.New("explore: the worker died")

// client returns the SDK client of a worker.
func (h *host) client(r *search.Run, client *search.WorkerClient) *dynamodb.Client {
	return h.server.ClientOf(r.Fork(), func(o *dynamodb.Options) {
		client.Next, o.HTTPClient = o.HTTPClient, client
		o.IdempotencyTokenProvider = &tokens{worker: client.Worker}
	}, emulatortest.Direct, dynamodb.WithAPIOptions(withoutOutside))
}

// withoutOutside has a request with a context from outside of the run, such as one with a deadline
// that the test has made, go without the end of that context: the SDK would wait for a channel of
// another bubble, which ends the program.
func withoutOutside(s *middleware.Stack) error {
	return s.Initialize.Add(inside, middleware.Before)
}

var inside = middleware.InitializeMiddlewareFunc("KugiriWithoutOutside", func(ctx context.Context,
	in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput,
	middleware.Metadata, error) {
	if !bound(ctx) {
		ctx = context.WithoutCancel(ctx)
	}
	return next.HandleInitialize(ctx, in)
})

// tokens makes the tokens of a worker's transactions, the same in each run.
type tokens struct {
	worker *search.Worker
	n      int
}

func (t *tokens) GetIdempotencyToken() (string, error) {
	t.n++
	return t.worker.Token(t.n), nil
}

// Settle, Now and Pass are those of the bubble.
func (h *host) Settle(g *search.Gate) bool { return settle(g) }

// Now returns the time in the bubble.
func (h *host) Now(at time.Time) time.Time { return now(at) }

// Pass has time pass in the bubble.
func (h *host) Pass(d time.Duration) { pass(d) }

// Stacks returns the stacks of the workers.
func (h *host) Stacks() string { return stacks() }

// Check runs the checks, up to the first that fails.
func (h *host) Check(r *search.Run) error {
	if h.t.Failed() && !h.failed {
		h.failed = true
		return errors.New("the test has failed: a worker, or the function that Run gets, has " +
			"called t.Error or t.Fail in this run")
	}
	for _, check := range h.x.checks {
		if err := checked(h.server.ClientOf(r.Fork()), check); err != nil {
			return err
		}
	}
	return nil
}

// Watches reports whether there is something that has to hold between requests.
func (h *host) Watches() bool { return len(h.x.always) > 0 }

// Holds looks whether what Always demands holds now.
func (h *host) Holds(r *search.Run) error {
	client := h.server.ClientOf(search.Glance(r), func(o *dynamodb.Options) {
		o.HTTPClient = search.ReadOnly(o.HTTPClient)
	})
	for _, holds := range h.x.always {
		if err := checked(client, holds); err != nil {
			return err
		}
	}
	return nil
}

// checked runs a check.
func checked(db *dynamodb.Client, check Check) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return check(background, db)
}
