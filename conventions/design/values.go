package design

import "slices"

// value returns what a column holds of a model, or nil.
func (a *arrangement) value(c *column, m int) Value {
	attributes := c.values[m]
	var v Value
	if a.prefixes(c, m) {
		v = Value{{Text: a.prefix(c, m) + a.design.separator()}}
	}
	if attributes == nil {
		if was := (before{a}).textOf(c, m); was != nil {
			return was
		}
		if !slices.Contains(c.positions, tableSort) {
			return nil
		}
		return append(v, Part{Text: spareText(&a.models[m])})
	}
	return append(v, a.joined(m, attributes, a.typeOf(c))...)
}

// prefix returns what the values of a model begin with in a column that is prefixed.
func (a *arrangement) prefix(c *column, m int) string {
	if prefix, ok := (before{a}).prefixOf(c, m); ok {
		return prefix
	}
	if a.withParent(m) && slices.Contains(c.positions, tablePartition) {
		return a.design.KeyPrefix(a.models[a.parents[m].root].Name)
	}
	for _, at := range c.positions {
		if at%2 != 0 {
			continue
		}
		if k := a.keyOf(m, at); k.together > 0 {
			return a.design.KeyPrefix(a.design.Patterns[k.together-1].Models[0])
		}
	}
	return a.design.KeyPrefix(a.models[a.rootAt(c.positions, m)].Name)
}

// nameColumns gives columns the names that the design has for them.
func (a *arrangement) nameColumns() {
	taken := map[string]bool{}
	for _, c := range a.columns {
		c.called = before{a}.name(c)
		if taken[c.called] {
			c.called = a.name(c.positional())
		}
		taken[c.called] = true
	}
}

// side returns what a column holds of a model.
func (a *arrangement) side(c *column, m int) side {
	return side{&a.models[m], a.value(c, m)}
}
