package item

import (
	"encoding/base64"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// The alternative encoding of items for BenchmarkEncoding: a type, a length and the bytes of each
// value, with unescaped texts and decoded binaries. See doc.go.

type tagged []byte

func tagItem(it Item) tagged {
	var b tagged
	for name, v := range it.All() {
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
		b = b.append(v)
	}
	return b
}

func (b tagged) append(v Value) tagged {
	var body tagged
	switch v.Type() {
	case S:
		body = tagged(v.Str())
	case B:
		body = tagged(v.Bytes())
	case N:
		body = tagged(v.Num())
	case BOOL:
		body = tagged{0}
		if v.Bool() {
			body[0] = 1
		}
	case SS, NS, BS, L:
		for e := range v.Elems() {
			body = body.append(e)
		}
	case M:
		for name, e := range v.Fields() {
			body = binary.AppendUvarint(body, uint64(len(name)))
			body = append(body, name...)
			body = body.append(e)
		}
	}
	b = append(b, byte(v.Type()))
	b = binary.AppendUvarint(b, uint64(len(body)))
	return append(b, body...)
}

func (b tagged) value() (Type, tagged, tagged) {
	n, k := binary.Uvarint(b[1:])
	k++
	return Type(b[0]), b[k : k+int(n)], b[k+int(n):]
}

// appendJSON appends the wire form of an item.
func (b tagged) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for first := true; len(b) > 0; first = false {
		if !first {
			dst = append(dst, ',')
		}
		n, k := binary.Uvarint(b)
		dst = jsontext.AppendQuoted(dst, string(b[k:k+int(n)]))
		dst = append(dst, ':')
		t, body, rest := b[k+int(n):].value()
		dst = appendTagged(dst, t, body)
		b = rest
	}
	return append(dst, '}')
}

func appendTagged(dst []byte, t Type, body tagged) []byte {
	dst = append(dst, `{"`...)
	dst = append(dst, t.String()...)
	dst = append(dst, `":`...)
	switch t {
	case S, N, B:
		dst = appendTaggedScalar(dst, t, body)
	case BOOL, NULL:
		if t == NULL || body[0] == 1 {
			dst = append(dst, "true"...)
		} else {
			dst = append(dst, "false"...)
		}
	case M:
		dst = body.appendJSON(dst)
	default:
		dst = append(dst, '[')
		for first := true; len(body) > 0; first = false {
			if !first {
				dst = append(dst, ',')
			}
			et, ebody, rest := body.value()
			if t == L {
				dst = appendTagged(dst, et, ebody)
			} else {
				dst = appendTaggedScalar(dst, et, ebody)
			}
			body = rest
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendTaggedScalar(dst []byte, t Type, body tagged) []byte {
	if t == B {
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, body)
		return append(dst, '"')
	}
	return jsontext.AppendQuoted(dst, string(body))
}

// get returns the type and bytes of an attribute.
func (b tagged) get(name string) (Type, tagged) {
	for len(b) > 0 {
		n, k := binary.Uvarint(b)
		found := string(b[k:k+int(n)]) == name
		t, body, rest := b[k+int(n):].value()
		if found {
			return t, body
		}
		b = rest
	}
	return NoType, nil
}

// BenchmarkEncoding compares the two encodings in the most frequent operations of reads: answering
// with a whole item, and reading one attribute for a filter.
func BenchmarkEncoding(b *testing.B) {
	it := mustParse(b, item1K)
	tag := tagItem(it)
	require.Equal(b, string(it.JSON()), string(tag.appendJSON(nil)))
	b.Logf("wire form %d bytes, tagged %d", len(it), len(tag))
	buf := make([]byte, 0, 4096)
	b.Run("answer/wire", func(b *testing.B) {
		for b.Loop() {
			buf = append(buf[:0], it.JSON()...)
		}
	})
	b.Run("answer/tagged", func(b *testing.B) {
		for b.Loop() {
			buf = tag.appendJSON(buf[:0])
		}
	})
	want := String("user#0000000002")
	b.Run("filter/wire", func(b *testing.B) {
		for b.Loop() {
			if it.Get("pk") == want {
				b.Fatal()
			}
		}
	})
	b.Run("filter/tagged", func(b *testing.B) {
		for b.Loop() {
			if t, body := tag.get("pk"); t == S && string(body) == "user#0000000002" {
				b.Fatal()
			}
		}
	})
}
