package trigger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// filter decides by a part of a record: the value of one member, with present false if the record
// does not have it.
type filter interface {
	matches(value any, present bool) bool
}

// newFilters compiles patterns (Lambda Developer Guide, "Control which events Lambda sends to your
// function", Filter rule syntax).
func newFilters(patterns []string) (list []filter, err error) {
	for _, p := range patterns {
		if utf8.RuneCountInString(p) > maxPattern {
			return nil, fmt.Errorf("a filter has more than %d characters", maxPattern)
		}
		v, err := decode([]byte(p))
		if err != nil {
			return nil, fmt.Errorf("the filter %s: %w", p, err)
		}
		f, err := newFilter(v)
		if err != nil {
			return nil, fmt.Errorf("the filter %s: %w", p, err)
		}
		list = append(list, f)
	}
	return list, nil
}

// decode reads one JSON value. Numbers keep their digits.
func decode(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("there is more than one JSON value")
	}
	return v, nil
}

// matchesAny reports whether a record matches one of the filters. Without filters it does.
func matchesAny(filters []filter, record []byte) bool {
	if len(filters) == 0 {
		return true
	}
	v, err := decode(record)
	if err != nil {
		return false
	}
	for _, f := range filters {
		if f.matches(v, true) {
			return true
		}
	}
	return false
}

// object matches a JSON object all of whose named members match, or a list with such an object
// (service facts L.3).
type object struct {
	members map[string]filter
	either  filter // the patterns of "$or", or nil
}

func (o object) matches(value any, _ bool) bool {
	list, isList := value.([]any)
	for _, v := range list {
		if o.matches(v, true) {
			return true
		}
	}
	if len(list) > 0 {
		return false
	}
	if isList {
		value = nil
	}
	return o.matchesOne(value)
}

func (o object) matchesOne(value any) bool {
	members, _ := value.(map[string]any)
	for name, f := range o.members {
		v, present := members[name]
		if !f.matches(v, present) {
			return false
		}
	}
	return o.either == nil || o.either.matches(value, true)
}

// anyOf matches what one of several filters matches.
type anyOf []filter

func (list anyOf) matches(value any, present bool) bool {
	for _, f := range list {
		if f.matches(value, present) {
			return true
		}
	}
	return false
}

// rule matches a value. It says itself whether it matches none.
type rule func(value any, present bool) bool

func (r rule) matches(value any, present bool) bool {
	list, isList := value.([]any)
	if !isList {
		return r(value, present)
	}
	for _, v := range list { // a list matches by one of its elements
		if r(v, present) {
			return true
		}
	}
	return len(list) == 0 && r(nil, false)
}

// newFilter compiles a pattern of objects and lists.
func newFilter(pattern any) (filter, error) {
	switch p := pattern.(type) {
	case map[string]any:
		o := object{members: map[string]filter{}}
		for name, inner := range p {
			var err error
			if list, isList := inner.([]any); isList && name == "$or" {
				o.either, err = newEither(list)
			} else {
				o.members[name], err = newFilter(inner)
			}
			if err != nil {
				return nil, err
			}
		}
		return o, nil
	case []any:
		return newRules(p)
	}
	return nil, errors.New(`a value must be in a list: ["value"]`)
}

