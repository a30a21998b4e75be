package migrate

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// apart returns a plan whose attributes in no key have other names where their own would do harm
// while the indexes of the old plan are there: one of these has a key of attributes, and would
// refuse the items because of a type, or have items of another model. The name is that of the old
// plan for the same attribute, if it does no harm, or a new one. Columns are the names that the
// columns of the plan get.
func apart(old, plan *design.Plan, columns map[string]string) *design.Plan {
	c := plan.Clone()
	for i := range c.Entities {
		e := &c.Entities[i]
		for j := range e.Others {
			s := &e.Others[j]
			if s.Name == c.TTL || inVectorIndex(c, s.Name) || !harms(old, plan, e, s) {
				continue
			}
			taken := func(name string) bool { return isTaken(c, columns, name) }
			name := nameIn(old, e.Model, s)
			if name == "" || taken(name) {
				name = fresh(s.Name, func(name string) bool {
					return taken(name) || slices.ContainsFunc(old.Entities,
						func(o design.Entity) bool { return valueOf(&o, name) != nil })
				})
			}
			rename(c, e, s, name)
		}
	}
	return c
}

// harms reports whether an index of the old plan would refuse the items of a model because of an
// attribute, or have them though it is of other models.
func harms(old, plan *design.Plan, e *design.Entity, s *design.Stored) bool {
	if !natural(old, s.Name) {
		return false
	}
	if was := old.Entity(e.Model); was != nil && valueOf(was, s.Name) != nil {
		return false
	}
	a := plan.Design.Model(e.Model).Attribute(s.Value[0].Attribute)
	return a == nil || a.Type != typeOf(old, s.Name) || joins(old, e, s.Name)
}

// joins reports whether items of a model get into an index of a plan that has a key of attributes,
// because they have one more of them in another plan, where the model is stored as an entity.
func joins(p *design.Plan, e *design.Entity, name string) bool {
	here := p.Entity(e.Model)
	has := func(e *design.Entity, name string) bool {
		return e != nil && valueOf(e, name) != nil
	}
	return !has(here, name) && slices.ContainsFunc(p.Indexes, func(index design.Index) bool {
		return index.Natural && index.Key.Has(name) && !slices.ContainsFunc(index.Key.Names(),
			func(key string) bool { return !has(here, key) && !has(e, key) })
	})
}

// gains reports whether an index of a plan that has a key of attributes gets items of other models
// while there are those of another plan, because these have one of its attributes under a name.
func gains(p, other *design.Plan, name, as string) bool {
	return slices.ContainsFunc(other.Entities, func(e design.Entity) bool {
		return valueOf(&e, name) != nil && joins(p, &e, as)
	})
}

// nameIn returns the name under which the old plan stores just the same attribute, or "".
func nameIn(old *design.Plan, model string, s *design.Stored) string {
	e := old.Entity(model)
	if e == nil {
		return ""
	}
	for _, was := range slices.Concat(e.Others, e.Keys) {
		if !old.Key.Has(was.Name) && was.When == nil && !was.Partly &&
			slices.Equal(was.Value, s.Value) {
			return was.Name
		}
	}
	return ""
}

// isTaken reports whether a plan has a name, or gets it for a column.
func isTaken(p *design.Plan, columns map[string]string, name string) bool {
	for _, to := range columns {
		if to == name {
			return true
		}
	}
	return slices.ContainsFunc(p.Entities,
		func(e design.Entity) bool { return valueOf(&e, name) != nil })
}

// inVectorIndex reports whether an attribute is in a vector index.
func inVectorIndex(p *design.Plan, name string) bool {
	return slices.ContainsFunc(p.VectorIndexes, func(index design.VectorIndex) bool {
		return index.Attribute == name || index.Partition == name ||
			slices.Contains(index.Filters, name)
	})
}

// rename gives an attribute in no key another name, in the items of its model, in the indexes that
// have it, and in the queries that filter by it.
func rename(p *design.Plan, e *design.Entity, s *design.Stored, name string) {
	was := s.Name
	s.Name = name
	for i := range p.Indexes {
		index := &p.Indexes[i]
		at := slices.Index(index.Projection.Attributes, was)
		if at < 0 || !slices.Contains(index.Models, e.Model) {
			continue
		}
		has := func(model string) bool { return valueOf(p.Entity(model), was) != nil }
		names := slices.Clone(index.Projection.Attributes)
		if slices.ContainsFunc(index.Models, has) {
			names = append(names, name)
		} else {
			names[at] = name
		}
		index.Projection.Attributes = names
	}
	for i := range p.Queries {
		q := &p.Queries[i]
		if !slices.Contains(q.Models, e.Model) {
			continue
		}
		q.Filters = slices.Clone(q.Filters)
		for j := range q.Filters {
			if q.Filters[j].Name == was {
				q.Filters[j].Name = name
			}
		}
	}
}
