package item

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// String returns an S.
func String(s string) Value {
	b := make([]byte, 0, len(s)+8)
	b = append(b, `{"S":`...)
	b = jsontext.AppendQuoted(b, s)
	return Value(append(b, '}'))
}

// Number returns an N.
func Number(d Decimal) Value {
	b := make([]byte, 0, 48)
	b = append(b, `{"N":"`...)
	b = d.Append(b)
	return Value(append(b, `"}`...))
}

// Binary returns a B of the given bytes.
func Binary(b string) Value {
	return scalar(B, base64.StdEncoding.EncodeToString([]byte(b)))
}

// Boolean returns a BOOL.
func Boolean(b bool) Value {
	if b {
		return `{"BOOL":true}`
	}
	return `{"BOOL":false}`
}

// Null returns the NULL.
func Null() Value { return `{"NULL":true}` }

// List returns an L.
func List(elems ...Value) Value {
	var b strings.Builder
	b.WriteString(`{"L":[`)
	for i, elem := range elems {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(elem))
	}
	b.WriteString(`]}`)
	return Value(b.String())
}

// Map returns an M. Names are distinct, in any order.
func Map(fields ...Attribute) Value {
	return Value(`{"M":` + string(New(fields...).JSON()) + `}`)
}

// Union adds the elements of b to the set a; both are of one set type.
func Union(a, b Value) Value {
	elems := slices.Collect(a.quotedElems())
	elems = slices.AppendSeq(elems, b.quotedElems())
	slices.SortFunc(elems, elementOrder(a.Type()))
	return setOf(a.Type(), slices.Compact(elems))
}

// Difference removes the elements of b from the set a. It returns "" if none is left.
func Difference(a, b Value) Value {
	order := elementOrder(a.Type())
	gone := slices.Collect(b.quotedElems())
	elems := slices.Collect(a.quotedElems())
	elems = slices.DeleteFunc(elems, func(elem string) bool {
		_, found := slices.BinarySearchFunc(gone, elem, order)
		return found
	})
	if len(elems) == 0 {
		return ""
	}
	return setOf(a.Type(), elems)
}

// setOf returns the set of distinct, sorted elements. Each is the text between the quotes.
func setOf(t Type, elems []string) Value {
	return Value(`{"` + t.String() + `":["` + strings.Join(elems, `","`) + `"]}`)
}

// elementOrder returns the canonical order of a set's elements, which is the service's: numbers by
// value, binaries by their bytes, strings by their texts (service facts 13.10).
func elementOrder(t Type) func(a, b string) int {
	switch t {
	case NS:
		return compareNumbers
	case BS:
		return compareBase64
	}
	return strings.Compare
}

// compareBase64 compares the bytes that two texts in Base64 stand for. Both are in the normal form,
// so it need not decode them: it compares the digits, and the padding goes before all of them.
func compareBase64(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return cmp.Compare(base64Digits[a[i]], base64Digits[b[i]])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// base64Digits holds what the digits of Base64 stand for, from 1; the padding is 0.
var base64Digits = func() (digits [256]uint8) {
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		digits[c] = uint8(i + 1)
	}
	return digits
}()
