package support

import "github.com/kugiri-db/kugiri/conventions/design/writing"

// expressions is copied from package writing, which makes the requests of a plan with it: those
// that a proof sends have the expressions of generated code.
type expressions[V any] = writing.Expressions[V]
