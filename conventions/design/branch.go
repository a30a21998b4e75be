package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Bounds of a search by branches of a design with up to wideModels models: how many partial layouts
// it makes, how many whole ones it compares, and from how many it goes on at first, which finds a
// good layout soon, and then.
const (
	maxSteps   = 100_000
	maxLeaves  = 1_000
	firstWidth = 10
	fullWidth  = 2_000
)

// branching searches layouts by branch and bound: it adds one model after another, the one with the
// most keys first, to all partial layouts. It drops a partial layout if the outline says that no
// layout with it is better than the best one so far, or if another one leaves the same to the
// models that follow and costs no more.
type branching struct {
	*searcher           // its models are in the order of the search
	whole     *searcher // its models are in the order of the problem
	models    []int     // the numbers of the models in the order of the search
	groups    grouped
	future    []sharing // which positions the models from each one on could share
	dollars   float64   // layouts that cost more are dropped
	steps     int       // partial layouts that may still be made
	spare     int       // steps that are for the models that follow
	leaves    int       // whole layouts that may still be compared
	every     bool      // also those that leave the same as cheaper ones
	best      *arrangement
	cost      []int
	tight     bool // the best layout costs what its outline says
	cheapest  float64
	cut       string // the bound that has left layouts out, or ""
	left      []int  // what the layouts that were left out cost at least
}

// searchBranches returns the best layouts with a number of indexes, as searchWith does, and the
// bound that left layouts out.
func searchBranches(s *searcher, indexes int, perModel [][]modelLayout) (all []*arrangement,
	cut string) {
	b := newBranching(s, indexes, perModel)
	if b == nil {
		return nil, "there are local indexes, or indexes that are kept"
	}
	simplest := b.search(indexes, b.byCost())
	if cut = b.cut; simplest == nil {
		return nil, cut
	}
	if all = []*arrangement{simplest}; cut != "" {
		cut += b.gap()
	}
	b.cheapest = simplest.layout.dollars()
	b.search(indexes, b.byDollars())
	cut = cmp.Or(cut, b.cut)
	b.dollars = b.cheapest + s.layoutWorth()
	if simplest.layout.dollars() > b.dollars {
		other := b.search(indexes, b.byCost())
		if cut = cmp.Or(cut, b.cut); other != nil && other.count <= simplest.count {
			all = append(all, other)
		}
	}
	return all, cut
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
	leaf     func(x *branch, l layout)
	outlined bool // branches need their bound
}

// branch is a partial layout, what its models cost by themselves, and what all layouts with it cost
// at least.
type branch struct {
	layout  layout
	places  places
	sum     additive
	outline outlined
	bound   []int
	dollars float64
	left    string // what it leaves to the models that follow
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
		leaf:     func(_ *branch, l layout) { b.cheapest = min(b.cheapest, l.dollars()) },
	}
}

// compareLeaf takes a whole layout if it is simpler than the best one, and keeps models apart.
func (b *branching) compareLeaf(x *branch, l layout) {
	if len(b.together) > 0 {
		l.count = l.used()
	}
	a := b.whole.columnsOf(l)
	cost := append([]int{l.count}, a.cost()...)
	if b.best != nil && !b.betters(cost, l.dollars()) ||
		len(b.together) > 0 && a.inseparable() > 0 {
		return
	}
	n := len(cost) - 1
	b.best, b.cost = b.whole.columnsOf(l), cost
	b.tight = slices.Equal(cost[:n], x.bound[:n])
}

// betters reports whether a cost is less than that of the best layout, or as much for fewer
// dollars. In which index a key is only decides what the indexes are called, and does not count.
func (b *branching) betters(cost []int, dollars float64) bool {
	n := len(b.cost) - 1
	c := slices.Compare(cost[:min(len(cost), n)], b.cost[:n])
	return c < 0 || c == 0 && dollars < b.best.layout.dollars()
}

// search returns the best arrangement or nil. It goes on from few partial layouts first, and then
// from all that may lead to a better one. A layout that costs more than its outline says may be
// worse than one that was dropped because it leaves the same as another one: then none is.
func (b *branching) search(indexes int, by order) *arrangement {
	b.best, b.cost, b.tight, b.every = nil, nil, !by.outlined, false
	b.steps, b.leaves = b.most(maxSteps), maxLeaves
	defer func() { b.whole.found.Partial += b.most(maxSteps) - b.steps }()
	for width := firstWidth; ; width *= 4 {
		b.pass(indexes, by, min(width, b.most(fullWidth)))
		if b.cut == "" || width >= b.most(fullWidth) || b.steps <= 0 {
			break
		}
	}
	if b.cut == "" && by.outlined && (b.best == nil || !b.tight) {
		b.every = true
		b.pass(indexes, by, b.most(fullWidth))
	}
	b.whole.found.Layouts += maxLeaves - b.leaves
	if n := len(b.cost) - 1; b.left != nil && b.best != nil && b.tight &&
		slices.Compare(b.left[:n], b.cost[:n]) > 0 {
		b.cut = "" // what was left out is worse
	}
	return b.best
}

// pass adds one model after another, and goes on from a number of partial layouts.
func (b *branching) pass(indexes int, by order, width int) {
	layer := []branch{{layout: layout{count: indexes}, places: everywhere(b.problem)}}
	b.cut, b.left = "", nil
	for m := range b.models {
		b.spare = 0
		if others := len(b.models) - 1 - m; others > 0 {
			b.spare = b.steps - b.steps/max(2, others/3)
		}
		layer = b.extended(layer, by)
		if m == len(b.models)-1 {
			return
		}
		slices.SortStableFunc(layer, func(x, y branch) int { return by.compare(&x, &y) })
		if len(layer) > width {
			b.leave(&layer[width], "it goes on from the best %s of %s partial layouts with %s",
				Grouped(float64(width), 0), Grouped(float64(len(layer)), 0),
				count(m+1, "model", "models"))
			layer = layer[:width]
		}
	}
}

