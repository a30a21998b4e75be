package item

import (
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// The parser makes the canonical form of a text while it reads the text: see canon. Nearly all that
// clients send is canonical already, so the parser copies as little as it can. The canonical form
// so far is buf, followed by the run, which is a part of the text:
//
//	text   {"m":{"M":{"a": {"N":"1"},"b":{"S":"x"}}}}
//	                       ^              ^
//	                       run            scanner
//	buf    "m":{"M":{"a":
//	form   "m":{"M":{"a":{"N":"1"},"b":{
//
// Reading canonical text extends the run and copies nothing. At text that is not canonical, here
// the space, cut moves the run to buf and begins a new run behind that text. What replaces the text
// is appended to buf in between: nothing for a space, and 1 for the number 1.0.
//
// A span is the result for one attribute. If a whole attribute was canonical, its span is a part of
// the text, which is copied once, to the item. Otherwise its span is a part of buf.

// canon is a text that is being read, and its canonical form so far.
type canon struct {
	s   jsontext.Scanner // a copy, which is faster than a pointer
	run int              // offset of the run in the text
	buf []byte
}

// cut appends the run up to an offset of the text to buf, and begins a new run at the scanner. The
// caller may then append to buf what replaces the text in between.
func (c *canon) cut(at int) {
	c.buf = append(c.buf, c.s.Slice(c.run, at)...)
	c.run = c.s.Pos()
}

// space consumes white space, which is not canonical.
func (c *canon) space() {
	if c.s.Byte() <= ' ' {
		c.cutSpace()
	}
}

func (c *canon) cutSpace() {
	from := c.s.Pos()
	if c.s.Space(); c.s.Pos() > from {
		c.cut(from)
	}
}

// next consumes white space and then a delimiter. It reports false if another character follows the
// white space.
func (c *canon) next(delimiter byte) bool {
	c.space()
	return c.s.Take(delimiter)
}

// more consumes what follows a member or an element. It reports true for a comma and false for the
// closing delimiter.
func (c *canon) more(closing byte) (bool, error) {
	c.space()
	switch {
	case c.s.Take(','):
		return true, nil
	case c.s.Take(closing):
		return false, nil
	}
	return false, ErrSyntax
}

// span is len bytes of the text from offset from or, if from is negative, of buf from offset ^from.
// The span of an attribute begins with its name. quoted is the length of the name with its quotes,
// and prefix is the result of prefixOf for it. The struct has four words, so that the compiler
// keeps it in registers.
type span struct {
	from, len int
	quoted    int
	prefix    uint64
}

// mark is a position: an offset of the text, and the length of the canonical form up to there.
type mark struct{ text, form int }

func (c *canon) mark() mark {
	return mark{c.s.Pos(), len(c.buf) + c.s.Pos() - c.run}
}

// since returns the canonical form of what was read since m. It is a part of the text if the run
// has begun before m.
func (c *canon) since(m mark) span {
	if c.run <= m.text {
		return span{from: m.text, len: c.s.Pos() - m.text}
	}
	c.cut(c.s.Pos())
	return span{from: ^m.form, len: len(c.buf) - m.form}
}

// text returns the text of a span. It is valid until buf grows.
func (c *canon) text(f span) string {
	if f.from >= 0 {
		return c.s.Slice(f.from, f.from+f.len)
	}
	return unsafe.String(&c.buf[^f.from], f.len)
}

// drop removes what was read since m from the canonical form.
func (c *canon) drop(m mark) {
	if c.run <= m.text {
		c.cut(m.text)
	} else {
		c.buf = c.buf[:m.form]
		c.run = c.s.Pos()
	}
}

// rewrite replaces the members or elements that were read since m by spans in another order. The
// scanner stands behind the closing delimiter.
func (c *canon) rewrite(spans []span, m mark) {
	closing := c.s.Pos() - 1
	if c.run <= m.text {
		c.cut(m.text)
	}
	end := len(c.buf)
	for i := range spans {
		if i > 0 {
			c.buf = append(c.buf, ',')
		}
		c.buf = append(c.buf, c.text(spans[i])...)
	}
	if end > m.form {
		n := copy(c.buf[m.form:], c.buf[end:])
		c.buf = c.buf[:m.form+n]
	}
	c.run = closing
}

// unexpected returns the error for the next value, which has the wrong type. scalar is the error
// for scalars, and wanted the Java type of the right one, or "" for a list.
func (c *canon) unexpected(scalar SerializationError, wanted string) error {
	if _, err := c.scalarText(wanted); err != nil {
		return err
	}
	return scalar
}

// scalarText consumes a scalar and returns its text. It fails for an object or a list.
func (c *canon) scalarText(wanted string) (string, error) {
	switch c.s.Peek() {
	case '{':
		return "", ErrNoObjectHere
	case '[':
		return "", ErrNoList(wanted)
	}
	from := c.s.Pos()
	if c.s.Skip(0) != nil {
		return "", ErrSyntax
	}
	return c.s.Text(from), nil
}

func (c *canon) null() bool {
	c.space()
	return c.s.Byte() == 'n' && c.s.Next('n')
}
