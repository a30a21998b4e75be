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
			p.fault(faultSection, msgSectionTwice(s.String()))
		}
		seen[s] = true
		p.parseAction(s)
		for p.accept(tokComma) {
			p.parseAction(s)
		}
	}
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
