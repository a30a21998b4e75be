package mutate

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/expr"
)

// withoutIndex takes an index away.
func withoutIndex(p *design.Plan, i int) *design.Plan {
	c := p.Clone()
	c.Indexes = slices.Delete(c.Indexes, i, i+1)
	return c
}

// madeGlobal makes a local index a global one, which serves no strongly consistent reads.
func madeGlobal(p *design.Plan, i int) *design.Plan {
	c := p.Clone()
	c.Indexes[i].Local = false
	return c
}

// withoutOrder takes the sort key from an index. It returns nil if no pattern needs it: queries
// name a text there that all their items have, and find no others without it.
func withoutOrder(p *design.Plan, i int) *design.Plan {
	c, used := p.Clone(), false
	sorts := p.Indexes[i].Key.Sorts()
	c.Indexes[i].Key.Sort, c.Indexes[i].Key.MoreSort = "", nil
	for j := range c.Queries {
		q := &c.Queries[j]
		if q.Index != c.Indexes[i].Name {
			continue
		}
		used = used || q.Sort.Operator != "" && !namesText(p, q) || p.Design.Patterns[j].Order != ""
		q.Sort = design.SortCondition{}
		named := len(q.Equal)
		q.Equal = slices.DeleteFunc(slices.Clone(q.Equal),
			func(s design.Stored) bool { return slices.Contains(sorts, s.Name) })
		used = used || len(q.Equal) < named
	}
	if _, _, mixed := c.Mixed(); !used && !mixed {
		return nil
	}
	return c
}

// withoutPart returns plans in which the key of an index lacks one of its several attributes, which
// its queries then do not name.
func withoutPart(p *design.Plan) (all []Mutation) {
	for i := range p.Indexes {
		index := &p.Indexes[i]
		for _, name := range slices.Concat(index.Key.MorePartition, index.Key.MoreSort) {
			c, named := p.Clone(), false
			without := func(names []string) []string {
				return slices.DeleteFunc(slices.Clone(names),
					func(other string) bool { return other == name })
			}
			key := &c.Indexes[i].Key
			key.MorePartition, key.MoreSort = without(key.MorePartition), without(key.MoreSort)
			for j := range c.Queries {
				q := &c.Queries[j]
				if q.Index != index.Name {
					continue
				}
				count := len(q.Equal)
				q.Equal = slices.DeleteFunc(slices.Clone(q.Equal),
					func(s design.Stored) bool { return s.Name == name })
				named = named || len(q.Equal) < count
				if q.Sort.Name == name {
					named = named || q.Sort.Operator != ""
					q.Sort = design.SortCondition{}
				}
			}
			if named {
				all = append(all, Mutation{fmt.Sprintf("%s does not have %s in its key", index.Name,
					name), c})
			}
		}
	}
	return all
}

// namesText reports whether a query names a text that all items of its models have as their sort
// key.
func namesText(p *design.Plan, q *design.Query) bool {
	if q.Sort.Operator != expr.KeyEqual || len(q.Sort.From) != 1 || q.Sort.From[0].Attribute != "" {
		return false
	}
	return !slices.ContainsFunc(q.Models, func(model string) bool {
		return slices.ContainsFunc(p.Entity(model).Keys,
			func(s design.Stored) bool { return s.Name == q.Sort.Name && s.When != nil })
	})
}

// withoutVectors takes a vector index away, or a filter from a search.
func withoutVectors(p *design.Plan) (all []Mutation) {
	for i, v := range p.VectorIndexes {
		c := p.Clone()
		c.VectorIndexes = slices.Delete(slices.Clone(p.VectorIndexes), i, i+1)
		all = append(all, Mutation{"there is no " + v.Name, c})
	}
	for i, q := range p.Queries {
		for j, f := range q.Filters {
			c := p.Clone()
			c.Queries[i].Filters = slices.Delete(slices.Clone(q.Filters), j, j+1)
			all = append(all, Mutation{fmt.Sprintf("%s does not name %s", q.Pattern, f.Name), c})
		}
	}
	return all
}

// withoutProjections returns plans in which an index lacks an attribute that a pattern reads from
// it, or in which a pattern does not read the items of an index whole.
func withoutProjections(p *design.Plan) (all []Mutation) {
	for i := range p.Indexes {
		index := &p.Indexes[i]
		for j, name := range index.Projection.Attributes {
			c := p.Clone()
			c.Indexes[i].Projection.Attributes = slices.Delete(
				slices.Clone(index.Projection.Attributes), j, j+1)
			if len(c.Indexes[i].Projection.Attributes) == 0 {
				c.Indexes[i].Projection.Type = design.KeysOnly
			}
			all = append(all, Mutation{fmt.Sprintf("%s does not have %s", index.Name, name), c})
		}
	}
	for i := range p.Queries {
		if p.Queries[i].Fetch {
			c := p.Clone()
			c.Queries[i].Fetch = false
			all = append(all,
				Mutation{fmt.Sprintf("%s reads nothing but keys", p.Queries[i].Pattern), c})
		}
	}
	return all
}
