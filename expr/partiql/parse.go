package partiql

import (
	"slices"
	"strings"
)

// maxNesting is how deep the parser lets conditions and calls be nested, and maxLiteralNesting the
// same for literals. The latter suffices for any statement of the service's length.
const (
	maxNesting        = 64
	maxLiteralNesting = 4096
)

// Parse reads one statement. Its error is an Error, or a Refusal of the table's name. Other
// refusals are in the Statement.
func Parse(src string) (*Statement, error) {
	s, _, err := parse(src)
	return s, err
}

// parse is Parse. It also returns the number of tokens.
func parse(src string) (*Statement, int, error) {
	toks, err := lex(src)
	if err != nil {
		return nil, 0, err
	}
	p := &parser{src: src, tokens: tokens{all: toks}}
	s, err := p.parse()
	return s, len(toks), err
}

func (p *parser) parse() (s *Statement, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case parseFailure:
			s, err = nil, r.err
		case parseRefusal:
			s, err = nil, p.badTable
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
	if p.badTable != "" {
		return nil, p.badTable
	}
	s.src, s.Params, s.Refusal = p.src, p.params, p.refusal
	if s.Refusal == "" {
		s.Refusal = s.check()
	}
	return s, nil
}

// parser holds what the grammar needs to know about the statement so far.
type parser struct {
	tokens
	src          string
	params       int
	depth        int
	literalDepth int
	alone        bool    // the statement is an expression
	badTable     Refusal // refuses the table's name; "" if it is right
	refusal      Refusal // the first other one
}

// refuse notes a refusal. The parser continues, because an Error takes precedence.
func (p *parser) refuse(r Refusal) {
	if p.refusal == "" {
		p.refusal = r
	}
}

// nest enters a level of nesting. The caller calls the result to leave it.
func (p *parser) nest() func() { return p.deeper(&p.depth, maxNesting) }

// nestLiteral is nest for a list, a map or a bag.
func (p *parser) nestLiteral() func() { return p.deeper(&p.literalDepth, maxLiteralNesting) }

