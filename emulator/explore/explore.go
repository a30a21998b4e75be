package explore

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

var background = context.Background()

// Report says what a search has explored.
type Report = search.Report

// Failure is a run that went wrong.
type Failure = search.Failure

// The kinds of failures.
const (
	Checked    = search.Checked    // a Check returned an error
	LostUpdate = search.LostUpdate // a worker overwrote what another had changed since it read it
	NotSerial  = search.NotSerial  // see Serializable
	Refused    = search.Refused    // the policy refused a request
	Deadlock   = search.Deadlock   // workers wait forever
	Invariant  = search.Invariant  // see X.Always
	Livelock   = search.Livelock   // workers go round the same state, and a clock does not end it
	Broken     = search.Broken     // a worker panicked, or left its goroutine as t.FailNow does
)

// Run explores a program: it calls program once for each run, on a fork of the template, and lets
// the requests of its workers go in another order each time. The test fails at the first Failure.
// The report says what was explored. The template is one of emulatortest.Template, whose T is
// testing.TB or *testing.T.
//
// Run must not be called from a bubble of testing/synctest. Several tests may explore in parallel.
func Run[T emulatortest.TB](t *testing.T,
	template func(t T, opts ...emulatortest.Option) *emulatortest.Server, program func(x *X),
	opts ...Option) *Report {
	t.Helper()
	report := Search(t, template, program, opts...)
	for _, f := range report.Failures {
		t.Errorf("%s", f)
	}
	t.Log(report)
	return report
}

// Search is Run for who looks at the failures: they are in the report, and do not fail the test.
func Search[T emulatortest.TB](t *testing.T,
	template func(t T, opts ...emulatortest.Option) *emulatortest.Server, program func(x *X),
	opts ...Option) *Report {
	t.Helper()
	fit, ok := any(t).(T)
	if !ok {
		t.Fatalf("explore: the template is for another kind of test than *testing.T")
	}
	o := optionsOf(opts)
	if err := o.check(); err != nil {
		t.Fatalf("explore: %v", err)
	}
	ordinal := ordinalOf(t)
	if o.ordinal > 0 && o.ordinal != ordinal {
		return &Report{Elsewhere: true}
	}
	s := newSearch(t, template(fit), program, o)
	s.Ordinal = ordinal
	report := watch(t, s, o.patience)
	if o.report != "" && !report.Replayed {
		if err := addReport(t, o.report, report); err != nil {
			t.Fatalf("explore: %s: %v", ReportEnvironment, err)
		}
	}
	if o.pages != "" && len(report.Failures) > 0 {
		if err := report.WritePages(o.pages); err != nil {
			t.Fatalf("explore: %v", err)
		}
	}
	return report
}

// ordinals counts the searches of tests, by their names.
var ordinals = struct {
	sync.Mutex
	of map[string]int
}{of: map[string]int{}}

// ordinalOf returns which search of its test a new one is, from 1.
func ordinalOf(t *testing.T) int {
	name := t.Name()
	ordinals.Lock()
	defer ordinals.Unlock()
	if ordinals.of[name]++; ordinals.of[name] == 1 {
		t.Cleanup(func() {
			ordinals.Lock()
			defer ordinals.Unlock()
			delete(ordinals.of, name)
		})
	}
	return ordinals.of[name]
}

// newSearch returns the search for a program, whose runs are forks of a server.
func newSearch(t *testing.T, server *emulatortest.Server, program func(*X),
	o options) *search.Search {
	_ = t.Context().Done() // made outside of all runs: see search.WorkerClient
	h := &host{t: t, server: server, program: program}
	s := &search.Search{
		Options:  o.Options,
		Host:     h,
		Name:     t.Name(),
		Command:  testCommand(t.Name()),
		Emulator: server.Emulator,
	}
	if workersClockMoves {
		s.BeginLate = h.beginLate
	}
	s.AccessKey, s.Region = server.Caller()
	return s
}

// watch explores, and fails the test if a run stands still for too long.
func watch(t *testing.T, s *search.Search, patience time.Duration) (report *Report) {
	t.Helper()
	done := make(chan any)
	go func() {
		var left any = "a worker failed the test"
		defer func() {
			if p := recover(); p != nil {
				left = p
			}
			done <- left
		}()
		report = s.Explore()
		left = nil
	}()
	tick := time.NewTicker(patience)
	defer tick.Stop()
	for last := int64(-1); ; {
		select {
		case p := <-done:
			if p != nil {
				t.Fatalf("explore: %v", p)
			}
			return report
		case <-tick.C:
		}
		if p := s.Progress(); p != last || s.Schedule != "" { // a debugger may stand still
			last = p
			continue
		}
		t.Fatalf("explore: a worker waits for something that is not part of the run (a mutex, "+
			"the network, a channel from outside), for %s or longer:\n%s", patience, stacks())
	}
}
