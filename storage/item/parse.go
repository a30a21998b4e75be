package item

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

const (
	maxNesting = 32   // Developer Guide, "Quotas": nested attribute depth
	maxJSON    = 1000 // levels of JSON that are looked at before they are refused
)

// Attributes is a parsed attribute map. Item is "" if the map was absent or
// null, and without meaning if Invalid is set.
type Attributes struct {
	Item    Item
	Invalid *Invalid
}

// ParseAttributes reads an attribute map, {"name":{"S":"..."},...}, or null,
// which gives the zero Attributes. What it returns shares no memory with the
// text. The error is a SerializationError; what is only semantically wrong (more
// than one type, a bad number, an empty set, too deep) is in Attributes.Invalid,
// because the service reports it later.
func ParseAttributes(s *jsontext.Scanner) (Attributes, error) { return parseAttributes(s, nil) }

func parseAttributes(s *jsontext.Scanner, into *Scratch) (Attributes, error) {
	if s.Next('n') {
		return Attributes{}, nil
	}
	p := parsers.Get().(*parser)
	defer p.release()
	p.s = s
	if s.Peek() != '{' {
		return Attributes{}, p.unexpected(ErrNoScalarHere, JavaAttributes)
	}
	size, err := p.fields(-1)
	if err != nil {
		return Attributes{}, err
	}
	if p.invalid != nil {
		return Attributes{Invalid: p.invalid}, nil
	}
	return Attributes{Item: p.item(size, into)}, nil
}

// ParseValue reads one attribute value, {"S":"..."}.
func ParseValue(s *jsontext.Scanner) (Value, *Invalid, error) {
	p := parsers.Get().(*parser)
	defer p.release()
	p.s = s
	if _, err := p.value(0); err != nil {
		return "", nil, err
	}
	if p.invalid != nil {
		return "", p.invalid, nil
	}
	return Value(p.buf), nil, nil
}

// parser turns a text into its canonical form.
type parser struct {
	s       *jsontext.Scanner
	buf     []byte   // the canonical form so far
	fieldAt []span   // the attributes of the maps being read, innermost last
	head    []byte   // for item
	top     string   // the attribute of the outermost map being read, as in the text
	invalid *Invalid // the first one found
}

// span is a part of buf. That of an attribute begins with its name, in quotes;
// nameEnd is the offset behind those, and prefix what prefixOf says of the name.
type span struct {
	from, nameEnd, to int
	prefix            uint64
}

// prefixOf is a number that orders names as their first eight bytes do.
func prefixOf(name string) (prefix uint64) {
	n := min(len(name), 8)
	for i := range n {
		prefix = prefix<<8 | uint64(name[i])
	}
	return prefix << (8 * (8 - n))
}

var parsers = sync.Pool{New: func() any { return &parser{buf: make([]byte, 0, 4096)} }}

// maxNameBytes is how long a name may be: API Reference, PutItem, Item, "Key Length Constraints".
const maxNameBytes = 65535

// Larger scratch than this is left to the garbage collector: most items need little.
const (
	keepBytes = 1 << 20
	keepSpans = 1 << 12
)

func (p *parser) release() {
	if cap(p.buf) > keepBytes || cap(p.fieldAt) > keepSpans {
		return
	}
	*p = parser{buf: p.buf[:0], fieldAt: p.fieldAt[:0], head: p.head[:0]}
	parsers.Put(p)
}

// fail notes why the text is no attribute value. What comes first counts.
func (p *parser) fail(message string) {
	if p.invalid == nil {
		p.invalid = &Invalid{Name: jsontext.Unquote(strings.Clone(p.top)), Message: message}
	}
}

// unexpected is the error for what stands here, where scalar is the one for scalars
// and wanted the Java type of what is wanted, "" for a list.
func (p *parser) unexpected(scalar SerializationError, wanted string) error {
	if _, err := p.scalarText(wanted); err != nil {
		return err
	}
	return scalar
}

// scalarText consumes the scalar that stands here, as nothing else may: a list is not what is wanted.
func (p *parser) scalarText(wanted string) (string, error) {
	switch p.s.Peek() {
	case '{':
		return "", ErrNoObjectHere
	case '[':
		return "", ErrNoList(wanted)
	}
	from := p.s.Pos()
	if p.s.Skip(0) != nil {
		return "", ErrSyntax
	}
	return p.s.Text(from), nil
}

