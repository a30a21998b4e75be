package design

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
)

// Quotas of vector indexes (Developer Guide, "Quotas in Amazon DynamoDB", "Vector indexes").
const (
	maxVectorIndexes = 5
	maxFilters       = 18
)

// vectorIndexes plans the vector indexes: one for each vector by which patterns search. If these
// patterns all name an attribute, it is the partition, because a search then examines fewer
// vectors.
func (p *preparation) vectorIndexes() error {
	for i := range p.design.Patterns {
		pattern := &p.design.Patterns[i]
		if pattern.Similar == "" {
			continue
		}
		s := p.similarOf(p.modelIndex(pattern.Model), pattern.Similar)
		p.note(2, pattern.Name, "searches %s by %s, in a vector index", pattern.Model,
			pattern.Similar)
		switch field := fmt.Sprintf("patterns[%d].similar", i); {
		case len(p.similar) > maxVectorIndexes:
			return conventions.FieldErrorf(field,
				"a table has at most %d vector indexes, one for each vector: put the model into another table",
				maxVectorIndexes)
		case len(s.filters) > maxFilters:
			return conventions.FieldErrorf(field,
				"a vector index has at most %d filters: leave attributes out of equal", maxFilters)
		}
	}
	return nil
}

// similarOf returns the index of a vector. It makes it at the first call.
func (p *preparation) similarOf(m int, attribute string) *similar {
	at := slices.IndexFunc(p.similar,
		func(s similar) bool { return s.model == m && s.attribute == attribute })
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
		common = slices.DeleteFunc(common,
			func(name string) bool { return !slices.Contains(pattern.Equal, name) })
		for _, name := range pattern.Equal {
			if !slices.Contains(s.filters, name) {
				s.filters = append(s.filters, name)
			}
		}
	}
	if len(common) > 0 {
		s.partition = slices.MaxFunc(common,
			func(a, b string) int {
				return int(min(max(p.models[m].values(a)-p.models[m].values(b), -1), 1))
			})
		s.filters = slices.DeleteFunc(s.filters,
			func(name string) bool { return name == s.partition })
	}
	p.similar = append(p.similar, s)
	return &p.similar[len(p.similar)-1]
}
