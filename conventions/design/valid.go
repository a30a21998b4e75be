package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// checkNames checks that the design names only indexes and columns that there are, and that no two
// things have the same name.
func checkNames(a *arrangement, plan *Plan) error {
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
	for _, name := range slices.Sorted(maps.Keys(a.design.Names)) {
		if slices.Contains(there, name) {
			continue
		}
		if plan.unnamed = append(plan.unnamed, name); !a.design.part {
			return conventions.FieldErrorf("names."+name,
				"the plan has %s, and none of this name", strings.Join(there, ", "))
		}
	}
	return checkDistinct(plan)
}

// checkDistinct checks that indexes have valid names and that no two have the same one, and that no
// two attributes of an item do.
func checkDistinct(p *Plan) error {
	var indexes []string
	for _, index := range p.Indexes {
		indexes = append(indexes, index.Name)
	}
	for _, index := range p.VectorIndexes {
		indexes = append(indexes, index.Name)
	}
	for i, name := range indexes {
		if !validTableName(name) || slices.Contains(indexes[:i], name) {
			return conventions.FieldErrorf("names",
				"%q cannot name an index: want 3 to 255 characters that name no other index", name)
		}
	}
	for _, e := range p.Entities {
		seen := map[string]bool{}
		for _, s := range slices.Concat(e.Keys, e.Others) {
			if seen[s.Name] {
				return conventions.FieldErrorf("names",
					"items of %s would have two attributes %s: choose another name", e.Model, s.Name)
			}
			seen[s.Name] = true
		}
	}
	return nil
}

// checkBinaries returns an error if a key would hold a binary in a string.
func checkBinaries(p *Plan) error {
	for i, e := range p.Entities {
		attributes := p.Design.Models[i].Attributes
		for _, s := range e.Keys {
			j := slices.IndexFunc(attributes,
				func(a Attribute) bool { return a.Type == Binary && s.holds(a.Name) })
			if j < 0 || columnType(p, s.Name) != String {
				continue
			}
			return conventions.FieldErrorf(fmt.Sprintf("models[%d].attributes[%d].type", i, j),
				"%s would hold %s beside strings, and a binary cannot be part of a string: want a string, such as its hexadecimal digits", s.Name, attributes[j].Name)
		}
	}
	return nil
}

// columnType returns the type of an attribute of keys.
func columnType(p *Plan, name string) Type {
	return p.Columns[slices.IndexFunc(p.Columns,
		func(c Column) bool { return c.Name == name })].Type
}

// holds reports whether an attribute of the model is in a stored value.
func (s *Stored) holds(attribute string) bool {
	return slices.ContainsFunc(s.Value, func(part Part) bool { return part.Attribute == attribute })
}
