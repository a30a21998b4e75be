package design

import (
	"fmt"
	"slices"
	"strings"
)

// Change is how often attributes of a model's items get other values.
type Change struct {
	Of   []string // changed together
	Rate float64  // updates per second
}

// AllUpdates returns how many updates of a model's items there are per second: Updates, and those
// of Changes.
func (m *Model) AllUpdates() float64 {
	rate := m.Updates
	for _, c := range m.Changes {
		rate += c.Rate
	}
	return rate
}

// tableWrites returns how many writes of a model's items the table is charged for a second: each
// put and update once, or twice if it is part of a transaction.
func (m *Model) tableWrites() float64 { return m.Puts + m.AllUpdates() + m.inTransactions() }

// inTransactions returns how many writes of a model's items a second are parts of transactions,
// which cost twice (Developer Guide, "Capacity management for transactions").
func (m *Model) inTransactions() float64 {
	if m.alwaysTogether {
		return m.updatedTogether + m.Puts
	}
	return m.updatedTogether + m.putTogether
}

// follows reports whether the value of an attribute changes when other attributes do: it is one of
// them, or derived from one.
func (m *Model) follows(name string, changed []string) bool {
	a := m.Attribute(name)
	if a == nil {
		return false
	}
	if d := a.Derived; d != nil {
		return slices.Contains(changed, d.Of) ||
			slices.ContainsFunc(changed, func(of string) bool { return d.Where[of] != "" })
	}
	return slices.Contains(changed, name)
}

// changesWith reports whether what an item stores changes when attributes of its model do.
func (s *Stored) changesWith(m *Model, changed []string) bool {
	for name := range s.When {
		if m.follows(name, changed) {
			return true
		}
	}
	return slices.ContainsFunc(s.Value,
		func(part Part) bool { return m.follows(part.Attribute, changed) })
}

// entriesIn is Plan.entriesOf for an index with the key k and all attributes.
func (m *Model) entriesIn(k key, changed []string) float64 {
	for _, name := range slices.Concat(k.partition, k.sort, []string{k.where}) {
		if m.follows(name, changed) {
			return 2
		}
	}
	return 1
}

// withChanges returns a design in which the attributes that updates name are mutable.
func (d *Design) withChanges() *Design {
	all := *d
	all.Models = slices.Clone(d.Models)
	for i := range all.Models {
		m := &all.Models[i]
		m.Attributes = slices.Clone(m.Attributes)
		for _, c := range m.Changes {
			for _, name := range c.Of {
				m.Attribute(name).Mutable = true
			}
		}
	}
	return &all
}

// changes checks what updates of a model name.
func (c *checker) changes(field string, m *Model) {
	for i, change := range m.Changes {
		at := fmt.Sprintf("%s.updates[%d]", field, i)
		c.notNegative(at+".rate", change.Rate)
		if len(change.Of) == 0 {
			c.add(at+".of", "name the attributes that change")
		}
		for _, name := range change.Of {
			switch a := m.Attribute(name); {
			case a == nil:
				c.noAttribute(at+".of", m, name)
			case slices.Contains(m.Key, name):
				c.add(at+".of", "%s is in the key of %s, and the key of an item never changes",
					name, m.Name)
			case a.Constant != "":
				c.add(at+".of", "%s has one value: it is constant", name)
			case c.design.Tenants != nil && c.design.Tenants.Attribute == name:
				c.add(at+".of", "%s is the tenant, which never changes", name)
			}
		}
	}
}

// unnamedChanges says what the plan does not know about updates that do not name what they change.
func unnamedChanges(p *Plan) (notes []Note) {
	for i := range p.Entities {
		e := &p.Entities[i]
		m := p.Design.Model(e.Model)
		if m.Updates == 0 {
			continue
		}
		var names []string
		for j := range p.Indexes {
			for _, name := range changing(p, &p.Indexes[j], e) {
				if !slices.Contains(names, name) && !m.named(name) {
					names = append(names, name)
				}
			}
		}
		if len(names) > 0 {
			notes = append(notes, remark(m.Name,
				"%g updates a second count as if they changed nothing in keys of indexes, where %s can change: name what they change, as in updates: [{of: %s, rate: %[1]g}]",
				m.Updates, strings.Join(names, " and "), names[0]))
		}
	}
	return notes
}

// named reports whether updates of a model name an attribute.
func (m *Model) named(name string) bool {
	return slices.ContainsFunc(m.Changes,
		func(c Change) bool { return slices.Contains(c.Of, name) })
}
