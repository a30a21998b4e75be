package item

import (
	"slices"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// set reads a set: its elements sorted, each once.
func (p *parser) set(t Type) (size int, err error) {
	if !p.s.Next('[') {
		return 0, p.unexpected(ErrNoScalarHere, "")
	}
	p.buf = append(p.buf, '[')
	start := len(p.buf)
	elems := make([]span, 0, 8)
	for first := true; !p.s.Next(']'); first = false {
		if !first {
			if !p.s.Next(',') {
				return 0, ErrSyntax
			}
			p.buf = append(p.buf, ',')
		}
		if p.s.Next('n') {
			return 0, ErrNoStringHere
		}
		from := len(p.buf)
		n, err := p.scalar(t.element())
		if err != nil {
			return 0, err
		}
		size += n
		elems = append(elems, span{from: from, to: len(p.buf)})
	}
	p.checkSet(t, elems, start)
	p.buf = append(p.buf, ']')
	return size, nil
}

// checkSet sorts the elements, which stand in buf from start on.
func (p *parser) checkSet(t Type, elems []span, start int) {
	if len(elems) == 0 {
		p.fail(map[Type]string{SS: invalidEmptySS, NS: invalidEmptyNS, BS: invalidEmptyBS}[t])
	}
	if p.invalid != nil {
		return
	}
	order := elementOrder(t)
	compare := func(a, b span) int {
		return order(p.text(a.from+1, a.to-1), p.text(b.from+1, b.to-1))
	}
	if !slices.IsSortedFunc(elems, compare) {
		slices.SortFunc(elems, compare)
		defer p.rewrite(elems, start)
	}
	for i := range len(elems) - 1 {
		if compare(elems[i], elems[i+1]) == 0 {
			p.fail(invalidRepeated(t, p.asGiven(elems)))
			return
		}
	}
}

// asGiven are the elements' texts in the order in which they came.
func (p *parser) asGiven(elems []span) []string {
	slices.SortFunc(elems, func(a, b span) int { return a.from - b.from })
	texts := make([]string, len(elems))
	for i, e := range elems {
		texts[i] = jsontext.Unquote(string(p.buf[e.from+1 : e.to-1]))
	}
	return texts
}
