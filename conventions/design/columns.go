package design

import (
	"slices"
)

// columnsOf gives the keys of a layout their columns. Positions share a column where each model has
// the same attributes in both, unless that brings a model into an index that it is not read from.
func (p *problem) columnsOf(l layout) *arrangement { return p.columnsWith(l, nil) }

// columnsWith is columnsOf where open indexes may have models that are not read from them.
func (p *problem) columnsWith(l layout, open []int) *arrangement {
	a := &arrangement{
		problem: p, layout: l, open: open, at: make([]*column, l.positions()),
		spare: make([]bool, len(l.ways)),
	}
	a.place(tablePartition, false, func(m int) []string { return l.ways[m].primary.partition })
	a.place(tableSort, false, func(m int) []string { return l.ways[m].primary.sort })
	a.placeNeeded()
	for i := range l.count {
		a.place(partitionOf(i), false, func(m int) []string { return l.keyIn(m, i).partition })
		a.place(sortOf(i), before{a}.column(sortOf(i)) != "",
			func(m int) []string { return a.sortIn(m, i) })
	}
	a.placeLocal()
	a.keepTogether()
	a.fillTableSort()
	for at := position(2); int(at) < len(a.at); at++ {
		a.share(at)
	}
	for _, c := range a.columns {
		a.mixed += a.converted(c)
	}
	return a
}

// sortIn returns the sort key that a model has in an index. An index has only items with both
// attributes of its key. So a model that needs no order has its unique attributes there if another
// model needs an order.
func (a *arrangement) sortIn(m, index int) []string {
	k := a.keyIn(m, index)
	if len(k.partition) == 0 {
		return nil
	}
	if sort, ok := (before{a}).sort(m, index); ok {
		return sort
	}
	if len(k.sort) > 0 {
		return k.sort
	}
	if shared, _ := a.sharedAt(partitionOf(index)); shared {
		return a.models[m].Key
	}
	for other := range a.ways {
		if len(a.keyIn(other, index).sort) > 0 {
			return a.models[m].rest(k.partition)
		}
	}
	return nil
}

// place makes the column of a position, unless no model has a value there and it is not needed.
func (a *arrangement) place(at position, needed bool, value func(m int) []string) {
	c := &column{positions: []position{at}, values: make([][]string, len(a.ways))}
	for m := range a.ways {
		if v := value(m); len(v) > 0 {
			c.values[m], needed = v, true
		}
	}
	if needed {
		a.columns = append(a.columns, c)
		a.at[at] = c
	}
}

// placeNeeded gives the table a sort key if a pattern over several models reads by its partition
// key, which items of these models then share, or if there are local indexes, which need one, or if
// the design is to change no keys later.
func (a *arrangement) placeNeeded() {
	always := a.design.Prefixes == AlwaysPrefixed || // a further model may need one
		before{a}.column(tableSort) != ""
	if shared, _ := a.sharedAt(tablePartition); (shared || a.locals() > 0 || always) &&
		a.at[tableSort] == nil {
		a.place(tableSort, true, func(int) []string { return nil })
	}
}

// keepTogether reserves columns for the patterns over several models that read by them. A prefix
// for another pattern would break their partitions or their order.
func (a *arrangement) keepTogether() {
	for at := tablePartition; int(at) < len(a.at); at += 2 {
		shared, ordered := a.sharedAt(at)
		if shared {
			a.at[at].own = true
		}
		if c := a.at[at+1]; ordered && c != nil {
			c.own = true
		}
	}
}

// fillTableSort fills the sort key of the table. If some models need it, the others have their
// names there, because each item has all key attributes of its table. If no model needs it, the
// partition key of an index may be it: that costs nothing, and a read by the primary key names what
// it reads.
func (a *arrangement) fillTableSort() {
	if a.at[tableSort] == nil && !a.design.Prefixed() && a.kept == nil {
		a.shareTableSort()
		return
	}
	if a.at[tableSort] == nil {
		return
	}
	for m, v := range a.at[tableSort].values {
		a.spare[m] = v == nil
	}
}

// shareTableSort takes the partition key of an index as the sort key of the table. It takes the
// first index that has all models, whose values there do not change, and are named by reads of one
// item.
func (a *arrangement) shareTableSort() {
	for i := range a.count {
		c := a.at[partitionOf(i)]
		unfit := func(m int) bool {
			return c.values[m] == nil || a.models[m].changes(c.values[m]) || a.hides(m, c.values[m])
		}
		if c == nil || c.own || slices.ContainsFunc(a.allModels(), unfit) {
			continue
		}
		c.positions = append([]position{tableSort}, c.positions...)
		a.at[tableSort], a.shared = c, true
		return
	}
}

// share lets a position of an index use the column of an earlier position, if one fits.
func (a *arrangement) share(at position) {
	own := a.at[at]
	if own == nil || own.own || !slices.Equal(own.positions, []position{at}) {
		return
	}
	// then partition keys begin with a prefix, so sort keys share none of them
	prefixed := a.design.Prefixed()
	for earlier := range at {
		c := a.at[earlier]
		if c == nil || c == own || c == a.at[at^1] || c.own ||
			prefixed && earlier%2 != at%2 || (before{a}).apartFrom(at, c) || a.parted(c, own) ||
			!a.fits(c, own) {
			continue
		}
		values, spare := slices.Clone(c.values), slices.Clone(a.spare)
		for m, v := range own.values {
			if c.values[m] == nil {
				c.values[m] = v
				a.spare[m] = a.spare[m] && (v == nil || c != a.at[tableSort])
			}
		}
		a.at[at] = c
		if a.strays() {
			c.values, a.at[at], a.spare = values, own, spare
			continue
		}
		c.positions = append(c.positions, at)
		a.columns = slices.DeleteFunc(a.columns, func(c *column) bool { return c == own })
		return
	}
}

// fits reports whether a column can take the place of own: no model has different attributes in the
// two, and one has the same. All models have values in the primary key, so it takes no other
// values, except a constant in place of a model's name.
func (a *arrangement) fits(c, own *column) bool {
	same := false
	if (a.counts(c) || a.counts(own)) && a.typeOf(c) != a.typeOf(own) {
		return false
	}
	for m, v := range own.values {
		switch {
		case v == nil:
		case c.values[m] == nil && c == a.at[tableSort] && a.spare[m] && a.models[m].constants(v):
		case c.values[m] == nil && (c == a.at[tablePartition] || c == a.at[tableSort]):
			return false
		case c.values[m] != nil && !slices.Equal(c.values[m], v):
			return false
		case c.values[m] != nil:
			same = true
		}
	}
	return same
}

// placeLocal makes the columns of the sort keys of local indexes. Their partition key is the
// table's.
func (a *arrangement) placeLocal() {
	for i := range a.locals() {
		a.at[localPartition(i)] = a.at[tablePartition]
		a.place(localSort(i), false, func(m int) []string { return a.ways[m].localIn(i).sort })
	}
}
