package api

import "reflect"

// Constraint holds the constraints of the model on the values of a type.
type Constraint struct {
	// the length of a string, list or map; the value of a number; no constraint if Max is 0
	Min, Max int64
	Pattern  string       // a regular expression for the whole string
	Enum     []string     // the values, in any order
	Integer  bool         // a number of 32 bits
	Keys     reflect.Type // the type of a map's keys
}

// ConstraintOf returns the constraints on the values of a type. ok is false for a type without any.
func ConstraintOf(t reflect.Type) (Constraint, bool) {
	c, ok := constraints[t]
	return c, ok
}
