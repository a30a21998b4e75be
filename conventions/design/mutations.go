package design

import (
	"fmt"
	"slices"
	"strings"
)

// Mutation is a plan with a mistake in it, which a verification has to find.
type Mutation struct {
	Name string
	Plan *Plan
}

// Mutations returns a plan with one decision undone in each: a prefix, a rename, an index, a sort key
// or a condition.
func (p *Plan) Mutations() []Mutation {
	var all []Mutation
	add := func(plan *Plan, format string, args ...any) {
		all = append(all, Mutation{fmt.Sprintf(format, args...), plan})
	}
	for _, c := range p.Columns {
		if p.Design.Tenants != nil && strings.HasSuffix(c.Positions[0], "PK") {
			continue // the guide has a prefix there in any case
		}
		if m := p.withoutPrefix(c.Name); m != nil {
			add(m, "the values of %s do not begin with the model's name", c.Name)
		}
	}
	for i, index := range p.Indexes {
		add(p.withoutIndex(i), "there is no %s", index.Name)
		if m := p.withoutOrder(i); m != nil {
			add(m, "%s has no sort key", index.Name)
		}
		if index.Local {
			add(p.madeGlobal(i), "%s is a global index", index.Name)
		}
	}
	for i := range p.Queries {
		if m := p.withoutNeighbor(i); m != nil {
			add(m, "%s has items of %s in partitions of their own", p.Queries[i].Pattern, p.Queries[i].Models[1])
		}
	}
	all = append(all, p.mutateDerived()...)
	all = append(all, p.mutateVectors()...)
	all = append(all, p.mutateTenants()...)
	all = append(all, p.mutateProjections()...)
	all = append(all, p.mutateBegins()...)
	all = append(all, p.mutateTTL()...)
	all = append(all, p.mutateNumbers()...)
	for _, r := range p.renames() {
		if m := p.withoutRename(r); m != nil {
			add(m, "%s stores %s in %s", r.model, r.attribute, r.column)
		}
	}
	for _, m := range all {
		m.Plan.ask()
	}
	return append(all, p.mutateAsked()...)
}

// clone copies what mutations change.
func (p *Plan) clone() *Plan {
	c := *p
	c.Indexes = slices.Clone(p.Indexes)
	c.Queries = slices.Clone(p.Queries)
	c.Entities = slices.Clone(p.Entities)
	for i := range c.Entities {
		c.Entities[i].Keys = slices.Clone(p.Entities[i].Keys)
		c.Entities[i].Others = slices.Clone(p.Entities[i].Others)
	}
	return &c
}

// withoutPrefix takes the models' names from the values of a column, and from the conditions on it. It
// returns nil if there are none.
func (p *Plan) withoutPrefix(column string) *Plan {
	c, found := p.clone(), false
	bare := func(v Value) Value {
		if len(v) == 0 {
			return v
		}
		if model, ok := strings.CutSuffix(v[0].Text, p.Design.separator()); ok && p.isPrefix(model) {
			found = true
			return v[1:]
		}
		return v
	}
	for i := range c.Entities {
		e := &c.Entities[i]
		for j := range e.Keys {
			if e.Keys[j].Name == column {
				e.Keys[j].Value = bare(e.Keys[j].Value)
			}
		}
	}
	for i := range c.Queries {
		q := &c.Queries[i]
		if q.Partition.Name == column {
			q.Partition.Value = bare(q.Partition.Value)
		}
		if q.Sort.Name == column && q.Sort.Operator != "" {
			q.Sort.From, q.Sort.To = bare(q.Sort.From), bare(q.Sort.To)
			if len(q.Sort.From) == 0 {
				q.Sort = SortCondition{Name: column}
			}
		}
	}
	if !found {
		return nil
	}
	return c
}

// withoutNeighbor takes the items of the second model that a query reads to other partitions than those
// of the first. It returns nil if the query reads one model.
func (p *Plan) withoutNeighbor(query int) *Plan {
	q := &p.Queries[query]
	if len(q.Models) < 2 {
		return nil
	}
	c := p.clone()
	keys := c.entity(q.Models[1]).Keys
	at := slices.IndexFunc(keys, func(s Stored) bool { return s.Name == q.Partition.Name })
	keys[at].Value = append(Value{{Text: p.Design.separator()}}, keys[at].Value...)
	return c
}

// mutateDerived undoes what the attributes do that the plan added: an index has all items, or items are
// in other partitions than those that a query reads.
func (p *Plan) mutateDerived() (all []Mutation) {
	for i, e := range p.Entities {
		for j, s := range e.Keys {
			if s.When == nil {
				continue
			}
			c := p.clone()
			c.Entities[i].Keys[j].When = nil
			all = append(all, Mutation{fmt.Sprintf("all items of %s have %s", e.Model, s.Name), c})
		}
	}
	for i, q := range p.Queries {
		for j, s := range q.Spread {
			c := p.clone()
			c.Queries[i].Spread = slices.Clone(q.Spread)
			c.Queries[i].Spread[j] = s.wrong()
			all = append(all, Mutation{fmt.Sprintf("%s leaves out requests", q.Pattern), c})
		}
	}
	return all
}

