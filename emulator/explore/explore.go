package explore

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

var background = context.Background()

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
	s := &search{options: optionsOf(opts), t: t, server: template(fit), program: program}
	s.schedule, s.pages = environment(s.options)
	s.prepare()
	s.watch()
	s.report.spent = s.report.Runs >= s.budget
	s.report.finish(s.plans)
	if err := s.writePages(); err != nil {
		t.Fatalf("explore: %v", err)
	}
	return &s.report
}

// prepare sets what is the same for all runs.
func (s *search) prepare() {
	s.accessKey, s.region = s.server.Caller()
	s.at = s.server.Emulator.Now().Truncate(time.Second)
	s.schemas = schemasOf(s.t, s.server)
}

// search is one call of Run.
type search struct {
	options
	t         *testing.T
	server    *emulatortest.Server // what runs are forks of
	accessKey string
	region    string
	schemas   map[string]request.KeySchema
	program   func(*X)
	at        time.Time // when runs begin

	plans    *plans
	endings  map[uint64][]ending // of the serial orders of some workers
	schedule string              // to replay; "": none
	cleared  map[string]bool     // pairs of requests that looked like a lost update, and are none

	progress atomic.Int64 // counts what happens, so that who watches sees that something does
	report   Report
	seen     func(*outcome) // of tests: is told of each run
	unjudged bool           // of tests: no run is judged
}

// watch explores, and fails the test if a run stands still for too long.
func (s *search) watch() {
	s.t.Helper()
	done := make(chan any)
	go func() {
		var left any = "a worker failed the test"
		defer func() {
			if p := recover(); p != nil {
				left = p
			}
			done <- left
		}()
		s.explore()
		left = nil
	}()
	tick := time.NewTicker(s.patience)
	defer tick.Stop()
	for last := int64(-1); ; {
		select {
		case p := <-done:
			if p != nil {
				s.t.Fatalf("explore: %v", p)
			}
			return
		case <-tick.C:
		}
		if p := s.progress.Load(); p != last || s.schedule != "" { // a debugger may stand still
			last = p
			continue
		}
		s.t.Fatalf("explore: a worker waits for something that is not part of the run (a mutex, "+
			"the network, a channel from outside), for %s or longer:\n%s", s.patience, stacks())
	}
}
