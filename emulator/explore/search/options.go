package search

import "time"

// Options say what a search explores, and what is a failure. DefaultOptions has the usual ones.
type Options struct {
	All      bool   // go on after a failure
	Naive    bool   // of tests: no reduction
	Budget   int    // of runs
	Longest  int    // requests of a run at most
	Schedule string // to run in place of a search; "": none
	Seed     uint64 // of random orders

	Faults int // in a run at most
	Kinds  []Fault
	Moves  time.Duration // of the fault Later

	Serial  bool                                    // runs are to end as serial orders do
	Project func(worker string, r WorkerResult) any // what matters of a result; nil: its text
	Aborts  func(error) bool                        // the worker has done nothing; nil: no error
	Ignored []string                                // attributes that Serial ignores
}

// DefaultOptions returns the options of a search without any options.
func DefaultOptions() Options { return Options{Budget: 10_000, Longest: 200} }
