package writing

import "embed"

// Support has the file that this package and the packages of generated code have in common: package
// render copies it.
//
//go:embed expressions_support.go
var Support embed.FS

// Expressions are those of generated code. Their type has no exported name of its own, because a
// generated package shows what it exports.
type Expressions[V any] = expressions[V]
