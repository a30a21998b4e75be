package storage

import (
	"bytes"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// KeyAttribute is a key attribute and its type (item.S, item.N or item.B).
type KeyAttribute struct {
	Name string
	Type item.Type
}

// KeySchema is the key of a table or index: one partition key attribute and at
// most one sort key attribute, or for global indexes up to four of each.
type KeySchema struct {
	Hash, Range []KeyAttribute
}

// Key places an item in a table or an index entry in an index. Keys order by Hash, then Text.
type Key struct {
	Hash uint64 // of the partition key
	Text string // encoded partition key, sort key, and for an index the table's key
}

// keyBuffer is a size that most encoded keys keep within.
const keyBuffer = 256

// Encode returns the key of an item (or key map) that has all attributes of the
// schema in the right types; ok is false if it does not. It judges no values:
// they may be empty or too long.
func (ks KeySchema) Encode(it item.Item) (k Key, ok bool) {
	k, _, ok = ks.EncodeIn(nil, it)
	return k, ok
}

// EncodeIn is Encode with the text in a Scratch. If good is true, no value is empty,
// and the parts of the key are not longer than MaxHashKeyBytes and MaxRangeKeyBytes;
// if not, that is still to be seen.
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

// newKey is the key of an encoded text that begins with a partition key of the given length.
func newKey(text []byte, hashed int) Key { return keyOf(bytes.Clone(text), hashed) }

// keyOf is newKey for as long as the text does not change.
func keyOf(text []byte, hashed int) Key {
	k := Key{Text: raw.String(text)}
	k.Hash = item.HashKey(k.Text[:hashed])
	return k
}

// appendKeys appends the encodings of key attributes; ok is false if one is
// missing or of another type.
func appendKeys(dst []byte, attributes []KeyAttribute, it item.Item) (_ []byte, ok bool) {
	dst, _, ok = appendJudged(dst, attributes, it, 0)
	return dst, ok
}

// appendJudged is appendKeys. If good is true, no value is empty, and all together
// have at most most bytes, for even their JSON does.
func appendJudged(dst []byte, attributes []KeyAttribute, it item.Item, most int) (_ []byte, good, ok bool) {
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

// less orders keys.
func (k Key) less(other Key) bool {
	if k.Hash != other.Hash {
		return k.Hash < other.Hash
	}
	return k.Text < other.Text
}

// Range is a part of a table or index, in its order: Lo <= key < Hi. HiOpen: no upper bound.
type Range struct {
	Lo, Hi Key
	HiOpen bool
}

// Prefix is the Range of all keys that begin with k: of its hash, with a text that begins with k's.
func (k Key) Prefix() Range {
	for i := len(k.Text) - 1; i >= 0; i-- {
		if c := k.Text[i]; c != 0xff {
			return Range{Lo: k, Hi: Key{k.Hash, k.Text[:i] + string([]byte{c + 1})}}
		}
	}
	// Nothing but FF: up to the next hash.
	return Range{Lo: k, Hi: Key{Hash: k.Hash + 1}, HiOpen: k.Hash+1 == 0}
}

// Next is the smallest key after k.
func (k Key) Next() Key { return Key{k.Hash, k.Text + "\x00"} }
