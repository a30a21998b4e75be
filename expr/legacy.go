package expr

import (
	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// LegacyTerm is one entry of Expected, QueryFilter, ScanFilter or KeyConditions, in the form with a
// ComparisonOperator. Expected's Value and Exists become EQ and NULL.
type LegacyTerm struct {
	Attribute string
	// EQ, NE, IN, LE, LT, GE, GT, BETWEEN, NOT_NULL, NULL, CONTAINS, NOT_CONTAINS, BEGINS_WITH
	Op     string
	Values []item.Value
}

// comparison describes a ComparisonOperator: API Reference, Condition, ComparisonOperator.
type comparison struct {
	op       op
	not      bool
	min, max int            // the number of values that it takes
	types    function.Types // the types that the values may have
	key      KeyOp          // its Op in a KeyTerm; "" if no index can serve it
}

var (
	prefixTypes   = function.TypesOf(item.S, item.B)
	containsTypes = function.TypesOf(item.S, item.N, item.B, item.BOOL, item.NULL)
)

var comparisons = map[string]comparison{
	"EQ":           {op: opEq, min: 1, max: 1, types: function.AnyType, key: KeyEqual},
	"NE":           {op: opNe, min: 1, max: 1, types: function.AnyType},
	"LE":           {op: opLe, min: 1, max: 1, types: orderedTypes, key: KeyAtMost},
	"LT":           {op: opLt, min: 1, max: 1, types: orderedTypes, key: KeyLess},
	"GE":           {op: opGe, min: 1, max: 1, types: orderedTypes, key: KeyAtLeast},
	"GT":           {op: opGt, min: 1, max: 1, types: orderedTypes, key: KeyGreater},
	"IN":           {op: opIn, min: 1, max: maxInOperands, types: orderedTypes},
	"BETWEEN":      {op: opBetween, min: 2, max: 2, types: orderedTypes, key: KeyBetween},
	"BEGINS_WITH":  {op: opBeginsWith, min: 1, max: 1, types: prefixTypes, key: KeyBeginsWith},
	"CONTAINS":     {op: opContains, min: 1, max: 1, types: containsTypes},
	"NOT_CONTAINS": {op: opContains, not: true, min: 1, max: 1, types: containsTypes},
	"NOT_NULL":     {op: opAttributeExists},
	"NULL":         {op: opAttributeNotExists},
}

// errLegacy returns an error about the parameter as a whole.
func errLegacy(message string) Error {
	return Error("One or more parameter values were invalid: " + message)
}

// check checks the number and the types of a term's values.
func (t *LegacyTerm) check() (comparison, error) {
	c := comparisons[t.Op]
	if len(t.Values) < c.min || len(t.Values) > c.max {
		return c, errLegacy("Invalid number of argument(s) for the " + t.Op + " ComparisonOperator")
	}
	for _, v := range t.Values {
		if !c.types.Has(v.Type()) {
			return c, errLegacy("ComparisonOperator " + t.Op + " is not valid for " +
				v.Type().String() + " AttributeValue type")
		}
	}
	for i := 1; i < len(t.Values); i++ {
		if t.Values[i].Type() != t.Values[0].Type() {
			return c, errLegacy("AttributeValues inside AttributeValueList must be of same type")
		}
	}
	if c.op == opBetween && item.Compare(t.Values[0], t.Values[1]) > 0 {
		return c, Error(
			"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
	}
	return c, nil
}

// NewLegacyCondition checks the numbers and types of the terms' values and joins the terms with
// "AND" or "OR". Without terms the condition is always true.
func NewLegacyCondition(terms []LegacyTerm, operator string) (*Condition, error) {
	c := &Condition{tree: &tree{root: node{op: opAnd}}}
	if operator == opOr.String() && len(terms) > 0 {
		c.tree.root.op = opOr
	}
	for i := range terms {
		t := &terms[i]
		cmp, err := t.check()
		if err != nil {
			return nil, err
		}
		path := topLevel(t.Attribute)
		n := node{op: cmp.op, kids: []node{{op: opPath, path: path}}}
		for _, v := range t.Values {
			n.kids = append(n.kids, c.literal(v))
		}
		if cmp.not { // false for a missing attribute (service facts 3.12)
			exists := node{op: opAttributeExists, kids: n.kids[:1]}
			n = node{op: opAnd, kids: []node{exists, {op: opNot, kids: []node{n}}}}
		}
		c.tree.paths = append(c.tree.paths, path)
		c.tree.root.kids = append(c.tree.root.kids, n)
	}
	return c, nil
}

func topLevel(name string) []step { return []step{{name: name, slot: -1, index: -1}} }

// NewLegacyKeyCondition checks and converts KeyConditions. A comparison that no index
// can serve becomes a KeyTerm that is not Indexable.
func NewLegacyKeyCondition(terms []LegacyTerm) ([]KeyTerm, error) {
	keys := make([]KeyTerm, len(terms))
	for i := range terms {
		t := &terms[i]
		cmp, err := t.check()
		if err != nil {
			return nil, err
		}
		if cmp.key == "" {
			keys[i] = KeyTerm{Name: t.Attribute, Op: KeyOp(t.Op)}
			continue
		}
		keys[i] = KeyTerm{Name: t.Attribute, Op: cmp.key, Value: t.Values[0]}
		if cmp.op == opBetween {
			keys[i].Hi = t.Values[1]
		}
	}
	return keys, nil
}

// LegacyUpdate is one entry of AttributeUpdates. Action is PUT (the default), ADD or DELETE.
type LegacyUpdate struct {
	Attribute string
	Action    string
	Value     item.Value // "" if absent
}

// NewLegacyUpdate checks and converts AttributeUpdates. Attributes must be distinct.
func NewLegacyUpdate(updates []LegacyUpdate) (*Update, error) {
	u := &Update{mismatch: errLegacyType, actions: make([]action, 0, len(updates))}
	for i := range updates {
		l := &updates[i]
		s, err := l.section()
		if err != nil {
			return nil, err
		}
		a := action{section: s, path: topLevel(l.Attribute)}
		if s != sectionRemove {
			a.value = u.literal(l.Value)
		}
		u.actions = append(u.actions, a)
	}
	u.resolvePaths()
	return u, nil
}

// section checks an entry and returns the clause of an update expression that does the same. ADD
// also appends to function.Lists, which ADD of an expression does not.
func (l *LegacyUpdate) section() (section, error) {
	if l.Value == "" {
		if l.Action != "DELETE" {
			return 0, errLegacy(
				"Only DELETE action is allowed when no attribute value is specified")
		}
		return sectionRemove, nil
	}
	t := l.Value.Type()
	switch {
	case l.Action == "ADD" && !(addTypes | function.Lists).Has(t):
		return 0, errLegacy("ADD action is not supported for the type " + t.String())
	case l.Action == "ADD":
		return sectionAdd, nil
	case l.Action == "DELETE" && !function.Sets.Has(t):
		return 0, errLegacy("DELETE action with value is not supported for the type " + t.String())
	case l.Action == "DELETE":
		return sectionDelete, nil
	}
	return sectionSet, nil
}
