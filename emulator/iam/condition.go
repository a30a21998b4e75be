package iam

import (
	"fmt"
	"strings"
)

// condition compares the values of a context key with those of a policy.
type condition struct {
	operator string // the operator as it is written
	key      string // the key in lower case
	values   []string

	set      quantifier
	ifExists bool
	null     bool
	test     test
}

// quantifier says how many values of a key must match.
type quantifier uint8

// The quantifiers. Without one, a key is expected to have one value.
const (
	unquantified quantifier = iota
	forAllValues
	forAnyValue
)

// test compares a value of a key with one of a policy.
type test struct {
	matches func(value, wanted string) bool
	negated bool // the condition holds if no value of the policy matches
	globs   bool // values of the policy are patterns
	expands bool // values of the policy may have variables
}

func newCondition(operator, key string, values []conditionValue) (condition, error) {
	c := condition{operator: operator, key: strings.ToLower(key)}
	name := operator
	if rest, ok := strings.CutPrefix(name, "ForAllValues:"); ok {
		name, c.set = rest, forAllValues
	} else if rest, ok := strings.CutPrefix(name, "ForAnyValue:"); ok {
		name, c.set = rest, forAnyValue
	}
	if name == "Null" {
		c.null = true
	} else {
		name, c.ifExists = strings.CutSuffix(name, "IfExists")
		var known bool
		if c.test, known = tests[name]; !known {
			return c, fmt.Errorf("Invalid Condition type : %s", operator)
		}
	}
	if !strings.Contains(key, ":") || len(values) == 0 {
		return c, errSyntax
	}
	for _, v := range values {
		c.values = append(c.values, string(v))
	}
	return c, nil
}

// holds reports whether a request meets the condition.
func (c *condition) holds(r *Request, variables bool) bool {
	values := r.lookup(c.key)
	switch {
	case c.null:
		return c.isNull(len(values) == 0)
	case len(values) == 0:
		return c.ifMissing()
	}
	wanted := c.expanded(r, variables)
	all := c.set == forAllValues || c.set == unquantified && c.test.negated
	for _, v := range values {
		if c.accepts(v, wanted) != all {
			return !all
		}
	}
	return all
}

// isNull compares whether the key is missing with the values "true" and "false".
func (c *condition) isNull(missing bool) bool {
	for _, v := range c.values {
		if strings.EqualFold(v, fmt.Sprint(missing)) {
			return true
		}
	}
	return false
}

// ifMissing returns whether the condition holds without a value of the key (IAM User Guide, "IAM
// JSON policy elements: Condition operators" and "Set operators for multivalued context keys").
func (c *condition) ifMissing() bool {
	switch {
	case c.ifExists, c.set == forAllValues:
		return true
	case c.set == forAnyValue:
		return false
	}
	return c.test.negated
}

// expanded returns the values of the policy without variables. It leaves out a value with a
// variable that has none: no value equals it or is like it, so that negated operators hold (IAM
// User Guide, "Policy variables with no value").
func (c *condition) expanded(r *Request, variables bool) (wanted []string) {
	quote := unquoted
	if c.test.globs {
		quote = literal
	}
	for _, v := range c.values {
		if c.test.globs {
			v = newGlob(v).text
		}
		if expanded, ok := r.expand(v, variables && c.test.expands, quote); ok {
			wanted = append(wanted, expanded)
		}
	}
	return wanted
}

// accepts reports whether one value of the key meets the condition.
func (c *condition) accepts(value string, wanted []string) bool {
	for _, w := range wanted {
		if c.test.matches(value, w) {
			return !c.test.negated
		}
	}
	return c.test.negated
}
