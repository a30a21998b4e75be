package design

import (
	"fmt"
	"slices"
	"strings"
)

// position is a key position: 0 and 1 are the partition and the sort key of the table, 2+2i and
// 3+2i those of global index i, and those of the local indexes follow after the last possible global one.
type position int

// The key positions of the table.
const (
	tablePartition position = 0
	tableSort      position = 1
)

func partitionOf(index int) position { return position(2 + 2*index) }
func sortOf(index int) position      { return position(3 + 2*index) }

// String is the position's name in the names of columns.
func (at position) String() string {
	kind := "PK"
	if at%2 == 1 {
		kind = "SK"
	}
	switch {
	case at < 2:
		return kind
	case at.local():
		return fmt.Sprintf("LSI%d%s", (at-localPositions)/2+1, kind)
	}
	return fmt.Sprintf("GSI%d%s", at/2, kind)
}

// column is an attribute that holds key positions.
type column struct {
	positions []position
	values    [][]string // by model: the attributes that are joined in it; nil if the model does not have it
	prefixed  bool       // values begin with the name of the model
	called    string     // its name, if the design gives it one
	own       bool       // it holds one position only: a pattern over several models reads by it
}

func (c *column) name() string {
	if c.called != "" {
		return c.called
	}
	return c.positional()
}

// positional returns the name that says which positions a column has.
func (c *column) positional() string {
	names := make([]string, len(c.positions))
	for i, at := range c.positions {
		names[i] = at.String()
	}
	return strings.Join(names, "_")
}

// arrangement is a layout with the columns of its keys.
type arrangement struct {
	layout
	columns  []*column
	at       []*column // by position; the sort key of the table or of an index may be nil
	shared   bool      // the table's sort key is the partition key of an index, and no model needs it
	spare    []bool    // by model: the table's sort key holds the model's name only
	open     []int     // the indexes that may have items of models that are not read from them
	tenants  bool      // partition keys begin with a prefix and a tenant, so sort keys hold no partition key
	prefixes []prefix  // in the order in which separate has added them
	mixed    int       // how many types of attributes meet in columns of another type
}

// columnsOf gives the keys of a layout their columns. Positions share a column where each model has
// the same attributes in both, unless that brings a model into an index that it is not read from.
func (p *planner) columnsOf(l layout) *arrangement { return p.columnsWith(l, nil) }

// columnsWith is columnsOf with open indexes.
func (p *planner) columnsWith(l layout, open []int) *arrangement {
	a := &arrangement{layout: l, open: open, at: make([]*column, l.positions()), spare: make([]bool, len(l.models)), tenants: p.design.Tenants != nil}
	a.place(tablePartition, func(m int) []string { return l.models[m].primary.partition })
	a.place(tableSort, func(m int) []string { return l.models[m].primary.sort })
	p.placeNeeded(a)
	for i := range l.count {
		a.place(partitionOf(i), func(m int) []string { return l.keyIn(m, i).partition })
		a.place(sortOf(i), func(m int) []string { return p.sortIn(l, m, i) })
	}
	a.placeLocal()
	p.keepTogether(a)
	p.fillTableSort(a)
	for at := position(2); int(at) < len(a.at); at++ {
		p.share(a, at)
	}
	for _, c := range a.columns {
		a.mixed += p.converted(c)
	}
	return a
}

// sortIn returns the sort key that a model has in an index. Only items with both attributes are in an
// index, so a model that needs no order has its unique attributes there if another model needs one:
// those that are not in the partition key already, if there are any.
func (p *planner) sortIn(l layout, m, index int) []string {
	k := l.keyIn(m, index)
	if len(k.partition) == 0 || len(k.sort) > 0 {
		return k.sort
	}
	if shared, _ := l.sharedAt(partitionOf(index)); shared {
		return p.models[m].Key
	}
	for other := range l.models {
		if len(l.keyIn(other, index).sort) > 0 {
			return p.rest(m, k.partition)
		}
	}
	return nil
}

// rest returns the unique attributes of a model without those that a partition key has, or all if it
// has all of them.
func (p *planner) rest(m int, partition []string) []string {
	var others []string
	for _, name := range p.models[m].Key {
		if !slices.Contains(partition, name) {
			others = append(others, name)
		}
	}
	if others == nil {
		return p.models[m].Key
	}
	return others
}

// keyIn returns the key that a model has in an index; it is empty if there is none.
func (l *layout) keyIn(m, index int) key {
	if at := slices.Index(l.slots[m], index); at >= 0 {
		return l.models[m].indexed[at]
	}
	return key{}
}

// place makes the column of a position, unless no model has a value there.
func (a *arrangement) place(at position, value func(m int) []string) {
	c := &column{positions: []position{at}, values: make([][]string, len(a.models))}
	used := false
	for m := range a.models {
		if v := value(m); len(v) > 0 {
			c.values[m], used = v, true
		}
	}
	if used {
		a.columns = append(a.columns, c)
		a.at[at] = c
	}
}

// placeNeeded gives the table a sort key if a pattern over several models reads by its partition key,
// because there their items have the same one, and if there are local indexes, which need one.
func (p *planner) placeNeeded(a *arrangement) {
	if shared, _ := a.sharedAt(tablePartition); (shared || a.locals() > 0) && a.at[tableSort] == nil {
		c := &column{positions: []position{tableSort}, values: make([][]string, len(a.models))}
		a.columns = append(a.columns, c)
		a.at[tableSort] = c
	}
}

