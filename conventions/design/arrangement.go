package design

import (
	"slices"
	"strings"
)

// column is an attribute that holds key positions.
type column struct {
	positions []position
	// the attributes that are joined in it, by model; nil if the model does not have it
	values   [][]string
	prefixed bool   // values begin with the name of the model
	called   string // its name, if the design gives it one
	own      bool   // it holds no other position: a pattern over several models reads by it
}

// name returns the name of a column in the table.
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
	*problem
	layout
	columns []*column
	at      []*column // columns by position; the sort key of the table or of an index may be nil
	// the table's sort key is the partition key of an index, and no model needs it
	shared bool
	spare  []bool // whether a model needs no sort key of the table, and has its name there
	open   []int  // the indexes that may have strangers
	mixed  int    // how many attributes are in a column of another type than theirs
}

// keyAt returns the names of the columns of a key, whose partition key has a position.
func (a *arrangement) keyAt(partition position) Key {
	k := Key{Partition: a.at[partition].name()}
	if sort := a.at[partition+1]; sort != nil {
		k.Sort = sort.name()
	}
	return k
}

// keyOf returns the attributes of a model in a key, whose partition key has a position.
func (a *arrangement) keyOf(m int, at position) key {
	switch {
	case at == tablePartition:
		return a.ways[m].primary
	case at.local():
		return a.ways[m].localIn(int(at-localPositions) / 2)
	}
	return a.keyIn(m, int(at)/2-1)
}

// allModels returns the numbers of the models.
func (a *arrangement) allModels() []int {
	all := make([]int, len(a.ways))
	for m := range all {
		all[m] = m
	}
	return all
}

// holds reports whether items of a model have a value in a column, be it the model's name.
func (a *arrangement) holds(c *column, m int) bool {
	return c.values[m] != nil || c == a.at[tableSort] && a.spare[m] ||
		before{a}.textOf(c, m) != nil
}

// strangers returns the models whose items are in a global index though no pattern reads them
// there: they have both attributes of its key.
func (a *arrangement) strangers(index int) (models []int) {
	pk, sk := a.at[partitionOf(index)], a.at[sortOf(index)]
	for m := range a.ways {
		if len(a.keyIn(m, index).partition) == 0 && pk != nil && a.holds(pk, m) &&
			(sk == nil || a.holds(sk, m)) {
			models = append(models, m)
		}
	}
	return models
}

// strays reports whether an index that is not open has strangers.
func (a *arrangement) strays() bool {
	for i := range a.count {
		if !slices.Contains(a.open, i) && len(a.strangers(i)) > 0 {
			return true
		}
	}
	return a.straysLocally()
}

// straysLocally reports whether a local index has items of a model that is not read there.
func (a *arrangement) straysLocally() bool {
	for i := range a.locals() {
		for m := range a.ways {
			if c := a.at[localSort(i)]; len(a.ways[m].localIn(i).sort) == 0 && c.values[m] != nil {
				return true
			}
		}
	}
	return false
}

// typeOf returns the type of a column: that of its attributes if they have the same one, and String
// if they do not, or if a value has several parts.
func (a *arrangement) typeOf(c *column) Type {
	if slices.ContainsFunc(a.allModels(), func(m int) bool { return a.prefixes(c, m) }) {
		return String
	}
	of := Type("")
	for m, v := range c.values {
		switch {
		case v == nil && slices.Contains(c.positions, tableSort):
			return String // the name of the model
		case v == nil && (before{a}).textOf(c, m) != nil:
			return String
		case v == nil:
			continue
		case len(v) > 1:
			return String
		}
		t := a.models[m].Attribute(v[0]).Type
		if of != "" && of != t {
			return String
		}
		of = t
	}
	return of
}

// converted returns how many attributes are stored as strings in a column without being strings.
func (a *arrangement) converted(c *column) int {
	of, n := a.typeOf(c), 0
	for m, v := range c.values {
		for _, name := range v {
			if a.models[m].Attribute(name).Type != of {
				n++
			}
		}
	}
	return n
}

// cost returns what is bad about an arrangement, the weightiest first: items of the table that is
// there which have to be written again, counters that are text, to
// which nothing can be added, entries of a model that another one of its entries could replace,
// joined parts, columns, numbers and binaries that are stored as strings, attributes that are
// stored more than once, models with their name in the sort key, the distance from the preferred
// choices. All arrangements that are compared have the same number of indexes.
func (a *arrangement) cost() []int {
	doubled, joined, rank, spare := 0, 0, 0, 0
	for m, l := range a.ways {
		doubled += l.doubled()
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
	return []int{before{a}.moved(), a.textCounters(), doubled, joined, len(a.columns), a.mixed,
		a.copies(), spare, shared, rank, a.order()}
}

// counts reports whether a column holds just a counter of some model.
func (a *arrangement) counts(c *column) bool {
	for m, v := range c.values {
		if len(v) == 1 && a.models[m].Attribute(v[0]).addedTo() {
			return true
		}
	}
	return false
}

// textCounters returns how many counters are part of a text.
func (a *arrangement) textCounters() (n int) {
	for _, c := range a.columns {
		text := a.typeOf(c) == String
		for m, v := range c.values {
			for _, name := range v {
				if text && a.models[m].Attribute(name).addedTo() {
					n++
				}
			}
		}
	}
	return n
}

// copies returns how often attributes are stored beyond once.
func (a *arrangement) copies() int {
	copies := 0
	for m := range a.ways {
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

// order returns how far the keys in indexes are from the order of the patterns.
func (a *arrangement) order() int {
	far := 0
	for _, slots := range a.slots {
		for i, s := range slots {
			far += max(s-i, i-s)
		}
	}
	return far
}

// completes reports whether a model would be in an index if it had the column of a position: it has
// the other column of the index's key.
func (a *arrangement) completes(at position, m int) bool {
	other := a.at[at^1]
	return other == nil || other.values[m] != nil || slices.Contains(other.positions, tableSort)
}

// prefixes reports whether the values of a model begin with a name in a column.
func (a *arrangement) prefixes(c *column, m int) bool {
	if prefix, ok := (before{a}).prefixOf(c, m); ok {
		return prefix != ""
	}
	if isBeyond(&a.models[m], c.values[m]) {
		return false
	}
	return c.prefixed || a.withParent(m) && slices.Contains(c.positions, tableSort)
}

// parted reports whether an index cannot have the partition key of the table, because that begins
// with the name of a model's parent.
func (a *arrangement) parted(c, own *column) bool {
	return slices.Contains(c.positions, tablePartition) &&
		slices.ContainsFunc(a.allModels(), func(m int) bool {
			return own.values[m] != nil && a.parents[m].root != m
		})
}

// isBeyond reports whether a model has nothing in a column but the text that sorts beyond all
// others.
func isBeyond(m *Model, values []string) bool {
	return len(values) == 1 && m.Attribute(values[0]).beyond
}
