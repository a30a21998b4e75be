// Package expr implements DynamoDB's expression language: condition, filter, key condition, update
// and projection expressions, and the legacy parameters that came before them.
//
// # Phases
//
//	text ── lex ── parse ──> tree ── bind with a Scope ──> Condition, Update, … ── evaluate
//	        cached by the text       once per request           per item
//
// The parser makes a tree that knows nothing of any request. Placeholders (#name, :value) are
// numbered slots in it. A Scope holds the names and values of a request. Binding a tree to a Scope
// fills the slots, and checks names, operands and paths. The result is evaluated against any number
// of items, without decoding them: operands are parts of the item's text.
//
// # Nouns and lifetimes
//
// A tree has nodes: operators and functions with operands, paths and values. Trees are immutable
// and shared through the cache. A Scope is for one request and one goroutine. A Condition, a
// Projection and an Update are bound trees. They are immutable, safe for concurrent use, and valid
// as long as the names and values of their Scope. A Builder makes Conditions and Updates without a
// text, for PartiQL. Nothing in this package has a lock except the cache.
//
// # The way of an expression
//
// For a PutItem the emulator opens a Scope, and Scope.Condition parses and binds the
// ConditionExpression. Under the store's lock, Condition.Match evaluates it against the old item.
// For an UpdateItem, Update.Apply makes the new item. For a Query, Scope.KeyCondition returns
// KeyTerms, from which the emulator computes a range of keys, and Match and Projection.AppendJSON
// filter and project the items of the page. At the end Scope.Unused reports placeholders that
// nothing used.
//
// # Order of checks
//
// An expression can have several mistakes; the service reports the first one of the first
// phase that finds any. The phases of any expression:
//
//  1. It is empty (""), or too long.
//  2. Syntax and redundant parentheses, whichever is further left (service facts B.12).
//     Blanks alone are a syntax error (B.5). Keywords are tokens everywhere (B.11).
//  3. Too many operators; paths that are too deep and indexes out of range; a clause of an
//     update used twice.
//
// Then a condition, filter or key condition has one phase, from left to right (3.6, 12.5,
// B.7), in which the mistakes of a node come in this order:
//
//  1. A function that is unknown, not of the grammar, or not allowed where it is; a first
//     operand that is not distinct from the others.
//  2. The operands: reserved words, undefined names and values, and what is inside them.
//  3. The number of operands, a missing path, types, type names, bounds.
//
// An update has three (12.5, B.9):
//
//  1. From left to right: functions as above, reserved words, undefined names and values.
//  2. Paths that overlap or conflict, whichever is found first.
//  3. From left to right: operands as in 3 above.
//
// A projection has four: reserved words (M.10); undefined names; paths that overlap; paths that
// conflict (12.5).
//
// The operation decides in which order the expressions of a request are checked. Unused names and
// values are checked after all of them.
package expr

import "github.com/kugiri-db/kugiri/storage/item"

// Kind names an expression parameter as the service's messages do.
type Kind string

const (
	KindCondition       Kind = "ConditionExpression"
	KindFilter          Kind = "FilterExpression"
	KindKeyCondition    Kind = "KeyConditionExpression"
	KindSearchCondition Kind = "SearchConditionExpression"
	KindUpdate          Kind = "UpdateExpression"
	KindProjection      Kind = "ProjectionExpression"
)

// Error is the text of a ValidationException.
type Error string

func (e Error) Error() string { return string(e) }

// Limits of the Developer Guide, "Quotas", "Expression parameters", and
// "Nested attributes depth".
const (
	maxExpressionBytes   = 4 << 10
	maxOperators         = 300
	maxInOperands        = 100
	maxPlaceholderBytes  = 255
	maxSubstitutionBytes = 2 << 20
	maxPathDepth         = 32
	maxNestedLevels      = item.MaxDepth // lists and maps around a value: service facts 1.8
)
