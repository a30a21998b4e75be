package search

import (
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
)

// Host runs the workers of a program: goroutines of a test, or programs elsewhere.
type Host interface {
	// Workers returns the workers of a new run.
	Workers() []*Worker
	// Run calls f, which is a run from its beginning to its end. At its beginning it is at.
	Run(at time.Time, f func())
	// Begin starts the workers that take part in a run: see Run.Starts.
	Begin(r *Run)
	// Deliver starts a goroutine that carries a batch to a consumer: see Delivery.Carry.
	Deliver(r *Run, d *Delivery)
	// Settle waits until every worker waits at the gate or has ended. It returns false if some
	// will wait forever.
	Settle(g *Gate) bool
	// Check looks at what the workers have left behind.
	Check(r *Run) error
	// Watches reports whether something has to hold between requests of the run that Workers began,
	// and Holds looks whether it does.
	Watches() bool
	Holds(r *Run) error
	// Now returns the time on the workers' clock, which was at when the run began. Pass has time
	// pass on it.
	Now(at time.Time) time.Time
	Pass(d time.Duration)
	// Stacks says where the workers are that wait forever.
	Stacks() string
}

// Search explores the orders of a program's requests.
type Search struct {
	Options
	Host      Host
	Name      string             // the test's name
	Ordinal   int                // the search's number in its test, from 1; 0: there is one
	Command   string             // the command that runs the test
	Emulator  *emulator.Emulator // what runs are forks of
	AccessKey string             // the access key whose tables they are
	Region    string
	Throws    bool // the workers' language has exceptions, in place of errors that are returned
	Waits     bool // the host finds a deadlock by waiting, so that none is run a second time

	// BeginLate starts a worker that Run.Starts has left out, because it begins later. Nil: the
	// clock of the workers does not move, so when they begin makes no difference.
	BeginLate func(r *Run, w *Worker)

	// ends the search before its next run, by returning true; nil never does. A search that ended
	// so is not Complete.
	Ended func() bool

	Unjudged bool           // no run is judged, for tests
	Seen     func(*Outcome) // told of each run, for tests

	schemas  map[string]request.KeySchema
	readings *readings
	at       time.Time // the moment at which runs begin
	plans    *plans
	endings  map[uint64][]ending // the endings of the serial orders of some workers
	cleared  map[string]bool     // pairs of requests that look like a lost update, and lose nothing
	streams  bool                // a worker has read a stream: others may, too
	record   *record
	use      use
	first    []proc    // the first order
	requests int       // how many requests the runs of the report have sent
	deadline time.Time // the end of Within; zero: none

	division *division // the parts' division; nil: there is one part

	shortening bool         // runs look for a shorter schedule
	progress   atomic.Int64 // counts what happens: see Progress
	report     Report
}

// Explore runs orders until there are no more, or the budget is spent, or a failure is found. It
// panics with a text if it cannot.
func (s *Search) Explore() *Report {
	s.prepare()
	if s.Within > 0 {
		s.deadline = time.Now().Add(s.Within)
	}
	s.explore()
	s.report.late = s.late()
	s.report.spent = s.report.Runs >= s.Budget
	if why := s.use.nothing(); why != "" && s.finishedInVain() {
		panic(why)
	}
	s.report.Differs = s.record.differ
	s.report.ClockStands = s.BeginLate == nil && s.use.hits[Later]
	if s.report.Complete && s.Schedule == "" {
		s.report.Unhit = s.use.unhit(s.Kinds)
	}
	s.report.reasons = s.Allowed
	describe(s)
	s.report.finish(s.plans)
	return &s.report
}

// finishedInVain reports whether the search has come to its end by itself, and found nothing.
func (s *Search) finishedInVain() bool {
	return !s.Unjudged && s.Schedule == "" && s.report.Runs+s.report.Dividing > 0 && !s.ended() &&
		len(s.report.Failures) == 0
}

// Progress returns a number that changes as long as something happens. Any goroutine may call it.
func (s *Search) Progress() int64 { return s.progress.Load() }

// prepare sets what is the same for all runs.
func (s *Search) prepare() {
	s.at = s.Emulator.Now().Truncate(time.Second)
	schemas, err := schemasOf(s.Emulator, s.AccessKey, s.Region)
	if err != nil {
		panic(err.Error())
	}
	s.schemas, s.readings = schemas, newReadings(schemas)
	s.record = newRecord()
}
