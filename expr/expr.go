// Package expr is DynamoDB's expression language: condition, filter, key
// condition, update and projection expressions, and the legacy parameters that
// came before them.
//
// An expression goes through three phases. It is parsed into a tree that knows
// nothing of any request: the tree is cached by the expression's text, and
// placeholders (#name, :value) are numbered slots in it. The tree is bound to
// the names and values of a request (a Scope), which is when types of operands
// and overlaps of paths are checked. What is bound is then evaluated against
// any number of items, without decoding them.
//
// Errors come in the service's order: an empty or too long expression, its
// syntax, what the tree alone shows to be wrong (redundant parentheses, too many
// operators, reserved words, unknown or misplaced functions), undefined names
// and values, operands, paths that overlap or conflict.
package expr

// Kind names an expression parameter as the service's messages do.
type Kind string

const (
	KindCondition    Kind = "ConditionExpression"
	KindFilter       Kind = "FilterExpression"
	KindKeyCondition Kind = "KeyConditionExpression"
	KindUpdate       Kind = "UpdateExpression"
	KindProjection   Kind = "ProjectionExpression"
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
)
