package design

import (
	"cmp"
	"math"
	"slices"
)

// maxSteps and maxLeaves bound a search by branches of a design with up to wideModels models: how
// many partial layouts it makes, and how many whole ones it compares.
const (
	maxSteps  = 15_000
	maxLeaves = 1_000
)

// branching searches layouts by branch and bound: it adds one model after another, the one with the
// most keys first and in the most promising way. It drops a partial layout if the outline says that
// no layout with it is better than the best one so far.
type branching struct {
	*searcher           // its models are in the order of the search
	whole     *searcher // its models are in the order of the problem
	models    []int     // the numbers of the models in the order of the search
	groups    grouped
	future    []sharing // which positions the models from each one on could share
	dollars   float64   // layouts that cost more are dropped
	steps     int       // partial layouts that may still be made
	leaves    int       // whole layouts that may still be compared
	out       bool      // a bound has left layouts out
	best      *arrangement
	cost      []int
	cheapest  float64
}

// searchBranches returns the best layouts with a number of indexes, as searchWith does. ok is false
// if it was too much to search; then it has the best ones that it found.
func searchBranches(s *searcher, indexes int, perModel [][]modelLayout) (
	all []*arrangement, ok bool) {
	b := newBranching(s, indexes, perModel)
	if b == nil {
		return nil, false
	}
	defer func() {
		if ok {
			s.found.Layouts += maxLeaves - b.leaves
			s.found.Partial += b.most(maxSteps) - b.steps
		}
	}()
	simplest := b.search(indexes, b.byCost())
	if simplest == nil {
		return nil, !b.out
	}
	if all = []*arrangement{simplest}; b.out {
		return all, false
	}
	b.cheapest = simplest.layout.dollars()
	b.search(indexes, b.byDollars())
	b.dollars = b.cheapest + s.layoutWorth()
	if simplest.layout.dollars() > b.dollars {
		if other := b.search(indexes, b.byCost()); other != nil &&
			other.count <= simplest.count {
			all = append(all, other)
		}
	}
	return all, !b.out
}

// newBranching prepares a search. It returns nil for what outlines know nothing of: a table that is
// there, indexes that are pinned, and local indexes.
func newBranching(s *searcher, indexes int, perModel [][]modelLayout) *branching {
	if s.kept != nil || len(s.pins) > 0 {
		return nil
	}
	b := &branching{whole: s, dollars: math.Inf(1)}
	for m, ways := range perModel {
		if slices.ContainsFunc(ways, func(l modelLayout) bool { return len(l.local) > 0 }) {
			return nil
		}
		b.models = append(b.models, m)
	}
	slices.SortStableFunc(b.models, func(m, o int) int {
		return len(perModel[o][0].indexed) - len(perModel[m][0].indexed)
	})
	b.searcher = &searcher{problem: s.inOrder(b.models)}
	b.steps, b.leaves = b.most(maxSteps), maxLeaves
	b.groups, b.future = make(grouped, len(b.models)), make([]sharing, len(b.models)+1)
	for i := len(b.models) - 1; i >= 0; i-- {
		fitting := slices.DeleteFunc(slices.Clone(perModel[b.models[i]]),
			func(l modelLayout) bool { return len(l.indexed) > indexes })
		b.groups[i], b.future[i] = b.groupsOf(i, fitting), b.future[i+1]
		for _, way := range fitting {
			b.future[i].add(way)
		}
	}
	return b
}

// most returns a bound for the number of the models: a partial layout of more takes longer.
func (b *branching) most(bound int) int {
	return bound * wideModels / max(len(b.models), wideModels)
}

// inOrder returns the same problem with the models in another order.
func (s *problem) inOrder(models []int) *problem {
	p := *s
	p.models, p.wants, p.together = nil, nil, nil
	for _, m := range models {
		p.models, p.wants = append(p.models, s.models[m]), append(p.wants, s.wants[m])
	}
	for _, t := range s.together {
		var at []int
		for _, m := range t.models {
			at = append(at, slices.Index(models, m))
		}
		p.together = append(p.together, together{t.pattern, at, t.ordered})
	}
	return &p
}

// restored returns a layout with the models as they are in the problem. Its indexes are numbered in
// the order in which these models have keys in them.
func (b *branching) restored(l *layout) (layout, bool) {
	restored := layout{count: l.count}
	numbers := make([]int, l.count)
	next := 0
	for m := range b.models {
		at := slices.Index(b.models, m)
		slots := slices.Clone(l.slots[at])
		for i, slot := range slots {
			if numbers[slot] == 0 {
				next++
				numbers[slot] = next
			}
			slots[i] = numbers[slot] - 1
		}
		restored.ways = append(restored.ways, l.ways[at])
		restored.slots = append(restored.slots, slots)
		if !b.whole.join(&restored) {
			return restored, false
		}
	}
	return restored, true
}

