package design

import (
	"fmt"
	"slices"
)

// mutateProjections returns plans in which an index lacks an attribute that a pattern reads from it, or
// in which a pattern does not read the items of an index whole.
func (p *Plan) mutateProjections() (all []Mutation) {
	for i := range p.Indexes {
		index := &p.Indexes[i]
		for j, name := range index.Projection.Attributes {
			c := p.clone()
			c.Indexes[i].Projection.Attributes = slices.Delete(slices.Clone(index.Projection.Attributes), j, j+1)
			if len(c.Indexes[i].Projection.Attributes) == 0 {
				c.Indexes[i].Projection.Type = KeysOnly
			}
			all = append(all, Mutation{fmt.Sprintf("%s does not have %s", index.Name, name), c})
		}
	}
	for i := range p.Queries {
		if p.Queries[i].Fetch {
			c := p.clone()
			c.Queries[i].Fetch = false
			all = append(all, Mutation{fmt.Sprintf("%s reads nothing but keys", p.Queries[i].Pattern), c})
		}
	}
	return all
}

// mutateBegins returns plans in which a pattern reads all values of an attribute, or one, instead of those
// with a beginning.
func (p *Plan) mutateBegins() (all []Mutation) {
	for i := range p.Queries {
		from := p.Queries[i].Sort.From
		if len(from) == 0 || !from[len(from)-1].Begins {
			continue
		}
		every, one := p.clone(), p.clone()
		every.Queries[i].Sort.From = from[:len(from)-1]
		if len(from) == 1 {
			every.Queries[i].Sort = SortCondition{Name: p.Queries[i].Sort.Name}
		}
		one.Queries[i].Sort.Operator = "="
		name := from[len(from)-1].Attribute
		all = append(all, Mutation{fmt.Sprintf("%s reads items with any %s", p.Queries[i].Pattern, name), every},
			Mutation{fmt.Sprintf("%s reads items with one %s", p.Queries[i].Pattern, name), one})
	}
	return all
}

// mutateTTL returns plans without the times to live, and with a model's attribute under a name that
// makes its items expire.
func (p *Plan) mutateTTL() (all []Mutation) {
	if p.TTL == "" {
		return nil
	}
	c := p.clone()
	c.TTL = ""
	all = append(all, Mutation{"items have no time to live", c})
	for i, e := range p.Entities {
		for j, s := range e.Others {
			if s.Name != p.TTL && s.Value[0].Attribute == p.TTL {
				c := p.clone()
				c.Entities[i].Others[j].Name = p.TTL
				all = append(all, Mutation{fmt.Sprintf("items of %s have a time to live", e.Model), c})
			}
		}
	}
	return all
}

// mutateNumbers returns plans in which a number that orders a result is in a string without zeros in
// front.
func (p *Plan) mutateNumbers() (all []Mutation) {
	for i := range p.Queries {
		for _, model := range p.Queries[i].Models {
			entity, key, part, ok := p.ordering(i, model)
			if !ok {
				continue
			}
			s := p.Entities[entity].Keys[key]
			name := fmt.Sprintf("%s of %s has no zeros in front in %s", s.Value[part].Attribute, model, s.Name)
			if slices.ContainsFunc(all, func(m Mutation) bool { return m.Name == name }) {
				continue // another pattern has the same order
			}
			c := p.clone()
			c.Entities[entity].Keys[key].Value = slices.Clone(s.Value)
			c.Entities[entity].Keys[key].Value[part].Digits = 0
			all = append(all, Mutation{name, c})
		}
	}
	return all
}

// ordering returns the places in Entities, Keys and Value of the number in a string that orders a
// pattern's items of a model. ok is false if there is none.
func (p *Plan) ordering(pattern int, model string) (entity, key, part int, ok bool) {
	q, d := &p.Queries[pattern], &p.Design.Patterns[pattern]
	by, sort := p.Design.model(model).attribute(p.Design.AttributeOf(d, model, d.sortBy())), p.Key.Sort
	if index := p.index(q.Index); index != nil {
		sort = index.Key.Sort
	}
	column := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == sort })
	if by == nil || by.Type != Number || column < 0 || p.Columns[column].Type != String {
		return 0, 0, 0, false
	}
	entity = slices.IndexFunc(p.Entities, func(e Entity) bool { return e.Model == model })
	key = slices.IndexFunc(p.Entities[entity].Keys, func(s Stored) bool { return s.Name == sort })
	if key < 0 {
		return 0, 0, 0, false
	}
	part = slices.IndexFunc(p.Entities[entity].Keys[key].Value, func(x Part) bool { return x.Attribute == by.Name })
	return entity, key, part, part >= 0
}

// SortsAsText reports whether a number orders a pattern's result as text does, where 10 comes before 2.
func (p *Plan) SortsAsText(pattern int) bool {
	return slices.ContainsFunc(p.Queries[pattern].Models, func(model string) bool {
		entity, key, part, ok := p.ordering(pattern, model)
		return ok && p.Entities[entity].Keys[key].Value[part].Digits == 0
	})
}
