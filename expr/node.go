package expr

import "github.com/kugiri-db/kugiri/expr/internal/function"

// grammar is one of the three languages of the five parameters.
type grammar uint8

const (
	grammarCondition grammar = iota
	grammarUpdate
	grammarPaths
)

func (k Kind) grammar() grammar {
	switch k {
	case KindUpdate:
		return grammarUpdate
	case KindProjection:
		return grammarPaths
	}
	return grammarCondition
}

// tree is a parsed expression. It is immutable, and requests share it. It may share memory with its
// text, which the cache owns for the trees in the cache.
type tree struct {
	grammar grammar
	src     string
	root    node     // the condition, if it is one
	actions []action // the actions of an update
	paths   [][]step // the paths of a projection, or all paths in a condition

	// suspect is set if a name is a reserved word, or a function is where it may not be.
	suspect bool

	// refs are the placeholders, each once, in order of appearance: slot i is refs[i].
	refs []string
}

// step is one element of a document path: a name, a placeholder of one, or an index.
type step struct {
	name  string // attribute name; "" for a placeholder or an index
	slot  int32  // the number of the placeholder, or -1
	index int32  // the index of a list element, or -1
}

// op is the kind of a node.
type op uint8

const (
	opPath op = iota + 1
	opValue

	opAnd
	opOr
	opNot
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opBetween
	opIn

	opPlus
	opMinus

	opUnknownFunction // never evaluated, because its tree is rejected
)

// The functions that code names. Any other follows opUnknownFunction as well, at its place in the
// table of functions.
const (
	opAttributeExists    = opUnknownFunction + op(function.AttributeExists)
	opAttributeNotExists = opUnknownFunction + op(function.AttributeNotExists)
	opAttributeType      = opUnknownFunction + op(function.AttributeType)
	opBeginsWith         = opUnknownFunction + op(function.BeginsWith)
	opContains           = opUnknownFunction + op(function.Contains)
	opIfNotExists        = opUnknownFunction + op(function.IfNotExists)
)

// opNames holds the spellings of operators. Those of functions are in their table.
var opNames = [...]string{
	opAnd: "AND", opOr: "OR", opNot: "NOT", opEq: "=", opNe: "<>", opLt: "<", opLe: "<=", opGt: ">",
	opGe:      ">=",
	opBetween: "BETWEEN", opIn: "IN", opPlus: "+", opMinus: "-",
}

func (o op) String() string {
	if o >= opUnknownFunction {
		return o.function().Name
	}
	return opNames[o]
}

func (o op) isFunction() bool { return o >= opUnknownFunction }

// isOperand reports whether a node can only be an operand.
func (o op) isOperand() bool { return o == opPath || o == opValue }

// isTruth reports whether a node is a condition, not an operand.
func (o op) isTruth() bool {
	return o >= opAnd && o <= opIn || o.isFunction() && o.function().IsCondition()
}

// isJunction reports whether an operator's operands are conditions.
func (o op) isJunction() bool { return o == opAnd || o == opOr || o == opNot }

// nestsItself reports whether both operators are one function that cannot be an operand of itself.
func (o op) nestsItself(operand op) bool {
	return o == operand && o.isFunction() && o.function().Unnested
}

// node is a part of a condition, or of the right side of SET.
type node struct {
	op     op
	parens bool   // it was in parentheses
	slot   int32  // the placeholder of opValue
	path   []step // the path of opPath, or the name of opUnknownFunction
	kids   []node
}

// called returns the name of a function as it was written.
func (n *node) called() string {
	if n.op == opUnknownFunction {
		return n.path[0].name
	}
	return n.op.function().Name
}

// section is a clause of an update expression.
type section uint8

const (
	sectionSet section = iota
	sectionRemove
	sectionAdd
	sectionDelete
)

var sectionNames = [...]string{"SET", "REMOVE", "ADD", "DELETE"}

func (s section) String() string { return sectionNames[s] }

// action is one change of an update expression.
type action struct {
	section section
	path    []step
	value   node // REMOVE has none
}
