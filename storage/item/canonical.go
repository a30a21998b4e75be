package item

import "unsafe"

// The parser makes the canonical form of a text while it reads the text. Nearly all that clients
// send is canonical already, so the parser copies as little as it can. The canonical form so far is
// buf, followed by the run, which is a part of the text:
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

// cut appends the run up to an offset of the text to buf, and begins a new run at the scanner. The
// caller may then append to buf what replaces the text in between.
func (p *parser) cut(at int) {
	p.buf = append(p.buf, p.s.Slice(p.run, at)...)
	p.run = p.s.Pos()
}

// space consumes white space, which is not canonical.
func (p *parser) space() {
	if p.s.Byte() <= ' ' {
		p.cutSpace()
	}
}

func (p *parser) cutSpace() {
	from := p.s.Pos()
	if p.s.Space(); p.s.Pos() > from {
		p.cut(from)
	}
}

// next consumes white space and then a delimiter. It reports false if another character follows the
// white space.
func (p *parser) next(delimiter byte) bool {
	p.space()
	return p.s.Take(delimiter)
}

// more consumes what follows a member or an element. It reports true for a comma and false for the
// closing delimiter.
func (p *parser) more(closing byte) (bool, error) {
	p.space()
	switch {
	case p.s.Take(','):
		return true, nil
	case p.s.Take(closing):
		return false, nil
	}
	return false, ErrSyntax
}

// span is len bytes of the text from offset from or, if from is negative, of buf from offset ^from.
// The span of an attribute begins with its name. quoted is the length of the name with its quotes,
// and prefix is what prefixOf returns for it. The struct has four words, so that the compiler keeps
// it in registers.
type span struct {
	from, len int
	quoted    int
	prefix    uint64
}

// mark is a position: an offset of the text, and the length of the canonical form up to there.
type mark struct{ text, form int }

func (p *parser) mark() mark {
	return mark{p.s.Pos(), len(p.buf) + p.s.Pos() - p.run}
}

// since returns the canonical form of what was read since m. It is a part of the text if the run
// has begun before m.
func (p *parser) since(m mark) span {
	if p.run <= m.text {
		return span{from: m.text, len: p.s.Pos() - m.text}
	}
	p.cut(p.s.Pos())
	return span{from: ^m.form, len: len(p.buf) - m.form}
}

// text returns the text of a span. It is valid until buf grows.
func (p *parser) text(f span) string {
	if f.from >= 0 {
		return p.s.Slice(f.from, f.from+f.len)
	}
	return unsafe.String(&p.buf[^f.from], f.len)
}

// drop removes what was read since m from the canonical form.
func (p *parser) drop(m mark) {
	if p.run <= m.text {
		p.cut(m.text)
	} else {
		p.buf = p.buf[:m.form]
		p.run = p.s.Pos()
	}
}

// rewrite replaces the members or elements that were read since m by spans in another order. The
// scanner stands behind the closing delimiter.
func (p *parser) rewrite(spans []span, m mark) {
	closing := p.s.Pos() - 1
	if p.run <= m.text {
		p.cut(m.text)
	}
	end := len(p.buf)
	for i := range spans {
		if i > 0 {
			p.buf = append(p.buf, ',')
		}
		p.buf = append(p.buf, p.text(spans[i])...)
	}
	if end > m.form {
		n := copy(p.buf[m.form:], p.buf[end:])
		p.buf = p.buf[:m.form+n]
	}
	p.run = closing
}
