package search

import "slices"

// The reduced search is source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal
// Dynamic Partial Order Reduction, POPL 2014). It runs one order of each set of orders that differ
// only in neighbors that are independent, and few orders besides.

// node is a state in which a request was chosen: one for each step of the run before.
type node struct {
	waiting []proc
	asleep  []tried // their requests would lead to what was explored already
	done    []tried
	todo    []proc
	chosen  proc
}

// tried is a request that was let go in a state, with what it touched.
type tried struct {
	proc  proc
	print *footprint
}

// reduced is a reduced search.
type reduced struct {
	stack []*node
	fresh int // the steps below this one are those of the run before
	full  int // how many first steps have all their waiting requests tried: see Part
}

// anew returns the strategy from its beginning.
func (r *reduced) anew(top int) strategy { return &reduced{full: top} }

// next returns the chooser of the next run.
func (r *reduced) next() chooser {
	return func(done []*step, waiting []*Pending) int {
		d := len(done)
		if d == len(r.stack) {
			n := r.arrive(done, waiting)
			if n == nil {
				return -1
			}
			r.stack = append(r.stack, n)
		}
		return again(waiting, r.stack[d].chosen)
	}
}

// arrive returns the node of a state that is new, or nil if all requests that wait are asleep.
func (r *reduced) arrive(done []*step, waiting []*Pending) *node {
	n := &node{}
	for _, t := range waiting {
		n.waiting = append(n.waiting, t.proc())
	}
	last := proc{-1, 0}
	if len(done) > 0 {
		before, by := r.stack[len(done)-1], done[len(done)-1]
		last = by.proc
		for _, list := range [...][]tried{before.asleep, before.done} {
			for _, x := range list {
				if x.proc.worker != by.proc.worker && !dependent(x.print, by.print) {
					n.asleep = append(n.asleep, x)
				}
			}
		}
	}
	for _, p := range n.waiting {
		if !has(n.asleep, p) && (len(n.todo) == 0 || p == last) {
			n.todo, n.chosen = []proc{p}, p
		}
	}
	if len(done) < r.full {
		for _, p := range n.waiting {
			if p != n.chosen && !has(n.asleep, p) {
				n.todo = append(n.todo, p)
			}
		}
	}
	if len(n.todo) == 0 {
		return nil
	}
	return n
}

func has(list []tried, p proc) bool {
	return slices.ContainsFunc(list, func(x tried) bool { return x.proc == p })
}

// learn reads what a run has shown: which pairs of its requests should also go in the other order.
func (r *reduced) learn(steps []*step) {
	steps = steps[:min(len(steps), len(r.stack))]
	before := make([]set, len(steps)) // what happened before each step, by cause
	for j := range steps {
		before[j] = newSet(len(steps))
		for i := j - 1; i >= 0; i-- {
			if before[j].has(i) || !related(steps[i], steps[j]) {
				continue
			}
			if j >= r.fresh && steps[i].proc != steps[j].proc {
				r.reverse(steps, before, i, j)
			}
			before[j].join(before[i])
			before[j].add(i)
		}
	}
}

// reverse has a later run let step j go before step i: it adds one of the requests that such a run
// can begin with to the state before i.
func (r *reduced) reverse(steps []*step, before []set, i, j int) {
	var first []proc // the requests that nothing between i and j comes before
	between := newSet(len(steps))
	for k := i + 1; k <= j; k++ {
		if k < j && before[k].has(i) {
			continue
		}
		p := steps[k].proc
		if !before[k].meets(between) && !slices.Contains(first, p) {
			first = append(first, p)
		}
		between.add(k)
	}
	n := r.stack[i]
	for _, p := range first {
		if slices.Contains(n.todo, p) || has(n.asleep, p) {
			return
		}
	}
	for _, p := range first {
		if slices.Contains(n.waiting, p) {
			n.todo = append(n.todo, p)
			return
		}
	}
	for _, p := range n.waiting { // a line of requests that begins later
		if !slices.Contains(n.todo, p) {
			n.todo = append(n.todo, p)
		}
	}
}

// back goes back to the last state that has a request to try, and chooses it. It returns false if
// no state has one: the search is complete.
func (r *reduced) back(steps []*step) bool {
	if d := len(steps); d < len(r.stack) { // the run went astray there
		n := r.stack[d]
		n.done = append(n.done, tried{n.chosen, &footprint{reads: true, writes: true}})
		r.stack = r.stack[:d+1]
	}
	for d := len(r.stack) - 1; d >= 0; d-- {
		n := r.stack[d]
		if d < len(steps) {
			n.done = append(n.done, tried{n.chosen, steps[d].print})
		}
		for _, p := range n.todo {
			if !has(n.done, p) && !has(n.asleep, p) {
				n.chosen = p
				r.stack = r.stack[:d+1]
				r.fresh = d
				return true
			}
		}
	}
	return false
}

// set is a set of steps.
type set []uint64

func newSet(n int) set       { return make(set, (n+63)/64) }
func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) join(other set) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s set) meets(other set) bool {
	for i := range s {
		if s[i]&other[i] != 0 {
			return true
		}
	}
	return false
}
