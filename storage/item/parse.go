package item

import (
	"math/bits"
	"strings"
	"sync"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

const (
	maxNesting = MaxDepth
	maxJSON    = 1000 // the most levels of JSON that are skipped
)

// Attributes is a parsed attribute map. Item is "" if the map was absent or null. If Invalid is
// set, Item has no meaning, unless the only fault is a value of at most MaxRead levels.
type Attributes struct {
	Item    Item
	Invalid *Invalid
}

// ParseAttributes reads an attribute map, {"name":{"S":"..."},...}, or null, for which it returns
// the zero Attributes. The result shares no memory with the text. The error is a
// SerializationError. Faults that the service reports later (several types, a bad number, an empty
// set, too many levels) are in Attributes.Invalid.
func ParseAttributes(s *jsontext.Scanner) (Attributes, error) { return parseAttributes(s, nil) }

func parseAttributes(s *jsontext.Scanner, into *Scratch) (Attributes, error) {
	if s.Next('n') {
		return Attributes{}, nil
	}
	p := parsers.Get().(*parser)
	defer p.release(s)
	p.s = *s
	if into != nil && into.floats.on {
		p.kept = &into.floats
	}
	return p.attributes(into)
}

// attributes is ParseAttributes for the text in p.s, which is not null.
func (p *parser) attributes(into *Scratch) (Attributes, error) {
	p.run = p.s.Pos()
	if !p.next('{') {
		return Attributes{}, p.unexpected(ErrNoScalarHere, JavaAttributes)
	}
	size, err := p.fields(-1, p.shapes.begin())
	if err != nil {
		return Attributes{}, err
	}
	if p.invalid != nil {
		p.invalid.Names = p.names()
	}
	if p.failed() {
		return Attributes{Invalid: p.invalid}, nil
	}
	return Attributes{Item: p.item(size, into), Invalid: p.invalid}, nil
}

// names returns the names of the outermost map.
func (p *parser) names() []string {
	names := make([]string, len(p.fieldAt))
	for i, f := range p.fieldAt {
		names[i] = jsontext.Unquote(strings.Clone(p.text(f)[1 : f.quoted-1]))
	}
	return names
}

// ParseValue reads one attribute value, {"S":"..."}.
func ParseValue(s *jsontext.Scanner) (Value, *Invalid, error) {
	p := parsers.Get().(*parser)
	defer p.release(s)
	p.s = *s
	p.run = s.Pos()
	if _, err := p.value(0); err != nil {
		return "", nil, err
	}
	if p.invalid != nil {
		return "", p.invalid, nil
	}
	p.cut(p.s.Pos())
	return Value(p.buf), nil, nil
}

// parser reads attributes and values.
type parser struct {
	canon
	// the attributes of the maps and the elements of the set being read, innermost last
	fieldAt []span
	head    []byte      // memory for item
	top     string      // the name of the attribute of the outermost map being read
	invalid *Invalid    // the first one found
	given   []span      // memory for arrangeCached
	kept    *keptFloats // nil: the floats of lists are not kept
	shapes  shapeCache  // the shapes of earlier texts; all other fields are about this text
}

// prefixOf returns the first n bytes of a text, at most eight, as a number with the same order.
func prefixOf(text string, n int) uint64 {
	if len(text) < 8 {
		text += "12345678"
	}
	unused := 64 - 8*min(n, 8)
	return bits.ReverseBytes64(jsontext.Word(text)) >> unused << unused
}

var parsers = sync.Pool{New: func() any {
	return &parser{canon: canon{buf: make([]byte, 0, 4096)}}
}}

// MaxNameBytes is the longest name: API Reference, PutItem, Item, "Key Length Constraints".
const MaxNameBytes = 65535

// A parser with more memory than this is left to the garbage collector. Most items need little.
const (
	keepBytes = 1 << 20
	keepSpans = 1 << 12
)

// release tells s how far the text was read, and returns p to the pool.
func (p *parser) release(s *jsontext.Scanner) {
	*s = p.s
	if cap(p.buf) > keepBytes || cap(p.fieldAt) > keepSpans {
		return
	}
	p.reset()
	parsers.Put(p)
}

// reset forgets the text that was read.
func (p *parser) reset() {
	p.s, p.top, p.invalid, p.kept = jsontext.Scanner{}, "", nil, nil
	p.run, p.buf, p.fieldAt = 0, p.buf[:0], p.fieldAt[:0]
}

// fail notes that the text is no attribute value. The first fault counts, except that the service
// checks the depth before the names in maps (service facts 5.3).
func (p *parser) fail(e Invalid) {
	e.Name = jsontext.Unquote(strings.Clone(p.top))
	switch {
	case !p.failed():
		p.note(&e)
	case e.Fault == TooDeep && p.invalid.Fault == EmptyName:
		p.invalid = &e
	}
}

func (p *parser) note(e *Invalid) {
	switch {
	case p.invalid == nil:
		p.invalid = e
	case e.readable():
		// another value like the first
	case e.Fault == TooDeep:
		p.invalid.Depth = e.Depth
	default:
		p.invalid.Also = e
	}
}

// failed reports whether there is no value.
func (p *parser) failed() bool { return p.invalid != nil && !p.invalid.readable() }

// fields reads the members of a map and its closing brace, and returns their size. depth is the
// nesting of the map, or -1 for an item. The members of a nested map are sorted. Those of an item
// are left in fieldAt. at is the start of the map's cached shapes, or nil.
func (p *parser) fields(depth int, at *shapeNode) (size int, err error) {
	mark, start := len(p.fieldAt), p.mark()
	more := !p.next('}')
	if more && at != nil {
		if at, size, more, err = p.cached(at, depth); err != nil {
			return 0, err
		}
	}
	for more {
		n, err := p.field(depth)
		if err != nil {
			return 0, err
		}
		size += n
		if more, err = p.more('}'); err != nil {
			return 0, err
		}
	}
	fields := p.fieldAt[mark:]
	changed, err := p.arrange(fields, at)
	if err != nil || depth < 0 {
		return size, err
	}
	if changed {
		p.rewrite(fields, start)
	}
	p.fieldAt = p.fieldAt[:mark]
	// Developer Guide, "DynamoDB item sizes and formats": a byte for each pair of a map
	return size + len(fields), nil
}

// field reads one member.
func (p *parser) field(depth int) (size int, err error) {
	p.space()
	if depth < 0 {
		p.run = p.s.Pos()
	}
	start := p.mark()
	raw, plain := p.s.PlainName()
	if plain {
		size = len(raw)
	} else if raw, size, err = p.name(); err != nil {
		return 0, err
	}
	if depth < 0 {
		p.top = raw
	}
	quoted := p.mark().form - start.form - len(`:`)
	switch {
	case size > MaxNameBytes:
		p.fail(Invalid{Fault: LongName})
	case size == 0 && depth >= 0:
		p.fail(Invalid{Fault: EmptyName})
	}
	n, err := p.value(depth + 1)
	if err != nil {
		return 0, err
	}
	f := p.since(start)
	f.quoted = quoted
	f.prefix = prefixOf(p.text(f)[1:], quoted-1)
	p.fieldAt = append(p.fieldAt, f)
	return size + n, nil
}

// arrange sorts fields and reports whether their order has changed. at is the node of the last
// field, or nil.
func (p *parser) arrange(fields []span, at *shapeNode) (changed bool, err error) {
	switch {
	case at != nil:
		return p.arrangeCached(fields, at)
	case p.sorted(fields):
		return false, nil
	}
	return true, p.sort(fields)
}

// item builds the item of the fields that were read at the top level. It does the same as assemble,
// from spans and into memory that is not cleared.
func (p *parser) item(size int, into *Scratch) Item {
	jsonLen := len(`{}`) + max(0, len(p.fieldAt)-1)
	for _, f := range p.fieldAt {
		jsonLen += f.len
	}
	head := appendHeader(p.head[:0], size, len(p.fieldAt), jsonLen)
	at := len(`{`)
	for _, f := range p.fieldAt {
		head = appendOffset(head, at, jsonLen)
		at += f.len + len(`,`)
	}
	p.head = head
	b := into.take(len(head) + jsonLen)
	b = append(b, head...)
	b = append(b, '{')
	for i, f := range p.fieldAt {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, p.text(f)...)
	}
	b = append(b, '}')
	return Item(unsafe.String(unsafe.SliceData(b), len(b)))
}

