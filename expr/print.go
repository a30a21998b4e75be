package expr

import "strconv"

// The appendX methods write a tree as an expression, with keywords in capitals and single spaces.
// Parsing the result gives the same tree.

// String returns the tree as an expression.
func (t *tree) String() string {
	var dst []byte
	switch {
	case t.root.op != 0:
		dst = t.appendNode(dst, &t.root)
	case len(t.actions) > 0:
		dst = t.appendActions(dst)
	default:
		for i, path := range t.paths {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = t.appendPath(dst, path)
		}
	}
	return string(dst)
}

func (t *tree) appendActions(dst []byte) []byte {
	for i := range t.actions {
		a := &t.actions[i]
		switch {
		case i == 0:
			dst = append(dst, a.section.String()...)
		case a.section != t.actions[i-1].section:
			dst = append(append(dst, ' '), a.section.String()...)
		default:
			dst = append(dst, ',')
		}
		dst = t.appendPath(append(dst, ' '), a.path)
		if a.section == sectionSet {
			dst = append(dst, " ="...)
		}
		if a.section != sectionRemove {
			dst = t.appendNode(append(dst, ' '), &a.value)
		}
	}
	return dst
}

func (t *tree) appendNode(dst []byte, n *node) []byte {
	if n.parens {
		dst = append(dst, '(')
	}
	switch {
	case n.op == opPath:
		dst = t.appendPath(dst, n.path)
	case n.op == opValue:
		dst = append(dst, t.refs[n.slot]...)
	case n.op == opNot:
		dst = t.appendNode(append(dst, "NOT "...), &n.kids[0])
	case n.op == opBetween:
		dst = t.appendNode(dst, &n.kids[0])
		dst = t.appendJoined(append(dst, " BETWEEN "...), n.kids[1:], " AND ")
	case n.op == opIn:
		dst = t.appendNode(dst, &n.kids[0])
		dst = append(t.appendJoined(append(dst, " IN ("...), n.kids[1:], ", "), ')')
	case n.op.isFunction():
		dst = append(append(dst, n.called()...), '(')
		dst = append(t.appendJoined(dst, n.kids, ", "), ')')
	default:
		dst = t.appendJoined(dst, n.kids, " "+n.op.String()+" ")
	}
	if n.parens {
		dst = append(dst, ')')
	}
	return dst
}

func (t *tree) appendJoined(dst []byte, ns []node, between string) []byte {
	for i := range ns {
		if i > 0 {
			dst = append(dst, between...)
		}
		dst = t.appendNode(dst, &ns[i])
	}
	return dst
}

func (t *tree) appendPath(dst []byte, path []step) []byte {
	for i, s := range path {
		if i > 0 && s.index < 0 {
			dst = append(dst, '.')
		}
		if s.slot >= 0 {
			dst = append(dst, t.refs[s.slot]...)
		} else {
			dst = appendStep(dst, &s)
		}
	}
	return dst
}

// appendStep writes a step without a placeholder.
func appendStep(dst []byte, s *step) []byte {
	if s.index < 0 {
		return append(dst, s.name...)
	}
	return append(strconv.AppendInt(append(dst, '['), int64(s.index), 10), ']')
}
