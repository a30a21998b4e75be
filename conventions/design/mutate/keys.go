package mutate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// withoutPrefix takes the models' names from the beginning of a column's values, and from the
// conditions on it. It returns nil if no value begins with one.
func withoutPrefix(p *design.Plan, column string) *design.Plan {
	c, found := p.Clone(), false
	bare := func(v design.Value) design.Value {
		if len(v) == 0 {
			return v
		}
		if model, ok := strings.CutSuffix(v[0].Text, separator(p)); ok && isPrefix(p, model) {
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
				q.Sort = design.SortCondition{Name: column}
			}
		}
	}
	if !found {
		return nil
	}
	return c
}

// isPrefix reports whether the keys of a model begin with a text.
func isPrefix(p *design.Plan, text string) bool {
	return slices.ContainsFunc(p.Design.Models,
		func(m design.Model) bool { return p.Design.KeyPrefix(m.Name) == text })
}

// separator stands between the parts of a plan's keys.
func separator(p *design.Plan) string { return cmp.Or(p.Design.Separator, design.DefaultSeparator) }

// withoutNeighbor moves the items of the second model that a query reads to partitions of their
// own. It returns nil if the query reads one model.
func withoutNeighbor(p *design.Plan, query int) *design.Plan {
	q := &p.Queries[query]
	if len(q.Models) < 2 {
		return nil
	}
	c := p.Clone()
	keys := c.Entity(q.Models[1]).Keys
	at := slices.IndexFunc(keys, func(s design.Stored) bool { return s.Name == q.Partition.Name })
	keys[at].Value = append(design.Value{{Text: separator(p)}}, keys[at].Value...)
	return c
}

// withoutTenants takes the tenants from a column by which a query reads.
func withoutTenants(p *design.Plan) (all []Mutation) {
	if p.Design.Tenants == nil {
		return nil
	}
	for _, column := range p.Columns {
		c, found := p.Clone(), false
		bare := func(s *design.Stored) {
			if s.Name != column.Name {
				return
			}
			s.Value = slices.Clone(s.Value)
			for i := range s.Value {
				if s.Value[i].Attribute == p.Design.Tenants.Attribute {
					s.Value[i], found = design.Part{Text: "all"}, true
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

// rename is an attribute that a model stores under a name of its own, because another model has its
// attribute of the same name in a column.
type rename struct {
	model, attribute, column string
	entity, other            int
}

// renames lists the attributes that models store under names of their own.
func renames(p *design.Plan) (all []rename) {
	for i, e := range p.Entities {
		for j, s := range e.Others {
			name := s.Value[0].Attribute
			if s.Name == name {
				continue
			}
			for _, other := range p.Entities {
				at := slices.IndexFunc(other.Keys,
					func(k design.Stored) bool { // its own key is no place for another attribute
						return len(k.Value) == 1 && k.Value[0].Attribute == name &&
							!slices.ContainsFunc(e.Keys,
								func(own design.Stored) bool { return own.Name == k.Name })
					})
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
// name. It returns nil if the column's queries have a condition on the sort key as well, which
// keeps the items out, or if the values are never those that a query names: then the items are in
// an index, and no query finds them.
func withoutRename(p *design.Plan, r rename) *design.Plan {
	guarded := true
	for _, q := range p.Queries {
		if q.Partition.Name == r.column && q.Sort.Operator == "" {
			guarded = false
		}
	}
	if guarded {
		return nil
	}
	c := p.Clone()
	e := &c.Entities[r.entity]
	e.Keys = append(e.Keys,
		design.Stored{Name: r.column, Value: design.Value{{Attribute: r.attribute}}})
	e.Others = slices.Delete(e.Others, r.other, r.other+1)
	if _, _, found := c.Mixed(); !found {
		return nil
	}
	return c
}
