package design

import (
	"fmt"
	"slices"
	"strings"
)

// draft writes an arrangement as a Plan.
type draft struct{ *arrangement }

// plan returns the plan without what does not follow from its keys: projections, and what queries
// ask for.
func (d draft) plan() *Plan {
	plan := &Plan{Design: *d.design, Key: d.keyAt(tablePartition), TTL: d.ttlName()}
	plan.Design.Models = d.models
	for _, c := range d.columns {
		positions := make([]string, len(c.positions))
		for i, at := range c.positions {
			positions[i] = at.String()
		}
		plan.Columns = append(plan.Columns,
			Column{Name: c.name(), Type: d.typeOf(c), Positions: positions})
	}
	for i := range d.count {
		plan.Indexes = append(plan.Indexes,
			Index{Name: d.indexName(i), Key: d.keyAt(partitionOf(i)), Models: d.modelsIn(i),
				Sparse: d.sparse(i)})
	}
	plan.Indexes = append(plan.Indexes, d.localIndexes()...)
	for m := range d.models {
		plan.Entities = append(plan.Entities, d.store(m))
	}
	for i := range d.similar {
		plan.VectorIndexes = append(plan.VectorIndexes, d.vectorIndex(i))
	}
	plan.Queries = d.queries()
	return plan
}

// queries returns the queries of the patterns.
func (d draft) queries() []Query {
	all := make([]Query, len(d.design.Patterns))
	for i := range d.design.Patterns {
		if pattern := &d.design.Patterns[i]; pattern.Similar != "" {
			all[i] = d.searchFor(pattern)
		}
	}
	for m := range d.models {
		for _, w := range d.wants[m] {
			if d.design.Patterns[w.pattern].models()[0] == d.models[m].Name {
				r := d.route(m, w)
				all[w.pattern] = r.query()
				all[w.pattern].Filters = d.filters(m, &d.design.Patterns[w.pattern])
			}
		}
	}
	return all
}

// store returns how a model is stored.
func (d draft) store(m int) Entity {
	e := Entity{Model: d.models[m].Name}
	var inKeys []string
	for _, c := range d.columns {
		v := d.value(c, m)
		if v == nil {
			continue
		}
		when := d.models[m].when(c.values[m])
		partly := len(v) > 1 && d.models[m].optional(c.values[m]) != nil
		e.Keys = append(e.Keys, Stored{Name: c.name(), Value: v, When: when, Partly: partly})
		if when == nil && !partly {
			inKeys = append(inKeys, c.values[m]...)
		}
	}
	for _, attribute := range d.models[m].Attributes {
		name := d.storedName(m, attribute.Name)
		if attribute.Derived != nil || slices.Contains(inKeys, attribute.Name) &&
			!d.keptBeside(m, attribute.Name) && !d.storedBefore(m, attribute.Name) ||
			slices.ContainsFunc(e.Keys, func(s Stored) bool { return s.Name == name }) {
			continue
		}
		e.Others = append(e.Others, Stored{Name: name, Value: Value{{Attribute: attribute.Name}}})
	}
	return e
}

// storedName returns the name under which a model stores an attribute that is in no key. The name
// begins with that of the model where the attribute's own would do harm: another model has an
// attribute of this name in the key of an index, into which these items would get, or in a vector
// index, or it is the time to live.
func (d draft) storedName(m int, name string) string {
	own := strings.ToLower(d.models[m].Name) + "_" + name
	if was := d.nameBefore(m, name); was != "" {
		return was
	}
	if ttl := d.ttlName(); ttl != "" {
		switch {
		case d.models[m].TTL == name:
			return ttl
		case name == ttl:
			return own
		}
	}
	for i := range d.similar {
		if f := d.similar[i].model; f < m && d.searched(f, name) || f > m && d.searched(f, name) &&
			!d.searched(m, name) {
			return own
		}
	}
	for _, c := range d.columns {
		if c.name() == name {
			return own
		}
		if !slices.ContainsFunc(c.positions,
			func(at position) bool { return at > tableSort && d.completes(at, m) }) {
			continue
		}
		for f, v := range c.values {
			if f != m && c.values[m] == nil && slices.Contains(v, name) {
				return own
			}
		}
	}
	return name
}

// modelsIn returns the models whose items an index has.
func (d draft) modelsIn(index int) []string {
	var names []string
	strangers := d.strangers(index)
	for m := range d.models {
		if len(d.keyIn(m, index).partition) > 0 || slices.Contains(strangers, m) {
			names = append(names, d.models[m].Name)
		}
	}
	return names
}

// sparse reports whether a global index has only some items of a model.
func (d draft) sparse(index int) bool {
	return slices.ContainsFunc(d.allModels(), func(m int) bool {
		k := d.keyIn(m, index)
		names := slices.Concat(k.partition, k.sort)
		return d.models[m].when(names) != nil || d.models[m].optional(names) != nil
	})
}

// localIndexes writes the local indexes.
func (d draft) localIndexes() (all []Index) {
	for i := range d.locals() {
		index := Index{Name: d.localName(i), Local: true, Key: d.keyAt(localPartition(i))}
		for m := range d.models {
			k := d.ways[m].localIn(i)
			if len(k.sort) > 0 {
				index.Models = append(index.Models, d.models[m].Name)
			}
			index.Sparse = index.Sparse || d.models[m].when(k.sort) != nil ||
				d.models[m].optional(k.sort) != nil
		}
		all = append(all, index)
	}
	return all
}

// vectorIndex writes a vector index.
func (d draft) vectorIndex(i int) VectorIndex {
	s := &d.similar[i]
	stored := func(name string) string { return d.storedName(s.model, name) }
	v := VectorIndex{Name: d.name(fmt.Sprintf("VECTOR%d", i+1)), Attribute: stored(s.attribute),
		Distance:   cosine,
		Dimensions: d.models[s.model].Attribute(s.attribute).Dimensions}
	if s.partition != "" {
		v.Partition = stored(s.partition)
	}
	for _, name := range s.filters {
		v.Filters = append(v.Filters, stored(name))
	}
	return v
}

// searchFor writes the request of a pattern that searches by a vector.
func (d draft) searchFor(pattern *Pattern) Query {
	m := d.modelIndex(pattern.Model)
	i := slices.IndexFunc(d.similar,
		func(s similar) bool { return s.model == m && s.attribute == pattern.Similar })
	q := Query{Pattern: pattern.Name, Models: pattern.models(), Operation: SearchVectors,
		Index:   d.vectorIndex(i).Name,
		Similar: pattern.Similar, Limit: max(int(pattern.returned()), 1)}
	for _, name := range pattern.Equal {
		q.Filters = append(q.Filters,
			Stored{Name: d.storedName(m, name), Value: Value{{Attribute: name}}})
	}
	return q
}

// filters returns the attributes of the table by which a pattern filters its items.
func (d draft) filters(m int, pattern *Pattern) (all []Stored) {
	for _, name := range pattern.Filter {
		all = append(all, Stored{Name: d.storedName(m, name), Value: Value{{Attribute: name}}})
	}
	return all
}
