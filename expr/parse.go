package expr

import "strconv"

// fault is a kind of mistake that does not end the parse. The kinds are in the order in which they
// are reported, wherever they are in the expression.
type fault uint8

const (
	faultOperators fault = iota
	faultPath
	faultSection
	faults
)

// parser reads one expression. Its methods are named after what they read. At a syntax error they
// panic with a syntaxError, which parse recovers. maxExpressionBytes bounds the recursion.
type parser struct {
	grammar grammar
	src     string
	toks    []token
	next    int // index of the next token

	tree      *tree
	slots     map[string]int32
	operators int
	faults    [faults]string // messages; the first of each kind
}

// syntaxError is the message of a syntax error, as a panic carries it to parse.
type syntaxError string

// parse reads an expression of a kind. The tree may share memory with src.
func parse(kind Kind, src string) (t *tree, err error) {
	if src == "" {
		return nil, invalid(kind, msgEmpty)
	}
	if len(src) > maxExpressionBytes {
		return nil, invalid(kind, msgTooLong(kind.grammar(), len(src)))
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case syntaxError:
			t, err = nil, invalid(kind, string(r))
		default:
			panic(r)
		}
	}()
	p := newParser(kind.grammar(), src)
	p.parse()
	for _, message := range p.faults {
		if message != "" {
			return nil, invalid(kind, message)
		}
	}
	return p.tree, nil
}

func newParser(g grammar, src string) *parser {
	return &parser{
		grammar: g, src: src, toks: lex(src), tree: &tree{grammar: g, src: src},
		slots: make(map[string]int32),
	}
}

func (p *parser) parse() {
	switch p.grammar {
	case grammarCondition:
		p.tree.root = p.parseCondition()
	case grammarUpdate:
		p.parseUpdate()
	case grammarPaths:
		p.tree.paths = append(p.tree.paths, p.parsePath())
		for p.accept(tokComma) {
			p.tree.paths = append(p.tree.paths, p.parsePath())
		}
	}
	p.expect(tokEOF)
}

func (p *parser) peek() tokenKind { return p.toks[p.next].kind }

// accept consumes the next token if it is of the kind.
func (p *parser) accept(k tokenKind) bool {
	if p.peek() != k {
		return false
	}
	if k != tokEOF {
		p.next++
	}
	return true
}

// expect consumes the next token, which must be of the kind, and returns its text.
func (p *parser) expect(k tokenKind) string {
	t := p.toks[p.next]
	if !p.accept(k) {
		p.syntaxError()
	}
	return p.text(t)
}

func (p *parser) text(t token) string { return p.src[t.pos:t.end] }

// syntaxError rejects the next token. The service shows the text from the token before it to the
// token after it.
func (p *parser) syntaxError() {
	t := p.toks[p.next]
	from, to := t.pos, t.end
	switch {
	case p.next > 0:
		from = p.toks[p.next-1].pos
	case t.kind == tokEOF: // nothing but blanks: service facts B.5
		from = 0
	}
	if p.next+1 < len(p.toks) {
		to = p.toks[p.next+1].end
	}
	text := p.text(t)
	if t.kind == tokEOF {
		text = "<EOF>"
	}
	panic(syntaxError(msgSyntax(text, p.src[from:to])))
}

// fault notes a mistake that does not end the parse. The first of each kind counts.
func (p *parser) fault(f fault, message string) {
	if p.faults[f] == "" {
		p.faults[f] = message
	}
}

// operator counts an operator against the limit.
func (p *parser) operator() {
	if p.operators++; p.operators > maxOperators {
		p.fault(faultOperators, msgTooManyOperators(p.operators))
	}
}

// slot returns the slot of a placeholder.
func (p *parser) slot(placeholder string) int32 {
	i, ok := p.slots[placeholder]
	if !ok {
		i = int32(len(p.tree.refs))
		p.slots[placeholder] = i
		p.tree.refs = append(p.tree.refs, placeholder)
	}
	return i
}

// parsePath reads a document path: a.#b[0].
func (p *parser) parsePath() []step {
	path := []step{p.parseName()}
	for {
		switch {
		case p.accept(tokDot):
			path = append(path, p.parseName())
		case p.accept(tokLBracket):
			path = append(path, p.parseIndex())
			p.expect(tokRBracket)
		default:
			if len(path) > maxPathDepth {
				p.fault(faultPath, msgTooDeep(len(path)))
			}
			return path
		}
	}
}

func (p *parser) parseName() step {
	if p.peek() == tokName {
		return step{slot: p.slot(p.expect(tokName)), index: -1}
	}
	name := p.expect(tokIdent)
	if isReserved(name) {
		p.tree.suspect = true
	}
	return step{name: name, slot: -1, index: -1}
}

func (p *parser) parseIndex() step {
	text := p.expect(tokNumber)
	i, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		p.fault(faultPath, msgIndexRange(text))
	}
	return step{slot: -1, index: int32(i)}
}

// parseOperand reads a path, a value, a function, or one of them in parentheses. In an update the
// parentheses may also contain a sum.
func (p *parser) parseOperand() node {
	switch p.peek() {
	case tokValue:
		return node{op: opValue, slot: p.slot(p.expect(tokValue))}
	case tokLParen:
		p.next++
		var n node
		if p.grammar == grammarUpdate {
			n = p.parseSum()
		} else {
			n = p.parseOperand()
			p.asOperand(n)
		}
		return p.closeParens(n)
	case tokIdent:
		if p.toks[p.next+1].kind == tokLParen {
			return p.parseFunction()
		}
	}
	path := p.parsePath()
	if p.grammar == grammarCondition {
		p.tree.paths = append(p.tree.paths, path)
	}
	return node{op: opPath, path: path}
}

// closeParens reads the closing parenthesis of n. Redundant parentheses end the parse, whatever
// follows (service facts B.12).
func (p *parser) closeParens(n node) node {
	p.expect(tokRParen)
	if n.parens {
		panic(syntaxError(msgRedundant))
	}
	n.parens = true
	return n
}

// parseFunction reads the name of a function, which is the next token, and its operands.
func (p *parser) parseFunction() node {
	name := p.expect(tokIdent)
	n := node{op: functionNamed(name)}
	p.operator()
	if n.op == opUnknownFunction {
		n.path = []step{{name: name, slot: -1, index: -1}}
	}
	if n.op == opUnknownFunction || !n.op.function().In(p.grammar.places()) {
		p.tree.suspect = true
	}
	p.expect(tokLParen)
	for {
		arg := p.parseOperand()
		p.asOperand(arg)
		if n.op.nestsItself(arg.op) {
			p.tree.suspect = true
		}
		n.kids = append(n.kids, arg)
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRParen)
	return n
}

// asOperand marks the tree as suspect if n is a function that returns no value.
func (p *parser) asOperand(n node) {
	if n.op.isFunction() && n.op.function().IsCondition() {
		p.tree.suspect = true
	}
}
