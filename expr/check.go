package expr

import (
	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The checkX methods check a bound tree before any item is known. They return the message of the
// first mistake, or "".

// check checks a node and everything below it.
func (b *binding) check(n *node) string {
	c := checker{binding: b, operands: true}
	return c.check(n, nil)
}

// checker looks for mistakes in a bound tree from left to right. In a function, it first checks
// whether the function may be there and whether its operands are distinct, then the inside of the
// operands, and then their types.
type checker struct {
	*binding
	tree     *tree
	names    bool // check names, placeholders and the places of functions
	operands bool // check operands
}

// check checks a node and everything below it. of is the node whose operand n is, or nil.
func (c *checker) check(n, of *node) string {
	if c.names {
		if message := c.checkNames(n, of); message != "" {
			return message
		}
	}
	if c.operands {
		if message := c.checkDistinct(n); message != "" {
			return message
		}
	}
	for i := range n.kids {
		if message := c.check(&n.kids[i], n); message != "" {
			return message
		}
	}
	if !c.operands {
		return ""
	}
	return c.checkOperands(n)
}

// checkOperands checks the operands of a node.
func (b *binding) checkOperands(n *node) string {
	switch n.op {
	case opLt, opLe, opGt, opGe:
		return b.checkTypes(n, orderedTypes)
	case opBetween:
		return first(b.checkTypes(n, orderedTypes), b.checkBounds(n))
	case opIn:
		if len(n.kids)-1 > maxInOperands {
			return msgTooManyInOperands(len(n.kids) - 1)
		}
		return ""
	case opPlus, opMinus:
		return b.checkTypes(n, numbers)
	}
	if n.op.isFunction() {
		return b.checkFunction(n)
	}
	return ""
}

// first returns the first message that is not "".
func first(messages ...string) string {
	for _, message := range messages {
		if message != "" {
			return message
		}
	}
	return ""
}

func (b *binding) checkFunction(n *node) string {
	f := n.op.function()
	if len(n.kids) != f.Operands {
		return msgOperandCount(f.Name, len(n.kids))
	}
	if f.NeedsPath && n.kids[0].op != opPath {
		return msgNeedsPath(f.Name)
	}
	for i := range n.kids {
		if t := b.typeOf(&n.kids[i]); t != item.NoType && !f.Types[i].Has(t) {
			return msgOperandType(f.Name, t.String())
		}
	}
	if n.op == opAttributeType {
		return b.checkTypeName(&n.kids[1])
	}
	return ""
}

// checkTypeName checks the second operand of attribute_type, which must be a value.
func (b *binding) checkTypeName(n *node) string {
	if n.op != opValue {
		return msgOperandType(opAttributeType.String(), "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	}
	if name := b.value(n).Str(); item.TypeNamed(name) == item.NoType {
		return msgTypeName(name)
	}
	return ""
}

// typeOf returns the type of an operand, or NoType if it depends on the item.
func (b *binding) typeOf(n *node) item.Type {
	switch n.op {
	case opValue:
		return b.value(n).Type()
	case opPlus, opMinus:
		return item.N
	}
	switch {
	case n.op.isFunction():
		return n.op.function().Result
	case n.op.isTruth():
		return item.BOOL
	}
	return item.NoType
}

func (b *binding) checkTypes(n *node, allowed function.Types) string {
	for i := range n.kids {
		if t := b.typeOf(&n.kids[i]); t != item.NoType && !allowed.Has(t) {
			return msgOperandType(n.op.String(), t.String())
		}
	}
	return ""
}

// checkDistinct rejects comparing a path with itself.
func (b *binding) checkDistinct(n *node) string {
	switch {
	case n.op >= opEq && n.op <= opIn:
	case n.op.isFunction() && n.op.function().Distinct && len(n.kids) == n.op.function().Operands:
	default:
		return ""
	}
	if n.kids[0].op != opPath {
		return ""
	}
	for i := 1; i < len(n.kids); i++ {
		if n.kids[i].op == opPath && b.samePath(n.kids[0].path, n.kids[i].path) {
			return msgNotDistinct(n.op.String(), printPath(b.resolve(n.kids[0].path)))
		}
	}
	return ""
}

func (b *binding) samePath(p, q []step) bool {
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i].index != q[i].index {
			return false
		}
		// an undefined name is ""
		if name := b.name(&p[i]); p[i].index < 0 && (name == "" || name != b.name(&q[i])) {
			return false
		}
	}
	return true
}

// checkBounds checks the bounds of BETWEEN if both are values.
func (b *binding) checkBounds(n *node) string {
	if n.kids[1].op != opValue || n.kids[2].op != opValue {
		return ""
	}
	lo, hi := b.value(&n.kids[1]), b.value(&n.kids[2])
	switch {
	case lo.Type() != hi.Type():
		return msgBetweenTypes(lo, hi)
	case item.Compare(lo, hi) > 0:
		return msgBetweenOrder(lo, hi)
	}
	return ""
}

// checkAction checks the value of an update's action.
func (b *binding) checkAction(a *action) string {
	allowed := function.Sets
	switch a.section {
	case sectionRemove:
		return ""
	case sectionSet:
		return b.check(&a.value)
	case sectionAdd:
		allowed = addTypes
	}
	if t := b.typeOf(&a.value); !allowed.Has(t) {
		return msgClauseOperandType(a.section.String(), t)
	}
	return ""
}
