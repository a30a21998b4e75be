package design

import "slices"

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
// put, update and delete once, or twice if it is part of a transaction.
func (m *Model) tableWrites() float64 {
	return m.Puts + m.AllUpdates() + m.Deletes + m.inTransactions()
}

// inTransactions returns how many writes of a model's items a second are parts of transactions,
// which cost twice (Developer Guide, "Capacity management for transactions").
func (m *Model) inTransactions() float64 {
	if m.alwaysTogether {
		return m.updatedTogether + m.Puts + m.Deletes
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
		for j := range m.Attributes {
			a := &m.Attributes[j]
			a.Mutable = a.Mutable || a.Begins != ""
		}
		for _, c := range m.Changes {
			for _, name := range c.Of {
				m.Attribute(name).Mutable = true
			}
		}
	}
	return &all
}

// named reports whether updates of a model name an attribute.
func (m *Model) named(name string) bool {
	return slices.ContainsFunc(m.Changes,
		func(c Change) bool { return slices.Contains(c.Of, name) })
}
