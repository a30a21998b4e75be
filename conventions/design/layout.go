package design

import (
	"math"
	"slices"
)

// modelLayout is how one model is stored: its primary key, and the keys that indexes serve.
type modelLayout struct {
	primary key     // its sort part is empty if the model needs none
	joined  int     // how many parts of keys are joined to others
	rank    int     // how far the choices are from the preferred ones
	indexed []key   // keys in global indexes, in the order of the patterns
	local   []key   // keys in local indexes
	dollars float64 // a month's price for the items in indexes
}

// equal reports whether layouts have the same keys.
func (l modelLayout) equal(o modelLayout) bool {
	return l.primary.equal(o.primary) && slices.EqualFunc(l.indexed, o.indexed, key.equal) &&
		slices.EqualFunc(l.local, o.local, key.equal)
}

// doubled counts the model's keys in indexes that have no sort attributes, and the same partition
// attributes as another one of them.
func (l *modelLayout) doubled() (n int) {
	for i, k := range l.indexed {
		same := func(o key) bool { return slices.Equal(k.partition, o.partition) }
		if len(k.sort) == 0 && slices.ContainsFunc(slices.Concat(l.indexed[:i],
			l.indexed[i+1:]), same) {
			n++
		}
	}
	return n
}

// localIn returns the key that a model has in a local index; it is empty if the model is not there.
func (l *modelLayout) localIn(index int) key {
	if index < len(l.local) {
		return l.local[index]
	}
	return key{}
}

// fewestLocal returns the layouts with the fewest local indexes. Those limit the size of item
// collections, so a model has no more of them than its strongly consistent patterns need.
func fewestLocal(all []modelLayout) []modelLayout {
	fewest := maxLocal
	for _, l := range all {
		fewest = min(fewest, len(l.local))
	}
	return slices.DeleteFunc(all, func(l modelLayout) bool { return len(l.local) > fewest })
}

// layout is how the models are stored. A partial layout has the first models only.
type layout struct {
	ways  []modelLayout
	slots [][]int // the index of each of indexed, by model
	count int     // how many indexes there are
	spots []spot  // the places where patterns over several models are served
}

// spot is the partition key by which a layout serves a pattern over several models.
type spot struct {
	*together
	at position
}

// keyIn returns the key that a model has in an index; it is empty if the model is not there.
func (l *layout) keyIn(m, index int) key {
	if at := slices.Index(l.slots[m], index); at >= 0 {
		return l.ways[m].indexed[at]
	}
	return key{}
}

// used returns how many indexes have a key. Those without one are the last.
func (l layout) used() int {
	used := 0
	for _, slots := range l.slots {
		for _, s := range slots {
			used = max(used, s+1)
		}
	}
	return used
}

// locals returns how many local indexes there are.
func (l *layout) locals() (n int) {
	for i := range l.ways {
		n = max(n, len(l.ways[i].local))
	}
	return n
}

// positions returns the length of a list by position that holds all keys of the layout: the
// position after the last one. With local indexes it has places for all possible global ones.
func (l *layout) positions() position {
	if n := l.locals(); n > 0 {
		return localPartition(n)
	}
	return partitionOf(l.count)
}

// positionsOf returns the positions of the partition keys by which items of a model can be read as
// if by key k. The table comes first.
func (l *layout) positionsOf(m int, k key) (all []position) {
	if !k.inIndex && l.ways[m].primary.serves(k) {
		all = append(all, tablePartition)
	}
	for i, indexed := range l.ways[m].indexed {
		if indexed.serves(k) {
			all = append(all, partitionOf(l.slots[m][i]))
		}
	}
	return all
}

// sharedAt reports whether a pattern over several models is read by the partition key at a
// position, and whether such a pattern is ordered.
func (l *layout) sharedAt(at position) (shared, ordered bool) {
	for _, s := range l.spots {
		if s.at == at {
			shared, ordered = true, ordered || s.ordered
		}
	}
	return shared, ordered
}

// dollars returns what the items in indexes cost in a month.
func (l *layout) dollars() (dollars float64) {
	for _, m := range l.ways {
		dollars += m.dollars
	}
	return dollars
}

// rootAt returns the model with whose name the partition keys of a model begin at some positions:
// the first one of the pattern that reads it there together with others, or itself.
func (l *layout) rootAt(positions []position, m int) int {
	family, root, first := []int{m}, m, math.MaxInt
	for range l.spots {
		for _, s := range l.spots {
			if !slices.Contains(positions, s.at) || !slices.ContainsFunc(s.models,
				func(o int) bool { return slices.Contains(family, o) }) {
				continue
			}
			family = append(family, s.models...)
			if s.pattern < first {
				root, first = s.models[0], s.pattern
			}
		}
	}
	return root
}
