package search

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// mostPreemptions is up to which number of preemptions the search tries all orders when there are
// too many orders in all.
const mostPreemptions = 3

// bounds tries the orders with few preemptions and then random ones, up to a number of all runs: a
// half of what is left of it for each.
func (s *Search) bounds(p plan, all int) {
	half := s.report.Runs + (all-s.report.Runs)/2
	for most := 0; most <= mostPreemptions; most++ {
		if !s.through(&bounded{most: most, preemptions: true}, p, half) {
			break
		}
		s.report.Preemptions = most
		s.report.bounded = true
	}
	if !s.finished() {
		s.random(p, all)
	}
}

// depth is the number of ordering constraints of the bugs that the random orders are for.
const depth = 3

// random runs random orders by PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized
// Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010): workers have random
// priorities, and at depth-1 random steps the one that would go gets the lowest.
func (s *Search) random(p plan, all int) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(s.Part.Number)<<8)) // others in each part
	workers, steps := s.report.most()
	if steps == 0 && !s.finished() && s.report.Runs < all {
		// the first run of all shows how many there are
		s.account(s.run(randomOrder(rng, workers, steps), p))
		workers, steps = s.report.most()
	}
	runs := 0
	for ; !s.finished() && s.report.Runs < all; runs++ {
		s.account(s.run(randomOrder(rng, workers, steps), p))
	}
	each := 1 / (float64(max(workers, 1)) * math.Pow(float64(max(steps, 1)), depth-1))
	s.report.Random = runs
	s.report.Probability = -math.Expm1(float64(runs) * math.Log1p(-min(each, 1)))
	s.report.Probability = min(s.report.Probability, math.Nextafter(1, 0)) // it is never certain
}

func randomOrder(rng *rand.Rand, workers, steps int) chooser {
	priority := map[int]int{}
	for i, x := range rng.Perm(workers) {
		priority[i] = x + depth
	}
	lower := map[int]int{}
	for i := 1; i < depth; i++ {
		lower[rng.IntN(max(steps, 1))] = i
	}
	return func(done []*step, waiting []*Pending) int {
		best := highest(waiting, priority)
		if low, ok := lower[len(done)]; ok {
			priority[waiting[best].client.Worker.index] = depth - low - 1
			best = highest(waiting, priority)
		}
		return best
	}
}

func highest(waiting []*Pending, priority map[int]int) int {
	best := 0
	for i, t := range waiting {
		if priority[t.client.Worker.index] > priority[waiting[best].client.Worker.index] {
			best = i
		}
	}
	return best
}

// atLeast writes a probability with four digits, and never as more than it is.
func atLeast(p float64) string {
	const unit = 0.0001
	if p < unit {
		return fmt.Sprintf("less than %v", unit)
	}
	return fmt.Sprintf("at least %.4g", math.Floor(p/unit)*unit)
}

// boundsText says what the bounded searches have tried. It begins with a conjunction.
func (r *Report) boundsText(conjunction string) string {
	text := ""
	if r.bounded {
		text += conjunction + "all with " + preemptions(r.Preemptions)
	}
	if r.Random > 0 {
		text += fmt.Sprintf("; beyond them %s, which find a bug of %d ordering constraints with a "+
			"probability of %s (PCT)", count(r.Random, "random one"), depth,
			atLeast(r.Probability))
	}
	if r.faultBound {
		text += "; with faults, only orders with up to 1 preemption"
	}
	return text
}

// spentText says which option has ended the search.
func (r *Report) spentText() string {
	text := ""
	if r.spent {
		text += "; the budget was spent (Budget)"
	}
	if r.late {
		text += "; the time was spent (Within)"
	}
	return text
}

// Untried says how much a search without failures has tried if that was not all, and else "".
func (r *Report) Untried() string {
	if r.Complete || len(r.Failures) > 0 {
		return ""
	}
	text := fmt.Sprintf("%s, of %v orders%s", count(r.Runs, "run"), r.Orders,
		r.boundsText(", "))
	if r.FaultsLeft > 0 {
		text += fmt.Sprintf("; %d of %s of faults not", r.FaultsLeft,
			count(r.Faults+r.FaultsLeft, "placement"))
	}
	if left := r.Cut + r.Astray + r.Overslept; left > 0 {
		text += fmt.Sprintf("; %s did not come to their end", count(left, "run"))
	}
	return text
}
