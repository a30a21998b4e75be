package expr

// parseUpdate reads clauses in any order. Each may occur once.
func (p *parser) parseUpdate() {
	var seen [len(sectionNames)]bool
	for first := true; first || p.peek() != tokEOF; first = false {
		if p.peek() < tokSet || p.peek() > tokDelete {
			p.syntaxError()
		}
		s := section(p.peek() - tokSet)
		p.next++
		if seen[s] {
			p.sectionTwice(s)
		}
		seen[s] = true
		p.parseAction(s)
		for p.accept(tokComma) {
			p.parseAction(s)
		}
	}
}

// sectionTwice is the fault of a second section of a kind. A reserved word to its left goes first
// (service facts B.14).
func (p *parser) sectionTwice(s section) {
	for i := range p.tree.actions {
		a := &p.tree.actions[i]
		word := reservedIn([][]step{a.path})
		if word == "" {
			word = a.value.reserved()
		}
		if word != "" {
			p.fault(faultSection, msgReserved(word))
			return
		}
	}
	p.fault(faultSection, msgSectionTwice(s.String()))
}

// reserved returns the first reserved word that is a name in the paths of an operand, or "".
func (n *node) reserved() string {
	if word := reservedIn([][]step{n.path}); word != "" {
		return word
	}
	for i := range n.kids {
		if word := n.kids[i].reserved(); word != "" {
			return word
		}
	}
	return ""
}

func (p *parser) parseAction(s section) {
	a := action{section: s, path: p.parsePath()}
	switch s {
	case sectionSet:
		p.expect(tokEq)
		a.value = p.parseSum()
	case sectionAdd, sectionDelete:
		a.value = node{op: opValue, slot: p.slot(p.expect(tokValue))}
	}
	p.tree.actions = append(p.tree.actions, a)
}

// parseSum reads an operand, or two joined by + or -.
func (p *parser) parseSum() node {
	n := p.parseOperand()
	p.asOperand(n)
	var o op
	switch p.peek() {
	case tokPlus:
		o = opPlus
	case tokMinus:
		o = opMinus
	default:
		return n
	}
	p.next++
	p.operator()
	right := p.parseOperand()
	p.asOperand(right)
	return node{op: o, kids: []node{n, right}}
}
