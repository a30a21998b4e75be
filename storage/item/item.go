package item

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Attribute is a name with its value.
type Attribute struct {
	Name  string
	Value Value
}

// JSON is an attribute map in canonical wire form, such as {"pk":{"S":"a"}}. "" stands for an
// absent one.
type JSON string

// Item is an immutable item, or any other attribute map, such as a key or expression values. It is
// one string without pointers. The zero Item, "", means that there is no item; an empty map is not
// "". Equal items are equal strings.
//
// The string has three parts:
//
//	header     8 bytes: the size by DynamoDB's rules, and the number of attributes
//	directory  for each attribute the offset of its name in the JSON, in two bytes each, or in four
//	           if the JSON is too long for two
//	JSON       the attributes, sorted by name
type Item string

const (
	headerLen = 8
	wide      = 1 << 31 // a bit of the count: an offset has four bytes
)

func (it Item) word(at int) uint32 {
	return uint32(it[at]) | uint32(it[at+1])<<8 | uint32(it[at+2])<<16 | uint32(it[at+3])<<24
}

// layout returns the number of attributes, the bytes of an offset, and where the JSON begins.
func (it Item) layout() (n, width, start int) {
	count := it.word(4)
	n, width = int(count&^wide), 2
	if count&wide != 0 {
		width = 4
	}
	return n, width, headerLen + n*width
}

// offset returns entry i of the directory.
func (it Item) offset(i, width int) int {
	at := headerLen + i*width
	if width == 2 {
		return int(it[at]) | int(it[at+1])<<8
	}
	return int(it.word(at))
}

// JSON returns the wire form, which is a part of the item. It copies nothing.
func (it Item) JSON() JSON {
	if it == "" {
		return ""
	}
	_, _, start := it.layout()
	return JSON(it[start:])
}

// Size returns the item's size in bytes by DynamoDB's rules. Developer Guide, "DynamoDB item sizes
// and formats".
func (it Item) Size() int {
	if it == "" {
		return 0
	}
	return int(it.word(0))
}

// Len returns the number of attributes.
func (it Item) Len() int {
	if it == "" {
		return 0
	}
	n, _, _ := it.layout()
	return n
}

// Unnamed reports whether an attribute has an empty name. That would be the first one.
func (it Item) Unnamed() bool {
	return strings.HasPrefix(string(it.JSON()), `{"":`)
}

// Get returns an attribute, or "". It finds it in the directory, without reading the other
// attributes.
func (it Item) Get(name string) Value {
	i, found := it.find(name)
	if !found {
		return ""
	}
	return it.value(i, len(escape(name)))
}

// find returns the number of an attribute or, if the item does not have it, the number that it
// would get.
func (it Item) find(name string) (int, bool) {
	if it == "" {
		return 0, false
	}
	name = escape(name)
	n, width, start := it.layout()
	json := it[start:]
	low, high := 0, n
	for low < high {
		mid := int(uint(low+high) / 2)
		switch c := compareName(string(json[it.offset(mid, width)+1:]), name); {
		case c == 0:
			return mid, true
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return low, false
}

// compareName compares the name at the start of s, which ends with a quote, with an escaped one.
// Names are ordered as if the quote were part of them.
func compareName(s, name string) int {
	n := min(len(name), len(s))
	if c := strings.Compare(s[:n], name); c != 0 {
		return c
	}
	return int(s[n]) - '"'
}

// value returns the value of attribute i, whose escaped name has nameLen bytes.
func (it Item) value(i, nameLen int) Value {
	n, width, start := it.layout()
	json := it[start:]
	from := it.offset(i, width) + nameLen + len(`"":`)
	if i == n-1 {
		return Value(json[from : len(json)-1])
	}
	return Value(json[from : it.offset(i+1, width)-1])
}

// span returns attribute i with its name: "name":{...}.
func (it Item) span(i int) string {
	n, width, start := it.layout()
	json := it[start:]
	from := it.offset(i, width)
	if i == n-1 {
		return string(json[from : len(json)-1])
	}
	return string(json[from : it.offset(i+1, width)-1])
}

// All yields the attributes, sorted by name.
func (it Item) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range it.Len() {
			span := it.span(i)
			colon := skipString(span, 0)
			if !yield(jsontext.Unquote(span[1:colon-1]), Value(span[colon+1:])) {
				return
			}
		}
	}
}