// fields reads the members of a map, braces included, into buf, separated by
// commas and, below the top level, sorted. It returns their size. depth is the
// nesting of the map, -1 for an item, whose braces item writes.
func (p *parser) fields(depth int) (size int, err error) {
	p.s.Next('{')
	mark, start := len(p.fieldAt), len(p.buf)
	sorted := true
	for !p.s.Next('}') {
		if len(p.fieldAt) > mark {
			if !p.s.Next(',') {
				return 0, ErrSyntax
			}
			p.buf = append(p.buf, ',')
		}
		n, err := p.field(depth)
		if err != nil {
			return 0, err
		}
		size += n
		if n := len(p.fieldAt); n > mark+1 && sorted {
			sorted = p.compare(p.fieldAt[n-2], p.fieldAt[n-1]) < 0
		}
	}
	fields := p.fieldAt[mark:]
	if !sorted {
		if err := p.sort(fields); err != nil {
			return 0, err
		}
	}
	if depth < 0 {
		return size, nil
	}
	size += len(fields) // Developer Guide, "DynamoDB item sizes and formats": a byte for each pair of a map
	if !sorted {
		p.rewrite(fields, start)
	}
	p.fieldAt = p.fieldAt[:mark]
	return size, nil
}

// field reads one member.
func (p *parser) field(depth int) (size int, err error) {
	f := span{from: len(p.buf)}
	raw, plain := p.s.PlainName()
	if plain {
		p.buf = append(p.buf, '"')
		p.buf = append(p.buf, raw...)
		p.buf = append(p.buf, '"', ':')
		size = len(raw)
	} else {
		var escaped bool
		if raw, escaped, err = p.s.String(); err != nil || !p.s.Next(':') {
			return 0, ErrSyntax
		}
		size = p.quoted(raw, escaped)
		p.buf = append(p.buf, ':')
	}
	f.nameEnd = len(p.buf) - 1
	f.prefix = prefixOf(p.text(f.from+1, f.nameEnd))
	if depth < 0 {
		p.top = raw
	}
	switch {
	case size > maxNameBytes:
		p.fail(invalidName)
	case size == 0 && depth >= 0:
		p.fail(InvalidNoName)
	}
	n, err := p.value(depth + 1)
	f.to = len(p.buf)
	p.fieldAt = append(p.fieldAt, f)
	return size + n, err
}

func (p *parser) compare(a, b span) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return strings.Compare(p.text(a.from, a.nameEnd), p.text(b.from, b.nameEnd))
}

// text is a part of buf, valid until buf grows.
func (p *parser) text(from, to int) string {
	return unsafe.String(unsafe.SliceData(p.buf[from:]), to-from)
}

func (p *parser) sort(fields []span) error {
	p.order(fields)
	for i := range len(fields) - 1 {
		if p.compare(fields[i], fields[i+1]) == 0 {
			name := string(p.buf[fields[i].from+1 : fields[i].nameEnd-1])
			return ErrDuplicateName(jsontext.Unquote(name))
		}
	}
	return nil
}

// order sorts fields. Few are sorted by inserting, mostly without a call.
func (p *parser) order(fields []span) {
	if len(fields) > 24 {
		slices.SortFunc(fields, p.compare)
		return
	}
	for i := 1; i < len(fields); i++ {
		f, at := fields[i], i
		for ; at > 0; at-- {
			before := &fields[at-1]
			if before.prefix < f.prefix || before.prefix == f.prefix && p.compare(*before, f) <= 0 {
				break
			}
			fields[at] = *before
		}
		fields[at] = f
	}
}

// rewrite puts the sorted spans into buf from start on, where they stand in another order.
func (p *parser) rewrite(spans []span, start int) {
	end := len(p.buf)
	for i, f := range spans {
		if i > 0 {
			p.buf = append(p.buf, ',')
		}
		p.buf = append(p.buf, p.buf[f.from:f.to]...)
	}
	copy(p.buf[start:], p.buf[end:])
	p.buf = p.buf[:end]
}

