package expr

import (
	"strconv"

	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The parts of an update's charge in bytes: service facts 1.11. Those of functions are in their
// table.
const (
	chargeUpdate     = 3
	chargeWrite      = 19 // an action of SET or ADD
	chargeRemove     = 1  // an action of REMOVE or DELETE
	chargeTargetStep = 4  // each element of a target but the first
	chargePath       = 1
	chargePathStep   = 14
	chargePlus       = 34
	chargeMinus      = 37
)

// ChargeExceeds reports whether the update's charge for an item is more than limit bytes.
// UpdateItem charges for the statement: its paths, operators and values, even if the new item is
// small (service facts 1.11).
func (u *Update) ChargeExceeds(limit int, old item.Item) bool {
	c := charger{u: u, old: old, rough: true}
	if c.update() <= limit {
		return false
	}
	c.rough = false
	return c.update() > limit
}

// charger sums the charge of an update.
type charger struct {
	u     *Update
	old   item.Item
	rough bool // take values at their length on the wire, which is at least their size
}

func (c *charger) update() int {
	n := chargeUpdate
	for i := range c.u.actions {
		n += c.action(i)
	}
	return n
}

func (c *charger) action(i int) int {
	a := &c.u.actions[i]
	switch target := c.target(c.u.paths[i]); a.section {
	case sectionSet:
		return chargeWrite + target + c.operand(&a.value)
	case sectionAdd:
		return chargeWrite + target + c.added(a)
	default:
		return chargeRemove + target
	}
}

func (c *charger) target(path []step) int {
	n := len(path[0].name)
	for i := range path[1:] {
		n += chargeTargetStep + stepBytes(&path[1+i], path[1+i].name)
	}
	return n
}

// added returns the charge of the value of ADD. For a set only the new members count.
func (c *charger) added(a *action) int {
	v := c.u.value(&a.value)
	if !c.rough && function.Sets.Has(v.Type()) {
		if current := c.u.get(a.path, c.old); current.Type() == v.Type() {
			v = item.Difference(v, current)
		}
	}
	return c.value(v)
}

func (c *charger) value(v item.Value) int {
	if c.rough {
		return len(v)
	}
	return v.Size()
}

func (c *charger) operand(n *node) int {
	switch n.op {
	case opValue:
		return c.value(c.u.value(n))
	case opPath:
		return c.path(n.path)
	}
	charge := chargeOf(n.op)
	for i := range n.kids {
		charge += c.operand(&n.kids[i])
	}
	return charge
}

// path returns the charge of an operand that reads the item. The value that it reads is free.
func (c *charger) path(path []step) int {
	n := chargePath
	for i := range path {
		n += chargePathStep + stepBytes(&path[i], c.u.name(&path[i]))
	}
	return n
}

func chargeOf(o op) int {
	switch o {
	case opPlus:
		return chargePlus
	case opMinus:
		return chargeMinus
	}
	return o.function().Charge
}

// stepBytes returns the length of a name, or the number of digits of an index.
func stepBytes(s *step, name string) int {
	if s.index < 0 {
		return len(name)
	}
	return len(strconv.Itoa(int(s.index)))
}