func (p *parser) parseStatement() *Statement {
	switch {
	case p.accept("SELECT"):
		return p.parseSelect()
	case p.accept("INSERT"):
		return p.parseInsert()
	case p.accept("UPDATE"):
		return p.parseUpdate()
	case p.accept("FROM"):
		return p.parseFromUpdate()
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
	p.parseExpressionAlone()
	return nil
}

// parseExpressionAlone reads a statement that begins as none does, which is an expression: service
// facts F.50. It always fails.
func (p *parser) parseExpressionAlone() {
	first := p.peek()
	if named := first.kind == tokQuoted || first.kind == tokWord; named &&
		p.next+1 < len(p.all) && p.all[p.next+1].is("*") {
		p.fail(errNoChange) // service facts 2.5
	}
	if first.kind == tokWord && isReserved(first.text) && !beginsExpression(first) {
		if p.next++; p.peek().kind == tokEOF {
			p.fail(errUnexpectedKeyword)
		}
		p.fail(errTrailing)
	}
	p.alone = true
	e := p.parseCondition()
	if p.accept(";"); p.peek().kind != tokEOF {
		p.fail(errTrailing)
	}
	p.badTable = Refusal("Unsupported operation: " + astName(&e))
	panic(parseRefusal{})
}

// parseRefusal ends the parsing of a text that is no statement, with the refusal in badTable.
type parseRefusal struct{}

// beginsExpression reports whether an expression can begin with a reserved word.
func beginsExpression(t token) bool {
	return slices.ContainsFunc([]string{"NOT", "TRUE", "FALSE", "NULL", "MISSING"}, t.is) ||
		reservedFunctions[strings.ToLower(t.text)]
}

// astNames are the names of expressions in the syntax tree of PartiQL's own parser
// (partiql-lang-kotlin, PartiqlAst.Expr). Those of paths, literals and IS are recorded.
var astNames = map[Op]string{
	OpString: "Lit", OpNumber: "Lit", OpTrue: "Lit", OpFalse: "Lit", OpNull: "Lit",
	OpMissing: "Missing", OpParam: "Parameter", OpList: "List", OpMap: "Struct", OpSet: "Bag",
	OpOr: "Or", OpAnd: "And", OpNot: "Not", OpEq: "Eq", OpNe: "Ne", OpLt: "Lt", OpLe: "Lte",
	OpGt: "Gt", OpGe: "Gte", OpBetween: "Between", OpIn: "InCollection", OpIs: "IsType",
	OpPlus: "Plus", OpMinus: "Minus",
}

func astName(e *Expr) string {
	switch name := astNames[e.Op]; {
	case name != "":
		return name
	case e.Op == OpPath && len(e.Path) == 1:
		return "Id"
	case e.Op == OpPath:
		return "Path"
	}
	return "Call"
}

func (p *parser) parseSelect() *Statement {
	s := &Statement{Kind: Select}
	if !p.accept("*") {
		p.parseColumns(s)
	}
	p.expect("FROM")
	if p.peek().kind == tokEOF {
		p.fail(errUnexpectedTerm) // service facts F.70
	}
	p.parseTable(s)
	p.parseAlias()
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

// parseColumns reads the list of SELECT, which may have paths only.
func (p *parser) parseColumns(s *Statement) {
	for {
		if t := p.peek(); t.kind == tokWord && isReserved(t.text) && !beginsExpression(t) {
			p.fail(Error("Expected identifier or an expression but found unexpected keyword '" +
				strings.ToLower(t.text) + "' in a select list.")) // service facts F.70
		}
		column := p.parseSum()
		if column.Op == OpPath {
			s.Projection = append(s.Projection, column.Path)
		} else {
			p.refuse(refuseColumn + Refusal(column.At.place(p.src)))
		}
		p.parseAlias()
		if !p.accept(",") {
			return
		}
	}
}

// parseAlias reads the alias of a table or column, if there is one, and refuses it.
func (p *parser) parseAlias() {
	named := p.accept("AS")
	switch t := p.peek(); {
	case t.kind == tokQuoted || t.kind == tokWord && !isReserved(t.text):
		p.next++
		p.refuse(refuseAlias)
	case named:
		p.fail(errAliasName)
	}
}

func (p *parser) parseOrder() Order {
	o := Order{Path: p.parsePath()}
	if o.Desc = p.accept("DESC"); !o.Desc {
		p.accept("ASC")
	}
	if p.accept("NULLS") && !p.accept("FIRST") { // service facts F.64
		p.expect("LAST")
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
	if !p.accept("INTO") {
		p.fail(errUnexpectedKeyword)
	}
	s := &Statement{Kind: Insert}
	p.parseTable(s)
	if p.peek().is("AS") {
		p.fail(errTrailing)
	}
	if !p.accept("VALUE") {
		// PartiQL's other form, INSERT INTO t <<...>>, which DynamoDB does not have
		p.parsePrimary()
		p.fail(errTrailing)
	}
	value := p.parsePrimary()
	s.Item = &value
	return s
}

func (p *parser) parseUpdate() *Statement {
	s := &Statement{Kind: Update}
	p.parseTable(s)
	p.parseAlias()
	p.parseClauses(s)
	p.parseWhere(s)
	s.Returning = p.parseReturning()
	return s
}

// parseFromUpdate reads the other form of an update, FROM t WHERE ... SET ...: service facts 2.1.
func (p *parser) parseFromUpdate() *Statement {
	s := &Statement{Kind: Update}
	p.parseTable(s)
	p.parseAlias()
	p.parseWhere(s)
	p.parseClauses(s)
	s.Returning = p.parseReturning()
	return s
}

// parseClauses reads one or more SET and REMOVE clauses.
func (p *parser) parseClauses(s *Statement) {
	for {
		switch {
		case p.accept("SET"):
			p.parseChanges(s, true)
		case p.accept("REMOVE"):
			p.parseChanges(s, false)
		case len(s.Changes) == 0:
			p.fail(errNoChange)
		default:
			return
		}
	}
}

// parseChanges reads the changes of a SET or REMOVE clause.
func (p *parser) parseChanges(s *Statement, set bool) {
	for {
		c := Change{Path: p.parsePath()}
		if set {
			p.expect("=")
			value := p.parseSum()
			c.Value = &value
		}
		s.Changes = append(s.Changes, c)
		if !set || !p.accept(",") { // REMOVE takes one path (service facts F.49)
			return
		}
	}
}

func (p *parser) parseDelete() *Statement {
	if !p.accept("FROM") {
		p.fail(errNoFrom)
	}
	s := &Statement{Kind: Delete}
	p.parseTable(s)
	p.parseAlias()
	p.parseWhere(s)
	s.Returning = p.parseReturning()
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
