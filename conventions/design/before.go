package design

import (
	"slices"
	"strings"
)

// before compares an arrangement with the table that is there.
type before struct{ *arrangement }

// sort returns the sort key that items of a model keep in an index. ok is false if it is free.
func (a before) sort(m, index int) (sort []string, ok bool) {
	if a.kept == nil || index >= len(a.kept.indexes) {
		return nil, false
	}
	is := a.kept.indexes[index]
	if is.Key.Several() {
		sorts, ok := attributesIn(a.problem, m, is.Key.Sorts())
		return sorts, ok && slices.Contains(is.Models, a.models[m].Name)
	}
	if _, same := a.asIn(m, is.Key.Partition, a.keyIn(m, index).partition); same &&
		slices.Contains(is.Models, a.models[m].Name) {
		return a.sortWas(m, is.Key.Sort), true
	}
	if is.Key.Sort != "" && len(a.keyIn(m, index).sort) == 0 {
		return a.models[m].rest(a.keyIn(m, index).partition), true
	}
	return nil, false
}

// textOf returns the text that all items of a model have in a sort key of the table that is there,
// or nil.
func (a before) textOf(c *column, m int) Value {
	for _, at := range c.positions {
		if at%2 == 0 {
			continue
		}
		if text := a.textWas(m, a.column(at)); text != nil {
			return text
		}
	}
	return nil
}

// column returns the name of the attribute that a position has in the table that is there, or
// "".
func (a before) column(at position) string {
	k := Key{}
	switch i := int(at)/2 - 1; {
	case a.kept == nil || at.local():
	case at <= tableSort:
		k = a.kept.old.Key
	case i < len(a.kept.indexes) && !a.kept.indexes[i].Key.Several():
		k = a.kept.indexes[i].Key
	}
	if at%2 == 1 {
		return k.Sort
	}
	return k.Partition
}

// apartFrom reports whether a position has another attribute than a column in the table that is
// there, so that they cannot be the same.
func (a before) apartFrom(at position, c *column) bool {
	name := a.column(at)
	return name != "" && slices.ContainsFunc(c.positions, func(o position) bool {
		return a.column(o) != "" && a.column(o) != name
	})
}

// prefixOf returns the text with which the values of a model begin in a column of the table that
// is there. ok is false if the model has other values there.
func (a before) prefixOf(c *column, m int) (prefix string, ok bool) {
	if a.kept == nil {
		return "", false
	}
	for _, at := range c.positions {
		if name := a.column(at); name != "" {
			if prefix, same := a.asIn(m, name, c.values[m]); same {
				return prefix, true
			}
		}
	}
	return "", false
}

// moved counts what items would have to be written again for: keys of the table that is there which
// have another value, or another attribute.
func (a before) moved() (n int) {
	if a.kept == nil {
		return 0
	}
	columns := map[string]*column{}
	for at := tablePartition; int(at) < len(a.at); at++ {
		name := a.column(at)
		if name == "" {
			continue
		}
		if c := columns[name]; c != nil && c != a.at[at] {
			n++
		}
		if columns[name] = a.at[at]; a.at[at] == nil {
			n++
			continue
		}
		for m := range a.ways {
			if _, same := a.asIn(m, name, a.at[at].values[m]); !same && a.was(m, name) != nil {
				n++
			}
		}
	}
	return n
}

// retyped returns how many keys of the table that is there would have values of another type.
func (a before) retyped() (n int) {
	if a.kept == nil {
		return 0
	}
	for at, c := range a.at {
		name := a.column(position(at))
		was := slices.IndexFunc(a.kept.old.Columns, func(o Column) bool { return o.Name == name })
		if was >= 0 && c != nil && a.typeOf(c) != a.kept.old.Columns[was].Type {
			n++
		}
	}
	return n
}

// storedAs returns the name under which all items that have a value in a new column have it
// already, or "": an index by that attribute needs no backfill.
func (a before) storedAs(c *column) string {
	as := ""
	for m, v := range c.values {
		switch {
		case v == nil:
			continue
		case as != "" || len(v) > 1 || a.prefixes(c, m) || slices.Contains(c.positions, tableSort):
			return ""
		}
		if as = a.nameBefore(m, v[0]); as == "" ||
			a.typeOf(c) != a.models[m].Attribute(v[0]).Type {
			return ""
		}
		for f := range a.kept.old.Entities {
			if e := &a.kept.old.Entities[f]; e.Model != a.models[m].Name && e.stores(as) {
				return ""
			}
		}
	}
	return as
}

// name returns the name of a column: that of the table that is there, or that of its positions.
func (a before) name(c *column) string {
	if a.kept == nil {
		return a.arrangement.name(c.positional())
	}
	for _, at := range c.positions {
		if name := a.column(at); name != "" {
			return name
		}
	}
	if name := a.storedAs(c); name != "" {
		return name
	}
	names := make([]string, len(c.positions))
	for i, at := range c.positions {
		names[i] = a.arrangement.name(at.String())
		if at > tableSort && !at.local() {
			names[i] = a.indexAt(at) + at.String()[len(at.String())-2:]
		}
	}
	return strings.Join(names, "_")
}
