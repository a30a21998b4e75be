package design

import (
	"math/bits"
	"slices"
	"strings"
)

// outline says what is known of the columns of all layouts that have a partial one: how many there
// are at least, and what they hold. It costs a small part of the time that columnsOf takes.
type outline struct {
	*problem
	*layout
	// the values of each model at each position; nil is that it has none, or that it is not known
	values   [][][]string
	conflict []uint64 // the earlier positions whose column cannot be that of a position
	same     []uint64 // the earlier positions where a model may have the same value
	sorted   bool     // the table has a sort key
}

// outlineOf returns the outline of a partial layout. The models that are not in it could share some
// positions.
func (p *problem) outlineOf(l *layout, future sharing) *outline {
	n := int(partitionOf(l.count))
	o := &outline{problem: p, layout: l,
		conflict: make([]uint64, n), same: make([]uint64, n)}
	for at := 1; at < n; at += 2 {
		o.conflict[at] |= 1 << (at - 1) // the two of one key
	}
	for _, s := range l.spots {
		o.own(s.at)
		if s.ordered {
			o.own(s.at + 1)
		}
		o.sorted = o.sorted || s.at == tablePartition
	}
	for m := range l.ways {
		o.sorted = o.sorted || len(l.ways[m].primary.sort) > 0
	}
	for m := range l.ways {
		o.add(m)
	}
	for at := range o.same {
		o.same[at] |= future.with(position(at))
	}
	return o
}

// add notes the values of a model.
func (o *outline) add(m int) {
	way, values := &o.layout.ways[m], make([][]string, len(o.conflict))
	values[tablePartition], values[tableSort] = way.primary.partition, way.primary.sort
	for i, slot := range o.slots[m] {
		sort, known := o.sortIn(m, slot, &way.indexed[i])
		if !known {
			o.anything(sortOf(slot))
		}
		values[partitionOf(slot)], values[sortOf(slot)] = way.indexed[i].partition, sort
	}
	for at, v := range values {
		for earlier, other := range values[:at] {
			switch {
			case len(v) == 0:
			case len(other) > 0 && slices.Equal(v, other):
				o.same[at] |= 1 << earlier
			case len(other) > 0,
				position(earlier) == tableSort && !o.models[m].constants(v):
				o.conflict[at] |= 1 << earlier
			}
		}
	}
	o.values = append(o.values, values)
}

// sortIn returns the sort key that a model has in an index, as arrangement.sortIn has it. It is not
// known if that depends on the models that are added next.
func (o *outline) sortIn(m, index int, k *key) (sort []string, known bool) {
	if len(k.sort) > 0 {
		return k.sort, true
	}
	unique := o.models[m].Key
	if shared, _ := o.sharedAt(partitionOf(index)); shared {
		return unique, true
	}
	rest, all := o.models[m].rest(k.partition), len(o.layout.ways) == len(o.models)
	for other := range o.layout.ways {
		if len(o.keyIn(other, index).sort) > 0 {
			// with a pattern over several models it would be unique
			return rest, all || len(o.together) == 0 || slices.Equal(rest, unique)
		}
	}
	return nil, all
}

// anything notes that a position may have the values of any other one.
func (o *outline) anything(at position) {
	o.same[at] = 1<<at - 1
	for later := int(at) + 1; later < len(o.same); later++ {
		o.same[later] |= 1 << at
	}
}

// own notes that a position shares its column with no other one.
func (o *outline) own(at position) {
	o.conflict[at] = 1<<at - 1
	for later := int(at) + 1; later < len(o.conflict); later++ {
		o.conflict[later] |= 1 << at
	}
}

// outlined holds what all layouts with a partial one cost at least, besides what their models cost
// by themselves.
type outlined struct{ columns, mixed, copies, spare, shared, order int }

// costs returns what all layouts with a partial one cost at least.
func (o *outline) costs() outlined {
	copies, mixed := o.copies()
	shared := 0
	if o.sorted {
		shared = 1
	}
	return outlined{o.columns(), mixed, copies, o.spare(), shared, o.order()}
}

// bound returns what all layouts with a partial one cost at least, as compareLeaf has it: the
// number of indexes, because searches for fewer have found none, and what arrangement.cost says.
// All models cost so much by themselves, and others those that are not there yet.
func (o *outlined) bound(indexes int, all, others additive) []int {
	spare := o.spare
	if o.shared > 0 { // the table has a sort key
		spare += others.spare
	}
	return []int{indexes, 0, 0, all.doubled, all.joined, o.columns, o.mixed,
		o.copies + others.copies, spare, o.shared, all.rank, o.order}
}

// order returns how far the keys in indexes are from the order of the patterns.
func (o *outline) order() (far int) {
	for _, slots := range o.slots {
		for i, slot := range slots {
			far += max(slot-i, i-slot)
		}
	}
	return far
}