// order says how a search compares partial layouts: it goes on from those that compare less, and
// drops those that are hopeless. leaf takes a whole layout.
type order struct {
	compare  func(a, b *branch) int
	hopeless func(x *branch) bool
	leaf     func(l layout)
	outlined bool // branches need their bound
}

// branch is a partial layout, what its models cost by themselves, and what all layouts with it cost
// at least.
type branch struct {
	layout  layout
	places  places
	sum     additive
	bound   []int
	dollars float64
}

// byCost searches the simplest layout.
func (b *branching) byCost() order {
	return order{
		compare: func(x, y *branch) int {
			return cmp.Or(slices.Compare(x.bound, y.bound), cmp.Compare(x.dollars, y.dollars))
		},
		hopeless: func(x *branch) bool {
			return x.dollars > b.dollars || b.best != nil && !b.betters(x.bound, x.dollars)
		},
		leaf: b.compareLeaf, outlined: true,
	}
}

// byDollars searches what the cheapest layout costs.
func (b *branching) byDollars() order {
	return order{
		compare:  func(x, y *branch) int { return cmp.Compare(x.dollars, y.dollars) },
		hopeless: func(x *branch) bool { return x.dollars >= b.cheapest },
		leaf:     func(l layout) { b.cheapest = min(b.cheapest, l.dollars()) },
	}
}

// compareLeaf takes a whole layout if it is simpler than the best one, and keeps models apart.
func (b *branching) compareLeaf(l layout) {
	if len(b.together) > 0 {
		l.count = l.used()
	}
	a := b.whole.columnsOf(l)
	cost := append([]int{l.count}, a.cost()...)
	if b.best != nil && !b.betters(cost, l.dollars()) ||
		len(b.together) > 0 && a.inseparable() > 0 {
		return
	}
	b.best, b.cost = b.whole.columnsOf(l), cost
}

// betters reports whether a cost is less than that of the best layout, or as much for fewer
// dollars. In which index a key is only decides what the indexes are called, and does not count.
func (b *branching) betters(cost []int, dollars float64) bool {
	n := len(b.cost) - 1
	c := slices.Compare(cost[:min(len(cost), n)], b.cost[:n])
	return c < 0 || c == 0 && dollars < b.best.layout.dollars()
}

// search searches from the empty layout, and returns the best arrangement or nil.
func (b *branching) search(indexes int, by order) *arrangement {
	b.best, b.cost = nil, nil
	b.descend(branch{layout: layout{count: indexes}, places: everywhere(b.problem)}, by)
	return b.best
}

// descend adds the next model to a partial layout, in all ways that may lead to a better one.
func (b *branching) descend(x branch, by order) {
	if len(x.layout.ways) == len(b.models) {
		if l, ok := b.restored(&x.layout); ok {
			b.leaves--
			by.leaf(l)
		}
		return
	}
	next := b.branches(&x, by)
	slices.SortStableFunc(next, func(x, y branch) int { return by.compare(&x, &y) })
	for i := range next {
		if b.steps <= 0 || b.leaves <= 0 {
			b.out = true
			return
		}
		if !by.hopeless(&next[i]) {
			b.descend(next[i], by)
		}
	}
}

// branches returns a partial layout with the next model, without those that are hopeless.
func (b *branching) branches(x *branch, by order) (next []branch) {
	m := len(x.layout.ways)
	for g := range b.groups[m] {
		where := x.places.and(b.groups[m][g].places)
		if where == nil || !b.groups.possible(m+1, where) {
			continue
		}
		least := b.groups.leastFrom(m+1, where)
		for i, way := range b.groups[m][g].ways {
			if b.steps <= 0 {
				b.out = true
				return next
			}
			sum := x.sum.plus(b.groups[m][g].costs[i])
			all := sum.plus(least)
			alone := branch{bound: all.bound(x.layout.count), dollars: all.dollars}
			if by.hopeless(&alone) {
				continue
			}
			for _, l := range b.placements(nil, x.layout, way, maxSteps) {
				b.steps--
				longer := branch{layout: l, places: where, sum: sum, dollars: all.dollars}
				if by.outlined {
					longer.bound = b.outlineOf(&l, b.future[m+1]).bound(all, least.copies)
				}
				if !by.hopeless(&longer) {
					next = append(next, longer)
				}
			}
		}
	}
	return next
}
