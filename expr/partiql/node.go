// Package partiql parses DynamoDB's subset of PartiQL: Developer Guide, "PartiQL - a SQL-compatible
// query language for Amazon DynamoDB". It knows the grammar, and what the service refuses because
// of the text alone. The emulator translates a statement into the terms of package expr.
//
// A Statement is the result: its clauses hold Exprs, which are conditions, operands and literals.
// An Error says that a text cannot be read, and a Refusal that the service refuses it nevertheless.
// Statements from ParseCached are shared by requests and must not be modified.
package partiql

import "github.com/kugiri-db/kugiri/expr/internal/function"

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

// IsRead reports whether a statement of this kind reads items and returns them.
func (k Kind) IsRead() bool { return k == Select }

// Statement is a parsed statement. Its strings may be parts of its text.
type Statement struct {
	Kind       Kind
	Table      string
	Index      string  // "" is the table itself
	Projection []Path  // what SELECT names; nil is *
	Where      *Expr   // nil without WHERE
	Order      []Order // what ORDER BY names
	Item       *Expr   // the item of INSERT
	Changes    []Change
	Returning  Returning
	Params     int     // the number of ?
	Refusal    Refusal // why the service refuses it once it has found the table; "" if it does not

	src string
}

// At returns the position of a part of the statement as the service's texts name it: " at 1:8:5".
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

// Change is one SET, or one REMOVE, which has no Value.
type Change struct {
	Path  Path
	Value *Expr
}

// Returning is a RETURNING clause in the words of the parameter ReturnValues, or "".
type Returning string

// The RETURNING clauses: Developer Guide, "PartiQL update statements".
const (
	ReturnAllOld      Returning = "ALL_OLD"     // ALL OLD *
	ReturnModifiedOld Returning = "UPDATED_OLD" // MODIFIED OLD *
	ReturnAllNew      Returning = "ALL_NEW"     // ALL NEW *
	ReturnModifiedNew Returning = "UPDATED_NEW" // MODIFIED NEW *
)

// Op is the kind of an expression. Operators and functions have their names in package expr, if
// they exist there.
type Op string

// Operands.
const (
	OpPath    Op = "path"
	OpString  Op = "string"
	OpNumber  Op = "number"
	OpTrue    Op = "true"
	OpFalse   Op = "false"
	OpNull    Op = "null"
	OpMissing Op = "missing"
	OpParam   Op = "?"
	OpList    Op = "[]"
	OpMap     Op = "{}"
	OpSet     Op = "<<>>"
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

// The functions that code names. The table of functions has all, by their names.
const (
	OpBeginsWith Op = "begins_with"
	OpSetAdd     Op = "set_add"
	OpSetDelete  Op = "set_delete"
	OpUnknown    Op = "unknown function"
)

// Name returns the name of a function.
func (e *Expr) Name() string {
	if e.Op == OpUnknown {
		return e.Text
	}
	return string(e.Op)
}

// IsFunction reports whether an expression is a call.
func (o Op) IsFunction() bool {
	return o == OpUnknown || function.OfPartiQL(string(o)) != function.Unknown
}

// Functions returns the names of all functions, in small letters.
func Functions() (names []string) {
	for _, f := range function.Table {
		if f.Name != "" && function.OfPartiQL(f.Name) != function.Unknown {
			names = append(names, f.Name)
		}
	}
	return names
}

// allowed reports whether a function may be in a place.
func (o Op) allowed(place function.Places) bool {
	return function.Table[function.OfPartiQL(string(o))].In(place)
}

// Expr is a condition, an operand or a literal.
type Expr struct {
	Op    Op
	Path  Path     // the path of OpPath
	Text  string   // the text of OpString, digits of OpNumber, type of OpIs, name of OpUnknown
	Param int      // the number of OpParam, from 0
	Names []string // the names of the Kids of OpMap
	Kids  []Expr
	At    Span // the place of the first token
}
