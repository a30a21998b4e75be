package expr

import (
	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The types that the operands of operators may have.
var (
	numbers      = function.TypesOf(item.N)
	orderedTypes = function.TypesOf(item.S, item.N, item.B)
	addTypes     = function.Sets | numbers
)

// function returns what the table of functions says of an operator that is a function.
func (o op) function() *function.Function { return &function.Table[o-opUnknownFunction] }

// functionNamed returns the function's op, or opUnknownFunction. Names are case-sensitive.
func functionNamed(name string) op { return opUnknownFunction + op(function.OfExpressions(name)) }

// places returns where a function must be allowed to be in expressions of the grammar.
func (g grammar) places() function.Places {
	switch g {
	case grammarCondition:
		return function.InCondition
	case grammarUpdate:
		return function.InUpdate
	}
	return 0
}
