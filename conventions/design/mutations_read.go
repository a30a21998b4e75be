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