// leave notes a bound of the search, and the best branch that it leaves out.
func (b *branching) leave(x *branch, format string, args ...any) {
	if b.cut == "" {
		b.cut = fmt.Sprintf(format, args...)
	}
	if b.left == nil || slices.Compare(x.bound, b.left) < 0 {
		b.left = x.bound
	}
}

// extended adds the next model to partial layouts, and compares those that are whole then.
func (b *branching) extended(layer []branch, by order) (next []branch) {
	same := map[string][]int{} // the numbers in next of those that leave the same
	for i := range layer {
		x := &layer[i]
		switch {
		case by.hopeless(x):
			continue
		case b.steps <= b.spare:
			b.leave(x, "it makes %s partial layouts", Grouped(float64(b.most(maxSteps)), 0))
			return next
		case b.leaves <= 0:
			b.leave(x, "it compares %s whole layouts", Grouped(float64(maxLeaves), 0))
			return next
		}
		all := b.branches(x, by)
		if len(x.layout.ways) == len(b.models)-1 {
			b.compareAll(all, by)
			continue
		}
		for _, longer := range all {
			next = b.addTo(next, same, longer)
		}
	}
	return next
}

// compareAll compares whole layouts.
func (b *branching) compareAll(all []branch, by order) {
	slices.SortStableFunc(all, func(x, y branch) int { return by.compare(&x, &y) })
	for i := range all {
		if by.hopeless(&all[i]) {
			continue
		}
		if b.leaves <= 0 {
			b.leave(&all[i], "it compares %s whole layouts", Grouped(float64(maxLeaves), 0))
			return
		}
		if l, ok := b.restored(&all[i].layout); ok {
			b.leaves--
			by.leaf(&all[i], l)
		}
	}
}

// addTo adds a branch to a list, unless one there leaves the same and costs no more. It replaces
// one that costs no less.
func (b *branching) addTo(list []branch, same map[string][]int, x branch) []branch {
	others := same[x.left]
	if !b.every {
		for _, o := range others {
			switch {
			case b.asGood(&list[o], &x):
				return list
			case b.asGood(&x, &list[o]):
				list[o] = x
				return list
			}
		}
	}
	same[x.left] = append(others, len(list))
	return append(list, x)
}

// asGood reports whether a branch costs no more than another one that leaves the same.
func (b *branching) asGood(x, y *branch) bool {
	if !math.IsInf(b.dollars, 1) && x.dollars > y.dollars {
		return false
	}
	n := max(len(x.bound)-1, 0) // the last is the order of keys, which only names indexes
	return cmp.Or(slices.Compare(x.bound[:n], y.bound[:n]), cmp.Compare(x.dollars, y.dollars),
		slices.Compare(x.bound[n:], y.bound[n:])) <= 0
}

// branches returns a partial layout with the next model, without those that are hopeless.
func (b *branching) branches(x *branch, by order) (next []branch) {
	m := len(x.layout.ways)
	for g := range b.groups[m] {
		group := &b.groups[m][g]
		where := x.places.and(group.places)
		if where == nil || !b.groups.possible(m+1, where) {
			continue
		}
		least := b.groups.leastFrom(m+1, where)
		for i, way := range group.ways {
			if b.steps <= b.spare {
				b.leave(x, "it makes %s partial layouts", Grouped(float64(b.most(maxSteps)), 0))
				return next
			}
			sum := x.sum.plus(group.costs[i])
			total := sum.plus(least)
			alone := branch{bound: x.outline.bound(x.layout.count, total,
				group.costs[i].plus(least)), dollars: total.dollars}
			if by.hopeless(&alone) {
				continue
			}
			cuts := b.cuts
			all := b.placements(nil, x.layout, way, max(b.steps-b.spare, 1))
			if b.cuts > cuts {
				b.leave(x, "it makes %s partial layouts", Grouped(float64(b.most(maxSteps)), 0))
			}
			for _, l := range all {
				b.steps--
				longer := branch{layout: l, places: where, sum: sum, dollars: total.dollars}
				o := &outline{problem: b.problem, layout: &l}
				if by.outlined {
					o = b.outlineOf(&l, b.future[m+1])
					longer.outline = o.costs()
					longer.bound = longer.outline.bound(l.count, total, least)
				}
				if !by.hopeless(&longer) {
					longer.left = leftBy(o, where, by.outlined)
					next = append(next, longer)
				}
			}
		}
	}
	return next
}

// gap says how far the simplest layout can be from one that was left out.
func (b *branching) gap() string {
	names := []string{"indexes", "", "", "keys beside others of the same partition",
		"joined attributes in keys", "attributes of keys",
		"attributes stored as text that are none", "attributes stored once more",
		"models with their name as sort key", "", "", ""}
	for i, is := range b.cost[:len(b.cost)-1] {
		switch {
		case b.left == nil || b.left[i] > is:
			return ""
		case b.left[i] < is && names[i] != "":
			return fmt.Sprintf(". What it leaves out has at least %d %s, and this one %d",
				b.left[i], names[i], is)
		case b.left[i] < is:
			return ". What it leaves out is as good in what counts most"
		}
	}
	return ""
}
