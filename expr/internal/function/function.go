// Package function has the functions of expressions and of PartiQL: their names, where a call may
// be, what its operands may be, and its evaluation. A new function is an ID, a line of Table, and
// what evaluates it.
package function

import "github.com/kugiri-db/kugiri/storage/item"

// Places is a set of places where a call may be.
type Places uint8

// The places. PartiQL has its own, because it lacks a function of updates and has others.
const (
	InCondition Places = 1 << iota // a condition or filter
	InUpdate                       // the right side of an update's SET
	InWhere                        // PartiQL's WHERE
	InSet                          // a part of what PartiQL's SET assigns
	AsSet                          // all of what PartiQL's SET assigns
)

const (
	inExpressions = InCondition | InUpdate
	inPartiQL     = InWhere | InSet | AsSet
	inConditions  = InCondition | InWhere
)

// Function describes a function: Developer Guide, "Condition and filter expressions, operators, and
// functions", "Update expressions" and "Use PartiQL functions with DynamoDB"; service facts 2.11.
type Function struct {
	Name      string
	Places    Places
	Operands  int       // how many it has
	Types     [2]Types  // the types that its operands may have
	Result    item.Type // what it returns; BOOL is a condition, NoType depends on the operands
	NeedsPath bool      // its first operand must be a document path
	Distinct  bool      // its operands may not be the same path
	Unnested  bool      // it cannot be an operand of itself: service facts 8.3
	Charge    int       // its part of an update's charge in bytes: service facts 1.11

	// Holds evaluates a condition. A missing operand is "". It is nil for those that ask whether
	// there is a path, which package expr does itself.
	Holds func(v, w item.Value) bool

	// Value evaluates any other function, and returns "" if there is no value. In a condition an
	// operand may be missing, which is "". An update evaluates two operands, which are of the
	// Types. It is nil where package expr decides which operands to evaluate.
	Value func(v, w item.Value) item.Value
}

// IsCondition reports whether the function is a condition, not a value.
func (f *Function) IsCondition() bool { return f.Result == item.BOOL }

// In reports whether a call may be in one of the places.
func (f *Function) In(places Places) bool { return f.Places&places != 0 }

// ID is a function's index in Table.
type ID uint8

// The functions. The parsers use Unknown for any other name.
const (
	Unknown ID = iota
	AttributeExists
	AttributeNotExists
	AttributeType
	BeginsWith
	Contains
	Size
	IfNotExists
	ListAppend
	SetAdd    // only PartiQL has it: it is an update's ADD
	SetDelete // only PartiQL has it: it is an update's DELETE
)

// Table has all functions.
var Table = [...]Function{
	Unknown: {Result: item.BOOL},
	AttributeExists: {Name: "attribute_exists", Places: inConditions, Operands: 1,
		Result: item.BOOL, NeedsPath: true},
	AttributeNotExists: {Name: "attribute_not_exists", Places: inConditions, Operands: 1,
		Result: item.BOOL, NeedsPath: true},
	AttributeType: {Name: "attribute_type", Places: inConditions, Operands: 2,
		Types: [2]Types{AnyType, TypesOf(item.S)}, Result: item.BOOL, Holds: hasType},
	BeginsWith: {Name: "begins_with", Places: inConditions, Operands: 2,
		Types: [2]Types{prefixed, prefixed}, Result: item.BOOL, Distinct: true, Holds: beginsWith},
	Contains: {Name: "contains", Places: inConditions, Operands: 2,
		Types: [2]Types{AnyType, AnyType}, Result: item.BOOL, Distinct: true, Holds: contains},
	Size: {Name: "size", Places: inConditions, Operands: 1,
		Types: [2]Types{sized}, Result: item.N, Value: size},
	IfNotExists: {Name: "if_not_exists", Places: InUpdate, Operands: 2,
		Types: [2]Types{AnyType, AnyType}, NeedsPath: true, Charge: 39},
	ListAppend: {Name: "list_append", Places: InUpdate | InSet, Operands: 2,
		Types: [2]Types{Lists, Lists}, Result: item.L, Unnested: true, Charge: 37, Value: Append},
	SetAdd:    {Name: "set_add", Places: AsSet, Operands: 2},
	SetDelete: {Name: "set_delete", Places: AsSet, Operands: 2},
}

// OfExpressions returns the function of expressions with a name, or Unknown. Names are
// case-sensitive.
func OfExpressions(name string) ID { return named(name, inExpressions) }

// OfPartiQL returns the function of PartiQL with a name in small letters, or Unknown.
func OfPartiQL(name string) ID { return named(name, inPartiQL) }

func named(name string, places Places) ID {
	for id := range Table {
		if f := &Table[id]; f.Name == name && f.In(places) {
			return ID(id)
		}
	}
	return Unknown
}

func hasType(v, name item.Value) bool {
	return v != "" && name.Type() == item.S && v.Type() == item.TypeNamed(name.Str())
}

func beginsWith(v, prefix item.Value) bool {
	return Same(v, prefix, prefixed) && item.BeginsWith(v, prefix)
}

func contains(v, w item.Value) bool { return v != "" && w != "" && item.Contains(v, w) }

func size(v, _ item.Value) item.Value {
	if v == "" || v.Len() < 0 {
		return ""
	}
	return sizeValue(v.Len())
}

// Append joins two lists in wire form, {"L":[...]}.
func Append(a, b item.Value) item.Value {
	const open, shut = `{"L":[`, `]}`
	switch {
	case a.Len() == 0:
		return b
	case b.Len() == 0:
		return a
	}
	return a[:len(a)-len(shut)] + "," + b[len(open):]
}
