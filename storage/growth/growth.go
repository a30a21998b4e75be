// Package growth measures, for tests, whether the cost of work grows faster than its size.
package growth

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Sizes are the sizes that work gets: each twice as much as the one before.
var Sizes = [...]int{2048, 4096, 8192}

// The bounds of costs.
const (
	Floor = 20 * time.Millisecond // a cost below it may come from anywhere
	Most  = 2.5                   // the most growth with a doubling
	tries = 100                   // a busy machine may hold up many; too dear is dear in each
	spent = 10 * time.Second      // no further tries begin after this time

	memory = 1 << 30 // bytes of the process above which garbage is collected after all
)

// Costs holds the time that work of each of the Sizes takes. If the last is at most Floor, the
// others were not measured and are 0.
type Costs [len(Sizes)]time.Duration

// Widest returns the greatest growth with a doubling, or 0 if the costs do not matter. A cost below
// Floor counts as Floor.
func (c Costs) Widest() (widest float64) {
	if c[len(c)-1] <= Floor {
		return 0
	}
	for i := range len(c) - 1 {
		if c[i+1] > Floor {
			widest = max(widest, float64(c[i+1])/float64(max(c[i], Floor)))
		}
	}
	return widest
}

// Measure returns the costs of work as cost returns them for a size, and whether they more than
// double with the size, by more than noise explains. It takes the best of several costs of each
// size, unless the first of the largest is at most Floor. Costs are those of CPU, or of anything
// else. What costs too much with one doubling and not with the next one, of the largest size, took
// a step, as where memory is larger than a cache that others use as well.
//
// There is no garbage collection meanwhile, below a bound of memory: what it costs depends on the
// whole heap.
func Measure(measured func(n int) time.Duration) (best Costs, tooFast bool) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	cost := func(n int) time.Duration {
		runtime.GC()
		return measured(n)
	}
	last := len(Sizes) - 1
	if best[last] = cost(Sizes[last]); best[last] <= Floor {
		return best, false
	}
	for i, n := range Sizes[:last] {
		best[i] = cost(n)
	}
	for sum, n := time.Duration(0), 0; n < tries && (sum < spent || n < 3); n++ {
		if best.Widest() <= Most {
			return best, false
		}
		for i, size := range Sizes {
			c := cost(size)
			best[i], sum = min(best[i], c), sum+c
		}
	}
	next := cost(2 * Sizes[last])
	for n := 1; n < 3; n++ {
		next = min(next, cost(2*Sizes[last]))
	}
	// work that is cheaper is refused for its size, and shows nothing
	return best, next < best[last] || float64(next) > Most*float64(best[last])
}

// MeasureCPU is Measure of the CPU time that the process takes for work.
func MeasureCPU(work func(n int)) (best Costs, tooFast bool) {
	return Measure(func(n int) time.Duration {
		begin := CPU()
		work(n)
		return CPU() - begin
	})
}

// Text returns a text that has a part n times, with another number each time for its %d or %[1]d.
func Text(begin, more, end string, n int) string {
	var b strings.Builder
	b.WriteString(begin)
	for i := range n {
		if strings.Contains(more, "%") {
			fmt.Fprintf(&b, more, i)
		} else {
			b.WriteString(more)
		}
	}
	return b.String() + end
}

// Table collects costs for a report: the widest growth of each group of work. It is not safe for
// concurrent use.
type Table struct {
	rows   []row
	groups map[string]int // places of rows
}

type row struct {
	group, name string
	costs       Costs
	measured    int // how many costs the group has
}

// Add adds the costs of work with a name.
func (t *Table) Add(group, name string, c Costs) {
	if t.groups == nil {
		t.groups = map[string]int{}
	}
	at, known := t.groups[group]
	if !known {
		at = len(t.rows)
		t.groups[group] = at
		t.rows = append(t.rows, row{group: group})
	}
	r := &t.rows[at]
	r.measured++
	if last := len(c) - 1; r.name == "" || c.Widest() > r.costs.Widest() ||
		c.Widest() == r.costs.Widest() && c[last] > r.costs[last] {
		r.name, r.costs = name, c
	}
}

// String returns a line for each group, the widest growth first: the growth with a doubling, the
// costs, how many were measured, and what they are of.
func (t *Table) String() string {
	var b strings.Builder
	rows := slices.Clone(t.rows)
	slices.SortStableFunc(rows, func(x, y row) int {
		switch a, b := x.costs.Widest(), y.costs.Widest(); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	for _, r := range rows {
		costs := make([]string, 0, len(r.costs))
		for _, c := range r.costs {
			if c > 0 {
				costs = append(costs, c.Round(100*time.Microsecond).String())
			}
		}
		grows := "  -  "
		if w := r.costs.Widest(); w > 0 {
			grows = fmt.Sprintf("%.2f ", w)
		}
		fmt.Fprintf(&b, "%6s %-28s of %4d: %s: %s\n", grows, r.group, r.measured, r.name,
			strings.Join(costs, ", "))
	}
	return b.String()
}
