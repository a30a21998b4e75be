package source

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// WriteKind says what a recorded write does with an item.
type WriteKind string

// The kinds of writes.
const (
	Put    WriteKind = "Put"
	Update WriteKind = "Update"
	Delete WriteKind = "Delete"
)

// TableWrite is a kind of write of a table's items, with examples of it.
type TableWrite struct {
	Kind     WriteKind
	Changed  []string // the attributes of the table that an Update writes
	Rate     float64  // writes a second
	Examples []WrittenKey
}

// WrittenKey is the key of an item that is written.
type WrittenKey struct {
	Key      map[string]Value
	Requests float64 // writes of this item; 0 is 1
}

// writesReader reads the recorded writes of a table.
type writesReader struct{ *tableReader }

// read gives models the rates of the recorded writes, with what their updates change.
func (x writesReader) read() {
	for i := range x.Writes {
		w := &x.Writes[i]
		var requests float64
		for _, e := range w.Examples {
			requests += e.requests()
		}
		for _, e := range w.Examples {
			g := x.writtenGroup(e)
			if g == nil {
				x.draft.warn("a write of the key %q is of no model of the items that were looked at",
					e.Key[x.Key.Partition].Text)
				continue
			}
			x.addWrite(g, w, w.Rate*e.requests()/requests)
		}
	}
	for i := range x.draft.Design.Models {
		m := &x.draft.Design.Models[i]
		m.Puts, m.Updates, m.Deletes = rounded(m.Puts), rounded(m.Updates), rounded(m.Deletes)
		for j := range m.Changes {
			m.Changes[j].Rate = rounded(m.Changes[j].Rate)
		}
	}
}

func (e *WrittenKey) requests() float64 {
	if e.Requests > 0 {
		return e.Requests
	}
	return 1
}

// writtenGroup returns the group of an item that is written: one that has the item, or else the
// first one whose keys look like its key.
func (x writesReader) writtenGroup(e WrittenKey) (fitting *group) {
	for _, g := range x.groups {
		has := func(it Item) bool {
			return it.Attributes[x.Key.Partition].Text == e.Key[x.Key.Partition].Text &&
				it.Attributes[x.Key.Sort].Text == e.Key[x.Key.Sort].Text
		}
		if slices.ContainsFunc(g.items, has) {
			return g
		}
		if fitting == nil && x.fits(g, x.Key.Partition, e.Key[x.Key.Partition].Text) &&
			(x.Key.Sort == "" || x.fits(g, x.Key.Sort, e.Key[x.Key.Sort].Text)) {
			fitting = g
		}
	}
	return fitting
}

// addWrite adds the rate of a write to those of a group's model.
func (x writesReader) addWrite(g *group, w *TableWrite, rate float64) {
	m := x.draft.Design.Model(g.model.Name)
	switch w.Kind {
	case Put:
		m.Puts += rate
		return
	case Delete:
		m.Deletes += rate
		return
	}
	of := x.changed(g, m, w.Changed)
	if len(of) == 0 {
		m.Updates += rate
		return
	}
	same := func(c design.Change) bool { return slices.Equal(c.Of, of) }
	i := slices.IndexFunc(m.Changes, same)
	if i < 0 {
		i = len(m.Changes)
		m.Changes = append(m.Changes, design.Change{Of: of})
	}
	m.Changes[i].Rate += rate
}

// changed returns the attributes of a model that an update changes: those that it names, and those
// that keys of indexes hold which it names. It marks them as mutable. An attribute that no item has
// is added.
func (x writesReader) changed(g *group, m *design.Model, names []string) (of []string) {
	for _, name := range names {
		var held []string
		switch p := g.keys[name]; {
		case p != nil:
			held = p.attributes()
		case name == g.typed || strings.HasPrefix(name, "__edb_") ||
			slices.Contains(x.keyAttributes(), name):
		default:
			held = []string{name}
		}
		for _, attribute := range held {
			a := m.Attribute(attribute)
			if a == nil && len(m.Attributes) < maxNames {
				m.Attributes = append(m.Attributes,
					design.Attribute{Name: attribute, Type: design.String, Mutable: true})
				x.draft.warn("%s.%s: no item that was looked at has it, but updates set it; it is "+
					"a string in the design", m.Name, attribute)
				a = m.Attribute(attribute)
			}
			if a == nil || a.Constant != "" || slices.Contains(m.Key, attribute) ||
				slices.Contains(of, attribute) {
				continue
			}
			a.Mutable = true
			of = append(of, attribute)
		}
	}
	slices.Sort(of)
	return of
}
