package mutate

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/expr"
)

// withoutBegins returns plans in which a pattern reads all values of an attribute, or one, instead
// of those with a beginning.
func withoutBegins(p *design.Plan) (all []Mutation) {
	for i := range p.Queries {
		from := p.Queries[i].Sort.From
		if len(from) == 0 || !from[len(from)-1].Begins {
			continue
		}
		every, one := p.Clone(), p.Clone()
		every.Queries[i].Sort.From = from[:len(from)-1]
		if len(from) == 1 {
			every.Queries[i].Sort = design.SortCondition{Name: p.Queries[i].Sort.Name}
		}
		one.Queries[i].Sort.Operator = expr.KeyEqual
		name := from[len(from)-1].Attribute
		all = append(all,
			Mutation{fmt.Sprintf("%s reads items with any %s", p.Queries[i].Pattern, name), every},
			Mutation{fmt.Sprintf("%s reads items with one %s", p.Queries[i].Pattern, name), one})
	}
	return all
}

// withoutTTL returns plans without the times to live, and with a model's attribute under a name
// that makes its items expire.
func withoutTTL(p *design.Plan) (all []Mutation) {
	if p.TTL == "" {
		return nil
	}
	c := p.Clone()
	c.TTL = ""
	all = append(all, Mutation{"items have no time to live", c})
	for i, e := range p.Entities {
		for j, s := range e.Others {
			if s.Name != p.TTL && s.Value[0].Attribute == p.TTL {
				c := p.Clone()
				c.Entities[i].Others[j].Name = p.TTL
				all = append(all,
					Mutation{fmt.Sprintf("items of %s have a time to live", e.Model), c})
			}
		}
	}
	return all
}

// withoutNumbers returns plans in which a number that orders a result is in a string without zeros
// in front.
func withoutNumbers(p *design.Plan) (all []Mutation) {
	for i := range p.Queries {
		for _, model := range p.Queries[i].Models {
			entity, key, part, ok := ordering(p, i, model)
			if !ok {
				continue
			}
			s := p.Entities[entity].Keys[key]
			name := fmt.Sprintf("%s of %s has no zeros in front in %s", s.Value[part].Attribute,
				model, s.Name)
			if slices.ContainsFunc(all, func(m Mutation) bool { return m.Name == name }) {
				continue // another pattern has the same order
			}
			c := p.Clone()
			c.Entities[entity].Keys[key].Value = slices.Clone(s.Value)
			c.Entities[entity].Keys[key].Value[part].Digits = 0
			all = append(all, Mutation{name, c})
		}
	}
	return all
}

// ordering finds the number that orders a pattern's items of a model as a part of a string. It
// returns its places in Entities, Keys and Value. ok is false without such a number.
func ordering(p *design.Plan, pattern int, model string) (entity, key, part int, ok bool) {
	q := &p.Queries[pattern]
	by, sort := p.Design.Model(model).Attribute(sortOf(p, pattern, model)), p.Key.Sort
	if index := p.Index(q.Index); index != nil {
		sort = index.Key.Sort
	}
	column := slices.IndexFunc(p.Columns, func(c design.Column) bool { return c.Name == sort })
	if by == nil || by.Type != design.Number || column < 0 ||
		p.Columns[column].Type != design.String {
		return 0, 0, 0, false
	}
	entity = slices.IndexFunc(p.Entities, func(e design.Entity) bool { return e.Model == model })
	key = slices.IndexFunc(p.Entities[entity].Keys,
		func(s design.Stored) bool { return s.Name == sort })
	if key < 0 {
		return 0, 0, 0, false
	}
	part = slices.IndexFunc(p.Entities[entity].Keys[key].Value,
		func(x design.Part) bool { return x.Attribute == by.Name })
	return entity, key, part, part >= 0
}

// SortsAsText reports whether a number orders a pattern's result as text does, where 10 comes
// before 2.
func SortsAsText(p *design.Plan, pattern int) bool {
	return slices.ContainsFunc(p.Queries[pattern].Models, func(model string) bool {
		entity, key, part, ok := ordering(p, pattern, model)
		return ok && p.Entities[entity].Keys[key].Value[part].Digits == 0
	})
}

// withoutAsked returns plans in which a query does not ask for an attribute that its result needs.
func withoutAsked(p *design.Plan) (all []Mutation) {
	for i, q := range p.Queries {
		n := slices.IndexFunc(q.Attributes, func(name string) bool { return needed(p, i, name) })
		if n < 0 {
			continue
		}
		c := p.Clone()
		c.Queries[i].Attributes = slices.Delete(slices.Clone(q.Attributes), n, n+1)
		all = append(all,
			Mutation{fmt.Sprintf("%s does not ask for %s", q.Pattern, q.Attributes[n]), c})
	}
	return all
}

// needed reports whether a query that did not ask for an attribute would lack a part of its result.
// Keys are asked for to recognize an item, so they do not count.
func needed(p *design.Plan, i int, name string) bool {
	if name == p.Key.Partition || name == p.Key.Sort {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(p.Queries[i].Attributes),
		func(asked string) bool { return asked == name })
	return slices.ContainsFunc(p.Queries[i].Models, func(model string) bool {
		return slices.ContainsFunc(p.Needs(i, model), func(holders []string) bool {
			return !slices.ContainsFunc(holders,
				func(holder string) bool { return slices.Contains(others, holder) })
		})
	})
}

// withoutDerived undoes what the attributes do that the planner added: an index has the items of
// all values, or a query leaves partitions out.
func withoutDerived(p *design.Plan) (all []Mutation) {
	for i, e := range p.Entities {
		for j, s := range e.Keys {
			if s.When == nil {
				continue
			}
			c := p.Clone()
			c.Entities[i].Keys[j].When = nil
			all = append(all, Mutation{fmt.Sprintf("all items of %s have %s", e.Model, s.Name), c})
		}
	}
	for i, q := range p.Queries {
		for j, s := range q.Spread {
			c := p.Clone()
			c.Queries[i].Spread = slices.Clone(q.Spread)
			c.Queries[i].Spread[j] = wrong(s)
			all = append(all, Mutation{fmt.Sprintf("%s leaves out requests", q.Pattern), c})
		}
	}
	return all
}

// wrong returns a spread that leaves values out.
func wrong(s design.Spread) design.Spread {
	if s.Shards > 0 {
		s.Shards--
		return s
	}
	s.Most = 1
	return s
}