// keepTogether keeps other positions from the columns by which patterns over several models read. A
// prefix of another pattern would break their partitions or their order.
func (p *planner) keepTogether(a *arrangement) {
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

// fillTableSort gives the table a sort key if models need one, or if the partition key of an index
// can be it: then it costs nothing, and a read by the primary key names what it reads. Each item
// has all key attributes of its table, so models without a value get their name.
func (p *planner) fillTableSort(a *arrangement) {
	if a.at[tableSort] == nil && p.design.Tenants == nil {
		p.shareTableSort(a)
		return
	}
	if a.at[tableSort] == nil {
		return
	}
	for m, v := range a.at[tableSort].values {
		a.spare[m] = v == nil
	}
}

// shareTableSort makes the partition key of the first index that fits the sort key of the table: all
// models are in the index, no value changes, and reads of one item name it.
func (p *planner) shareTableSort(a *arrangement) {
	for i := range a.count {
		c := a.at[partitionOf(i)]
		unfit := func(m int) bool { return c.values[m] == nil || p.changes(m, c.values[m]) || p.hides(m, c.values[m]) }
		if c == nil || c.own || slices.ContainsFunc(a.allModels(), unfit) {
			continue
		}
		c.positions = append([]position{tableSort}, c.positions...)
		a.at[tableSort], a.shared = c, true
		return
	}
}

// hides reports whether attributes, as the sort key of the table, would keep a pattern that names the
// unique attributes of a model from naming the primary key: it would no longer be read by GetItem.
func (p *planner) hides(m int, attributes []string) bool {
	model := &p.models[m]
	unnamed := func(w want) bool {
		return p.design.Patterns[w.pattern].One && slices.ContainsFunc(attributes, func(name string) bool {
			return model.Attribute(name).Constant == "" && !slices.Contains(w.equal, name)
		})
	}
	return slices.ContainsFunc(p.wants[m], unnamed)
}

// allModels returns the numbers of the models.
func (a *arrangement) allModels() []int {
	all := make([]int, len(a.models))
	for m := range all {
		all[m] = m
	}
	return all
}

// share lets a position of an index use the column of an earlier position, if one fits.
func (p *planner) share(a *arrangement, at position) {
	own := a.at[at]
	if own == nil || own.own || !slices.Equal(own.positions, []position{at}) {
		return
	}
	for earlier := range at {
		c := a.at[earlier]
		if c == nil || c == own || c == a.at[at^1] || c.own || a.tenants && earlier%2 != at%2 || !p.fits(a, c, own) {
			continue
		}
		before, spare := slices.Clone(c.values), slices.Clone(a.spare)
		for m, v := range own.values {
			if c.values[m] == nil {
				c.values[m] = v
				a.spare[m] = a.spare[m] && (v == nil || c != a.at[tableSort])
			}
		}
		a.at[at] = c
		if a.strays() {
			c.values, a.at[at], a.spare = before, own, spare
			continue
		}
		c.positions = append(c.positions, at)
		a.columns = slices.DeleteFunc(a.columns, func(c *column) bool { return c == own })
		return
	}
}

// fits reports whether no model has different attributes in two columns. The primary key of each
// item has a value, so its columns take no values from others, except a constant for a model's name.
func (p *planner) fits(a *arrangement, c, own *column) bool {
	same := false
	for m, v := range own.values {
		switch {
		case v == nil:
		case c.values[m] == nil && c == a.at[tableSort] && a.spare[m] && p.constants(m, v):
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

// constants reports whether attributes of a model have one value each.
func (p *planner) constants(m int, attributes []string) bool {
	return !slices.ContainsFunc(attributes, func(name string) bool {
		a := p.models[m].Attribute(name)
		return a.Constant == "" || a.Derived != nil
	})
}

// holds reports whether items of a model have a value in a column. In the sort key of the table those
// without one of their own have the model's name.
func (a *arrangement) holds(c *column, m int) bool {
	return c.values[m] != nil || c == a.at[tableSort] && a.spare[m]
}

// cost returns what an arrangement costs, the weightiest first: how many parts are joined, columns,
// numbers and binaries stored as
// strings, attributes stored more than once, models under their name only, distance from the preferred
// choices. All arrangements that are compared have the same number of indexes.
func (a *arrangement) cost() []int {
	joined, rank, spare := 0, 0, 0
	for m, l := range a.models {
		joined += l.joined
		rank += l.rank
		if a.spare[m] {
			spare++
		}
	}
	shared := 1
	if a.shared {
		shared = 0
	}
	return []int{joined, len(a.columns), a.mixed, a.copies(), spare, shared, rank, a.order()}
}

// copies returns how often attributes are stored beyond once.
func (a *arrangement) copies() int {
	copies := 0
	for m := range a.models {
		seen := map[string]bool{}
		for _, c := range a.columns {
			for _, name := range c.values[m] {
				if seen[name] {
					copies++
				}
				seen[name] = true
			}
		}
	}
	return copies
}

// order returns how far the indexes of each model's keys are from the order of its patterns.
func (a *arrangement) order() int {
	far := 0
	for _, slots := range a.slots {
		for i, s := range slots {
			far += max(s-i, i-s)
		}
	}
	return far
}

// typeOf returns the type of a column: that of the attributes in it if all have one, and String if
// parts are joined or types meet.
func (p *planner) typeOf(c *column) Type {
	if c.prefixed {
		return String
	}
	of := Type("")
	for m, v := range c.values {
		switch {
		case v == nil && slices.Contains(c.positions, tableSort):
			return String // the name of the model
		case v == nil:
			continue
		case len(v) > 1:
			return String
		}
		t := p.models[m].Attribute(v[0]).Type
		if of != "" && of != t {
			return String
		}
		of = t
	}
	return of
}

// converted returns how many attributes are stored as strings in a column without being strings.
func (p *planner) converted(c *column) int {
	of, n := p.typeOf(c), 0
	for m, v := range c.values {
		for _, name := range v {
			if p.models[m].Attribute(name).Type != of {
				n++
			}
		}
	}
	return n
}
