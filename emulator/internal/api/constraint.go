package api

import "reflect"

// Constraint is what the model says of a type's values.
type Constraint struct {
	Min, Max int64        // of a string, list or map its length, of a number its value; Max 0: none
	Pattern  string       // the whole string must match
	Enum     []string     // in any order
	Integer  bool         // of a number: it has 32 bits
	Keys     reflect.Type // of a map: the type of its keys
}

// ConstraintOf returns the constraints on the values of a type, if there are any.
func ConstraintOf(t reflect.Type) (Constraint, bool) {
	c, ok := constraints[t]
	return c, ok
}
