package partiql

import "strings"

func (p *parser) parseCondition() Expr {
	defer p.nest()()
	return p.parseChain(OpOr, func() Expr { return p.parseChain(OpAnd, p.parseNot) })
}

// parseChain reads operands joined by AND or by OR.
func (p *parser) parseChain(op Op, operand func() Expr) Expr {
	e := operand()
	if !p.peek().is(string(op)) {
		return e
	}
	e = Expr{Op: op, Kids: []Expr{e}, At: e.At}
	for p.accept(string(op)) {
		p.right()
		e.Kids = append(e.Kids, operand())
	}
	return e
}

func (p *parser) parseNot() Expr {
	if p.accept("NOT") {
		defer p.nest()()
		return not(p.parseNot())
	}
	return p.parsePredicate()
}

func not(e Expr) Expr { return Expr{Op: OpNot, Kids: []Expr{e}, At: e.At} }

var comparators = [...]struct {
	symbol string
	op     Op
}{{"=", OpEq}, {"<>", OpNe}, {"!=", OpNe}, {"<=", OpLe}, {">=", OpGe}, {"<", OpLt}, {">", OpGt}}

// parsePredicate reads an operand, and the comparison or other predicate that may follow.
func (p *parser) parsePredicate() Expr {
	e := p.parseSum()
	for _, c := range comparators {
		if p.accept(c.symbol) {
			p.right()
			return Expr{Op: c.op, Kids: []Expr{e, p.parseSum()}, At: e.At}
		}
	}
	if p.accept("IS") {
		return p.parseIs(e)
	}
	negated := p.accept("NOT")
	switch {
	case p.accept("BETWEEN"):
		low := p.parseSum()
		p.expect("AND")
		e = Expr{Op: OpBetween, Kids: []Expr{e, low, p.parseSum()}, At: e.At}
	case p.accept("IN"):
		e = Expr{Op: OpIn, Kids: append([]Expr{e}, p.parseInList()...), At: e.At}
	case negated:
		p.fail(p.unexpected())
	}
	if negated {
		return not(e)
	}
	return e
}

func (p *parser) parseIs(e Expr) Expr {
	negated := p.accept("NOT")
	name := p.parseType(e.At)
	is := Expr{Op: OpIs, Text: name, Kids: []Expr{e}, At: e.At}
	if negated {
		return not(is)
	}
	return is
}

// parseType reads the name of a type, and refuses one that IS does not take: service facts F.47.
// left is the operand of IS.
func (p *parser) parseType(left Span) string {
	t := p.take()
	name := strings.ToUpper(t.text)
	if t.kind == tokWord && isTypes[name] {
		return name
	}
	class := otherTypes[name]
	switch {
	case t.kind != tokWord, class == "" && name != "DOUBLE":
		p.fail(errTypeName)
	case name == "DOUBLE":
		if !p.accept("PRECISION") {
			p.fail(errTypeName)
		}
		class = "DoublePrecisionType"
	case (name == "CHARACTER" || name == "CHAR") && p.accept("VARYING"):
		class = "CharacterVaryingType"
	}
	if p.accept("(") {
		p.parsePrimary()
		for p.accept(",") {
			p.parsePrimary()
		}
		p.expect(")")
	}
	p.refuse(Refusal("Unsupported data type for IS operator: " + class +
		". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]" +
		left.place(p.src)))
	return "NULL"
}

// parseInList reads the values of IN, in parentheses or in brackets.
func (p *parser) parseInList() []Expr {
	end := "]"
	if p.accept("(") {
		end = ")"
	} else {
		p.expect("[")
	}
	list := []Expr{p.parseSum()}
	for p.accept(",") {
		list = append(list, p.parseSum())
	}
	p.expect(end)
	return list
}

// parseSum reads operands joined by + and -.
func (p *parser) parseSum() Expr {
	e := p.parsePrimary()
	for {
		switch {
		case p.accept("+"):
			p.right()
			e = Expr{Op: OpPlus, Kids: []Expr{e, p.parsePrimary()}, At: e.At}
		case p.accept("-"):
			p.right()
			e = Expr{Op: OpMinus, Kids: []Expr{e, p.parsePrimary()}, At: e.At}
		default:
			return e
		}
	}
}

