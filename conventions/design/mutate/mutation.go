package mutate

import "github.com/kugiri-db/kugiri/conventions/design"

// Mutation is a plan with a mistake in it, which a verification has to find.
type Mutation struct {
	Name string
	Plan *design.Plan
}
