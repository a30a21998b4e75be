package explore

import "time"

// Option is an option of Run.
type Option func(*options)

type options struct {
	all      bool
	naive    bool
	budget   int
	longest  int
	patience time.Duration

	faults int // in a run
	kinds  []Fault
	moves  time.Duration // of the fault Later

	serial  bool
	project func(worker string, r WorkerResult) any
	aborts  func(error) bool
	ignored []string // attributes

	pages    string // the directory of pages
	replayed string // a schedule
	seed     uint64
}

func optionsOf(opts []Option) options {
	o := options{budget: 10_000, longest: 200, patience: 10 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// All has the search go on after a failure and report all that are distinct.
func All() Option { return func(o *options) { o.all = true } }

// Budget bounds the runs of the search. The default is 10,000.
func Budget(runs int) Option { return func(o *options) { o.budget = runs } }

// Longest bounds the requests of one run. A run with more is cut off, and the report says so. The
// default is 200.
func Longest(requests int) Option { return func(o *options) { o.longest = requests } }

// Patience is how long a run may stand still, in real time, before the test fails with the stacks
// of the workers. The default is 10 s.
func Patience(d time.Duration) Option { return func(o *options) { o.patience = d } }