// item builds the item of the fields that were read at the top level. It is
// assemble from where the fields stand, and into memory that is not cleared first.
func (p *parser) item(size int, into *Scratch) Item {
	jsonLen := len(`{}`) + max(0, len(p.fieldAt)-1)
	for _, f := range p.fieldAt {
		jsonLen += f.to - f.from
	}
	p.head = appendHeader(p.head[:0], size, len(p.fieldAt), jsonLen)
	at := len(`{`)
	for _, f := range p.fieldAt {
		p.head = appendOffset(p.head, at, jsonLen)
		at += f.to - f.from + len(`,`)
	}
	b := into.take(len(p.head) + jsonLen)
	b = append(b, p.head...)
	b = append(b, '{')
	for i, f := range p.fieldAt {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, p.buf[f.from:f.to]...)
	}
	b = append(b, '}')
	return Item(unsafe.String(unsafe.SliceData(b), len(b)))
}

// value reads an attribute value into buf and returns its size. depth is the
// number of lists and maps around it.
func (p *parser) value(depth int) (size int, err error) {
	switch letter, text := p.s.PlainScalar(); letter {
	case 'S':
		p.buf = append(p.buf, text...)
		return len(text) - len(`{"S":""}`), nil
	case 'N':
		p.buf = append(p.buf, openings[N]...)
		size = p.number(text[len(`{"N":"`) : len(text)-len(`"}`)])
		p.buf = append(p.buf, '}')
		return size, nil
	}
	if !p.s.Next('{') {
		return 0, p.notValue()
	}
	before := p.invalid
	found, seen := 0, [BOOL + 1]bool{}
	for first := true; !p.s.Next('}'); first = false {
		if !first && !p.s.Next(',') {
			return 0, ErrSyntax
		}
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
		}
	}
	if found != 1 {
		p.invalid = before // a value of no or of several types is looked at no further
		p.fail([]string{invalidEmpty, invalidMany}[min(found, 1)])
	}
	return size, nil
}

// notValue reads what stands where an attribute value should: null, perhaps.
func (p *parser) notValue() error {
	if p.s.Next('n') {
		p.fail(invalidEmpty)
		return nil
	}
	return p.unexpected(ErrNoValueHere, JavaClass+javaValue)
}

// memberName reads the name of a member of an attribute value, and its colon.
func (p *parser) memberName() (Type, error) {
	raw, escaped, err := p.s.String()
	if err != nil || !p.s.Next(':') {
		return NoType, ErrSyntax
	}
	if escaped {
		raw = jsontext.Unquote(raw)
	}
	return TypeNamed(raw), nil
}

// member reads what is of type t. set is false for null, which is as good as
// absent, and for members that no attribute value has, which the service skips.
func (p *parser) member(t Type, depth int) (size int, set bool, err error) {
	if p.s.Next('n') {
		return 0, false, nil
	}
	tooDeep := (t == M || t == L) && depth >= maxNesting
	if t == NoType || tooDeep {
		if p.s.Skip(maxJSON) != nil {
			return 0, false, ErrSyntax
		}
		if tooDeep {
			p.fail(invalidNesting)
		}
		return 0, tooDeep, nil
	}
	p.buf = append(p.buf, openings[t]...)
	switch t {
	case S, N, B:
		size, err = p.scalar(t)
	case SS, NS, BS:
		size, err = p.set(t)
	case M:
		size, err = p.mapping(depth)
	case L:
		size, err = p.list(depth)
	default:
		size, err = p.boolean(t)
	}
	p.buf = append(p.buf, '}')
	return size, true, err
}

// openings are what values begin with: {"S":
var openings = func() (texts [BOOL + 1]string) {
	for t := range texts {
		texts[t] = `{"` + Type(t).String() + `":`
	}
	return texts
}()

func (p *parser) mapping(depth int) (size int, err error) {
	if p.s.Peek() != '{' {
		return 0, p.unexpected(ErrNoScalarHere, JavaAttributes)
	}
	p.buf = append(p.buf, '{')
	size, err = p.fields(depth)
	p.buf = append(p.buf, '}')
	return size + 3, err
}

func (p *parser) list(depth int) (size int, err error) {
	if !p.s.Next('[') {
		return 0, p.unexpected(ErrNoScalarHere, "")
	}
	p.buf = append(p.buf, '[')
	size = 3
	for first := true; !p.s.Next(']'); first = false {
		if !first {
			if !p.s.Next(',') {
				return 0, ErrSyntax
			}
			p.buf = append(p.buf, ',')
		}
		n, err := p.value(depth + 1)
		if err != nil {
			return 0, err
		}
		size += 1 + n
	}
	p.buf = append(p.buf, ']')
	return size, nil
}
