package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// Program describes what an exploration runs.
type Program struct {
	Workers  []Worker
	Checks   bool          // there are checks: see Check
	Always   bool          // something has to hold between requests: see Always
	Patience time.Duration // how long a worker may neither send a request nor end
	Idle     time.Duration // the exploration is closed after so long without any request
}

// Worker is a worker of each run.
type Worker struct {
	Name     string
	Mortal   bool // it may die
	Restarts bool // it begins anew after it has died
	// the mapping of a worker that handles the records of a stream: its calls send its requests
	Consumes *trigger.Mapping
}

// What a program has to do next.
const (
	Wait   = "wait"   // ask again
	Start  = "run"    // start the workers of a run
	Handle = "handle" // a worker handles a batch of records
	Always = "always" // look whether what has to hold between requests does, as for Check
	Check  = "check"  // look at what the workers of the run have left behind
	Finish = "report" // read the report: the search has ended
)

// Step says what a program has to do next.
type Step struct {
	Do      string
	Run     int      // its number, from 1
	Workers []Access // Start: those that take part in the run; Handle: the one
	Key     string   // Check and Always: the key of their requests, which do not wait

	Delivery int    // Handle: its number for Result
	Event    []byte // Handle: {"Records": [...]}, as Lambda passes them

	Report *search.Report // Finish: the report
	Err    error          // Finish: why Report is missing
}

// Access is a worker with the access key of its requests. It is the same in each run, unless a run
// had to leave the worker behind, or batches of a consumer overlap.
type Access struct{ Worker, Key string }

// Result is how a worker has ended.
type Result struct {
	Failed  bool     // the worker has failed, and Error says why
	Error   string   // ErrorText
	Aborted bool     // the error says that the worker has done nothing: see search.Options.Aborts
	Broken  bool     // the error is a failure of the run, such as that of an assertion
	Values  []string // its values, unless it is a call of a consumer

	Delivery int    // the call of a consumer that has ended; 0 for other workers
	Response string // the call's response: JSON, or nothing
}

// Exploration is a search whose program is elsewhere. Its methods may be called concurrently.
type Exploration struct {
	host *host
	idle time.Duration

	mu     sync.Mutex
	timer  *time.Timer // closes it
	closed bool
}

// Explore starts a search for a program whose requests come to server. It sets the search's Host
// and Aborts. The exploration is to be closed; with no request for the time of Program.Idle it
// closes itself. Then gone is called.
func Explore(server *emulator.Emulator, s *search.Search, p Program, gone func()) *Exploration {
	h := newHost(server, s, p)
	s.Host, s.Throws, s.Waits = h, true, true
	s.Aborts = func(err error) bool {
		f := new(failure)
		return errors.As(err, &f) && f.aborted
	}
	x := &Exploration{host: h, idle: p.Idle}
	x.mu.Lock() // the timer may end before it is kept
	x.timer = time.AfterFunc(p.Idle, func() {
		x.Close()
		gone()
	})
	x.mu.Unlock()
	h.alive = x.touch
	go x.explore(s)
	return x
}

// ErrClosed says that an exploration is closed.
var ErrClosed = errors.New("the exploration is closed")

// explore runs the search to its end.
func (x *Exploration) explore(s *search.Search) {
	end := &Step{Do: Finish}
	defer func() {
		if p := recover(); p != nil {
			end.Err = fmt.Errorf("%v", p)
			if err, ok := p.(error); ok {
				end.Err = err
			}
		}
		x.host.finish(end)
	}()
	end.Report = s.Explore()
}

// touch says that the program is there.
func (x *Exploration) touch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.closed {
		x.timer.Reset(x.idle)
	}
}

// Close ends the search and all requests that wait.
func (x *Exploration) Close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return
	}
	x.closed = true
	x.timer.Stop()
	x.host.close()
}

// Next returns what the program has to do next. Each step is returned once, but the last one
// always. If ctx ends, it is Wait.
func (x *Exploration) Next(ctx context.Context) (*Step, error) {
	x.touch()
	defer x.touch()
	return x.host.next(ctx)
}

// Progress returns how many runs have begun, and the last step once the search has ended. It is no
// request for the exploration: it may be idle meanwhile.
func (x *Exploration) Progress() (runs int, end *Step) { return x.host.progress() }

// Ended says that a worker of a run has ended. It reports whether it is to begin anew, because it
// has died. An error says that there is no such worker now.
func (x *Exploration) Ended(run int, worker string, r Result) (again bool, err error) {
	x.touch()
	return x.host.ended(run, worker, r)
}

// Checked says what the checks of a run have found: nil, or an error. An error that is returned
// says that the run has none now.
func (x *Exploration) Checked(run int, found error) error {
	x.touch()
	return x.host.checked(run, found)
}

// newKey returns a new access key.
func newKey() string { return "explore-" + rand.Text() }
