package design

import (
	"math"
	"slices"
)

// places has, for each pattern over several models, a set of bits: where the pattern could be read.
// A key of the pattern has a bit for the table and a bit for an index. nil is nowhere.
type places []uint64

// and returns the places that both have, or nil if a pattern has none.
func (p places) and(o places) places {
	both := make(places, len(p))
	for i := range p {
		if both[i] = p[i] & o[i]; both[i] == 0 {
			return nil
		}
	}
	return both
}

// group holds ways to store a model by which the same patterns over several models could be read,
// and what each of them costs at least.
type group struct {
	places places
	ways   []modelLayout
	costs  []additive // costs of the ways
	least  additive
}

// grouped holds the ways to store each model.
type grouped [][]group

// everywhere returns all places.
func everywhere(p *problem) places {
	all := make(places, len(p.together))
	for i := range all {
		all[i] = 1<<64 - 1
	}
	return all
}

// groupsOf groups the ways to store a model.
func (p *problem) groupsOf(m int, ways []modelLayout) (groups []group) {
	for _, way := range ways {
		where, cost := p.placesOf(m, &way), additiveOf(&p.models[m], &way)
		at := slices.IndexFunc(groups,
			func(g group) bool { return slices.Equal(g.places, where) })
		if at < 0 {
			groups = append(groups, group{where, []modelLayout{way}, []additive{cost}, cost})
			continue
		}
		g := &groups[at]
		g.ways, g.costs = append(g.ways, way), append(g.costs, cost)
		g.least = g.least.least(cost)
	}
	return groups
}

// placesOf returns where patterns over several models could read a model that is stored in a way.
func (p *problem) placesOf(m int, way *modelLayout) places {
	all := everywhere(p)
	for i := range p.together {
		t := &p.together[i]
		if !slices.Contains(t.models, m) {
			continue
		}
		all[i] = 0
		for j, k := range p.wantOf(m, t.pattern).alternatives {
			if !k.inIndex && way.primary.serves(k) {
				all[i] |= 1 << (2 * j)
			}
			if !p.design.Patterns[t.pattern].Consistent && slices.ContainsFunc(way.indexed,
				func(own key) bool { return own.serves(k) }) {
				all[i] |= 2 << (2 * j)
			}
		}
	}
	return all
}

// possible reports whether each model from a number on has a way to be stored in the places that
// are left for the patterns over several models, once the models before it are placed.
func (g grouped) possible(from int, left places) bool {
	fits := func(ways group) bool { return left.and(ways.places) != nil }
	for _, groups := range g[from:] {
		if !slices.ContainsFunc(groups, fits) {
			return false
		}
	}
	return true
}

// leastFrom returns what the models from a number on cost at least in the places that are left. It
// must be possible to store them there.
func (g grouped) leastFrom(from int, left places) (all additive) {
	for _, groups := range g[from:] {
		least := mostAdditive
		for i := range groups {
			if left.and(groups[i].places) != nil {
				least = least.least(groups[i].least)
			}
		}
		all = all.plus(least)
	}
	return all
}

// additive holds the costs of layouts that are the sum of those of the models.
type additive struct {
	doubled, joined, copies, rank int
	spare                         int // if the table has a sort key
	dollars                       float64
}

// mostAdditive is no less than any other.
var mostAdditive = additive{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt,
	math.Inf(1)}

func (x additive) plus(y additive) additive {
	return additive{x.doubled + y.doubled, x.joined + y.joined, x.copies + y.copies,
		x.rank + y.rank, x.spare + y.spare, x.dollars + y.dollars}
}

// least returns the least of each kind of cost.
func (x additive) least(y additive) additive {
	return additive{min(x.doubled, y.doubled), min(x.joined, y.joined),
		min(x.copies, y.copies), min(x.rank, y.rank), min(x.spare, y.spare),
		min(x.dollars, y.dollars)}
}

// additiveOf returns what a model's layout costs by itself, at least.
func additiveOf(m *Model, l *modelLayout) additive {
	spare := 0
	constants := func(names []string) bool {
		return len(names) > 0 && m.constants(names)
	}
	in := func(k key) bool { return constants(k.partition) || constants(k.sort) }
	if len(l.primary.sort) == 0 && !constants(m.Key) &&
		!slices.ContainsFunc(append([]key{l.primary}, l.indexed...), in) {
		spare = 1
	}
	return additive{l.doubled(), l.joined, copiesOf(l), l.rank, spare, l.dollars}
}

// copiesOf returns how often a model stores attributes beyond once at least: different values are
// in different columns.
func copiesOf(l *modelLayout) (copies int) {
	var lists [][]string
	var seen []string
	for _, k := range slices.Concat([]key{l.primary}, l.indexed) {
		for _, list := range [][]string{k.partition, k.sort} {
			if slices.ContainsFunc(lists,
				func(o []string) bool { return slices.Equal(o, list) }) {
				continue
			}
			lists = append(lists, list)
			for _, name := range list {
				if slices.Contains(seen, name) {
					copies++
				} else {
					seen = append(seen, name)
				}
			}
		}
	}
	return copies
}