// newEither compiles the patterns of "$or": two or more. A member of that name that has no list is
// like any other.
func newEither(list []any) (filter, error) {
	if len(list) < 2 {
		return nil, errors.New("$or has a list of two objects or more")
	}
	var all anyOf
	for _, p := range list {
		if _, isObject := p.(map[string]any); !isObject {
			return nil, errors.New("$or has a list of objects")
		}
		f, err := newFilter(p)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// newRules compiles the list of rules of a member. One of them must match.
func newRules(list []any) (filter, error) {
	if len(list) == 0 {
		return nil, errors.New("a list of rules is empty")
	}
	var all anyOf
	for _, p := range list {
		r, err := newRule(p)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// newRule compiles a rule: a value, or a comparison such as {"prefix": "a"}.
func newRule(pattern any) (rule, error) {
	comparison, is := pattern.(map[string]any)
	if !is {
		if _, isList := pattern.([]any); isList {
			return nil, errors.New("a list of rules has a list")
		}
		return equals(pattern), nil
	}
	if len(comparison) != 1 {
		return nil, errors.New("a comparison has one member")
	}
	for name, operand := range comparison {
		switch name {
		case "exists":
			want, is := operand.(bool)
			if !is {
				return nil, errors.New("exists is true or false")
			}
			return func(value any, present bool) bool { // only leaves exist: service facts L.2
				_, node := value.(map[string]any)
				return (present && !node) == want
			}, nil
		case "numeric":
			return numeric(operand)
		case "anything-but":
			return anythingBut(operand)
		}
		return ofText(name, operand)
	}
	panic("unreachable: there is one member")
}

// equals matches a value. Numbers are equal if their values are.
func equals(want any) rule {
	number, isNumber := rational(want)
	return func(value any, present bool) bool {
		if !present {
			return false
		}
		if got, is := rational(value); is && isNumber {
			return got.Cmp(number) == 0
		}
		switch value.(type) {
		case map[string]any, []any:
			return false
		}
		return value == want
	}
}

// maxExponent limits the size of numbers in filters and records, which DynamoDB limits to 126.
const maxExponent = 400

// rational returns the value of a number. It refuses a number that no pattern could name: the time
// to read it grows with the square of its length.
func rational(v any) (*big.Rat, bool) {
	n, is := v.(json.Number)
	if !is || len(n) > maxPattern {
		return nil, false
	}
	if f, _, err := big.ParseFloat(string(n), 10, 64, big.ToNearestEven); err != nil ||
		f.MantExp(nil) > 4*maxExponent || f.MantExp(nil) < -4*maxExponent {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// comparisons are those of texts.
var comparisons = map[string]func(text, operand string) bool{
	"prefix": strings.HasPrefix, "suffix": strings.HasSuffix,
	"equals-ignore-case": strings.EqualFold,
}

// foldedComparisons are those that take {"equals-ignore-case": "text"} as well. The letters of
// another case may have another length.
var foldedComparisons = map[string]func(text, operand string) bool{
	"prefix": func(text, operand string) bool {
		return strings.HasPrefix(folded(text), folded(operand))
	},
	"suffix": func(text, operand string) bool {
		return strings.HasSuffix(folded(text), folded(operand))
	},
}

// folded returns a text with one case for all letters that are equal but for their case.
func folded(text string) string { return strings.ToLower(strings.ToUpper(text)) }

// ofText compiles the comparisons of texts.
func ofText(name string, operand any) (rule, error) {
	compare := comparisons[name]
	if compare == nil {
		return nil, fmt.Errorf("there is no comparison %q", name)
	}
	if inner, is := operand.(map[string]any); is && foldedComparisons[name] != nil {
		compare = foldedComparisons[name]
		if operand = inner["equals-ignore-case"]; len(inner) != 1 {
			operand = nil
		}
	}
	want, is := operand.(string)
	if !is {
		return nil, fmt.Errorf("%s takes a string", name)
	}
	return func(value any, _ bool) bool {
		text, is := value.(string)
		return is && compare(text, want)
	}, nil
}

// anythingBut compiles the negation of values, or of a comparison of texts.
func anythingBut(operand any) (rule, error) {
	var not []rule
	var err error
	switch operand := operand.(type) {
	case []any:
		not, err = notOfValues(operand)
	case map[string]any:
		not, err = notOfTexts(operand)
	default:
		not, err = notOfValues([]any{operand})
	}
	if err != nil {
		return nil, err
	}
	return func(value any, present bool) bool {
		for _, r := range not {
			if r(value, present) {
				return false
			}
		}
		return present
	}, nil
}

// notOfValues compiles the values in anything-but: texts, or else numbers (the README of Event
// Ruler, with which Lambda filters, "Anything-but matching").
func notOfValues(values []any) (not []rule, err error) {
	texts, numbers := 0, 0
	for _, v := range values {
		switch v.(type) {
		case string:
			texts++
		case json.Number:
			numbers++
		}
		not = append(not, equals(v))
	}
	if len(values) == 0 || texts != len(values) && numbers != len(values) {
		return nil, errors.New("anything-but takes texts or numbers")
	}
	return not, nil
}

// notOfTexts compiles the comparison in anything-but: one of texts, with one operand or a list of
// them (EventBridge User Guide, "Comparison operators for use in event patterns", Anything-but).
func notOfTexts(comparison map[string]any) (not []rule, err error) {
	if len(comparison) != 1 {
		return nil, errors.New("a comparison has one member")
	}
	for name, operand := range comparison {
		list, isList := operand.([]any)
		if !isList {
			list = []any{operand}
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("anything-but has an empty list of %s", name)
		}
		for _, operand := range list {
			r, err := ofText(name, operand)
			if err != nil {
				return nil, err
			}
			not = append(not, r)
		}
	}
	return not, nil
}

var errNumeric = errors.New(`numeric takes comparisons with numbers: [">", 0, "<=", 5]`)

// operators are those of numeric. Their functions take the result of Cmp.
var operators = map[string]func(compared int) bool{
	"=":  func(compared int) bool { return compared == 0 },
	"<":  func(compared int) bool { return compared < 0 },
	"<=": func(compared int) bool { return compared <= 0 },
	">":  func(compared int) bool { return compared > 0 },
	">=": func(compared int) bool { return compared >= 0 },
}

// numeric compiles comparisons of numbers: [">", 0, "<=", 5]. Numbers in items are strings, which
// do not match, as with Lambda.
func numeric(operand any) (rule, error) {
	list, _ := operand.([]any)
	if len(list) != 2 && len(list) != 4 {
		return nil, errNumeric
	}
	type bound struct {
		holds  func(compared int) bool
		number *big.Rat
	}
	var bounds []bound
	signs := ""
	for i := 0; i < len(list); i += 2 {
		operator, _ := list[i].(string)
		holds := operators[operator]
		number, is := rational(list[i+1])
		if holds == nil || !is {
			return nil, errNumeric
		}
		bounds = append(bounds, bound{holds, number})
		signs += operator[:1]
	}
	// the first of two comparisons is the lower bound
	if len(bounds) == 2 && (signs != "><" || bounds[0].number.Cmp(bounds[1].number) >= 0) {
		return nil, errNumeric
	}
	return func(value any, _ bool) bool {
		got, is := rational(value)
		for _, b := range bounds {
			if !is || !b.holds(got.Cmp(b.number)) {
				return false
			}
		}
		return true
	}, nil
}
