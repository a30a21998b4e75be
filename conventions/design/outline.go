package design

import (
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
	if shared, _ := o.sharedAt(partitionOf(index)); shared {
		return o.models[m].Key, true
	}
	if len(o.together) > 0 {
		return nil, len(o.layout.ways) == len(o.models)
	}
	for other := range o.layout.ways {
		if len(o.keyIn(other, index).sort) > 0 {
			return o.models[m].rest(k.partition), true
		}
	}
	return nil, false
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

// bound returns what all layouts with a partial one cost at least, as compareLeaf has it: the
// number of indexes, because searches for fewer have found none, and what arrangement.cost says.
// The models cost all by themselves; those that are not there yet store attributes beyond once as
// often as copies says.
func (o *outline) bound(all additive, copies int) []int {
	columns, mixed := o.columns()
	shared := 0
	if o.sorted {
		shared = 1
	}
	return []int{o.count, 0, 0, all.doubled, all.joined, columns, mixed,
		o.copies() + copies, o.spare(), shared, all.rank, o.order()}
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

// columns returns how many columns there are at least, and how many attributes are in one of
// another type than theirs.
func (o *outline) columns() (n, mixed int) {
	for at := range o.conflict {
		has := func(values [][]string) bool { return len(values[at]) > 0 }
		if o.same[at]&^o.conflict[at] == 0 && slices.ContainsFunc(o.values, has) {
			n++
			mixed += o.mixedAt(at)
		}
	}
	return n, mixed
}

// mixedAt returns how many attributes are converted in the column of a position.
func (o *outline) mixedAt(at int) (mixed int) {
	of, others := Type(""), 0
	for m, values := range o.values {
		for _, name := range values[at] {
			t := o.models[m].Attribute(name).Type
			if of == "" && len(values[at]) == 1 {
				of = t
			}
			if t != of || len(values[at]) > 1 {
				of = String
			}
			if t != String {
				others++
			}
		}
	}
	if of == String {
		return others
	}
	return 0
}

// copies returns how often attributes are stored beyond once, at least.
func (o *outline) copies() (copies int) {
	for _, values := range o.values {
		seen := map[string]bool{}
		for at, v := range values {
			if len(v) == 0 || slices.ContainsFunc(o.earlier(at), func(earlier int) bool {
				return slices.Equal(values[earlier], v)
			}) {
				continue
			}
			for _, name := range v {
				if seen[name] {
					copies++
				}
				seen[name] = true
			}
		}
	}
	return copies
}

// earlier returns the positions before one whose column may be its own.
func (o *outline) earlier(at int) (all []int) {
	for earlier := range at {
		if o.conflict[at]&(1<<earlier) == 0 {
			all = append(all, earlier)
		}
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
