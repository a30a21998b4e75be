package migrate

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// attributesOf returns the attributes of a model's items.
func attributesOf(e *design.Entity) (names []string) {
	for _, s := range slices.Concat(e.Keys, e.Others) {
		names = append(names, s.Name)
	}
	return names
}

// valueOf returns what an attribute of the table holds of a model's items, or nil.
func valueOf(e *design.Entity, name string) design.Value {
	for _, s := range slices.Concat(e.Keys, e.Others) {
		if s.Name == name {
			return s.Value
		}
	}
	return nil
}

// contentOf describes what an attribute of the table holds of a model's items: equal descriptions
// mean equal values. It is "" if the items do not have the attribute.
func contentOf(p *design.Plan, model, name string) string {
	for _, s := range slices.Concat(p.Entity(model).Keys, p.Entity(model).Others) {
		if s.Name != name {
			continue
		}
		// maps are printed in the order of their keys
		text := fmt.Sprintf("%+v %v", []design.Part(s.Value), s.When)
		for _, part := range s.Value {
			if a := p.Design.Model(model).Attribute(part.Attribute); a != nil && a.Derived != nil {
				text += fmt.Sprintf(" %+v", *a.Derived)
			}
		}
		return text
	}
	return ""
}

// typeOf returns the type of an attribute of keys, or "".
func typeOf(p *design.Plan, column string) design.Type {
	for _, c := range p.Columns {
		if c.Name == column {
			return c.Type
		}
	}
	return ""
}

// patternOf returns the number of the pattern with a name, or -1.
func patternOf(p *design.Plan, name string) int {
	return slices.IndexFunc(p.Queries, func(q design.Query) bool { return q.Pattern == name })
}

// needsOneOf reports whether a result needs one of some attributes: no other one holds as much.
func needsOneOf(needs [][]string, names []string) bool {
	return slices.ContainsFunc(needs, func(holders []string) bool {
		return !slices.ContainsFunc(holders,
			func(name string) bool { return !slices.Contains(names, name) })
	})
}
