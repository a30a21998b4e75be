package bucket

import (
	"errors"
	"fmt"
)

// ionText looks at Ion's text form before the library does, and refuses what takes the library more
// than linear time: long numbers, and symbol tables that add to earlier ones again and again.
type ionText struct {
	quote   byte // the present quotation: '"', '\'', 'L' for three quotes, 'N' or 'C' for comments
	escaped bool
	before  byte // the last byte
	again   byte // the one before that
	apart   bool // the last byte does not belong together with the next one
	lob     bool // the text is between {{ and }}
	depth   int
	token   int  // the length of the present token
	number  bool // it began like a number
	tables  symbolCost
}

// maxDigits is how long a number may be in a file: DynamoDB's have 38 digits.
const maxDigits = 1024

// maxNumberBits is about as many bits as maxDigits digits have.
const maxNumberBits = maxDigits * 10 / 3

var errLongNumber = fmt.Errorf("a number has more than %d digits", maxDigits)

// symbolCost counts what symbol tables cost the library, which copies all earlier symbols for each.
type symbolCost struct {
	total, spent uint64
}

// freeSymbols bounds what symbol tables may cost in any file, and symbolFactor what they may cost
// more for each byte that was read.
const (
	freeSymbols  = 64 << 20
	symbolFactor = 16
)

var errSymbolTables = errors.New("there are too many symbol tables")

// add counts a table that copies a number of bytes.
func (c *symbolCost) add(copied uint64) error {
	if c.spent += copied; c.spent > freeSymbols+symbolFactor*c.total {
		return errSymbolTables
	}
	return nil
}

// check looks at the next bytes.
func (t *ionText) check(text []byte) error {
	for _, b := range text {
		t.tables.total++
		if err := t.next(b); err != nil {
			return err
		}
		if t.again, t.before = t.before, b; t.apart {
			t.again, t.before, t.apart = 0, 0, false
		}
	}
	return nil
}

func (t *ionText) next(b byte) error {
	switch {
	case t.quote != 0:
		t.quoted(b)
		return nil
	case b == '"':
		t.quote = b
	case b == '\'' && t.before == b && t.again == b:
		t.quote, t.apart = 'L', true
	case b == '\'':
		t.quote = b
	case t.lob:
		if b == '}' {
			t.lob = false
			t.depth--
		}
		return nil
	case t.before == '/' && b == '/':
		t.quote = 'N'
	case t.before == '/' && b == '*':
		t.quote = 'C'
	case b == '{' || b == '[' || b == '(':
		t.lob = b == '{' && t.before == '{'
		t.depth++
	case b == '}' || b == ']' || b == ')':
		t.depth--
	case b == ':' && t.before == ':' && t.depth == 0:
		// An annotation at the top level: nothing but a symbol table has one.
		return t.tables.add(t.tables.total)
	}
	return t.count(b)
}

// count counts the bytes of tokens.
func (t *ionText) count(b byte) error {
	if !inToken(b) {
		t.token = 0
		return nil
	}
	if t.token++; t.token == 1 {
		t.number = '0' <= b && b <= '9' || b == '-' || b == '+'
	}
	if t.number && t.token > maxDigits {
		return errLongNumber
	}
	return nil
}

func inToken(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' ||
		b == '_' || b == '$' || b == '.' || b == '-' || b == '+'
}

// quoted looks at a byte in quotes or in a comment. Three quotes look like an empty symbol and the
// begin of another one.
func (t *ionText) quoted(b byte) {
	t.token = 0
	switch {
	case t.quote == 'N':
		if b == '\n' || b == '\r' {
			t.quote = 0
		}
	case t.quote == 'C':
		if t.before == '*' && b == '/' {
			t.quote = 0
		}
	case t.escaped:
		t.escaped, t.apart = false, true
	case b == '\\':
		t.escaped = true
	case t.quote == 'L':
		if b == '\'' && t.before == '\'' && t.again == '\'' {
			t.quote, t.apart = 0, true
		}
	case b == t.quote:
		t.quote = 0
	}
}
