package expr

import "github.com/kugiri-db/kugiri/storage/item"

// Requires returns the value of the request that a top-level attribute must equal for the condition
// to hold: the :v of a = :v, alone or joined to others by AND. It returns "" if there is none.
func (c *Condition) Requires(attribute string) item.Value {
	return c.required(&c.tree.root, attribute)
}

func (c *Condition) required(n *node, attribute string) item.Value {
	switch n.op {
	case opAnd:
		for i := range n.kids {
			if v := c.required(&n.kids[i], attribute); v != "" {
				return v
			}
		}
	case opEq:
		path, value := &n.kids[0], &n.kids[1]
		if path.op == opValue {
			path, value = value, path
		}
		if path.op == opPath && value.op == opValue && c.isAttribute(path, attribute) {
			return c.value(value)
		}
	}
	return ""
}

// isAttribute reports whether a path is a certain top-level attribute.
func (b *binding) isAttribute(n *node, attribute string) bool {
	return len(n.path) == 1 && b.name(&n.path[0]) == attribute
}

// Increment returns the number that the update adds to a top-level attribute: the :n of ADD a :n or
// SET a = a + :n, in which a may also be if_not_exists(a, :first). It returns "" if there is none.
func (u *Update) Increment(attribute string) item.Value {
	for i := range u.actions {
		a := &u.actions[i]
		if len(a.path) != 1 || u.paths[i][0].name != attribute {
			continue
		}
		switch {
		case a.section == sectionAdd:
			return u.value(&a.value)
		case a.section == sectionSet && a.value.op == opPlus:
			return u.summand(&a.value.kids[0], &a.value.kids[1], attribute)
		}
	}
	return ""
}

// summand returns the value of a sum whose other operand is an attribute, in either order.
func (u *Update) summand(a, b *node, attribute string) item.Value {
	if a.op == opValue {
		a, b = b, a
	}
	if a.op == opIfNotExists {
		a = &a.kids[0]
	}
	if a.op == opPath && b.op == opValue && u.isAttribute(a, attribute) {
		return u.value(b)
	}
	return ""
}
