package expr

import (
	"strconv"
	"sync"

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
	case opAttributeExists:
		return b.get(n.kids[0].path, it) != ""
	case opAttributeNotExists:
		return b.get(n.kids[0].path, it) == ""
	}
	return b.evalComparison(n, it)
}

// evalComparison evaluates a node whose operands are values.
func (b *binding) evalComparison(n *node, it item.Item) bool {
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
		return compare(opGe, v, b.operand(&n.kids[1], it)) && compare(opLe, v, b.operand(&n.kids[2], it))
	}
	w := b.operand(&n.kids[1], it)
	switch n.op {
	case opAttributeType:
		return v != "" && w.Type() == item.S && v.Type() == item.TypeNamed(w.Str())
	case opBeginsWith:
		return sameTypeIn(v, w, typesOf(item.S, item.B)) && item.BeginsWith(v, w)
	case opContains:
		return v != "" && w != "" && item.Contains(v, w)
	}
	return compare(n.op, v, w)
}

// compare applies a comparator. "" is a missing operand.
func compare(o op, v, w item.Value) bool {
	switch o {
	case opEq:
		return v != "" && v == w
	case opNe:
		return v == "" || v != w
	}
	if !sameTypeIn(v, w, orderedTypes) {
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

func sameTypeIn(v, w item.Value, types typeSet) bool {
	if v == "" || w == "" {
		return false
	}
	t := v.Type()
	return types.has(t) && t == w.Type()
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
	v := b.operand(&n.kids[0], it) // size
	if v == "" || v.Len() < 0 {
		return ""
	}
	return sizeValue(v.Len())
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

// Sizes below this one are kept as values, ready for comparisons.
const sizesReady = 1024

var sizes = sync.OnceValue(func() *[sizesReady]item.Value {
	var values [sizesReady]item.Value
	for i := range values {
		values[i] = newSizeValue(i)
	}
	return &values
})

func sizeValue(n int) item.Value {
	if n < sizesReady {
		return sizes()[n]
	}
	return newSizeValue(n)
}

func newSizeValue(n int) item.Value {
	d, err := item.ParseDecimal(strconv.Itoa(n))
	if err != nil {
		panic(err) // every count of bytes or elements is in range
	}
	return item.Number(d)
}
