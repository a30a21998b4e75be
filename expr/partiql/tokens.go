package partiql

// tokens are the tokens of a statement, read from left to right. A method that cannot go on panics
// with a parseFailure.
type tokens struct {
	all  []token
	next int
}

type parseFailure struct{ err Error }

func (t *tokens) fail(err Error) { panic(parseFailure{err}) }

func (t *tokens) peek() token { return t.all[t.next] }

// take consumes and returns the next token. It never consumes tokEOF.
func (t *tokens) take() token {
	taken := t.all[t.next]
	if taken.kind != tokEOF {
		t.next++
	}
	return taken
}

func (t *tokens) accept(text string) bool {
	if !t.peek().is(text) {
		return false
	}
	t.next++
	return true
}

func (t *tokens) expect(text string) {
	if !t.accept(text) {
		t.fail(errExpected(text))
	}
}

// deeper enters a level of nesting, of at most most. The caller calls the result to leave it.
func (t *tokens) deeper(depth *int, most int) func() {
	if *depth++; *depth > most {
		t.fail(errDeep)
	}
	return func() { *depth-- }
}

// unexpected returns the error for the next token, where an expression is wanted (service facts
// F.70).
func (t *tokens) unexpected() Error {
	switch next := t.peek(); {
	case next.isInfix():
		return errOperator
	case next.kind == tokWord && isReserved(next.text):
		return errUnexpectedKeyword
	}
	return errUnexpectedTerm
}

// isInfix reports whether a token is an operator that has an operand before it.
func (t token) isInfix() bool {
	for _, op := range [...]string{"=", "<>", "!=", "<", "<=", ">", ">=", "||", "/", "%",
		"AND", "OR", "IS", "IN", "BETWEEN", "LIKE"} {
		if t.is(op) {
			return true
		}
	}
	return false
}

// right checks that an operand follows an operator (service facts F.70).
func (t *tokens) right() {
	if t.peek().kind == tokEOF {
		t.fail(errNoRight)
	}
}
