package storage

import (
	"bytes"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// KeyAttribute is a key attribute and its type: item.S, item.N or item.B.
type KeyAttribute struct {
	Name string
	Type item.Type
}

// KeySchema is the key of a table or index: a partition key attribute and possibly a sort key
// attribute. A global index may have up to four of each.
type KeySchema struct {
	Hash, Range []KeyAttribute
}

// Key is the place of an item in a table, or of an entry in an index. Keys order by Hash, then by
// Text.
type Key struct {
	Hash uint64 // the hash of the partition key
	Text string // the encoded partition key, sort key and, in an index, key of the table
}

// The most bytes of the partition key and of the sort key of a table or index. Developer Guide,
// "Constraints", "Partition key length" and "Sort key length".
const (
	MaxHashKeyBytes  = 2048
	MaxRangeKeyBytes = 1024
)

// keyBuffer is a size that few encoded keys exceed.
const keyBuffer = 256

// Encode returns the key of an item, or of a map of key attributes. ok is false if an attribute is
// missing or has another type. Encode does not check values: they may be empty or too long.
func (ks KeySchema) Encode(it item.Item) (k Key, ok bool) {
	k, _, ok = ks.EncodeIn(nil, it)
	return k, ok
}

// EncodeIn is Encode with the text in a Scratch. If good is set, no value is empty and the parts of
// the key have at most MaxHashKeyBytes and MaxRangeKeyBytes. If it is not, the caller has to check
// the values.
func (ks KeySchema) EncodeIn(into *item.Scratch, it item.Item) (k Key, good, ok bool) {
	var buffer [keyBuffer]byte
	text, hashGood, ok := appendJudged(buffer[:0], ks.Hash, it, MaxHashKeyBytes)
	if !ok {
		return Key{}, false, false
	}
	hashed := len(text)
	text, rangeGood, ok := appendJudged(text, ks.Range, it, MaxRangeKeyBytes)
	if !ok {
		return Key{}, false, false
	}
	return keyOf(into.Copy(text), hashed), hashGood && rangeGood, true
}

// newKey returns the key of an encoded text, whose first hashed bytes are the partition key. It
// copies the text.
func newKey(text []byte, hashed int) Key { return keyOf(bytes.Clone(text), hashed) }

// keyOf is newKey without a copy. The key is valid until the text changes.
func keyOf(text []byte, hashed int) Key {
	k := Key{Text: raw.String(text)}
	k.Hash = item.HashKey(k.Text[:hashed])
	return k
}

// appendKeys appends the encodings of key attributes. ok is false if an attribute is missing or has
// another type.
func appendKeys(dst []byte, attributes []KeyAttribute, it item.Item) (_ []byte, ok bool) {
	dst, _, ok = appendJudged(dst, attributes, it, 0)
	return dst, ok
}

// appendJudged is appendKeys. It sets good if no value is empty and the JSON of all values together
// has at most most bytes, because then the values themselves have no more.
func appendJudged(dst []byte, attributes []KeyAttribute, it item.Item, most int) (_ []byte, good,
	ok bool) {
	length, empty := 0, false
	for i := range attributes {
		v := it.Get(attributes[i].Name)
		if v.Type() != attributes[i].Type {
			return dst, false, false
		}
		length += len(v)
		empty = empty || len(v) == len(`{"S":""}`)
		dst = item.AppendKey(dst, v)
	}
	return dst, !empty && length <= most, true
}

// names appends the names of the key attributes.
func (ks *KeySchema) names(dst []string) []string {
	for _, attributes := range [...][]KeyAttribute{ks.Hash, ks.Range} {
		for i := range attributes {
			dst = append(dst, attributes[i].Name)
		}
	}
	return dst
}

// less reports whether k is before another key.
func (k Key) less(other Key) bool {
	if k.Hash != other.Hash {
		return k.Hash < other.Hash
	}
	return k.Text < other.Text
}

// Range is a range of keys: Lo <= key < Hi. HiOpen means that there is no upper bound.
type Range struct {
	Lo, Hi Key
	HiOpen bool
}

// Prefix returns the range of all keys with the hash of k whose text begins with the text of k.
func (k Key) Prefix() Range {
	for i := len(k.Text) - 1; i >= 0; i-- {
		if c := k.Text[i]; c != 0xff {
			return Range{Lo: k, Hi: Key{k.Hash, k.Text[:i] + string([]byte{c + 1})}}
		}
	}
	// All bytes are FF: the range ends at the next hash.
	return Range{Lo: k, Hi: Key{Hash: k.Hash + 1}, HiOpen: k.Hash+1 == 0}
}

// Next returns the smallest key after k.
func (k Key) Next() Key { return Key{k.Hash, k.Text + "\x00"} }
