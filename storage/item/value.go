package item

import (
	"encoding/base64"
	"iter"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Type is the data type of an attribute value.
type Type uint8

// The data types, in the order of the API model.
const (
	NoType Type = iota // the zero Value has it
	S
	N
	B
	SS
	NS
	BS
	M
	L
	NULL
	BOOL
)

var typeNames = [...]string{"", "S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"}

// String returns the type's name on the wire ("S", "N", ...).
func (t Type) String() string { return typeNames[t] }

// TypeNamed returns the type with a name on the wire, or NoType.
func TypeNamed(name string) Type {
	switch name {
	case "S":
		return S
	case "N":
		return N
	case "B":
		return B
	case "SS":
		return SS
	case "NS":
		return NS
	case "BS":
		return BS
	case "M":
		return M
	case "L":
		return L
	case "NULL":
		return NULL
	case "BOOL":
		return BOOL
	}
	return NoType
}

// element returns the type of a set's elements.
func (t Type) element() Type {
	switch t {
	case SS:
		return S
	case NS:
		return N
	case BS:
		return B
	}
	return NoType
}

// Value is an attribute value in canonical wire form, such as {"S":"abc"} or {"M":{"a":{"N":"1"}}}:
// no white space, strings with the fewest escapes, numbers in DynamoDB's normal form, binaries in
// padded standard base64, members of maps and elements of sets sorted. The zero Value, "", means
// that there is no such attribute.
//
// Two values are equal by DynamoDB's rules exactly if their texts are: == is deep equality.
type Value string

// Type returns the value's type.
func (v Value) Type() Type {
	if len(v) < 4 {
		return NoType
	}
	switch v[2] {
	case 'S':
		return either(v[3], S, SS)
	case 'N':
		if v[3] == 'U' {
			return NULL
		}
		return either(v[3], N, NS)
	case 'B':
		if v[3] == 'O' {
			return BOOL
		}
		return either(v[3], B, BS)
	case 'M':
		return M
	case 'L':
		return L
	}
	return NoType
}

func either(c byte, scalar, set Type) Type {
	if c == 'S' {
		return set
	}
	return scalar
}

// body returns the text between {"T": and the closing brace.
func (v Value) body() string {
	return string(v[4+len(v.Type().String()) : len(v)-1])
}

// quoted returns the text between the quotes of an S, N or B.
func (v Value) quoted() string { return string(v[6 : len(v)-2]) }

// Str returns the text of an S, or "" for another type.
func (v Value) Str() string {
	if v.Type() != S {
		return ""
	}
	return jsontext.Unquote(v.quoted())
}

// Num returns the canonical digits of an N, or "" for another type.
func (v Value) Num() string {
	if v.Type() != N {
		return ""
	}
	return v.quoted()
}

// Decimal returns the number of an N, or zero for another type.
func (v Value) Decimal() Decimal {
	d, _ := ParseDecimal(v.Num())
	return d
}

// Bytes returns the bytes of a B, or "" for another type.
func (v Value) Bytes() string {
	if v.Type() != B {
		return ""
	}
	b, _ := base64.StdEncoding.DecodeString(v.quoted())
	return string(b)
}

// Base64 returns the text of a B, as it is on the wire.
func (v Value) Base64() string {
	text, _ := strings.CutPrefix(string(v), `{"B":"`)
	return strings.TrimSuffix(text, `"}`)
}

// Bool returns the truth of a BOOL.
func (v Value) Bool() bool { return v == `{"BOOL":true}` }

// Len returns the result of the function size(): the UTF-16 code units of an S (service facts
// 1.12), the bytes of a B, the elements or members of a set, list or map; or -1 for N, NULL and
// BOOL.
func (v Value) Len() int {
	switch v.Type() {
	case S:
		return utf16Len(jsontext.Unquote(v.quoted()))
	case B:
		return binaryLen(v.quoted())
	case SS, NS, BS, L, M:
		return v.count()
	}
	return -1
}

// count returns the number of elements or members of a set, list or map. It is separate from Len,
// because a loop over an iterator costs its function an allocation.
func (v Value) count() (n int) {
	switch v.Type() {
	case L:
		for range v.Elems() {
			n++
		}
	case M:
		for range v.rawFields() {
			n++
		}
	default:
		for range v.quotedElems() {
			n++
		}
	}
	return n
}

// utf16Len returns the number of UTF-16 code units of a text: two for a character beyond U+FFFF,
// which has four bytes in UTF-8, and one for any other.
func utf16Len(s string) (n int) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0xF0:
			n += 2
		case c < 0x80 || c >= 0xC0: // the first byte of a character
			n++
		}
	}
	return n
}

