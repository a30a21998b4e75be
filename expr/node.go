package expr

// grammar is one of the three languages that the five parameters are written in.
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

// tree is a parsed expression. It is immutable and shared by requests. It may share memory
// with the text that it was parsed from, which for those of the cache is the cache's own.
type tree struct {
	grammar grammar
	src     string
	root    node     // of a condition
	actions []action // of an update
	paths   [][]step // of a projection its paths; of a condition all that it names

	// suspect trees have a reserved word for a name, or a function where it may not be.
	suspect bool

	// refs are the placeholders, each once, in order of appearance: slot i is refs[i].
	refs []string

	settled *Condition // what a condition without placeholders is for every request; nil if it has to be bound
}

// step is one element of a document path: a name, a placeholder of one, or an index.
type step struct {
	name  string // attribute name; "" for a placeholder or an index
	slot  int32  // of the placeholder, or -1
	index int32  // of a list element, or -1
}

// op says what a node is.
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

	opUnknownFunction // never evaluated: its tree is rejected
	opAttributeExists
	opAttributeNotExists
	opAttributeType
	opBeginsWith
	opContains
	opSize
	opIfNotExists
	opListAppend
)

// opNames are the spellings of operators; functions are in the table functions.
var opNames = [...]string{
	opAnd: "AND", opOr: "OR", opNot: "NOT", opEq: "=", opNe: "<>", opLt: "<", opLe: "<=", opGt: ">", opGe: ">=",
	opBetween: "BETWEEN", opIn: "IN", opPlus: "+", opMinus: "-",
}

func (o op) String() string {
	if o >= opUnknownFunction {
		return functions[o].name
	}
	return opNames[o]
}

func (o op) isFunction() bool { return o >= opUnknownFunction }

// isOperand reports whether a node can be nothing but an operand.
func (o op) isOperand() bool { return o == opPath || o == opValue }

// node is a part of a condition, or of the right side of a SET.
type node struct {
	op     op
	parens bool   // it stood in parentheses
	slot   int32  // opValue: which placeholder
	path   []step // opPath; of opUnknownFunction its name
	kids   []node
}

// function is the name of a function as it was written.
func (n *node) function() string {
	if n.op == opUnknownFunction {
		return n.path[0].name
	}
	return functions[n.op].name
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
	value   node // none for REMOVE
}
