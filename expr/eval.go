package expr

import (
	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// eval reports whether an item satisfies a condition. Comparisons are false if an attribute is
// missing or types differ. <> is the negation of =.
func (b *binding) eval(n *node, it item.Item) bool {
	switch n.op {
	case opAnd:
		for i := range n.kids {
			if !b.eval(&n.kids[i], it) {
				return false
			}
		}
		return true
	case opOr:
		for i := range n.kids {
			if b.eval(&n.kids[i], it) {
				return true
			}
		}
		return false
	case opNot:
		return !b.eval(&n.kids[0], it)
	case opAttributeExists: // most writes have these two, so no call is made for them
		return b.get(n.kids[0].path, it) != ""
	case opAttributeNotExists:
		return b.get(n.kids[0].path, it) == ""
	}
	return b.evalPredicate(n, it)
}

// operands evaluates the operands of a call. The first is a path, as a rule. The second is "" for a
// call with one operand.
func (b *binding) operands(n *node, it item.Item) (v, w item.Value) {
	if first := &n.kids[0]; first.op == opPath {
		v = b.get(first.path, it)
	} else {
		v = b.operand(first, it)
	}
	if len(n.kids) > 1 {
		w = b.operand(&n.kids[1], it)
	}
	return v, w
}

// evalPredicate evaluates a node whose operands are values.
func (b *binding) evalPredicate(n *node, it item.Item) bool {
	if n.op.isFunction() {
		v, w := b.operands(n, it)
		return n.op.function().Holds(v, w)
	}
	v := b.operand(&n.kids[0], it)
	switch n.op {
	case opIn:
		for i := 1; v != "" && i < len(n.kids); i++ {
			if v == b.operand(&n.kids[i], it) {
				return true
			}
		}
		return false
	case opBetween:
		return compare(opGe, v, b.operand(&n.kids[1], it)) &&
			compare(opLe, v, b.operand(&n.kids[2], it))
	}
	return compare(n.op, v, b.operand(&n.kids[1], it))
}

// compare applies a comparator. "" is a missing operand.
func compare(o op, v, w item.Value) bool {
	switch o {
	case opEq:
		return v != "" && v == w
	case opNe:
		return v == "" || v != w
	}
	if !function.Same(v, w, orderedTypes) {
		return false
	}
	c := item.Compare(v, w)
	switch o {
	case opLt:
		return c < 0
	case opLe:
		return c <= 0
	case opGt:
		return c > 0
	default:
		return c >= 0
	}
}

// operand evaluates an operand of a condition. It returns "" if the operand is missing.
func (b *binding) operand(n *node, it item.Item) item.Value {
	switch n.op {
	case opValue:
		return b.value(n)
	case opPath:
		return b.get(n.path, it)
	}
	if n.op.isTruth() { // only a Builder makes such operands
		return item.Boolean(b.eval(n, it))
	}
	v, w := b.operands(n, it)
	return n.op.function().Value(v, w)
}

// get returns the value at a path in an item, or "".
func (b *binding) get(path []step, it item.Item) item.Value {
	if it == "" {
		return ""
	}
	v := it.Get(b.name(&path[0]))
	for i := 1; i < len(path) && v != ""; i++ {
		v = child(v, &path[i], b)
	}
	return v
}

// child returns the member or element of v that a step names, or "".
func child(v item.Value, s *step, b *binding) item.Value {
	switch t := v.Type(); {
	case s.index >= 0 && t == item.L:
		return v.Index(int(s.index))
	case s.index < 0 && t == item.M:
		return v.Field(b.name(s))
	}
	return ""
}
