package writing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// expressions has the names and values of a request's expressions, with a placeholder for each.
type expressions[V any] struct {
	Names  map[string]string
	Values map[string]V
}

// Name returns the placeholder of an attribute.
func (e *expressions[V]) Name(of string) string {
	for placeholder, name := range e.Names {
		if name == of {
			return placeholder
		}
	}
	if e.Names == nil {
		e.Names = map[string]string{}
	}
	placeholder := fmt.Sprintf("#n%d", len(e.Names))
	e.Names[placeholder] = of
	return placeholder
}

// Value returns a placeholder for a value.
func (e *expressions[V]) Value(v V) string {
	if e.Values == nil {
		e.Values = map[string]V{}
	}
	placeholder := fmt.Sprintf(":v%d", len(e.Values))
	e.Values[placeholder] = v
	return placeholder
}

// Missing returns the condition that the table has no item with the key. partition is an attribute
// of the key.
func (e *expressions[V]) Missing(partition string) string {
	return "attribute_not_exists(" + e.Name(partition) + ")"
}

// There returns the condition that the item is there, and has some attributes as they were.
func (e *expressions[V]) There(partition string, was map[string]V, same []string) string {
	condition := "attribute_exists(" + e.Name(partition) + ")"
	for _, name := range same {
		condition += " AND " + e.Same(was, name)
	}
	return condition
}

// Same returns the condition that an item has an attribute as it was.
func (e *expressions[V]) Same(was map[string]V, name string) string {
	if v, ok := was[name]; ok {
		return e.Name(name) + " = " + e.Value(v)
	}
	return "attribute_not_exists(" + e.Name(name) + ")"
}

// Last returns the condition that a number is the last one. Before the first one an item has no
// last number, or 0.
func (e *expressions[V]) Last(name string, last V, first bool) string {
	condition := e.Name(name) + " = " + e.Value(last)
	if first {
		return "(attribute_not_exists(" + e.Name(name) + ") OR " + condition + ")"
	}
	return condition
}

// Older returns the condition that an item has a lower value of an attribute than a newer one, or
// none.
func (e *expressions[V]) Older(name string, than V) string {
	attribute := e.Name(name)
	return "(attribute_not_exists(" + attribute + ") OR " + attribute + " < " + e.Value(than) + ")"
}

// Update returns the update expression between two states of an item, or "" if they are the same.
func (e *expressions[V]) Update(was, is map[string]V, same func(a, b V) bool) string {
	var sets, removes, parts []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if before, ok := was[name]; !ok || !same(before, is[name]) {
			sets = append(sets, e.Name(name)+" = "+e.Value(is[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, stays := is[name]; !stays {
			removes = append(removes, e.Name(name))
		}
	}
	if sets != nil {
		parts = append(parts, "SET "+strings.Join(sets, ", "))
	}
	if removes != nil {
		parts = append(parts, "REMOVE "+strings.Join(removes, ", "))
	}
	return strings.Join(parts, " ")
}

// Add returns the update expression that adds numbers to counters. sets are attributes of an item
// that the first number makes.
func (e *expressions[V]) Add(sets map[string]V, counters []string, numbers []V) string {
	text := e.Update(nil, sets, nil)
	if text != "" {
		text += " "
	}
	adds := make([]string, len(counters))
	for i, name := range counters {
		adds[i] = e.Name(name) + " " + e.Value(numbers[i])
	}
	return text + "ADD " + strings.Join(adds, ", ")
}

// Amount returns the assignment that changes a number by an amount, and the condition that the
// number is at least as much.
func (e *expressions[V]) Amount(name, sign string, amount V) (assignment, enough string) {
	number, by := e.Name(name), e.Value(amount)
	return number + " = " + number + " " + sign + " " + by, number + " >= " + by
}
