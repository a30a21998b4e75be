package compare

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Sum is the number of some items and the sum of their hashes.
type Sum struct {
	Items    int64    `json:"items"`
	Checksum checksum `json:"checksum"`
}

// checksum is a hash, or the sum of hashes modulo 2^128, the high half first.
type checksum [2]uint64

// String returns the checksum in hexadecimal digits.
func (c checksum) String() string { return fmt.Sprintf("%016x%016x", c[0], c[1]) }

// MarshalText returns the checksum in hexadecimal digits.
func (c checksum) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText returns.
func (c *checksum) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%16x%16x", &c[0], &c[1])
	return err
}

func (c *checksum) add(more checksum) {
	var carry uint64
	c[1], carry = bits.Add64(c[1], more[1], 0)
	c[0], _ = bits.Add64(c[0], more[0], carry)
}

func (s *Sum) add(more Sum) {
	s.Items += more.Items
	s.Checksum.add(more.Checksum)
}

// hashOf returns the hash of a canonical text.
func hashOf(text string) checksum {
	sum := sha256.Sum256([]byte(text))
	return checksum{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])}
}

// canonical returns the same text for equal attributes, whatever the form of their numbers and the
// order of their sets. Attributes that DynamoDB would refuse, but another engine stores, keep their
// forms.
func canonical(attributes transfer.Item) string {
	text := string(transfer.MarshalItem(attributes))
	s := jsontext.NewScanner(text)
	parsed, err := item.ParseAttributes(&s)
	if err != nil || parsed.Invalid != nil {
		return text
	}
	return string(parsed.Item.JSON())
}

// parts is the number of parts that a partition has.
const parts = 1 << 14

// partition divides items into parts by their keys.
type partition struct {
	names []string // the names of the key attributes
	seed  maphash.Seed
}

// key returns the canonical key of an item, and its part.
func (p *partition) key(it transfer.Item) (key string, part int) {
	own := transfer.Item{}
	for _, name := range p.names {
		if v := it[name]; v != nil {
			own[name] = v
		}
	}
	key = canonical(own)
	return key, int(maphash.String(p.seed, key) % parts)
}

// summer adds up the items of each part.
type summer struct {
	*partition
	sums []Sum
}

// Write implements transfer.Writer.
func (s *summer) Write(it transfer.Item) error {
	_, part := s.key(it)
	s.sums[part].add(Sum{1, hashOf(canonical(it))})
	return nil
}

// Close implements transfer.Writer.
func (s *summer) Close() error { return nil }

// total returns the sum of all parts.
func (s *summer) total() *Sum {
	sum := new(Sum)
	for _, part := range s.sums {
		sum.add(part)
	}
	return sum
}

// finder gathers the hashes of the items in wanted parts, by their keys.
type finder struct {
	*partition
	wanted []bool // whether a part is wanted, by part
	found  map[string]checksum
}

// Write implements transfer.Writer.
func (f *finder) Write(it transfer.Item) error {
	if key, part := f.key(it); f.wanted[part] {
		f.found[key] = hashOf(canonical(it))
	}
	return nil
}

// Close implements transfer.Writer.
func (f *finder) Close() error { return nil }
