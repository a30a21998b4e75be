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

// unexpected returns the error for the next token.
func (t *tokens) unexpected() Error {
	if next := t.peek(); next.kind == tokWord && isReserved(next.text) {
		return errUnexpectedKeyword
	}
	return errUnexpectedTerm
}

// noStatement returns the error for a next token that begins no statement (service facts 2.5).
func (t *tokens) noStatement() Error {
	if next := t.peek(); next.kind == tokQuoted ||
		next.kind == tokWord && !isReserved(next.text) {
		return errNoChange
	}
	return t.unexpected()
}
