package design

import (
	"fmt"
	"slices"
)

// Quotas of vector indexes (Developer Guide, "Quotas in Amazon DynamoDB", "Vector indexes").
const (
	maxVectorIndexes = 5
	maxFilters       = 18
)

// similar is a vector index that the patterns of one model search.
type similar struct {
	model     int
	attribute string
	partition string   // the attribute that all patterns name; "" is none
	filters   []string // the attributes that some patterns name
}

// vectorIndexes plans the vector indexes: one for each vector by which patterns search. An attribute
// that all of these name is its partition, because a search then examines fewer vectors.
func (p *planner) vectorIndexes() error {
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if pattern.Similar == "" {
			continue
		}
		s := p.similarOf(p.modelIndex(pattern.Model), pattern.Similar)
		p.note(2, pattern.Name, "searches %s by %s, in a vector index", pattern.Model, pattern.Similar)
		switch field := fmt.Sprintf("patterns[%d].similar", i); {
		case len(p.similar) > maxVectorIndexes:
			return &FieldError{field, fmt.Sprintf("a table has at most %d vector indexes, one for each vector: put the model into another table", maxVectorIndexes)}
		case len(s.filters) > maxFilters:
			return &FieldError{field, fmt.Sprintf("a vector index has at most %d filters: leave attributes out of equal", maxFilters)}
		}
	}
	return nil
}

// similarOf returns the vector index of a vector. The first pattern that searches it makes it.
func (p *planner) similarOf(m int, attribute string) *similar {
	at := slices.IndexFunc(p.similar, func(s similar) bool { return s.model == m && s.attribute == attribute })
	if at >= 0 {
		return &p.similar[at]
	}
	s := similar{model: m, attribute: attribute}
	var common []string
	first := true
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if pattern.Similar != attribute || pattern.Model != p.models[m].Name {
			continue
		}
		if first {
			common, first = slices.Clone(pattern.Equal), false
		}
		common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(pattern.Equal, name) })
		for _, name := range pattern.Equal {
			if !slices.Contains(s.filters, name) {
				s.filters = append(s.filters, name)
			}
		}
	}
	if len(common) > 0 {
		s.partition = slices.MaxFunc(common, func(a, b string) int { return int(min(max(p.models[m].values(a)-p.models[m].values(b), -1), 1)) })
		s.filters = slices.DeleteFunc(s.filters, func(name string) bool { return name == s.partition })
	}
	p.similar = append(p.similar, s)
	return &p.similar[len(p.similar)-1]
}

// searched reports whether a vector index holds an attribute of a model under a name of its own.
func (p *planner) searched(m int, name string) bool {
	return slices.ContainsFunc(p.similar, func(s similar) bool {
		return s.model == m && (s.attribute == name || s.partition == name || slices.Contains(s.filters, name))
	})
}

// vectorIndex writes a vector index.
func (p *planner) vectorIndex(a *arrangement, i int) VectorIndex {
	s := &p.similar[i]
	stored := func(name string) string { return p.storedName(a, s.model, name) }
	v := VectorIndex{Name: p.name(fmt.Sprintf("VECTOR%d", i+1)), Attribute: stored(s.attribute), Distance: Cosine,
		Dimensions: p.models[s.model].Attribute(s.attribute).Dimensions}
	if s.partition != "" {
		v.Partition = stored(s.partition)
	}
	for _, name := range s.filters {
		v.Filters = append(v.Filters, stored(name))
	}
	return v
}

// search writes the request of a pattern that searches by a vector.
func (p *planner) searchFor(a *arrangement, pattern *Pattern) Query {
	m := p.modelIndex(pattern.Model)
	i := slices.IndexFunc(p.similar, func(s similar) bool { return s.model == m && s.attribute == pattern.Similar })
	q := Query{Pattern: pattern.Name, Models: pattern.models(), Operation: SearchVectors, Index: p.vectorIndex(a, i).Name,
		Similar: pattern.Similar, Limit: max(int(pattern.returned()), 1)}
	for _, name := range pattern.Equal {
		q.Filters = append(q.Filters, Stored{Name: p.storedName(a, m, name), Value: Value{{Attribute: name}}})
	}
	return q
}

// vectorInputs returns the vector indexes as CreateTable takes them.
func (p *Plan) vectorInputs() (all []any) {
	for _, v := range p.VectorIndexes {
		var schema []map[string]string
		if v.Partition != "" {
			schema = append(schema, map[string]string{"AttributeName": v.Partition, "SearchSchemaElementType": "HASH"})
		}
		for _, name := range v.Filters {
			schema = append(schema, map[string]string{"AttributeName": name, "SearchSchemaElementType": "INLINE_FILTER"})
		}
		in := map[string]any{
			"IndexName": v.Name, "VectorAttribute": map[string]string{"AttributeName": v.Attribute}, "Dimensions": v.Dimensions,
			"DistanceFunction": v.Distance, "Projection": Projection{}.input(),
		}
		if schema != nil {
			in["SearchSchema"] = schema
		}
		all = append(all, in)
	}
	return all
}

// searchDefinitions returns the types of the attributes of search schemas.
func (p *Plan) searchDefinitions() (all []map[string]string) {
	for _, v := range p.VectorIndexes {
		for _, e := range p.Entities {
			for _, s := range e.Others {
				if s.Name == v.Partition || slices.Contains(v.Filters, s.Name) {
					t := p.Design.Model(e.Model).Attribute(s.Value[0].Attribute).Type
					all = append(all, map[string]string{"AttributeName": s.Name, "AttributeType": t.letter()})
				}
			}
		}
	}
	return all
}

// search writes a bound SearchVectors.
func (b Bound) search(table string, attribute func(any) any) map[string]any {
	in := map[string]any{"TableName": table, "IndexName": b.Index, "TopK": b.Limit, "SearchVector": vectorOf(b.Vector, attribute)}
	condition, names, values := "", map[string]string{}, map[string]any{}
	for i, f := range b.Filters {
		if i > 0 {
			condition += " AND "
		}
		condition += fmt.Sprintf("#f%d = :f%[1]d", i)
		names[fmt.Sprintf("#f%d", i)], values[fmt.Sprintf(":f%d", i)] = f.Name, attribute(b.FilterValues[i])
	}
	if condition != "" {
		in["SearchConditionExpression"], in["ExpressionAttributeValues"] = condition, values
	}
	b.askInto(in, names)
	return in
}

// vectorOf writes a vector as a SearchVector: a list of attribute values.
func vectorOf(v any, attribute func(any) any) (all []any) {
	numbers, _ := v.([]any)
	for _, number := range numbers {
		all = append(all, attribute(number))
	}
	return all
}
