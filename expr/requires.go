package expr

import "github.com/kugiri-db/kugiri/storage/item"

// required is the value of the request that a top-level attribute must equal wherever a condition
// holds: that of a = :v, by itself or joined to others by AND. It is "" if the condition requires
// none.
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

// Demand says what a condition demands of the stored item wherever it holds. The zero Demand
// demands nothing.
type Demand struct {
	Value  item.Value // the attribute equals it, unless Absent; "" if no value would do
	Absent bool       // the attribute or the item may be absent
}

// Demands returns what the condition demands of a top-level attribute: that it equals a value of
// the request (a = :v), that it or one of the attributes of keys, which all items have, is absent
// (attribute_not_exists), or one or the other of both (OR).
func (c *Condition) Demands(attribute string, keys [2]string) Demand {
	d, _ := c.demanded(&c.tree.root, attribute, &keys)
	return d
}

func (c *Condition) demanded(n *node, attribute string, keys *[2]string) (d Demand, ok bool) {
	switch n.op {
	case opAnd:
		return c.demandedByAll(n.kids, attribute, keys)
	case opOr:
		return c.demandedByEach(n.kids, attribute, keys)
	case opEq:
		d.Value = c.required(n, attribute)
		return d, d.Value != ""
	case opAttributeNotExists:
		path := &n.kids[0]
		d.Absent = c.isAttribute(path, attribute) || c.isAttribute(path, keys[0]) ||
			c.isAttribute(path, keys[1])
	}
	return d, d.Absent
}

// demandedByAll is the strictest demand of conditions that are joined by AND.
func (c *Condition) demandedByAll(kids []node, attribute string, keys *[2]string) (strictest Demand,
	found bool) {
	for i := range kids {
		d, ok := c.demanded(&kids[i], attribute, keys)
		if ok && (!found || !d.Absent || d.Value == "") {
			strictest, found = d, true
		}
	}
	return strictest, found
}

// demandedByEach returns the demand of conditions that are joined by OR: nothing if one demands
// nothing, or they differ in the value.
func (c *Condition) demandedByEach(kids []node, attribute string, keys *[2]string) (all Demand,
	ok bool) {
	for i := range kids {
		d, ok := c.demanded(&kids[i], attribute, keys)
		if !ok || all.Value != "" && d.Value != "" && all.Value != d.Value {
			return Demand{}, false
		}
		all.Absent = all.Absent || d.Absent
		if d.Value != "" {
			all.Value = d.Value
		}
	}
	return all, true
}

// isAttribute reports whether a path is a top-level attribute.
func (b *binding) isAttribute(n *node, attribute string) bool {
	return len(n.path) == 1 && b.name(&n.path[0]) == attribute
}

// Increment returns the number that the update adds to a top-level attribute: ADD a :n, or SET a =
// a + :n, where if_not_exists(a, :first) may stand for the attribute: first is the number that an
// absent attribute counts as, "" if there must be one. n is "" if the update does something else.
func (u *Update) Increment(attribute string) (n, first item.Value) {
	for i := range u.actions {
		a := &u.actions[i]
		if len(a.path) != 1 || u.paths[i][0].name != attribute {
			continue
		}
		switch {
		case a.section == sectionAdd:
			return u.value(&a.value), `{"N":"0"}`
		case a.section == sectionSet && a.value.op == opPlus:
			return u.summand(&a.value.kids[0], &a.value.kids[1], attribute)
		}
	}
	return "", ""
}

// summand is the value that is added to an attribute, whichever stands first, and the value that
// stands for an absent one.
func (u *Update) summand(a, b *node, attribute string) (n, first item.Value) {
	if a.op == opValue {
		a, b = b, a
	}
	if a.op == opIfNotExists {
		if a.kids[1].op != opValue {
			return "", ""
		}
		first = u.value(&a.kids[1])
		a = &a.kids[0]
	}
	if a.op == opPath && b.op == opValue && u.isAttribute(a, attribute) {
		return u.value(b), first
	}
	return "", ""
}
