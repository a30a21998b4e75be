package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// name returns the name that a design gives to an index or a column.
func (p *planner) name(otherwise string) string {
	if name, ok := p.design.Names[otherwise]; ok {
		return name
	}
	return otherwise
}

// shareNames gives columns the names that the design has for them.
func (p *planner) shareNames(a *arrangement) {
	for _, c := range a.columns {
		c.called = p.name(c.positional())
	}
}

// checkNames checks that the names of a design are those of indexes and columns, and differ.
func (p *planner) checkNames(a *arrangement, plan *Plan) error {
	var there []string
	for _, c := range a.columns {
		there = append(there, c.positional())
	}
	for i := range a.count {
		there = append(there, fmt.Sprintf("GSI%d", i+1))
	}
	for i := range a.locals() {
		there = append(there, fmt.Sprintf("LSI%d", i+1))
	}
	for i := range plan.VectorIndexes {
		there = append(there, fmt.Sprintf("VECTOR%d", i+1))
	}
	for _, name := range slices.Sorted(maps.Keys(p.design.Names)) {
		if !slices.Contains(there, name) {
			return &FieldError{"names." + name, "the plan has " + strings.Join(there, ", ") + ", and none of this name"}
		}
	}
	return plan.checkDistinct()
}

// checkDistinct checks that indexes have valid names and that no two have the same one, and that no
// two attributes of an item do.
func (p *Plan) checkDistinct() error {
	var indexes []string
	for _, index := range p.Indexes {
		indexes = append(indexes, index.Name)
	}
	for _, index := range p.VectorIndexes {
		indexes = append(indexes, index.Name)
	}
	for i, name := range indexes {
		if !validTableName(name) || slices.Contains(indexes[:i], name) {
			return &FieldError{"names", fmt.Sprintf("%q cannot name an index: want 3 to 255 characters that name no other index", name)}
		}
	}
	for _, e := range p.Entities {
		seen := map[string]bool{}
		for _, s := range slices.Concat(e.Keys, e.Others) {
			if seen[s.Name] {
				return &FieldError{"names", fmt.Sprintf("items of %s would have two attributes %s: choose another name", e.Model, s.Name)}
			}
			seen[s.Name] = true
		}
	}
	return nil
}

// ttlName returns the attribute of the time to live: a table has one, whose name the first model with
// a time to live gives.
func (p *planner) ttlName() string {
	for i := range p.models {
		if ttl := p.models[i].TTL; ttl != "" {
			return ttl
		}
	}
	return ""
}
