package design

import (
	"slices"
	"strings"
)

// value returns what a column holds of a model, or nil.
func (a *arrangement) value(c *column, m int) Value {
	attributes := c.values[m]
	var v Value
	if a.prefixes(c, m) {
		v = Value{{Text: a.prefix(c, m) + a.design.separator()}}
	}
	if attributes == nil {
		if !slices.Contains(c.positions, tableSort) {
			return nil
		}
		return append(v, Part{Text: spareText(&a.models[m])})
	}
	return append(v, a.joined(m, attributes, a.typeOf(c))...)
}

// prefix returns what the values of a model begin with in a column that is prefixed.
func (a *arrangement) prefix(c *column, m int) string {
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
		if shared, _ := a.sharedAt(at); shared {
			return a.design.KeyPrefix(a.models[a.family[m]].Name)
		}
	}
	return a.design.KeyPrefix(a.models[m].Name)
}

// joined returns the values of attributes with separators between them.
func (p *problem) joined(m int, attributes []string, of Type) Value {
	var v Value
	for i, name := range attributes {
		if i > 0 {
			v = append(v, Part{Text: p.separatorBefore(m, attributes, i)})
		}
		a := p.models[m].Attribute(name)
		switch {
		case i > 0 && p.models[m].isVersion(name) && i == len(attributes)-1:
			v = append(v, Part{Attribute: name})
		case a.Constant != "":
			v = append(v, Part{Text: a.Constant})
		case a.Type == Number && of == String:
			v = append(v, Part{Attribute: name, Digits: Digits})
		default:
			v = append(v, Part{Attribute: name})
		}
	}
	return v
}

// spareText returns the sort key in the table of a model that does not need one.
func spareText(m *Model) string { return strings.ToLower(m.Name) }

// nameColumns gives columns the names that the design has for them.
func (a *arrangement) nameColumns() {
	for _, c := range a.columns {
		c.called = a.name(c.positional())
	}
}

// side returns what a column holds of a model.
func (a *arrangement) side(c *column, m int) side {
	return side{&a.models[m], a.value(c, m)}
}