// binaryLen returns the number of bytes that padded base64 stands for.
func binaryLen(s string) int {
	return len(s)/4*3 - strings.Count(s[max(0, len(s)-2):], "=")
}

// quotedElems yields the elements of a set, each as the text between its quotes.
func (v Value) quotedElems() iter.Seq[string] {
	return func(yield func(string) bool) {
		s := v.body()
		for i := 1; i < len(s)-1; i++ {
			end := skipString(s, i)
			if !yield(s[i+1 : end-1]) {
				return
			}
			i = end
		}
	}
}

// Elems yields the elements of an L, or those of a set as S, N or B values.
func (v Value) Elems() iter.Seq[Value] {
	t := v.Type()
	switch t {
	case L:
		return listElems(v.body())
	case SS, NS, BS:
		return func(yield func(Value) bool) {
			for quoted := range v.quotedElems() {
				if !yield(scalar(t.element(), quoted)) {
					return
				}
			}
		}
	}
	return func(func(Value) bool) {}
}

func listElems(s string) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for i := 1; i < len(s)-1; i++ {
			end := skipValue(s, i)
			if !yield(Value(s[i:end])) {
				return
			}
			i = end
		}
	}
}

// scalar returns the S, N or B with a text between its quotes.
func scalar(t Type, quoted string) Value {
	return Value(`{"` + t.String() + `":"` + quoted + `"}`)
}

// rawFields yields the members of an M with their names still escaped.
func (v Value) rawFields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Type() != M {
			return
		}
		s := v.body()
		for i := 1; i < len(s)-1; i++ {
			colon := skipString(s, i)
			end := skipValue(s, colon+1)
			if !yield(s[i+1:colon-1], Value(s[colon+1:end])) {
				return
			}
			i = end
		}
	}
}

// Fields yields the members of an M, sorted.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for name, value := range v.rawFields() {
			if !yield(jsontext.Unquote(name), value) {
				return
			}
		}
	}
}

// Field returns a member of an M, or "".
func (v Value) Field(name string) Value {
	name = escape(name)
	for n, value := range v.rawFields() {
		if n == name {
			return value
		}
	}
	return ""
}

// escape returns a name as it is between quotes in canonical form.
func escape(name string) string {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c == '"' || c == '\\' {
			return string(jsontext.AppendEscaped(nil, name))
		}
	}
	return name
}

// Index returns an element of an L, or "".
func (v Value) Index(i int) Value {
	if v.Type() == L {
		for elem := range v.Elems() {
			if i == 0 {
				return elem
			}
			i--
		}
	}
	return ""
}

// Size returns the value's share of an item's size, in bytes. Developer Guide, "DynamoDB item sizes
// and formats".
func (v Value) Size() int {
	switch t := v.Type(); t {
	case SS, NS, BS:
		return v.setSize()
	case L, M:
		return v.documentSize()
	case NULL, BOOL:
		return 1
	case NoType:
		return 0
	default:
		return scalarSize(t, v.quoted())
	}
}

// scalarSize returns the size of the S, N or B with a text between its quotes.
func scalarSize(t Type, quoted string) int {
	switch t {
	case N:
		return numberSize(quoted)
	case B:
		return binaryLen(quoted)
	}
	return unquotedLen(quoted)
}

func (v Value) setSize() (n int) {
	t := v.Type().element()
	for quoted := range v.quotedElems() {
		n += scalarSize(t, quoted)
	}
	return n
}

// documentSize returns the size of a list or map: 3 bytes, one more for each element or pair, and
// their own sizes.
func (v Value) documentSize() int {
	n := 3
	if v.Type() == L {
		return n + listSize(v.body())
	}
	for name, elem := range v.rawFields() {
		n += 1 + unquotedLen(name) + elem.Size()
	}
	return n
}

