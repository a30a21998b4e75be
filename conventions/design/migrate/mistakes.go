package migrate

import (
	"fmt"
	"slices"
)

// Mutation is a migration with a mistake in it.
type Mutation struct {
	Name      string
	Migration *Migration
}

// Without returns the migration with a mistake for each step: without it, or with it before a step
// that it comes after. A verification has to find each.
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
