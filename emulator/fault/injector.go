package fault

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// Injector is an installation of a fault, with its counters, its random numbers and its hits. Its
// methods are safe for concurrent use.
type Injector struct {
	Fault Fault

	mu     sync.Mutex
	rng    *rand.Rand
	choose chooser
	hits   atomic.Int64
}

// NewInjector installs a fault, which must be valid.
func NewInjector(f Fault) *Injector {
	in := &Injector{Fault: f, rng: rand.New(rand.NewPCG(f.Seed, 0))}
	if f.When == nil {
		in.choose = func(r *Request) []bool { return all(r, true) }
	} else {
		in.choose = f.When.start(in.rng)
	}
	return in
}

// Match counts a request and returns which of its targets the fault applies to. It returns nil if
// there are none. It must be called once per request.
func (in *Injector) Match(r *Request) []bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.choose(r)
}

// Pick returns a random number below n.
func (in *Injector) Pick(n int) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.rng.IntN(n)
}

// Sample keeps k random targets of the chosen ones.
func (in *Injector) Sample(chosen []bool, k int) []bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	var places []int
	for i, yes := range chosen {
		if yes {
			places = append(places, i)
		}
	}
	in.rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	kept := make([]bool, len(chosen))
	for _, i := range places[:min(k, len(places))] {
		kept[i] = true
	}
	return kept
}

// Hit counts a request that the fault was applied to.
func (in *Injector) Hit() { in.hits.Add(1) }

// Hits returns the number of requests that the fault was applied to.
func (in *Injector) Hits() int64 { return in.hits.Load() }
