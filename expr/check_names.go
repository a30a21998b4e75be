package expr

// checkNames checks the names and placeholders of a node itself, and whether a function may be
// there. of is the node whose operand n is, or nil.
func (c *checker) checkNames(n, of *node) string {
	switch {
	case n.op == opPath:
		return c.checkPath(n.path)
	case n.op == opValue:
		return c.checkDefined(n.slot)
	case n.op.isFunction():
		return c.checkPlace(n, of)
	}
	return ""
}

// checkPath checks a path for reserved words and undefined placeholders.
func (c *checker) checkPath(path []step) string {
	for i := range path {
		s := &path[i]
		switch {
		case s.slot >= 0:
			if message := c.checkDefined(s.slot); message != "" {
				return message
			}
		case s.index < 0 && isReserved(s.name):
			return msgReserved(s.name)
		}
	}
	return ""
}

func (c *checker) checkDefined(slot int32) string {
	switch ref := c.tree.refs[slot]; {
	case c.slots[slot] != "":
		return ""
	case ref[0] == '#':
		return msgUndefinedName(ref)
	default:
		return msgUndefinedValue(ref)
	}
}

// checkPlace checks whether a function exists, and whether it may be where it is.
func (c *checker) checkPlace(n, of *node) string {
	f := n.op.function()
	value := c.tree.grammar == grammarUpdate || of != nil && !of.op.isJunction()
	switch {
	case n.op == opUnknownFunction:
		return msgUnknownFunction(n.called())
	case !f.In(c.tree.grammar.places()):
		return msgFunctionNotAllowed(c.tree.grammar, f.Name)
	case f.IsCondition() == value, of != nil && of.op.nestsItself(n.op):
		return msgUnsupported + f.Name
	}
	return ""
}
