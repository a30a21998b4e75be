package search

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Report says what a search has explored.
type Report struct {
	Runs     int      // orders that were run, with faults and without
	Shorter  int      // more runs, which looked for a shorter schedule of a failure
	Orders   *big.Int // how many orders there are of as many requests, without faults
	Complete bool     // all orders were tried, but for those that cannot differ from one that was
	Part     Part     // the part of a divided search: Complete says that all its orders were tried
	Dividing int      // more runs, which divided the search into parts
	Failures []*Failure

	Cut         int      // runs with more requests than Longest
	Astray      int      // runs in which workers did not do what they had done in the same order
	Overslept   int      // runs in which a worker slept for too long: see Gate.Oversleep
	Polled      int      // runs in which a worker that polled waited for others: see letOthersGo
	Differs     string   // how a worker was not the same in two runs; "": no worker was
	Repeats     int      // runs that repeated the first order, besides Runs
	Unhit       []string // faults that were asked for by name, and hit nothing
	Faults      int      // placements of faults that were tried
	FaultsLeft  int      // placements of faults that are known, and were not tried
	Pairs       int      // pairs of requests whose order makes a difference
	BothOrders  int      // Pairs that were seen in both orders
	Preemptions int      // all orders with so many were tried, if not Complete
	Random      int      // random orders, if not Complete
	Probability float64  // how probably these find a bug of depth 3 at least
	Replayed    bool     // one schedule was run in place of a search
	Elsewhere   bool     // nothing was run: the schedule is for another search of the test
	// how many serial orders there are, if these are too many to compare runs with them; else nil
	SerialLeft *big.Int

	// the clock of the service moved, and that of the workers did not
	ClockStands bool

	// how many lost updates there were in each table for which they are allowed
	Allowed map[string]int

	part       PartReport // what it says of the search
	bounded    bool
	spent      bool // the budget
	late       bool // the time was spent
	reasons    map[string]string
	streamLate bool // the parts may have been divided otherwise: see dividingText
	agesCut    bool // not all ages of the items of a batch were tried
	// with faults, only orders with one preemption at most were tried
	faultBound bool
	pairs      map[pair]uint8
	requests   []int        // requests of each worker, at most
	lanes      map[proc]int // lanes of each line of requests, at most
}

// pair is two requests of different workers. a is the request of the worker with the lower number.
type pair struct{ aWorker, aNth, bWorker, bNth int }

// note adds the requests of a run.
func (r *Report) note(o *Outcome) {
	if r.pairs == nil {
		r.pairs, r.lanes = map[pair]uint8{}, map[proc]int{}
	}
	lanes := map[proc]int{}
	for j, b := range o.steps {
		for len(r.requests) <= b.proc.worker {
			r.requests = append(r.requests, 0)
		}
		if lanes[b.proc]++; len(o.plan) == 0 {
			r.lanes[b.proc] = max(r.lanes[b.proc], lanes[b.proc])
			r.requests[b.proc.worker] = max(r.requests[b.proc.worker], b.nth)
		}
		for _, a := range o.steps[:j] {
			if a.proc.worker == b.proc.worker || !dependent(a.print, b.print) {
				continue
			}
			if a.proc.worker < b.proc.worker {
				r.pairs[pair{a.proc.worker, a.nth, b.proc.worker, b.nth}] |= 1
			} else {
				r.pairs[pair{b.proc.worker, b.nth, a.proc.worker, a.nth}] |= 2
			}
		}
	}
}

// most returns the number of workers that send requests, and of their requests.
func (r *Report) most() (workers, requests int) {
	for _, n := range r.requests {
		workers++
		requests += n
	}
	return workers, requests
}

// allow counts a lost update that is allowed.
func (r *Report) allow(table string) {
	if r.Allowed == nil {
		r.Allowed = map[string]int{}
	}
	r.Allowed[table]++
}

// allowedText says what was allowed, and why.
func (r *Report) allowedText() (text string) {
	for _, table := range slices.Sorted(maps.Keys(r.reasons)) {
		text += fmt.Sprintf("; %s in %s allowed: %s", count(r.Allowed[table], "lost update"), table,
			r.reasons[table])
	}
	return text
}

// finish counts what was noted.
func (r *Report) finish(p *plans) {
	for _, seen := range r.pairs {
		r.Pairs++
		if seen == 3 {
			r.BothOrders++
		}
	}
	r.Orders = big.NewInt(1)
	total := int64(0)
	for _, n := range r.lanes {
		total += int64(n)
		r.Orders.Mul(r.Orders, new(big.Int).Binomial(total, int64(n)))
	}
	if p.tried > 1 {
		r.Faults = p.tried - 1
	}
	r.FaultsLeft = len(p.queue) - p.tried
}

