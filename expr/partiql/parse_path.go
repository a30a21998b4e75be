package partiql

import "strconv"

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

func (p *parser) parsePaths() []Path {
	paths := []Path{p.parsePath()}
	for p.accept(",") {
		paths = append(paths, p.parsePath())
	}
	return paths
}

// parsePath reads a.b[0]['c'].
func (p *parser) parsePath() Path {
	path := Path{{Name: p.parseName(), Index: -1}}
	for {
		switch {
		case p.accept("."):
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

// parseBracket reads what stands between brackets in a path.
func (p *parser) parseBracket() Step {
	switch t := p.take(); t.kind {
	case tokString:
		if t.text != "" {
			return Step{Name: t.text, Index: -1}
		}
	case tokNumber:
		n, err := strconv.ParseInt(t.text, 10, 32)
		if err != nil {
			p.fail(errIndex)
		}
		return Step{Index: int(n)}
	}
	p.fail(errPathComponent)
	return Step{}
}
