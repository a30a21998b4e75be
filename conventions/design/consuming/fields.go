package consuming

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// Alone returns how an attribute of a model is stored where the table has an attribute with its
// value and nothing else, or nil.
func Alone(e *design.Entity, name string) *design.Stored {
	for _, s := range slices.Concat(e.Others, e.Keys) {
		if len(s.Value) == 1 && s.Value[0].Attribute == name && s.Value[0].Digits == 0 {
			return &s
		}
	}
	return nil
}

// IsField reports whether a row says what an attribute of its model is: it is neither constant nor
// follows from others.
func IsField(a *design.Attribute) bool { return a != nil && a.Constant == "" && a.Derived == nil }

// Split returns the keys that are split into their parts to read what an item of a model has
// nowhere alone, in the order in which they are split.
func Split(m *design.Model, e *design.Entity) (all []design.Stored) {
	done := map[string]bool{}
	for _, s := range e.Keys {
		needed := false
		for _, part := range s.Value {
			a := m.Attribute(part.Attribute)
			if !IsField(a) || Alone(e, a.Name) != nil {
				continue
			}
			needed = needed || !done[a.Name]
			done[a.Name] = s.When == nil
		}
		if needed {
			all = append(all, s)
		}
	}
	return all
}
