package search

import (
	"slices"
	"strconv"
	"time"
)

// Options say what a search explores, and what is a failure. DefaultOptions has the usual ones.
type Options struct {
	All      bool          // go on after a failure
	Naive    bool          // the search does not reduce, for tests
	Budget   int           // the most runs
	Within   time.Duration // the time in which runs begin; 0: at any time
	Longest  int           // requests of a run at most
	Schedule string        // a schedule to run in place of a search; "": none
	Seed     uint64        // the seed of random orders
	Part     Part          // the part to search; the zero value: all

	Faults int // faults of a run at most
	Kinds  []Fault
	Moves  time.Duration // how far the fault Later moves the clock
	Skew   time.Duration // how far the fault Skewed has a worker's clock be ahead
	Cache  *Cache        // the cache of the fault Cached, or nil

	Serial  bool                                    // runs are to end as serial orders do
	Project func(worker string, r WorkerResult) any // what matters of a result; nil: its text
	Aborts  func(error) bool                        // the worker has done nothing; nil: no error
	Ignored []string                                // attributes that Serial ignores

	Allowed map[string]string // tables whose lost updates are no failures, with the reasons
}

// DefaultOptions returns the options of a search without any options.
func DefaultOptions() Options { return Options{Budget: 10_000, Longest: 200} }

// Cache says which workers read and write through an accelerator (DAX), and how long its entries
// live. Others, of whom the search knows nothing, read through it as well: an entry may be as old
// as its life allows.
//
// With one node an entry never becomes older than what the cache has shown or written already.
// Several nodes hear of each other after the lag, and do not share answers of queries.
type Cache struct {
	Workers  []string      // the workers that read through it; nil: all
	ItemTTL  time.Duration // 0: for good
	QueryTTL time.Duration // 0: answers of Query and Scan are not cached
	Lag      time.Duration // 0: there is one node
}

// DefaultTTL is how long entries live without a parameter group of one's own (Developer Guide,
// "DAX: How it works", "Item cache" and "Query cache").
const DefaultTTL = 5 * time.Minute

// has reports whether a worker reads and writes through the cache.
func (c *Cache) has(worker string) bool {
	return c != nil && (len(c.Workers) == 0 || slices.Contains(c.Workers, worker))
}

// check panics if the cache is for workers that do not exist, or has negative times.
func (c *Cache) check(known func(worker string) bool) {
	if c == nil {
		return
	}
	if min(c.ItemTTL, c.QueryTTL, c.Lag) < 0 {
		panic("explore: the TTLs and the lag of a cache are not negative")
	}
	for _, name := range c.Workers {
		if !known(name) {
			panic("explore: cached reads of " + strconv.Quote(name) + ", which is no worker")
		}
	}
}
