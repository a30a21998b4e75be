package design

import "strings"

// optional returns those of some attributes that only some items of a model have.
func (m *Model) optional(names []string) (some []string) {
	for _, name := range names {
		if a := m.Attribute(name); a != nil && a.Optional > 0 {
			some = append(some, name)
		}
	}
	return some
}

// someOf returns the optional attributes of a key as one text. Items without one of them are not in
// an index with the key, so it serves no pattern that reads them.
func (m *Model) someOf(k key) string {
	return strings.Join(append(m.optional(k.partition), m.optional(k.sort)...), "+")
}

// presence returns which part of a model's items has all of some attributes: that of the rarest.
func (m *Model) presence(names []string) float64 {
	part := 1.0
	for _, name := range m.optional(names) {
		part = min(part, m.Attribute(name).Optional)
	}
	return part
}

// having is presence of the attributes of a value.
func (m *Model) having(v Value) float64 {
	var names []string
	for _, part := range v {
		names = append(names, part.Attribute)
	}
	return m.presence(names)
}

// Has reports whether a row has the optional attributes that a pattern names of its model. One
// without them is in no index by which the pattern reads.
func (d *Design) Has(p *Pattern, model string, row Row) bool {
	m := d.Model(model)
	for _, name := range append([]string{p.SortBy()}, p.Equal...) {
		of := d.AttributeOf(p, model, name)
		if a := m.Attribute(of); a != nil && a.Optional > 0 && row[of] == nil {
			return false
		}
	}
	return true
}

// checkOptional checks an attribute that only some items have.
func checkOptional(c *checker, m *Model, a *Attribute, field string) {
	field += ".optional"
	inUnique := false
	for _, names := range append([][]string{m.Key}, m.Unique...) {
		for _, name := range names {
			inUnique = inUnique || name == a.Name
		}
	}
	switch {
	case a.Optional == 0:
	case !(a.Optional > 0 && a.Optional < 1):
		c.add(field, "want a part of the items, such as 1%%: more than 0%% and less than 100%%")
	case inUnique:
		c.add(field, "%s is in the key of %s, or unique: each item has it", a.Name, m.Name)
	case a.Constant != "" || a.Counts+a.Sums != "" || a.Kept != "" || a.By != "" || m.TTL == a.Name:
		c.add(field, "each item has %s: it is constant, a counter, a copy that is kept, or the "+
			"time to live",
			a.Name)
	case c.design.Tenants != nil && c.design.Tenants.Attribute == a.Name:
		c.add(field, "each item has a tenant")
	}
}