// value reads an attribute value and returns its size. depth is the number of lists and maps around
// it.
func (p *parser) value(depth int) (size int, err error) {
	p.space()
	switch letter, all := p.s.PlainScalar(); letter {
	case 'S':
		return len(all) - len(`{"S":""}`), nil
	case 'N':
		number := all[len(`{"N":"`) : len(all)-len(`"}`)]
		return p.number(number, number, len(`"}`)), nil
	}
	before := p.invalid
	t := NoType
	if depth < maxNesting {
		t = p.opening()
	}
	switch {
	case t != NoType:
		if size, err = p.content(t, depth); err != nil || p.s.Take('}') {
			return size, err
		}
	case !p.next('{'):
		return 0, p.notValue()
	}
	return p.members(t, size, depth, before)
}

// opening consumes the beginning of a value, {"T":, and returns the type. It returns NoType, and
// consumes nothing, if the text differs in any byte or a null follows.
func (p *parser) opening() Type {
	text := p.s.Rest()
	t := Value(text).Type()
	n := len(openings[t])
	if t == NoType || len(text) < n+2 || text[:n] != openings[t] {
		return NoType
	}
	next := text[n]
	if next == ' ' {
		next = text[n+1]
	}
	if next <= ' ' || next == 'n' {
		return NoType
	}
	p.s.Advance(n)
	return t
}