// PartReport returns the report for Merge. A search that is not divided is part 1 of 1.
func (r *Report) PartReport() *PartReport {
	p := r.part
	p.Complete, p.Runs, p.Orders, p.Text = r.Complete, r.Runs, r.Orders.String(), r.String()
	if r.bounded {
		p.Preemptions = &r.Preemptions
	}
	for _, f := range r.Failures {
		p.Failures = append(p.Failures, PartFailure{f.Kind, f.Text, f.Replay()})
	}
	return &p
}

// String returns the report as text.
func (r *Report) String() string {
	var b strings.Builder
	if r.Elsewhere {
		return "explore: nothing was run: the schedule of " + Environment +
			" is for another search of this test"
	}
	if r.Replayed {
		return "explore: one schedule was run again" + r.serialText()
	}
	b.WriteString("explore: " + r.partText())
	if r.Pairs == 0 && len(r.requests) > 1 && len(r.Failures) == 0 {
		b.WriteString("no two workers touched the same item, so no order makes a difference: ")
	}
	fmt.Fprintf(&b, "%s, of %v orders: ", count(r.Runs, "run"), r.Orders)
	switch {
	case r.Complete:
		b.WriteString(r.its() + " were tried")
	case len(r.Failures) > 0:
		b.WriteString("the search ended at a failure, and " + count(r.Shorter, "more run") +
			" looked for a shorter schedule")
	default:
		b.WriteString("not " + r.its() + " were tried" + r.boundsText(", but ") +
			r.spentText())
	}
	b.WriteString(r.dividingText())
	b.WriteString(r.unhitText())
	if r.Faults+r.FaultsLeft > 0 {
		fmt.Fprintf(&b, "; %s of faults tried", count(r.Faults, "placement"))
		if r.FaultsLeft > 0 {
			fmt.Fprintf(&b, ", %d others not", r.FaultsLeft)
		}
	}
	fmt.Fprintf(&b, "; %s of requests whose order matters, %d seen in both orders",
		count(r.Pairs, "pair"), r.BothOrders)
	if r.Cut > 0 {
		verb := "were"
		if r.Cut == 1 {
			verb = "was"
		}
		fmt.Fprintf(&b, "; %s %s cut off: too many requests (Longest)", count(r.Cut, "run"), verb)
	}
	if r.Astray > 0 {
		fmt.Fprintf(&b, "; %s went astray: a worker did not send the request that it sent before "+
			"in the same order", count(r.Astray, "run"))
	}
	if r.Overslept > 0 {
		fmt.Fprintf(&b, "; in %s requests waited for 30 days of the run's clock for a worker that "+
			"sleeps, or waits in a select: orders in which it comes first were not tried",
			count(r.Overslept, "run"))
	}
	if r.Polled > 0 {
		fmt.Fprintf(&b, "; in %s a worker got the same answer to the same request %d times: then "+
			"others went first", count(r.Polled, "run"), polls)
	}
	if r.Repeats > 0 && r.Complete {
		fmt.Fprintf(&b, "; %s repeated them, and did the same", count(r.Repeats, "more run"))
	}
	if r.agesCut {
		fmt.Fprintf(&b, "; a batch had more than %d ways in which a cache has its items: they "+
			"were tried one item at a time", mostAges)
	}
	if r.ClockStands {
		b.WriteString("; the clock of the service moved, and those of the workers did not: what " +
			"they compute from theirs was not tried")
	}
	b.WriteString(r.allowedText())
	b.WriteString(r.serialText())
	if r.Differs != "" {
		b.WriteString(";\n" + r.Differs + "\n" + differsHelp)
	}
	return b.String()
}

// differsHelp says what to do about a worker that is not deterministic.
const differsHelp = "so it is not known which orders were tried. What a worker asks for may depend " +
	"only on the answers that it gets, and on the time. Take ids and random numbers from a source " +
	"that begins anew in each run (in Go: X.Rand), sort the keys of a map before you send " +
	"requests, and keep what a run leaves in memory out of the next one"

// serialText says that no run was compared with serial orders.
func (r *Report) serialText() string {
	if r.SerialLeft == nil {
		return ""
	}
	return fmt.Sprintf("; no run was compared with serial orders: these are %v, more than half of "+
		"the budget (Budget)", r.SerialLeft)
}

// unhitText says which faults have hit nothing.
func (r *Report) unhitText() string {
	if len(r.Unhit) == 0 {
		return ""
	}
	return "; no request could have the fault " + strings.Join(r.Unhit, ", or ")
}
