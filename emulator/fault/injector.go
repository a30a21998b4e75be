package fault

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// Injector is an installation of a fault, with its counters, its source of chance
// and its hits. Its methods are safe for concurrent use.
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

// Match returns which targets of a request the fault is for, nil if it is for
// none, and counts the request. It must be called once per request.
func (in *Injector) Match(r *Request) []bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.choose(r)
}

// Pick returns a number below n, by chance.
func (in *Injector) Pick(n int) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.rng.IntN(n)
}

// Sample keeps k of the targets that are chosen, by chance.
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

// Hit counts a request to which the fault was done.
func (in *Injector) Hit() { in.hits.Add(1) }

// Hits returns to how many requests the fault was done.
func (in *Injector) Hits() int64 { return in.hits.Load() }
