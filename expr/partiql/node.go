// Package partiql reads DynamoDB's subset of PartiQL: Developer Guide, "PartiQL -
// a SQL-compatible query language for Amazon DynamoDB". It knows the grammar, and what the
// service refuses for its text alone: what a statement means is said in terms of package expr.
package partiql

// Kind says what a statement does.
type Kind uint8

// The kinds of statements.
const (
	Select Kind = iota + 1
	Insert
	Update
	Delete
	Exists // EXISTS(SELECT ...), which only a transaction can hold
)

// IsRead reports whether such a statement only reads and answers what it read.
func (k Kind) IsRead() bool { return k == Select }

// Statement is a parsed statement. Its strings may be parts of its text.
type Statement struct {
	Kind       Kind
	Table      string
	Index      string  // "": the table itself
	Projection []Path  // of SELECT; nil: *
	Where      *Expr   // nil: none
	Order      []Order // of SELECT
	Item       *Expr   // of INSERT
	Changes    []Change
	Returning  Returning
	Params     int     // how many ? it has
	Refusal    Refusal // why the service refuses it, once it has found its table; "" if it does not

	src string
}

// At is the place of a part of the statement as the service's texts name it: " at 1:8:5".
func (s *Statement) At(part Span) string { return part.place(s.src) }

// Path is a document path. Its first step is a name.
type Path []Step

// Step is a name, or the index of a list element.
type Step struct {
	Name  string
	Index int // -1 for a name
}

// Order is one term of ORDER BY.
type Order struct {
	Path Path
	Desc bool
}

// Change is one SET or, without a Value, one REMOVE.
type Change struct {
	Path  Path
	Value *Expr
}

// Returning is what a RETURNING clause asks for, "" for nothing, in the words of
// the parameter ReturnValues.
type Returning string

// The RETURNING clauses: Developer Guide, "PartiQL update statements".
const (
	ReturnAllOld      Returning = "ALL_OLD"     // ALL OLD *
	ReturnModifiedOld Returning = "UPDATED_OLD" // MODIFIED OLD *
	ReturnAllNew      Returning = "ALL_NEW"     // ALL NEW *
	ReturnModifiedNew Returning = "UPDATED_NEW" // MODIFIED NEW *
)

// Op says what an expression is. Operators and functions are named as package
// expr names them, if it has them.
type Op string

// What is no operator.
const (
	OpPath   Op = "path"
	OpString Op = "string"
	OpNumber Op = "number"
	OpTrue   Op = "true"
	OpFalse  Op = "false"
	OpNull   Op = "null"
	OpParam  Op = "?"
	OpList   Op = "[]"
	OpMap    Op = "{}"
	OpSet    Op = "<<>>"
)

// Operators.
const (
	OpOr      Op = "OR"
	OpAnd     Op = "AND"
	OpNot     Op = "NOT"
	OpEq      Op = "="
	OpNe      Op = "<>"
	OpLt      Op = "<"
	OpLe      Op = "<="
	OpGt      Op = ">"
	OpGe      Op = ">="
	OpBetween Op = "BETWEEN"
	OpIn      Op = "IN"
	OpIs      Op = "IS"
	OpPlus    Op = "+"
	OpMinus   Op = "-"
)

// Functions: Developer Guide, "Use PartiQL functions with DynamoDB"; service facts 2.11.
const (
	OpAttributeExists    Op = "attribute_exists"
	OpAttributeNotExists Op = "attribute_not_exists"
	OpBeginsWith         Op = "begins_with"
	OpContains           Op = "contains"
	OpAttributeType      Op = "attribute_type"
	OpSize               Op = "size"
	OpListAppend         Op = "list_append"
	OpSetAdd             Op = "set_add"
	OpSetDelete          Op = "set_delete"
	OpUnknown            Op = "unknown function"
)

// Name is that of a function.
func (e *Expr) Name() string {
	if e.Op == OpUnknown {
		return e.Text
	}
	return string(e.Op)
}

// IsFunction reports whether an expression is a call.
func (o Op) IsFunction() bool { return functions[o] || o == OpUnknown }

var functions = map[Op]bool{
	OpAttributeExists: true, OpAttributeNotExists: true, OpBeginsWith: true, OpContains: true, OpAttributeType: true,
	OpSize: true, OpListAppend: true, OpSetAdd: true, OpSetDelete: true,
}

// Expr is a condition, an operand or a literal.
type Expr struct {
	Op    Op
	Path  Path     // of OpPath
	Text  string   // of OpString its text, of OpNumber its digits, of OpIs the type, of OpUnknown its name
	Param int      // of OpParam, from 0
	Names []string // of OpMap, of the Kids
	Kids  []Expr
	At    Span // of its first token
}
