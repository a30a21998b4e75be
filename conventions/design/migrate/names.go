package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// target returns the new plan under other names: those of the old plan for the same attributes and
// indexes, and names that the old plan does not have for others. With shared, an attribute is also
// the same one if more models have it in the new plan.
func target(old, plan *design.Plan, shared bool) *design.Plan {
	columns := map[string]string{plan.Key.Partition: old.Key.Partition}
	if plan.Key.Sort != "" {
		columns[plan.Key.Sort] = old.Key.Sort
	}
	taken := map[string]bool{}
	for i := range old.Entities {
		for _, name := range attributesOf(&old.Entities[i]) {
			taken[name] = true
		}
	}
	used := map[string]bool{old.Key.Partition: true, old.Key.Sort: true}
	for _, c := range plan.Columns {
		if columns[c.Name] != "" {
			continue
		}
		name := c.Name
		if at := slices.IndexFunc(old.Columns,
			func(o design.Column) bool {
				return !used[o.Name] && becomes(old, o, plan, c, shared)
			}); at >= 0 {
			name = old.Columns[at].Name
		} else if taken[name] && !stored(old, plan, name) {
			name = fresh(name, func(s string) bool { return taken[s] })
		}
		columns[c.Name], used[name], taken[name] = name, true, true
	}
	return renamed(apart(old, plan, columns), columns,
		func(index *design.Index) string { return indexIn(old, index) })
}

// natural reports whether a column is an attribute of the items in the key of an index: see
// design.Index.Natural.
func natural(p *design.Plan, column string) bool {
	return !p.Key.Has(column) && slices.ContainsFunc(p.Indexes,
		func(index design.Index) bool { return index.Natural && index.Key.Has(column) })
}

// stored reports whether items of the old plan have, in no key, what a column of the new plan holds
// under its name, so that the column is that attribute.
func stored(old, plan *design.Plan, column string) bool {
	differs := func(e design.Entity) bool {
		return valueOf(&e, column) != nil && (plan.Entity(e.Model) == nil ||
			contentOf(old, e.Model, column) != contentOf(plan, e.Model, column))
	}
	return typeOf(old, column) == "" && !slices.ContainsFunc(old.Entities, differs)
}

// becomes reports whether a column of the old plan can be one of the new plan, because no value
// changes.
func becomes(old *design.Plan, o design.Column, plan *design.Plan, c design.Column,
	shared bool) bool {
	if o.Type != c.Type || (natural(old, o.Name) || natural(plan, c.Name)) && o.Name != c.Name {
		return false
	}
	if gains(old, plan, c.Name, o.Name) || gains(plan, old, o.Name, c.Name) {
		return false
	}
	some := false
	for i := range old.Entities {
		model := old.Entities[i].Model
		if plan.Entity(model) == nil {
			continue
		}
		before, after := contentOf(old, model, o.Name), contentOf(plan, model, c.Name)
		switch {
		case before == "" && after == "":
		case before == "" && shared:
		case before != after:
			return false
		default:
			some = true
		}
	}
	return some
}

// indexIn returns the name of the old plan's index that is the same as a new one, or a name that
// the old plan does not have.
func indexIn(old *design.Plan, index *design.Index) string {
	for i := range old.Indexes {
		if o := &old.Indexes[i]; o.Local == index.Local && o.Key.Equal(index.Key) &&
			sameProjection(o.Projection, index.Projection) {
			return o.Name
		}
	}
	taken := func(name string) bool { return old.Index(name) != nil }
	if !taken(index.Name) {
		return index.Name
	}
	return fresh(index.Name, taken)
}

// sameProjection reports whether an index has the same attributes with each of two projections.
func sameProjection(a, b design.Projection) bool {
	return cmp.Or(a.Type, design.All) == cmp.Or(b.Type, design.All) &&
		slices.Equal(a.Attributes, b.Attributes)
}

// fresh returns a name with a version, such as GSI2_v2, that is not taken.
func fresh(name string, taken func(string) bool) string {
	for version := 2; ; version++ {
		if next := fmt.Sprintf("%s_v%d", name, version); !taken(next) {
			return next
		}
	}
}

// renamed returns a copy of a plan with other names of columns and indexes.
func renamed(p *design.Plan, columns map[string]string,
	indexName func(*design.Index) string) *design.Plan {
	c := p.Clone()
	name := func(s *string) {
		if to := columns[*s]; to != "" {
			*s = to
		}
	}
	c.Columns = slices.Clone(c.Columns)
	for i := range c.Columns {
		name(&c.Columns[i].Name)
	}
	name(&c.Key.Partition)
	name(&c.Key.Sort)
	for i := range c.Entities {
		for j := range c.Entities[i].Keys {
			name(&c.Entities[i].Keys[j].Name)
		}
	}
	c.VectorIndexes = slices.Clone(c.VectorIndexes)
	for i := range c.VectorIndexes {
		index := &c.VectorIndexes[i]
		name(&index.Partition)
		index.Filters = slices.Clone(index.Filters)
		for j := range index.Filters {
			name(&index.Filters[j])
		}
	}
	indexes := map[string]string{}
	for i := range c.Indexes {
		index := &c.Indexes[i]
		name(&index.Key.Partition)
		name(&index.Key.Sort)
		index.Key.MorePartition = slices.Clone(index.Key.MorePartition)
		index.Key.MoreSort = slices.Clone(index.Key.MoreSort)
		for _, more := range [][]string{index.Key.MorePartition, index.Key.MoreSort} {
			for j := range more {
				name(&more[j])
			}
		}
		index.Projection.Attributes = slices.Clone(index.Projection.Attributes)
		for j := range index.Projection.Attributes {
			name(&index.Projection.Attributes[j])
		}
		if indexName != nil {
			indexes[index.Name] = indexName(index)
			index.Name = indexes[index.Name]
		}
	}
	for i := range c.Queries {
		q := &c.Queries[i]
		name(&q.Partition.Name)
		name(&q.Sort.Name)
		q.Equal = slices.Clone(q.Equal)
		for j := range q.Equal {
			name(&q.Equal[j].Name)
		}
		if to := indexes[q.Index]; to != "" {
			q.Index = to
		}
	}
	c.Ask()
	names := maps.Clone(indexes)
	maps.Copy(names, columns)
	design.Rename(c, names)
	return c
}
