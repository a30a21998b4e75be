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