func (p *parser) parsePrimary() Expr {
	t := p.peek()
	e := p.parseOperand(t)
	e.At = t.at
	return e
}

// parseOperand reads a literal, a call, a path or something in parentheses. t is its first token.
func (p *parser) parseOperand(t token) Expr {
	switch t.kind {
	case tokString:
		p.next++
		return Expr{Op: OpString, Text: t.text}
	case tokNumber:
		p.next++
		return Expr{Op: OpNumber, Text: t.text}
	case tokWord:
		return p.parseWord(t.text)
	case tokQuoted:
		return Expr{Op: OpPath, Path: p.parsePath()}
	}
	return p.parseSymbol()
}

// parseWord reads a constant, a call, or a path.
func (p *parser) parseWord(word string) Expr {
	if p.peek().isInfix() {
		p.fail(errOperator) // service facts F.70
	}
	for _, op := range [...]Op{OpTrue, OpFalse, OpNull} {
		if p.accept(string(op)) {
			return Expr{Op: op}
		}
	}
	if p.accept("MISSING") {
		return Expr{Op: OpMissing}
	}
	if p.all[p.next+1].is("(") && (!isReserved(word) || reservedFunctions[strings.ToLower(word)]) {
		p.next += 2
		return p.parseCall(strings.ToLower(word))
	}
	return Expr{Op: OpPath, Path: p.parsePath()}
}

// parseCall reads the operands of a function. The names of functions are not case-sensitive.
func (p *parser) parseCall(name string) Expr {
	defer p.nest()()
	e := Expr{Op: Op(name)}
	if !e.Op.IsFunction() {
		e.Op, e.Text = OpUnknown, name
	}
	if !p.peek().is(")") && !(e.Op == OpUnknown && p.accept("*")) { // COUNT(*)
		e.Kids = append(e.Kids, p.parseSum())
		for p.accept(",") {
			e.Kids = append(e.Kids, p.parseSum())
		}
	}
	p.expect(")")
	return e
}

func (p *parser) parseSymbol() Expr {
	switch {
	case p.accept("?"):
		p.params++
		return Expr{Op: OpParam, Param: p.params - 1}
	case p.peek().is("-"), p.peek().is("+"):
		sign := p.parseSigns()
		t := p.take()
		if t.kind != tokNumber {
			p.fail(errUnexpectedTerm)
		}
		return Expr{Op: OpNumber, Text: sign + t.text}
	case p.accept("("):
		e := p.parseCondition()
		p.expect(")")
		return e
	case p.accept("["):
		return Expr{Op: OpList, Kids: p.parseElements("]")}
	case p.accept("<<"):
		return Expr{Op: OpSet, Kids: p.parseElements(">>")}
	case p.accept("{"):
		return p.parseMap()
	}
	p.fail(p.unexpected())
	return Expr{}
}

// parseSigns reads the signs of a number and returns the resulting one: "-" or "".
func (p *parser) parseSigns() string {
	negative := false
	for {
		switch {
		case p.accept("-"):
			negative = !negative
		case p.accept("+"):
		case negative:
			return "-"
		default:
			return ""
		}
	}
}

// parseElements reads the elements of a list or set and the closing symbol.
func (p *parser) parseElements(end string) []Expr {
	defer p.nestLiteral()()
	if p.accept(end) {
		return nil
	}
	elems := []Expr{p.parsePrimary()}
	for p.accept(",") {
		elems = append(elems, p.parsePrimary())
	}
	p.expect(end)
	return elems
}

func (p *parser) parseMap() Expr {
	defer p.nestLiteral()()
	e := Expr{Op: OpMap}
	if p.accept("}") {
		return e
	}
	for {
		t := p.take()
		if t.kind != tokString {
			p.fail(errMember)
		}
		if t.text == "" {
			p.refuse(refuseEmptyName) // service facts F.55
		}
		p.expect(":")
		e.Names = append(e.Names, t.text)
		e.Kids = append(e.Kids, p.parsePrimary())
		if !p.accept(",") {
			p.expect("}")
			return e
		}
	}
}
