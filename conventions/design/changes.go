package design

import (
	"maps"
	"slices"
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

// flow says how items of a model move through states.
type flow struct{ *Model }

// StateShare returns which part of a model's items has a value of an attribute, by how long they
// stay in it. All values are equally frequent if the design does not say how long.
func StateShare(m *Model, name, state string) float64 { return flow{m}.share(name, state) }

// Leaving returns how many items of a model a second leave a state by changes.
func Leaving(m *Model, name, state string) float64 { return flow{m}.leaving(name, state) }

// entering returns how many items of a model a second come into a state: all puts where items
// begin, and an even share of the changes elsewhere.
func (m flow) entering(a *Attribute, state string) (rate float64) {
	if state == a.Begins {
		return m.Puts
	}
	return m.changing(a) / a.later()
}

// changing returns how often an attribute of a model's items changes in a second.
func (m flow) changing(a *Attribute) (rate float64) {
	for _, c := range m.Changes {
		if slices.Contains(c.Of, a.Name) {
			rate += c.Rate
		}
	}
	return rate
}

// leaving returns how many items of a model a second leave a state by changes. Where they stay for
// a time, all that come leave; where they begin, all do if there are as many changes. The other
// states have the other changes, in even shares.
func (m flow) leaving(name, state string) float64 {
	a := m.Attribute(name)
	all := m.changing(a)
	if _, ok := a.Stays[state]; ok || state == a.Begins {
		return min(m.entering(a, state), all)
	}
	rest, others := all, a.Values
	for _, state := range a.timed() {
		rest -= m.leaving(name, state)
		others--
	}
	return max(rest, 0) / float64(max(others, 1))
}

// timed returns the state in which items begin, and the others that have a stay.
func (a *Attribute) timed() (states []string) {
	return append([]string{a.Begins}, slices.DeleteFunc(slices.Sorted(maps.Keys(a.Stays)),
		func(state string) bool { return state == a.Begins })...)
}

// later returns how many states there are besides the one in which items begin.
func (a *Attribute) later() float64 { return float64(max(a.Values-1, 1)) }

// moved returns how many times a second a change brings items of a model into a state, or takes
// them out of it.
func (m flow) moved(a *Attribute, state string, c Change) float64 {
	switch all := m.changing(a); {
	case all == 0:
		return 0
	case len(a.Stays) > 0 && state == a.Begins:
		return m.leaving(a.Name, state) * c.Rate / all
	case len(a.Stays) > 0:
		return c.Rate/a.later() + m.leaving(a.Name, state)*c.Rate/all
	case state == a.Begins: // no more leave it than are put
		return min(all, m.Puts) * c.Rate / all
	default:
		return (c.Rate + max(all-m.Puts, 0)*c.Rate/all) / a.later()
	}
}

// staying returns how many items of a model are in a state at a time. By Little's law that is the
// rate into it times how long they stay. States without a stay have the other items, in even
// shares.
func (m flow) staying(a *Attribute, state string) float64 {
	if stay, ok := a.Stays[state]; ok {
		return m.entering(a, state) * stay.Seconds()
	}
	others := max(int(a.Values)-len(a.Stays), 1)
	return max(float64(m.Items)-m.stayingInAll(a), 0) / float64(others)
}

// stayingInAll returns how many items of a model are in the states that have a stay.
func (m flow) stayingInAll(a *Attribute) (items float64) {
	for _, state := range slices.Sorted(maps.Keys(a.Stays)) {
		items += m.staying(a, state)
	}
	return items
}

// share is StateShare.
func (m flow) share(name, state string) float64 {
	a := m.Attribute(name)
	if len(a.Stays) == 0 || m.Items == 0 {
		return 1 / float64(max(a.Values, 1))
	}
	return min(m.staying(a, state)/float64(m.Items), 1)
}

// fullest returns which part of a model's items the state has that most items are in.
func (m flow) fullest(a *Attribute) float64 {
	most := m.share(a.Name, "") // a state without a stay
	for state := range a.Stays {
		most = max(most, m.share(a.Name, state))
	}
	return most
}

// stateOf returns the attribute of a Where that says how long items stay in its states, and the
// state; nil if no attribute does.
func (m flow) stateOf(where map[string]string) (a *Attribute, state string) {
	for _, name := range slices.Sorted(maps.Keys(where)) {
		if a := m.Attribute(name); a != nil && len(a.Stays) > 0 {
			return a, where[name]
		}
	}
	return nil, ""
}