// listSize returns the size of the elements of a list, and one more byte for each. It reads
// numbers, the elements of vectors, without the detour of a Value.
func listSize(s string) (n int) {
	for i := 1; i < len(s)-1; i++ {
		if strings.HasPrefix(s[i:], beforeNumber) {
			i += len(beforeNumber)
			length, size := readFraction(s[i:])
			if length == 0 {
				length = strings.IndexByte(s[i:], '"')
				size = numberSize(s[i : i+length])
			}
			n += 1 + size
			i += length + len(afterNumber)
			continue
		}
		end := skipValue(s, i)
		n += 1 + Value(s[i:end]).Size()
		i = end
	}
	return n
}

// unquotedLen returns len(jsontext.Unquote(raw)) for canonical text.
func unquotedLen(raw string) int {
	n := len(raw)
	for {
		i := strings.IndexByte(raw, '\\')
		if i < 0 {
			return n
		}
		skip := 2
		if raw[i+1] == 'u' {
			skip = 6
		}
		n -= skip - 1
		raw = raw[i+skip:]
	}
}

// numberSize returns the size of a number in normal form; see Decimal.Size.
func numberSize(s string) int {
	size := 1
	if s[0] == '-' {
		size, s = 2, s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if fraction == "" {
		whole = strings.TrimRight(whole, "0")
	}
	if whole == "0" {
		whole, fraction = "", strings.TrimLeft(fraction, "0")
	}
	return size + packed(len(whole), len(fraction))
}

// Depth returns the number of levels of nesting: 0 for scalars and sets, and for lists and maps one
// more than their deepest element.
func (v Value) Depth() int {
	if t := v.Type(); t == L || t == M {
		return v.nesting()
	}
	return 0
}

// nesting is Depth of a list or a map. It is apart because its walks allocate.
func (v Value) nesting() int {
	deepest := 0
	if v.Type() == L {
		for elem := range v.Elems() {
			deepest = max(deepest, elem.Depth())
		}
	} else {
		for _, elem := range v.rawFields() {
			deepest = max(deepest, elem.Depth())
		}
	}
	return deepest + 1
}

// Compare orders two values of the same scalar type: S and B by their bytes, N by value.
func Compare(a, b Value) int {
	if a == b {
		return 0
	}
	switch a.Type() {
	case S:
		return strings.Compare(a.Str(), b.Str())
	case N:
		return compareNumbers(a.quoted(), b.quoted())
	case B:
		return strings.Compare(a.Bytes(), b.Bytes())
	}
	return 0
}

// compareNumbers compares numbers in normal form. Of two positive numbers the one with the longer
// whole part is greater, and whole parts of one length compare as texts.
func compareNumbers(a, b string) int {
	switch negative := b[0] == '-'; {
	case a[0] == '-' && !negative:
		return -1
	case a[0] != '-' && negative:
		return 1
	case negative:
		a, b = b[1:], a[1:]
	}
	wholeA, fracA, _ := strings.Cut(a, ".")
	wholeB, fracB, _ := strings.Cut(b, ".")
	if len(wholeA) != len(wholeB) {
		return len(wholeA) - len(wholeB)
	}
	if c := strings.Compare(wholeA, wholeB); c != 0 {
		return c
	}
	return strings.Compare(fracA, fracB)
}

// Contains is the function contains(): it reports whether an S or B contains another one, or a set
// or list has an element.
func Contains(v, elem Value) bool {
	switch t := v.Type(); t {
	case S:
		return elem.Type() == S && strings.Contains(v.Str(), elem.Str())
	case B:
		return elem.Type() == B && strings.Contains(v.Bytes(), elem.Bytes())
	case SS, NS, BS:
		return elem.Type() == t.element() && v.has(elem.quoted())
	case L:
		return v.lists(elem)
	}
	return false
}

// lists reports whether a list has an element.
func (v Value) lists(elem Value) bool {
	for e := range v.Elems() {
		if e == elem {
			return true
		}
	}
	return false
}

// has reports whether a set has an element, given as the text between its quotes.
func (v Value) has(quoted string) bool {
	for q := range v.quotedElems() {
		if q == quoted {
			return true
		}
	}
	return false
}

// BeginsWith is the function begins_with() for S and B.
func BeginsWith(v, prefix Value) bool {
	t := v.Type()
	if t != prefix.Type() {
		return false
	}
	switch t {
	case S:
		return strings.HasPrefix(v.Str(), prefix.Str())
	case B:
		return strings.HasPrefix(v.Bytes(), prefix.Bytes())
	}
	return false
}
