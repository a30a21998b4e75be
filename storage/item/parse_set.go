package item

import (
	"slices"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// set reads a set. The canonical form has the elements sorted, each once.
func (p *parser) set(t Type) (size int, err error) {
	if !p.next('[') {
		return 0, p.unexpected(ErrNoScalarHere, "")
	}
	first, start := len(p.fieldAt), p.mark()
	elemType := t.element()
	more := !p.next(']')
	if more && t != BS {
		size, more = p.plainElements(t)
	}
	for more {
		if p.null() {
			return 0, ErrNoStringHere
		}
		elem := p.mark()
		n, err := p.scalar(elemType)
		if err != nil {
			return 0, err
		}
		size += n
		p.fieldAt = append(p.fieldAt, p.since(elem))
		if more, err = p.more(']'); err != nil {
			return 0, err
		}
	}
	p.checkSet(t, p.fieldAt[first:], start)
	p.fieldAt = p.fieldAt[:first]
	return size, nil
}

// plainElements reads elements of an SS or NS as long as they are plain strings, or numbers in
// normal form. It returns the sum of their sizes. more is false if it has consumed the closing
// bracket.
func (p *parser) plainElements(t Type) (size int, more bool) {
	base, src, pos := p.s.Pos(), p.s.Rest(), 0
	for more = true; more && pos < len(src) && src[pos] == '"'; {
		end := jsontext.PlainRun(src, pos+1)
		if end+1 >= len(src) || src[end] != '"' || src[end+1] != ',' && src[end+1] != ']' {
			break
		}
		n := end - pos - 1
		prefix := prefixOf(src[pos+1:], n)
		if t == NS {
			if n = normalSize(src[pos+1 : end]); n == 0 {
				break
			}
		}
		p.fieldAt = append(p.fieldAt, span{from: base + pos, len: end + 1 - pos, prefix: prefix})
		size += n
		more = src[end+1] == ','
		pos = end + 2
	}
	p.s.Advance(pos)
	return size, more
}

// checkSet sorts the elements, which begin at start. It may leave spans in fieldAt.
func (p *parser) checkSet(t Type, elems []span, start mark) {
	if len(elems) == 0 {
		p.fail(Invalid{Fault: EmptySet, Set: t})
	}
	if p.failed() || p.ascend(t, elems) {
		return
	}
	p.fieldAt = append(p.fieldAt, elems...)
	sorted := p.fieldAt[len(p.fieldAt)-len(elems):]
	order := elementOrder(t)
	slices.SortFunc(sorted, func(a, b span) int { return order(p.inQuotes(a), p.inQuotes(b)) })
	if !p.ascend(t, sorted) {
		p.fail(Invalid{Fault: RepeatedElement, Set: t, Elements: p.asGiven(elems)})
		return
	}
	p.rewrite(sorted, start)
}
