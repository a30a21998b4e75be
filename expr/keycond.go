package expr

import "github.com/kugiri-db/kugiri/storage/item"

// KeyOp is the operator of a KeyTerm.
type KeyOp string

// The operators of key terms. Only the WHERE clause of a statement has KeyIn; its value is a list.
const (
	KeyEqual      KeyOp = "="
	KeyLess       KeyOp = "<"
	KeyAtMost     KeyOp = "<="
	KeyGreater    KeyOp = ">"
	KeyAtLeast    KeyOp = ">="
	KeyBetween    KeyOp = "BETWEEN"
	KeyBeginsWith KeyOp = "begins_with"
	KeyIn         KeyOp = "IN"
)

// KeyTerm is one condition on one key attribute. Hi is for KeyBetween only. For a legacy condition
// that no index can serve, Op is its ComparisonOperator ("NE", "CONTAINS", …) and there are no
// values.
type KeyTerm struct {
	Name  string
	Op    KeyOp
	Value item.Value
	Hi    item.Value
}

// Indexable reports whether an index can serve the condition.
func (t *KeyTerm) Indexable() bool {
	switch t.Op {
	case KeyEqual, KeyLess, KeyAtMost, KeyGreater, KeyAtLeast, KeyBetween, KeyBeginsWith:
		return true
	}
	return false
}

// Holds reports whether the condition holds for a value, "" for no value. Where that is not
// certain, as for KeyIn or an operator that no index can serve, it reports true.
func (t *KeyTerm) Holds(v item.Value) bool {
	if v == "" {
		return false
	}
	if v.Type() != t.Value.Type() {
		return t.Op == KeyIn || t.Value == ""
	}
	switch t.Op {
	case KeyEqual:
		return v == t.Value
	case KeyLess:
		return item.Compare(v, t.Value) < 0
	case KeyAtMost:
		return item.Compare(v, t.Value) <= 0
	case KeyGreater:
		return item.Compare(v, t.Value) > 0
	case KeyAtLeast:
		return item.Compare(v, t.Value) >= 0
	case KeyBetween:
		return item.Compare(v, t.Value) >= 0 && item.Compare(v, t.Hi) <= 0
	case KeyBeginsWith:
		return item.BeginsWith(v, t.Value)
	}
	return true
}

const (
	errKeyNested = Error("KeyConditionExpressions cannot have conditions on nested attributes")
	errKeyTwice  = Error(
		"Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key")
	errKeySize = Error("KeyConditionExpressions cannot contain nested operations")
	errKeyNone = Error("Invalid condition in KeyConditionExpression: No key attribute specified")
)

// ErrKeyNames is the error of a key condition that compares two attributes. Query reports it after
// names and values that nothing uses (service facts M.2).
const ErrKeyNames = Error(
	"Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")

func errKeyOperator(o op) Error {
	return Error("Invalid operator used in KeyConditionExpression: " + o.String())
}

func errKeyFirst(o op) Error {
	return Error("Invalid condition in KeyConditionExpression: " + o.String() +
		" operator must have the key attribute as its first operand")
}

// KeyCondition parses and binds a key condition, and returns its terms. The caller checks whether
// they match a key schema.
func (s *Scope) KeyCondition(src string) ([]KeyTerm, error) {
	c, err := s.Condition(KindKeyCondition, src)
	if err != nil {
		return nil, err
	}
	terms, err := c.appendKeyTerms(make([]KeyTerm, 0, 2), &c.tree.root)
	if err != nil {
		return nil, err
	}
	return terms, nil
}

// appendKeyTerms appends the terms of n, which must be joined by AND.
func (c *Condition) appendKeyTerms(terms []KeyTerm, n *node) ([]KeyTerm, error) {
	if n.op != opAnd {
		term, err := c.keyTerm(n)
		if err != nil {
			return nil, err
		}
		for i := range terms {
			if terms[i].Name == term.Name {
				return nil, errKeyTwice
			}
		}
		return append(terms, term), nil
	}
	for i := range n.kids {
		var err error
		if terms, err = c.appendKeyTerms(terms, &n.kids[i]); err != nil {
			return nil, err
		}
	}
	return terms, nil
}

// keyTerm converts one condition. The path may be on either side of a comparison.
func (c *Condition) keyTerm(n *node) (KeyTerm, error) {
	switch n.op {
	case opEq, opLt, opLe, opGt, opGe, opBetween, opBeginsWith:
	default:
		return KeyTerm{}, errKeyOperator(n.op)
	}
	o, kids := n.op, n.kids
	if err := checkKeyOperands(o, kids); err != nil {
		return KeyTerm{}, err
	}
	key, value := &kids[0], &kids[1]
	if key.op == opValue {
		key, value, o = value, key, mirrored(o)
	}
	if len(key.path) > 1 {
		return KeyTerm{}, errKeyNested
	}
	term := KeyTerm{Name: c.name(&key.path[0]), Op: KeyOp(o.String()), Value: c.value(value)}
	if o == opBetween {
		term.Hi = c.value(&kids[2])
	}
	return term, nil
}

// checkKeyOperands checks that one operand is a path and the others are values.
func checkKeyOperands(o op, kids []node) error {
	paths := 0
	for i := range kids {
		switch kids[i].op {
		case opValue:
		case opPath:
			if paths++; len(kids[i].path) > 1 {
				return errKeyNested
			}
		default:
			return errKeySize
		}
	}
	switch {
	case paths == 0:
		return errKeyNone
	case paths > 1:
		return ErrKeyNames
	case kids[0].op != opPath && (o == opBetween || o == opBeginsWith):
		return errKeyFirst(o)
	}
	return nil
}

// mirrored returns the comparator with the same meaning for swapped operands.
func mirrored(o op) op {
	switch o {
	case opLt:
		return opGt
	case opLe:
		return opGe
	case opGt:
		return opLt
	case opGe:
		return opLe
	}
	return o
}
