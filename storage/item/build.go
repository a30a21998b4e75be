package item

import (
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

// elementOrder returns the canonical order of a set's elements: numbers by value, others by their
// texts.
func elementOrder(t Type) func(a, b string) int {
	if t == NS {
		return compareNumbers
	}
	return strings.Compare
}
