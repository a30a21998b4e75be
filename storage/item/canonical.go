package item

import "unsafe"

// The canonical form so far is buf and, behind it, the run: the text from
// offset run to where the scanner stands. What is canonical as it stands, as is
// nearly all that clients send, joins it by being read. What is not is cut out:
// the run before it goes to buf, and a new run begins behind it.
//
// So an attribute that is canonical as a whole is copied once, from the text to
// the item: its span is one of the text. Others are put together in buf.

// cut ends the run at an offset of the text, and begins the next one where the
// scanner stands. What the text between stands for may be appended to buf.
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

// next consumes a delimiter, and white space before it; it reports false,
// consuming nothing but that, if something else is there.
func (p *parser) next(delimiter byte) bool {
	p.space()
	return p.s.Take(delimiter)
}

// more consumes what stands behind a member or an element: a comma, or the
// closing delimiter, for which it reports false.
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

// span is len bytes of the text or, if from is negative, of buf, from ^from on.
// That of an attribute begins with its name, of which quoted is the length with
// its quotes, and prefix what prefixOf says. (It has no more than four words, so
// that the compiler keeps it in registers.)
type span struct {
	from, len int
	quoted    int
	prefix    uint64
}

// mark is a place in the canonical form: an offset of the text, and the length of the form up to there.
type mark struct{ text, form int }

func (p *parser) mark() mark {
	return mark{p.s.Pos(), len(p.buf) + p.s.Pos() - p.run}
}

// since returns what was read since m. It is a part of the text if the run goes back so far.
func (p *parser) since(m mark) span {
	if p.run <= m.text {
		return span{from: m.text, len: p.s.Pos() - m.text}
	}
	p.cut(p.s.Pos())
	return span{from: ^m.form, len: len(p.buf) - m.form}
}

// text is what a span holds, valid until buf grows.
func (p *parser) text(f span) string {
	if f.from >= 0 {
		return p.s.Slice(f.from, f.from+f.len)
	}
	return unsafe.String(&p.buf[^f.from], f.len)
}

// drop leaves out what was read since m.
func (p *parser) drop(m mark) {
	if p.run <= m.text {
		p.cut(m.text)
	} else {
		p.buf = p.buf[:m.form]
		p.run = p.s.Pos()
	}
}

// rewrite replaces what was read since m, up to the closing delimiter that was
// just consumed, by the spans in their order, separated by commas.
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
