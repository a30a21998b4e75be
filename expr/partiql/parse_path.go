package partiql

import (
	"slices"
	"strconv"
)

// parseName reads a name: quoted, or plain and not reserved. Names are case-sensitive.
func (p *parser) parseName() string {
	t := p.peek()
	switch {
	case t.kind == tokQuoted && t.text != "":
	case t.kind == tokWord && !isReserved(t.text):
	case t.kind == tokWord:
		p.fail(errUnexpectedKeyword)
	default:
		p.fail(errIdentifier)
	}
	p.next++
	return t.text
}

// parseTable reads the name of a table, and of an index of it: service facts 2.16, 2.20.
func (p *parser) parseTable(s *Statement) {
	first := p.peek()
	names := []string{p.parseComponent()}
	for p.accept(".") {
		names = append(names, p.parseComponent())
	}
	s.Table = names[0]
	if len(names) > 1 {
		s.Index = names[1]
	}
	switch {
	case len(names) > 1 && s.Kind == Insert:
		p.badTable = refuseManyTables + Refusal(first.at.place(p.src))
	case len(names) > 2:
		p.badTable = refuseComponents
	case slices.Contains(names, ""):
		p.badTable = refuseEmptyName
	case len(names) > 1 && s.Kind != Select:
		p.badTable = refuseIndex
	}
}

// parseComponent reads a name that may be empty.
func (p *parser) parseComponent() string {
	if t := p.peek(); t.kind == tokQuoted {
		p.next++
		return t.text
	}
	return p.parseName()
}

// parsePath reads a.b[0]['c'].
func (p *parser) parsePath() Path {
	path := Path{{Name: p.parseName(), Index: -1}}
	for {
		switch {
		case p.accept("."):
			if p.alone && p.accept("*") {
				path = append(path, Step{Name: "*", Index: -1})
				continue
			}
			if t := p.peek(); t.kind != tokQuoted && (t.kind != tokWord || isReserved(t.text)) {
				p.fail(errPathDot)
			}
			path = append(path, Step{Name: p.parseName(), Index: -1})
		case p.accept("["):
			path = append(path, p.parseBracket())
			p.expect("]")
		default:
			return path
		}
	}
}

// parseBracket reads an index or a name between brackets in a path.
func (p *parser) parseBracket() Step {
	if t := p.peek(); t.kind == tokString && t.text != "" {
		p.next++
		return Step{Name: t.text, Index: -1}
	}
	sign := p.parseSigns()
	t := p.take()
	if t.kind != tokNumber || digits(t.text, 0) < len(t.text) {
		p.fail(errPathComponent)
	}
	n, err := strconv.ParseInt(sign+t.text, 10, 32)
	if err != nil || n < 0 { // service facts A.17
		p.refuse(refuseListIndex + Refusal("["+sign+t.text+"]"+t.at.place(p.src)))
		n = 0
	}
	return Step{Index: int(n)}
}
