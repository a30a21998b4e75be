package item

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// A client writes the items of a table alike: the same names in the same order,
// each with a value of the same type. A parser remembers the maps that it has
// read as paths in a tree: each place is an attribute, what it begins with to the
// byte ("name":{"S":"), and what followed it. One comparison then stands for
// reading the name, and at the end of a path it is known how its attributes are
// sorted, and that they are distinct. That takes a third off the time for an item.
//
// What is remembered is never relied upon: a place counts only if the text has it,
// so that what is parsed before makes no difference to what comes out. Where a
// map leaves the tree, the rest of it is read without, by the functions in
// parse.go, which therefore know nothing of all this: branches that are now
// taken and now not cost items that never repeat half as much again.

// place is an attribute of a map, behind certain others in a certain order, or
// the beginning of a map: then it has no text. The text, which is canonical, goes up
// to the first character of the content, and includes it unless it is a truth value's.
type shapeNode struct {
	first, last uint64 // eight bytes of the text each
	text        string
	t           Type
	quoted      int        // as in span
	prefix      uint64     // as in span
	next        *shapeNode // what may stand behind it, the last learned first
	other       *shapeNode // what may stand here instead
	inside      *shapeNode // for M and L: the beginning of the map, or of those in the list
	odd         bool       // a number that was not in normal form last time: it is not looked at twice
	order       []byte     // if the map ever ended here: for each attribute in canonical order, which it is of those given
	sorted      bool       // if that is the order given
}

const (
	maxShapes   = 256
	maxSiblings = 8  // that may stand at the same place
	maxBegin    = 64 // bytes of a place's text
	minBegin    = len(`"n":{"S":"`)
)

// find returns the place behind at that the text begins with, or nil.
func (at *shapeNode) find(text string) *shapeNode {
	for n := at.next; n != nil; n = n.other {
		size := len(n.text)
		if size > len(text) || size < minBegin { // never less: it saves the checks below
			continue
		}
		if jsontext.Word(text) == n.first && jsontext.Word(text[size-8:size]) == n.last &&
			(size <= 16 || text[8:size-8] == n.text[8:size-8]) {
			return n
		}
	}
	return nil
}

// memory is what a parser remembers: little, and nothing for a while if
// attributes hardly ever come again.
type shapeCache struct {
	start        *shapeNode // of items
	nodes        int
	hits, misses int // attributes that were found, or not, of late
	pause        int // so many items are not looked up
}

const (
	reviewAfter = 128  // misses
	pauseFor    = 8192 // items
)

// begin returns the beginning of an item, or nil.
func (m *shapeCache) begin() *shapeNode {
	if m.misses >= reviewAfter {
		if m.hits < 2*m.misses {
			*m = shapeCache{pause: pauseFor}
		}
		m.hits, m.misses = 0, 0
	}
	if m.pause > 0 {
		m.pause--
		return nil
	}
	if m.start == nil {
		m.start = &shapeNode{}
	}
	return m.start
}

// learn adds what the text begins with to what may stand behind at. It returns nil
// if that is nothing to remember, or too much.
func (m *shapeCache) learn(at *shapeNode, text string) *shapeNode {
	m.misses++
	s := jsontext.NewScanner(text)
	name, ok := s.PlainName()
	if !ok || name == "" || m.nodes >= maxShapes {
		return nil
	}
	others := 0
	for n := at.next; n != nil; n = n.other {
		others++
	}
	t := Value(s.Rest()).Type()
	begin := len(`"":`) + len(name) + len(openings[t])
	if t != BOOL && t != NULL {
		begin++
	}
	if others >= maxSiblings || begin > min(maxBegin, len(text)) || !begins(t, s.Rest()) {
		return nil
	}
	n := &shapeNode{
		text: strings.Clone(text[:begin]), t: t,
		first: jsontext.Word(text), last: jsontext.Word(text[begin-8:]),
		quoted: len(name) + len(`""`), prefix: prefixOf(text[1:], len(name)+len(`"`)),
		other: at.next,
	}
	if t == M || t == L {
		n.inside = &shapeNode{}
	}
	at.next = n
	m.nodes++
	return n
}

// begins reports whether the text is of a value of type t that is not null, without white space.
func begins(t Type, text string) bool {
	opening := openings[t]
	if t == NoType || len(text) <= len(opening) || text[:len(opening)] != opening {
		return false
	}
	c := text[len(opening)]
	switch t {
	case S, N, B:
		return c == '"'
	case M:
		return c == '{'
	case NULL, BOOL:
		return c == 't' || c == 'f'
	}
	return c == '['
}

// usable returns n, the place of the attribute that stands here, or nil if that is
// for the functions in parse.go: null for a truth value, and what is nested too deep.
func (p *parser) usable(n *shapeNode, depth int) *shapeNode {
	switch {
	case n == nil:
	case n.t >= NULL && !begins(n.t, p.s.Rest()[n.quoted+len(`:`):]), n.inside != nil && depth >= maxNesting:
		return nil
	}
	return n
}