// columns returns how many columns there are at least. Positions in one column are linked by values
// that are the same, so those that are not linked are counted apart; and positions that conflict
// are in different columns.
func (o *outline) columns() (n int) {
	used := uint64(0)
	for at := range o.conflict {
		if slices.ContainsFunc(o.values,
			func(values [][]string) bool { return len(values[at]) > 0 }) {
			used |= 1 << at
		}
	}
	for left := used; left != 0; {
		linked := o.linked(left & -left)
		n += o.apart(linked & used)
		left &^= linked
	}
	return n
}

// linked returns the positions that may be in one column with some of a set, directly or by way of
// others.
func (o *outline) linked(set uint64) uint64 {
	for {
		more := set
		for at := range o.same {
			links := o.same[at] &^ o.conflict[at]
			if set&(1<<at) != 0 {
				more |= links
			} else if set&links != 0 {
				more |= 1 << at
			}
		}
		if more == set {
			return set
		}
		set = more
	}
}

// apart returns the size of the largest set of positions that all conflict with each other, out of
// some. Of more than manyPositions it finds a large one.
func (o *outline) apart(among uint64) int {
	if among == 0 {
		return 0
	}
	last := bits.Len64(among) - 1
	others := among &^ (1 << last)
	with := 1 + o.apart(others&o.conflict[last])
	if others&^o.conflict[last] == 0 || bits.OnesCount64(among) > manyPositions {
		return with
	}
	return max(with, o.apart(others))
}

// manyPositions is of how many positions a search for the largest set would take too long.
const manyPositions = 14

// typeAt returns the type that the values of a position have together.
func (o *outline) typeAt(at int) (of Type) {
	for m, values := range o.values {
		if o.sorted && position(at) == tableSort && len(values[at]) == 0 {
			of = String // the name of the model
		}
		for _, name := range values[at] {
			t := o.models[m].Attribute(name).Type
			if of == "" && len(values[at]) == 1 {
				of = t
			}
			if t != of || len(values[at]) > 1 {
				of = String
			}
		}
	}
	return of
}

// copies returns how often attributes are stored beyond once, at least, and how many are in a
// column of another type than theirs.
func (o *outline) copies() (copies, mixed int) {
	text := uint64(0)
	for at := range o.conflict {
		if o.typeAt(at) == String {
			text |= 1 << at
		}
	}
	for m := range o.values {
		seen := map[string]bool{}
		for _, v := range o.alikeOf(m) {
			columns, texts := o.apart(v.positions), -1
			for _, name := range v.names {
				copies += columns
				if !seen[name] {
					copies--
				}
				seen[name] = true
				if o.models[m].Attribute(name).Type != String {
					if texts < 0 {
						texts = o.apart(v.positions & text)
					}
					mixed += texts
				}
			}
		}
	}
	return copies, mixed
}

// heldAt is a value of a model, and the positions that have it.
type heldAt struct {
	names     []string
	positions uint64
}

// alikeOf returns the different values of a model.
func (o *outline) alikeOf(m int) (all []heldAt) {
	for at, v := range o.values[m] {
		if len(v) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(a heldAt) bool { return slices.Equal(a.names, v) })
		if i < 0 {
			i, all = len(all), append(all, heldAt{names: v})
		}
		all[i].positions |= 1 << at
	}
	return all
}

// spare returns how many models have just their name in the sort key of the table, at least.
func (o *outline) spare() (n int) {
	for m, values := range o.values {
		named := o.sorted && len(values[tableSort]) == 0
		for at, v := range values {
			named = named && (len(v) == 0 || !o.models[m].constants(v) ||
				o.conflict[at]&(1<<tableSort) != 0)
		}
		if named {
			n++
		}
	}
	return n
}

// sharing says in which kinds of positions some model could have the same value. A kind is one of
// the table's partition key, its sort key, and the partition and sort keys of indexes.
type sharing [4][4]bool

func kindOf(at position) int { return int(min(at, 2+at%2)) }

// add notes what a way to store a model has in several positions.
func (s *sharing) add(way modelLayout) {
	var kinds []int
	var values []string
	put := func(kind int, v []string) {
		kinds, values = append(kinds, kind), append(values, strings.Join(v, "\x00"))
	}
	put(0, way.primary.partition)
	put(1, way.primary.sort)
	for _, k := range way.indexed {
		put(2, k.partition)
		put(3, k.sort)
		if len(k.sort) == 0 { // it may get the model's key
			for kind := range s {
				s[kind][3], s[3][kind] = true, true
			}
		}
	}
	for i, v := range values {
		for j := range i {
			if v != "" && v == values[j] {
				s[kinds[i]][kinds[j]], s[kinds[j]][kinds[i]] = true, true
			}
		}
	}
}

// with returns the positions before one that could have the same value as it.
func (s *sharing) with(at position) (mask uint64) {
	for earlier := range at {
		if s[kindOf(at)][kindOf(earlier)] {
			mask |= 1 << earlier
		}
	}
	return mask
}
