package fault

import (
	"maps"
	"math/rand/v2"
	"strings"
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
	hitsOn map[HitPlace]int64
}

// HitPlace is where a fault was applied.
type HitPlace struct {
	Operation string // "" for changes on their way to another region or to Kinesis
	Table     string // the first that was chosen
}

// maxHitPlaces limits the places whose hits are counted one by one.
const maxHitPlaces = 100

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
// it applies to none. It must be called once per request.
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
func (in *Injector) Hit(operation, table string) {
	in.hits.Add(1)
	in.mu.Lock()
	defer in.mu.Unlock()
	at := HitPlace{operation, table}
	if _, known := in.hitsOn[at]; !known && len(in.hitsOn) >= maxHitPlaces {
		return
	}
	if in.hitsOn == nil {
		in.hitsOn = map[HitPlace]int64{}
	}
	// a request's memory is used again
	in.hitsOn[HitPlace{strings.Clone(operation), strings.Clone(table)}]++
}

// Hits returns the number of requests that the fault was applied to.
func (in *Injector) Hits() int64 { return in.hits.Load() }

// HitsByPlace returns the number of requests by operation and table, for the first 100 different
// ones.
func (in *Injector) HitsByPlace() map[HitPlace]int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	return maps.Clone(in.hitsOn)
}
