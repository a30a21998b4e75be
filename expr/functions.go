package expr

import "github.com/kugiri-db/kugiri/storage/item"

// typeSet is a set of data types.
type typeSet uint16

func typesOf(types ...item.Type) (s typeSet) {
	for _, t := range types {
		s |= 1 << t
	}
	return s
}

func (s typeSet) has(t item.Type) bool { return s&(1<<t) != 0 }

// The types that operands may have where the service checks them before it reads an item.
var (
	anyType      = ^typeSet(0)
	numbers      = typesOf(item.N)
	lists        = typesOf(item.L)
	orderedTypes = typesOf(item.S, item.N, item.B)
	sizedTypes   = typesOf(item.S, item.B, item.SS, item.NS, item.BS, item.M, item.L)
	setTypes     = typesOf(item.SS, item.NS, item.BS)
	addTypes     = setTypes | numbers
)

// function describes a function of the language: Developer Guide, "Condition and
// filter expressions, operators, and functions" and "Update expressions".
type function struct {
	name      string
	operands  int
	allowed   grammar    // the grammar that has the function
	isValue   bool       // it returns a value, and is no condition
	needsPath bool       // its first operand must be a document path
	distinct  bool       // its operands may not be the same path
	types     [2]typeSet // the types that its operands may have
}

// functions is indexed by op.
var functions = [...]function{
	opAttributeExists:    {name: "attribute_exists", operands: 1, needsPath: true},
	opAttributeNotExists: {name: "attribute_not_exists", operands: 1, needsPath: true},
	opAttributeType:      {name: "attribute_type", operands: 2, types: [2]typeSet{anyType, typesOf(item.S)}},
	opBeginsWith:         {name: "begins_with", operands: 2, distinct: true, types: [2]typeSet{typesOf(item.S, item.B), typesOf(item.S, item.B)}},
	opContains:           {name: "contains", operands: 2, distinct: true, types: [2]typeSet{anyType, anyType}},
	opSize:               {name: "size", operands: 1, isValue: true, types: [2]typeSet{sizedTypes}},
	opIfNotExists:        {name: "if_not_exists", operands: 2, allowed: grammarUpdate, isValue: true, needsPath: true, types: [2]typeSet{anyType, anyType}},
	opListAppend:         {name: "list_append", operands: 2, allowed: grammarUpdate, isValue: true, types: [2]typeSet{lists, lists}},
}

// functionNamed returns the function's op, or opUnknownFunction. Names are case-sensitive.
func functionNamed(name string) op {
	for o := opUnknownFunction + 1; int(o) < len(functions); o++ {
		if functions[o].name == name {
			return o
		}
	}
	return opUnknownFunction
}