// openings are the beginnings of values by type, such as {"S":
var openings = func() (texts [BOOL + 1]string) {
	for t := range texts {
		texts[t] = `{"` + Type(t).String() + `":`
	}
	return texts
}()

// members reads the members of an attribute value and its closing brace. If t is not NoType, the
// first member was read and has type t and that size. before is the fault that was known before the
// value.
func (p *parser) members(t Type, size, depth int, before *Invalid) (int, error) {
	found, seen := 0, [BOOL + 1]bool{}
	if t != NoType {
		found, seen[t] = 1, true
	}
	for first := t == NoType; !p.next('}'); first = false {
		if !first {
			if !p.next(',') {
				return 0, ErrSyntax
			}
			p.cut(p.s.Pos() - len(`,`)) // the canonical form has one member and no comma
		}
		p.space()
		start := p.mark()
		t, err := p.memberName()
		if err != nil {
			return 0, err
		}
		if t != NoType && seen[t] {
			return 0, ErrDuplicateName(t.String())
		}
		seen[t] = true
		n, set, err := p.member(t, depth)
		if err != nil {
			return 0, err
		}
		if set {
			found++
			size += n
		} else {
			p.drop(start)
		}
	}
	if found != 1 {
		if p.invalid != before && p.invalid.Fault != BadNumber { // service facts 1.13
			p.invalid = before // a value with no or several types has no other fault that counts
		}
		p.fail(Invalid{Fault: []Fault{NoDatatype, ManyDatatypes}[min(found, 1)]})
	}
	return size, nil
}

// notValue reads something other than an object in the place of an attribute value. null is a value
// without a type.
func (p *parser) notValue() error {
	if p.s.Next('n') {
		p.fail(Invalid{Fault: NoDatatype})
		return nil
	}
	return p.unexpected(ErrNoValueHere, JavaClass+javaValue)
}

// memberName reads the name of a member of an attribute value, and its colon.
func (p *parser) memberName() (Type, error) {
	raw, ok := p.s.PlainName()
	if ok {
		return TypeNamed(raw), nil
	}
	raw, _, err := p.name()
	if err != nil {
		return NoType, err
	}
	return TypeNamed(jsontext.Unquote(raw)), nil
}

// name reads a name and its colon. raw is the text between the quotes, and size the number of bytes
// that it stands for.
func (p *parser) name() (raw string, size int, err error) {
	raw, escaped, err := p.s.String()
	if err != nil {
		return "", 0, ErrSyntax
	}
	size = p.quoted(raw, escaped)
	if !p.next(':') {
		return "", 0, ErrSyntax
	}
	return raw, size, nil
}

