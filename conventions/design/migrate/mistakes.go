package migrate

import (
	"fmt"
	"slices"
)

// Mutation is a migration with a mistake in it, which a verification has to find.
type Mutation struct {
	Name      string
	Migration *Migration
}

// Without returns the mutations of a migration: without each of its steps, and with each before a
// step that has to come first.
func (m *Migration) Without() []Mutation {
	var all []Mutation
	for i, s := range m.Steps {
		c := *m
		c.Steps = slices.Delete(slices.Clone(m.Steps), i, i+1)
		all = append(all, Mutation{"nobody does: " + s.String(), &c})
		for _, before := range s.After {
			c := *m
			c.Steps = slices.Clone(m.Steps)
			c.Steps[before], c.Steps[i] = c.Steps[i], c.Steps[before]
			all = append(all, Mutation{fmt.Sprintf("%s: before %s", s, m.Steps[before]), &c})
		}
	}
	return all
}
