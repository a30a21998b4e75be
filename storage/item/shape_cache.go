package item

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// A client writes the items of a table alike: the same names in the same order, with values of the
// same types. That is the shape of a map. A parser caches the shapes of the maps that it has read,
// as paths in a tree. A node is an attribute after certain others, with the exact bytes that it
// begins with:
//
//	start ── "pk":{"S":" ── "sk":{"N":" ─┬─ "name":{"S":"     order: [2 0 1], that is name, pk, sk
//	                                     └─ "tags":{"L":[     order: [0 1 2], sorted
//	                                              │ inside
//	                                            start of the maps in the list ── …
//
// One comparison with the text of a node replaces reading the name and the type. The last node of a
// map knows how to sort the attributes, and that they are distinct. That saves a third of the time
// for an item.
//
// The cache never changes the result: a node is used only if the text has its bytes. Where a map
// leaves the tree, the functions in parse.go read the rest of it. These do not know the cache,
// because unpredictable branches would make items that never repeat half as slow again.

// shapeNode is an attribute of a map after certain others, or the start of a map, which has no
// text. The text is canonical. It ends with the first character of the content, or before the true
// or false of a NULL or BOOL.
type shapeNode struct {
	first, last uint64 // the first and the last eight bytes of the text
	text        string
	t           Type
	quoted      int    // the same as in span
	prefix      uint64 // the same as in span
	// the attributes that may follow, the latest first: a list linked by other
	next   *shapeNode
	other  *shapeNode // the next attribute that may be in this place
	inside *shapeNode // the start of the map of an M, or of the maps in the list of an L
	odd    bool       // the last number was not in normal form: scalars stops here
	order  []byte     // the attributes in canonical order, by number, if a map ended here
	sorted bool       // the text has the canonical order
}

const (
	maxShapes   = 256
	maxSiblings = 8  // attributes that may follow the same one
	maxBegin    = 64 // bytes of a node's text
	minBegin    = len(`"n":{"S":"`)
)

// find returns the node behind at whose text is the beginning of text, or nil.
func (at *shapeNode) find(text string) *shapeNode {
	for n := at.next; n != nil; n = n.other {
		size := len(n.text)
		if size > len(text) || size < minBegin { // never less: this saves bounds checks
			continue
		}
		if jsontext.Word(text) == n.first && jsontext.Word(text[size-8:size]) == n.last &&
			(size <= 16 || text[8:size-8] == n.text[8:size-8]) {
			return n
		}
	}
	return nil
}

// shapeCache holds the shapes that a parser has read. Its size is limited. If attributes hardly
// ever repeat, it pauses for some items.
type shapeCache struct {
	start        *shapeNode // the start of the shapes of items
	nodes        int
	hits, misses int // how many attributes were found, and were not, since the last review
	pause        int // how many items are still to be read without the cache
}

const (
	reviewAfter = 128  // misses
	pauseFor    = 8192 // items
)

// begin returns the start of an item, or nil if the cache pauses.
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

// learn adds the attribute at the beginning of text behind at. It returns nil if the attribute
// cannot be cached, or if the cache is full.
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

// begins reports whether text begins with a value of type t that is not null, without white space.
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

// usable returns n, the node of the next attribute, or nil if the functions in parse.go have to
// read that attribute: it may be a null instead of a truth value, or nested too deep.
func (p *parser) usable(n *shapeNode, depth int) *shapeNode {
	switch {
	case n == nil:
	case n.t >= NULL && !begins(n.t, p.s.Rest()[n.quoted+len(`:`):]), n.inside != nil &&
		depth >= maxNesting:
		return nil
	}
	return n
}

// scalars reads cached attributes as long as they are plain scalars. last is the node of the last
// one. here is the node of the next attribute, or nil if it is not cached. size adds to before.
// more is false if scalars has consumed the closing brace.
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

// content returns the offset behind the content of a plain scalar that begins at from, and its
// size. The size is negative if the scalar is not plain.
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

// cached reads the members of a map behind at, as long as they can be cached. last is the node of
// the last one, or nil if field has to read the next one. more is false if cached has consumed the
// closing brace.
func (p *parser) cached(at *shapeNode, depth int) (last *shapeNode, size int, more bool,
	err error) {
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

// cachedField is field for an attribute with a node.
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

// arrangeCached is arrange for a map that ends at a node.
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

// learnOrder stores the order of the first map that ends at a node.
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
