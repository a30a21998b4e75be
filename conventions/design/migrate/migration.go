package migrate

import (
	"reflect"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Migration says how a table of one plan becomes that of another one, while its patterns are read
// and its items are written.
//
// Items stay where they are unless a model gets another primary key, or a vector index or a local
// index changes, which are created with their table. Attributes and indexes of the new plan that
// differ from those of the old one then get names that the old one does not have, because both are
// needed for a while. Otherwise there is a new table.
type Migration struct {
	Old, New *design.Plan // New has the names that the migration gives it
	NewTable bool
	Because  string // why there is a new table
	Steps    []Step
}

// common returns the models of both plans, in the order of the new one.
func (m *Migration) common() (models []string) {
	for _, e := range m.New.Entities {
		if m.Old.Entity(e.Model) != nil {
			models = append(models, e.Model)
		}
	}
	return models
}

// added returns the attributes that items of a model get. With known it returns those that are
// columns of the old plan, by which its queries read other models, and otherwise the others.
func (m *Migration) added(model string, known bool) (names []string) {
	o := m.Old.Entity(model)
	for _, name := range attributesOf(m.New.Entity(model)) {
		isColumn := slices.ContainsFunc(m.Old.Columns,
			func(c design.Column) bool { return c.Name == name })
		if valueOf(o, name) == nil && isColumn == known {
			names = append(names, name)
		}
	}
	return names
}

// removed returns the attributes of a model that the new plan does not have, none if it has no such
// model.
func (m *Migration) removed(model string) (names []string) {
	if m.New.Entity(model) == nil {
		return nil
	}
	for _, name := range attributesOf(m.Old.Entity(model)) {
		if valueOf(m.New.Entity(model), name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// switched reports whether a pattern of both plans is read in another way.
func (m *Migration) switched(old, plan int) bool {
	before, after := m.Old.Design.Patterns[old], m.New.Design.Patterns[plan]
	before.Rate, before.Returned, after.Rate, after.Returned = 0, 0, 0, 0
	if !reflect.DeepEqual(m.Old.Queries[old], m.New.Queries[plan]) ||
		!reflect.DeepEqual(before, after) {
		return true
	}
	return slices.ContainsFunc(m.Old.Queries[old].Models, func(model string) bool {
		return needsOneOf(m.Old.Needs(old, model), m.removed(model))
	})
}

// usesKnown reports whether a query of the new plan needs values that columns of the old plan get.
func (m *Migration) usesKnown(i int) bool {
	q := &m.New.Queries[i]
	return slices.ContainsFunc(q.Models, func(model string) bool {
		if m.Old.Entity(model) == nil {
			return false
		}
		known := m.added(model, true)
		return len(m.uses(m.New, q, known)) > 0 || needsOneOf(m.New.Needs(i, model), known)
	})
}

// uses returns those of some attributes that are in the key by which a query reads.
func (m *Migration) uses(p *design.Plan, q *design.Query, names []string) []string {
	key := p.Key
	if index := p.Index(q.Index); index != nil {
		key = index.Key
	}
	return slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return !key.Has(name) })
}

// circular reports whether a pattern can be switched only after columns of the old plan get values
// that its old query might find.
func (m *Migration) circular() bool {
	var known []string
	for _, model := range m.common() {
		known = append(known, m.added(model, true)...)
	}
	for i := range m.New.Queries {
		q := &m.New.Queries[i]
		old := patternOf(m.Old, q.Pattern)
		if old >= 0 && m.switched(old, i) && m.usesKnown(i) &&
			len(m.uses(m.Old, &m.Old.Queries[old], known)) > 0 {
			return true
		}
	}
	return false
}

// Reads reports whether a pattern gets a new query, or is new.
func (m *Migration) Reads(pattern string) bool {
	old := patternOf(m.Old, pattern)
	return old < 0 || m.NewTable || m.switched(old, patternOf(m.New, pattern))
}

// Rows returns a design with the models and attributes of both plans, to make rows that both can
// store.
func (m *Migration) Rows() *design.Design {
	d := m.New.Design
	d.Models = slices.Clone(d.Models)
	for i := range d.Models {
		old := m.Old.Design.Model(d.Models[i].Name)
		if old == nil {
			continue
		}
		model := &d.Models[i]
		model.Attributes = slices.Clone(model.Attributes)
		for _, a := range old.Attributes {
			if model.Attribute(a.Name) == nil {
				model.Attributes = append(model.Attributes, a)
			}
		}
		if len(old.Key) < len(model.Key) {
			model.Key = old.Key
		}
	}
	for _, old := range m.Old.Design.Models {
		if m.New.Design.Model(old.Name) == nil {
			d.Models = append(d.Models, old)
		}
	}
	return &d
}
