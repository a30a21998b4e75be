package expr

// In a condition, parentheses may contain an operand or a condition, and a function may be either.
// So the methods below return whatever they read, and their callers decide what it has to be with
// asCondition or asOperand.

func (p *parser) parseCondition() node {
	n := p.parseOr()
	p.asCondition(n)
	return n
}

// asCondition fails if n is an operand: then a comparator is missing at the next token.
func (p *parser) asCondition(n node) {
	if n.op.isOperand() {
		p.syntaxError()
	}
	if n.op.isFunction() && !n.op.function().IsCondition() {
		p.tree.suspect = true
	}
}

func (p *parser) parseOr() node  { return p.parseJunction(opOr, tokOr, p.parseAnd) }
func (p *parser) parseAnd() node { return p.parseJunction(opAnd, tokAnd, p.parseNot) }

// parseJunction reads conditions joined by one operator into one node.
func (p *parser) parseJunction(o op, k tokenKind, parse func() node) node {
	first := parse()
	if p.peek() != k {
		return first
	}
	p.asCondition(first)
	n := node{op: o, kids: []node{first}}
	for p.accept(k) {
		p.operator()
		kid := parse()
		p.asCondition(kid)
		n.kids = append(n.kids, kid)
	}
	return n
}

func (p *parser) parseNot() node {
	if !p.accept(tokNot) {
		return p.parseComparison()
	}
	p.operator()
	kid := p.parseNot()
	p.asCondition(kid)
	return node{op: opNot, kids: []node{kid}}
}

var comparators = [...]op{
	tokEq: opEq, tokNe: opNe, tokLt: opLt, tokLe: opLe, tokGt: opGt, tokGe: opGe,
}

// parseComparison reads a comparison, a function, or something in parentheses, which may be an
// operand.
func (p *parser) parseComparison() node {
	left := p.parsePrimary()
	k := p.peek()
	if k < tokEq || k > tokGe && k != tokBetween && k != tokIn {
		return left
	}
	if !left.op.isOperand() && !left.op.isFunction() {
		p.syntaxError()
	}
	p.asOperand(left)
	p.next++
	p.operator()
	switch k {
	case tokBetween:
		lo := p.parseRightOperand()
		p.expect(tokAnd)
		return node{op: opBetween, kids: []node{left, lo, p.parseRightOperand()}}
	case tokIn:
		return p.parseIn(left)
	}
	return node{op: comparators[k], kids: []node{left, p.parseRightOperand()}}
}

func (p *parser) parsePrimary() node {
	if p.accept(tokLParen) {
		return p.closeParens(p.parseOr())
	}
	return p.parseOperand()
}

func (p *parser) parseRightOperand() node {
	n := p.parseOperand()
	p.asOperand(n)
	return n
}

func (p *parser) parseIn(left node) node {
	n := node{op: opIn, kids: []node{left}}
	p.expect(tokLParen)
	for {
		n.kids = append(n.kids, p.parseRightOperand())
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRParen)
	return n
}