// assemble builds an item from attributes of the form "name":{...}, in sorted order. It copies
// them.
func assemble(size int, spans []string) Item {
	jsonLen := len(`{}`) + max(0, len(spans)-1)
	for _, span := range spans {
		jsonLen += len(span)
	}
	b := make([]byte, 0, headerLen+len(spans)*offsetLen(jsonLen)+jsonLen)
	b = appendHeader(b, size, len(spans), jsonLen)
	at := len(`{`)
	for _, span := range spans {
		b = appendOffset(b, at, jsonLen)
		at += len(span) + len(`,`)
	}
	b = append(b, '{')
	for i, span := range spans {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, span...)
	}
	b = append(b, '}')
	return Item(unsafe.String(unsafe.SliceData(b), len(b)))
}

// offsetLen returns how many bytes an offset takes in an item with a JSON of that length.
func offsetLen(jsonLen int) int {
	if jsonLen > 1<<16 {
		return 4
	}
	return 2
}

// appendHeader appends the header of an item of n attributes.
func appendHeader(dst []byte, size, n, jsonLen int) []byte {
	count := uint32(n)
	if offsetLen(jsonLen) == 4 {
		count |= wide
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	return binary.LittleEndian.AppendUint32(dst, count)
}

// appendOffset appends an entry of the directory.
func appendOffset(dst []byte, at, jsonLen int) []byte {
	if offsetLen(jsonLen) == 4 {
		return binary.LittleEndian.AppendUint32(dst, uint32(at))
	}
	return binary.LittleEndian.AppendUint16(dst, uint16(at))
}

// New builds an item. The names must be distinct and may have any order. It copies the attributes.
func New(attrs ...Attribute) Item {
	spans := make([]string, len(attrs))
	size := 0
	for i, a := range attrs {
		spans[i] = spanOf(a)
		size += len(a.Name) + a.Value.Size()
	}
	slices.SortFunc(spans, compareSpans)
	return assemble(size, spans)
}

func spanOf(a Attribute) string {
	b := make([]byte, 0, len(a.Name)+len(a.Value)+8)
	b = jsontext.AppendQuoted(b, a.Name)
	b = append(b, ':')
	b = append(b, a.Value...)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// compareSpans orders attributes by name. No two names are equal.
func compareSpans(a, b string) int { return strings.Compare(a, b) }

// With returns the item with attributes replaced, added or, if their Value is "", removed. The
// names must be distinct. With of the item "" is New.
func (it Item) With(changes ...Attribute) Item {
	spans := make([]string, 0, 32) // most items need no more, and these are on the stack
	for i := range it.Len() {
		spans = append(spans, it.span(i))
	}
	size := it.Size()
	for _, c := range changes {
		at, found := slices.BinarySearchFunc(spans, escape(c.Name), func(span, name string) int {
			return compareName(span[1:], name)
		})
		if found {
			old := Value(spans[at][len(escape(c.Name))+len(`"":`):])
			size -= len(c.Name) + old.Size()
		}
		switch {
		case c.Value == "" && found:
			spans = slices.Delete(spans, at, at+1)
		case c.Value == "":
		case found:
			spans[at] = spanOf(c)
		default:
			spans = slices.Insert(spans, at, spanOf(c))
		}
		if c.Value != "" {
			size += len(c.Name) + c.Value.Size()
		}
	}
	return assemble(size, spans)
}

// Only returns the item with only the named attributes, as far as it has them. A name may occur
// twice.
func (it Item) Only(names ...string) Item {
	var space [16]int
	places := it.places(space[:0], names)
	spans := make([]string, len(places))
	size := 0
	for i, place := range places {
		spans[i] = it.span(place)
		colon := skipString(spans[i], 0)
		size += unquotedLen(spans[i][1:colon-1]) + Value(spans[i][colon+1:]).Size()
	}
	return assemble(size, spans)
}

// places appends the numbers of the named attributes, ascending, to an empty slice.
func (it Item) places(places []int, names []string) []int {
	for _, name := range names {
		if i, found := it.find(name); found {
			places = append(places, i)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// AppendOnlyJSON appends the JSON of Only to dst without building an Item.
func (it Item) AppendOnlyJSON(dst []byte, names ...string) []byte {
	var space [16]int
	dst = append(dst, '{')
	for i, place := range it.places(space[:0], names) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, it.span(place)...)
	}
	return append(dst, '}')
}