// isPrefix reports whether a text is what keys of a model begin with.
func (p *Plan) isPrefix(text string) bool {
	return slices.ContainsFunc(p.Design.Models, func(m Model) bool {
		if p.Design.Tenants != nil {
			return tenantPrefix(m.Name) == text
		}
		return m.Name == text
	})
}

// mutateTenants takes the tenants from a column by which a query reads.
func (p *Plan) mutateTenants() (all []Mutation) {
	if p.Design.Tenants == nil {
		return nil
	}
	for _, column := range p.Columns {
		c, found := p.clone(), false
		bare := func(s *Stored) {
			if s.Name != column.Name {
				return
			}
			s.Value = slices.Clone(s.Value)
			for i := range s.Value {
				if s.Value[i].Attribute == p.Design.Tenants.Attribute {
					s.Value[i], found = Part{Text: "all"}, true
				}
			}
		}
		for i := range c.Queries {
			bare(&c.Queries[i].Partition)
		}
		if !found {
			continue
		}
		for i := range c.Entities {
			for j := range c.Entities[i].Keys {
				bare(&c.Entities[i].Keys[j])
			}
		}
		all = append(all, Mutation{fmt.Sprintf("%s does not hold the tenant", column.Name), c})
	}
	return all
}

// mutateVectors takes a vector index away, or a filter from a search.
func (p *Plan) mutateVectors() (all []Mutation) {
	for i, v := range p.VectorIndexes {
		c := p.clone()
		c.VectorIndexes = slices.Delete(slices.Clone(p.VectorIndexes), i, i+1)
		all = append(all, Mutation{"there is no " + v.Name, c})
	}
	for i, q := range p.Queries {
		for j, f := range q.Filters {
			c := p.clone()
			c.Queries[i].Filters = slices.Delete(slices.Clone(q.Filters), j, j+1)
			all = append(all, Mutation{fmt.Sprintf("%s does not name %s", q.Pattern, f.Name), c})
		}
	}
	return all
}

// wrong returns a spread without some of its values.
func (s Spread) wrong() Spread {
	if s.Shards > 0 {
		s.Shards--
		return s
	}
	s.first = true
	return s
}

func (p *Plan) withoutIndex(i int) *Plan {
	c := p.clone()
	c.Indexes = slices.Delete(c.Indexes, i, i+1)
	return c
}

// madeGlobal makes a local index a global one, which serves no strongly consistent reads.
func (p *Plan) madeGlobal(i int) *Plan {
	c := p.clone()
	c.Indexes[i].Local = false
	return c
}

// withoutOrder takes the sort key from an index. It returns nil if no pattern relies on it.
func (p *Plan) withoutOrder(i int) *Plan {
	c, used := p.clone(), false
	c.Indexes[i].Key.Sort = ""
	for j := range c.Queries {
		q := &c.Queries[j]
		if q.Index != c.Indexes[i].Name {
			continue
		}
		used = used || q.Sort.Operator != "" || p.Design.Patterns[j].Order != ""
		q.Sort = SortCondition{}
	}
	if !used {
		return nil
	}
	return c
}

// rename is an attribute of a model that another model has, under the same name, in a column.
type rename struct {
	model, attribute, column string
	entity, other            int
}

// renames lists the attributes that a model stores under a name of its own.
func (p *Plan) renames() (all []rename) {
	for i, e := range p.Entities {
		for j, s := range e.Others {
			name := s.Value[0].Attribute
			if s.Name == name {
				continue
			}
			for _, other := range p.Entities {
				at := slices.IndexFunc(other.Keys, func(k Stored) bool { return len(k.Value) == 1 && k.Value[0].Attribute == name })
				if other.Model != e.Model && at >= 0 {
					all = append(all, rename{e.Model, name, other.Keys[at].Name, i, j})
					break
				}
			}
		}
	}
	return all
}

// withoutRename stores an attribute in the column where another model has its attribute of the same
// name. It returns nil if the queries of the other model's patterns are guarded by a prefix as well.
func (p *Plan) withoutRename(r rename) *Plan {
	guarded := true
	for _, q := range p.Queries {
		if q.Partition.Name == r.column && q.Sort.Operator == "" {
			guarded = false
		}
	}
	if guarded {
		return nil
	}
	c := p.clone()
	e := &c.Entities[r.entity]
	e.Keys = append(e.Keys, Stored{Name: r.column, Value: Value{{Attribute: r.attribute}}})
	e.Others = slices.Delete(e.Others, r.other, r.other+1)
	return c
}