// member reads a member of an attribute value. set is false for null, which means absent, and for
// names that are no type, which the service skips.
func (p *parser) member(t Type, depth int) (size int, set bool, err error) {
	if p.null() {
		return 0, false, nil
	}
	tooDeep := (t == M || t == L) && depth >= maxNesting
	if t == NoType || tooDeep && depth >= MaxRead {
		from := p.s.Pos()
		if p.s.Skip(maxJSON) != nil {
			return 0, false, ErrSyntax
		}
		if tooDeep {
			p.fail(Invalid{Fault: TooDeep, Depth: depth + levels(p.s.Slice(from, p.s.Pos()))})
		}
		return 0, tooDeep, nil
	}
	if tooDeep {
		p.fail(Invalid{Fault: TooDeep, Depth: depth + 1})
	}
	size, err = p.content(t, depth)
	return size, true, err
}

// levels returns how many lists and maps are nested in the JSON of a list or map. Each has two
// levels of JSON.
func levels(text string) int {
	most, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return (most + 1) / 2
}

// content reads what follows the name of a type.
func (p *parser) content(t Type, depth int) (size int, err error) {
	switch t {
	case S, N, B:
		return p.scalar(t)
	case SS, NS, BS:
		return p.set(t)
	case M:
		return p.mapping(depth, nil)
	case L:
		return p.list(depth, nil)
	}
	return p.boolean(t)
}

func (p *parser) mapping(depth int, inside *shapeNode) (size int, err error) {
	if !p.next('{') {
		return 0, p.unexpected(ErrNoScalarHere, JavaAttributes)
	}
	size, err = p.fields(depth, inside)
	return size + 3, err
}

func (p *parser) list(depth int, inside *shapeNode) (size int, err error) {
	if !p.next('[') {
		return 0, p.unexpected(ErrNoScalarHere, "")
	}
	size = 3
	for more := !p.next(']'); more; {
		n, last := p.fractions(size == 3)
		if size += n; last {
			break
		}
		if n, err = p.element(depth+1, inside); err != nil {
			return 0, err
		}
		size += 1 + n
		if more, err = p.more(']'); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// fractions reads elements of a list as long as they are numbers that readFraction reads. It
// returns the sum of their sizes, and one more byte for each. last is true if it has consumed the
// closing bracket. If the first of them is the list's first element, their floats are kept.
func (p *parser) fractions(first bool) (size int, last bool) {
	if first && p.kept != nil && len(p.kept.floats) < maxKeptFloats {
		return p.keptFractions()
	}
	src, pos := p.s.Rest(), 0
	for !last && strings.HasPrefix(src[pos:], beforeNumber) {
		n, bytes := readFraction(src[pos+len(beforeNumber):])
		end := pos + len(beforeNumber) + n + len(afterNumber)
		if n == 0 || src[end-1] != '}' || src[end] != ',' && src[end] != ']' {
			break
		}
		size += 1 + bytes
		last = src[end] == ']'
		pos = end + 1
	}
	p.s.Advance(pos)
	return size, last
}

// keptFractions is fractions, and keeps the floats.
func (p *parser) keptFractions() (size int, last bool) {
	src, pos, from := p.s.Rest(), 0, len(p.kept.floats)
	for !last && strings.HasPrefix(src[pos:], beforeNumber) {
		f, n, bytes := readFractionFloat(src[pos+len(beforeNumber):])
		end := pos + len(beforeNumber) + n + len(afterNumber)
		if n == 0 || src[end-1] != '}' || src[end] != ',' && src[end] != ']' {
			break
		}
		p.kept.floats = append(p.kept.floats, f)
		size += 1 + bytes
		last = src[end] == ']'
		pos = end + 1
	}
	p.s.Advance(pos)
	if last {
		pos-- // the bracket is left out
	}
	p.kept.end(src[:max(pos, 0)], from)
	return size, last
}

// element is value for an element of a list. inside is the start of the cached shapes of the maps
// in the list, or nil.
func (p *parser) element(depth int, inside *shapeNode) (size int, err error) {
	const opening = `{"M":`
	if inside == nil || depth >= maxNesting || !strings.HasPrefix(p.s.Rest(), opening+"{") {
		return p.value(depth)
	}
	before := p.invalid
	p.s.Advance(len(opening))
	if size, err = p.mapping(depth, inside); err != nil || p.s.Take('}') {
		return size, err
	}
	return p.members(M, size, depth, before)
}