// scalars reads attributes that are remembered, as long as they are plain scalars.
// It returns the place of the last one, that of the attribute that stands here, if
// it is remembered too, the sum of the sizes with those before, and whether more
// attributes stand here, or else the map's closing brace has been consumed.
func (p *parser) scalars(at *shapeNode, before int) (last, here *shapeNode, size int, more bool) {
	base, src := p.s.Pos(), p.s.Rest()
	count := len(p.fieldAt)
	pos := 0
	size = before
	for more = true; more; {
		n := at.find(src[pos:])
		if here = n; n == nil {
			break
		}
		if n.odd {
			break
		}
		end, content := n.content(src, pos+len(n.text))
		if content < 0 || end+1 >= len(src) || src[end] != '}' {
			break
		}
		if src[end+1] == '}' {
			more = false
		} else if src[end+1] != ',' {
			break
		}
		p.fieldAt = append(p.fieldAt, span{base + pos, end + 1 - pos, n.quoted, n.prefix})
		size += n.quoted - len(`""`) + content
		at, pos = n, end+2
	}
	p.s.Advance(pos)
	p.shapes.hits += len(p.fieldAt) - count
	return at, here, size, more
}

// content returns the offset behind the content of a plain scalar, which goes on at from,
// and its size, negative if it is none.
func (n *shapeNode) content(src string, from int) (end, size int) {
	switch n.t {
	case S, N:
		end = jsontext.PlainRun(src, from)
		if end >= len(src) || src[end] != '"' {
			return 0, -1
		}
		if n.t == S {
			return end + 1, end - from
		}
		if size := normalSize(src[from:end]); size > 0 {
			return end + 1, size
		}
	case BOOL, NULL:
		if strings.HasPrefix(src[from:], "true") {
			return from + len("true"), 1
		}
		if n.t == BOOL && strings.HasPrefix(src[from:], "false") {
			return from + len("false"), 1
		}
	}
	return 0, -1
}

// known reads the members of a map from at on, as long as they can be remembered.
// It returns the place of the last one, nil if others may follow, the sum of their sizes, and
// whether more members stand here, or else the closing brace has been consumed.
func (p *parser) cached(at *shapeNode, depth int) (last *shapeNode, size int, more bool, err error) {
	for {
		var here *shapeNode
		if at, here, size, more = p.scalars(at, size); !more {
			return at, size, false, nil
		}
		if here == nil {
			here = p.shapes.learn(at, p.s.Rest())
		} else {
			p.shapes.hits++
		}
		if at = p.usable(here, depth+1); at == nil {
			return nil, size, true, nil
		}
		n, err := p.cachedField(at, depth)
		if err != nil {
			return nil, 0, false, err
		}
		size += n
		if more, err = p.more('}'); err != nil || !more {
			return at, size, false, err
		}
	}
}

// cachedField is field for one whose place is known.
func (p *parser) cachedField(n *shapeNode, depth int) (size int, err error) {
	if depth < 0 {
		p.run = p.s.Pos()
		p.top = p.s.Slice(p.run+1, p.run+n.quoted-1)
	}
	start, before := p.mark(), p.invalid
	p.s.Advance(n.quoted + len(`:`) + len(openings[n.t]))
	switch n.t {
	case M:
		size, err = p.mapping(depth+1, n.inside)
	case L:
		size, err = p.list(depth+1, n.inside)
	default:
		size, err = p.content(n.t, depth+1)
	}
	if err == nil && !p.s.Take('}') {
		size, err = p.members(n.t, size, depth+1, before)
	}
	n.odd = n.t == N && p.run > start.text
	if err != nil {
		return 0, err
	}
	f := p.since(start)
	f.quoted, f.prefix = n.quoted, n.prefix
	p.fieldAt = append(p.fieldAt, f)
	return n.quoted - len(`""`) + size, nil
}

// arrangeCached is arrange for a map that ends behind a place that is known.
func (p *parser) arrangeCached(fields []span, at *shapeNode) (changed bool, err error) {
	if at.order == nil {
		return p.learnOrder(fields, at)
	}
	if at.sorted {
		return false, nil
	}
	given := append(p.given[:0], fields...)
	for i, from := range at.order {
		fields[i] = given[from]
	}
	p.given = given
	return true, nil
}

// learnOrder remembers the order of a map that ends behind a place for the first time.
func (p *parser) learnOrder(fields []span, at *shapeNode) (changed bool, err error) {
	given := slices.Clone(fields)
	if changed, err = p.arrange(fields, nil); err != nil {
		return false, err
	}
	order := make([]byte, len(fields))
	for i, f := range fields {
		order[i] = byte(slices.Index(given, f))
	}
	at.order, at.sorted = order, !changed
	return changed, nil
}
