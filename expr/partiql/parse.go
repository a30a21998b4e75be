package partiql

// maxNesting is how deep conditions, literals and calls may be nested.
const maxNesting = 64

// Parse reads one statement. The error is an Error.
func Parse(src string) (*Statement, error) {
	p := &parser{toks: lex(src)}
	return p.parse()
}

func (p *parser) parse() (s *Statement, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case parseFailure:
			s, err = nil, r.err
		default:
			panic(r)
		}
	}()
	s = p.parseStatement()
	after := errTrailing
	if p.accept(";") {
		after = errSecond
	}
	if p.peek().kind != tokEOF {
		p.fail(after)
	}
	s.Params = p.params
	return s, nil
}

// parser reads tokens from left to right. It gives up by panicking with a parseFailure.
type parser struct {
	toks   []token
	next   int
	params int
	depth  int
}

type parseFailure struct{ err Error }

func (p *parser) fail(err Error) { panic(parseFailure{err}) }

func (p *parser) peek() token { return p.toks[p.next] }

// take returns the next token and goes on, but never past the end.
func (p *parser) take() token {
	t := p.toks[p.next]
	if t.kind != tokEOF {
		p.next++
	}
	return t
}

func (p *parser) accept(text string) bool {
	if !p.peek().is(text) {
		return false
	}
	p.next++
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail(errExpected(text))
	}
}

// nest counts a level of nesting; the caller undoes it.
func (p *parser) nest() func() {
	if p.depth++; p.depth > maxNesting {
		p.fail(errDeep)
	}
	return func() { p.depth-- }
}

func (p *parser) parseStatement() *Statement {
	switch {
	case p.accept("SELECT"):
		return p.parseSelect()
	case p.accept("INSERT"):
		return p.parseInsert()
	case p.accept("UPDATE"):
		return p.parseUpdate()
	case p.accept("DELETE"):
		return p.parseDelete()
	case p.accept("EXISTS"):
		p.expect("(")
		p.expect("SELECT")
		s := p.parseSelect()
		p.expect(")")
		s.Kind = Exists
		return s
	}
	p.fail(p.noStatement())
	return nil
}

// unexpected is the error about the next token, which fits nowhere.
func (p *parser) unexpected() Error {
	if t := p.peek(); t.kind == tokWord && isReserved(t.text) {
		return errUnexpectedKeyword
	}
	return errUnexpectedTerm
}

// noStatement is the error about what begins like an expression, and unexpected otherwise.
func (p *parser) noStatement() Error {
	if t := p.peek(); (t.kind == tokQuoted || t.kind == tokWord && !isReserved(t.text)) && p.toks[p.next+1].kind != tokEOF {
		return errTrailing
	}
	return p.unexpected()
}

func (p *parser) parseSelect() *Statement {
	s := &Statement{Kind: Select}
	if !p.accept("*") {
		s.Projection = p.parsePaths()
	}
	p.expect("FROM")
	s.Table = p.parseName()
	if p.accept(".") {
		s.Index = p.parseName()
	}
	p.parseWhere(s)
	if p.accept("ORDER") {
		p.expect("BY")
		s.Order = append(s.Order, p.parseOrder())
		for p.accept(",") {
			s.Order = append(s.Order, p.parseOrder())
		}
	}
	return s
}

func (p *parser) parseOrder() Order {
	o := Order{Path: p.parsePath()}
	if o.Desc = p.accept("DESC"); !o.Desc {
		p.accept("ASC")
	}
	return o
}

func (p *parser) parseWhere(s *Statement) {
	if p.accept("WHERE") {
		where := p.parseCondition()
		s.Where = &where
	}
}

func (p *parser) parseInsert() *Statement {
	p.expect("INTO")
	s := &Statement{Kind: Insert, Table: p.parseName()}
	if !p.accept("VALUE") {
		p.parsePrimary() // PartiQL's other form, INSERT INTO t <<...>>, which DynamoDB does not have
		p.fail(errTrailing)
	}
	value := p.parsePrimary()
	s.Item = &value
	return s
}

func (p *parser) parseUpdate() *Statement {
	s := &Statement{Kind: Update, Table: p.parseName()}
	for {
		switch {
		case p.accept("SET"):
			p.parseChanges(s, true)
			continue
		case p.accept("REMOVE"):
			p.parseChanges(s, false)
			continue
		case len(s.Changes) == 0:
			p.fail(errNoChange)
		}
		break
	}
	p.parseWhere(s)
	s.Returning = p.parseReturning()
	return s
}

// parseChanges reads what follows SET or REMOVE.
func (p *parser) parseChanges(s *Statement, set bool) {
	for {
		c := Change{Path: p.parsePath()}
		if set {
			p.expect("=")
			value := p.parseSum()
			c.Value = &value
		}
		s.Changes = append(s.Changes, c)
		if !p.accept(",") {
			return
		}
	}
}

func (p *parser) parseDelete() *Statement {
	p.expect("FROM")
	s := &Statement{Kind: Delete, Table: p.parseName()}
	p.parseWhere(s)
	if s.Returning = p.parseReturning(); s.Returning != "" && s.Returning != ReturnAllOld {
		p.fail(errReturning)
	}
	return s
}

func (p *parser) parseReturning() Returning {
	if !p.accept("RETURNING") {
		return ""
	}
	modified := p.accept("MODIFIED")
	if !modified {
		p.expect("ALL")
	}
	isNew := p.accept("NEW")
	if !isNew {
		p.expect("OLD")
	}
	p.expect("*")
	switch {
	case modified && isNew:
		return ReturnModifiedNew
	case modified:
		return ReturnModifiedOld
	case isNew:
		return ReturnAllNew
	}
	return ReturnAllOld
}
