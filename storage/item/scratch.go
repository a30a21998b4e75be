package item

import (
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// Scratch is memory for parsed items and texts that are needed for a short time, such as those of a
// request. A Scratch that has been used before takes no allocations, where separate items take one
// each. The zero Scratch is empty. A nil Scratch gives every item memory of its own. A Scratch must
// not be used concurrently.
type Scratch struct {
	block  []byte // the bytes up to its length are in use
	floats keptFloats
}

// firstBlock is the size of the first block.
const firstBlock = 4 << 10

// ParseAttributes is the function ParseAttributes, with the item in the Scratch. The item is valid
// until the next Reset.
func (m *Scratch) ParseAttributes(s *jsontext.Scanner) (Attributes, error) {
	return parseAttributes(s, m)
}

// Copy returns a copy of b in the Scratch, valid until the next Reset.
func (m *Scratch) Copy(b []byte) []byte { return append(m.take(len(b)), b...) }

// Reset frees all memory of the Scratch. It returns the memory that will be used next: the caller
// may overwrite it before the next use, and must not keep it.
func (m *Scratch) Reset() []byte {
	m.block = m.block[:0]
	m.floats.reset()
	return m.block[:cap(m.block)]
}

// take returns an empty slice with a capacity of n bytes, which are not cleared.
func (m *Scratch) take(n int) []byte {
	if m == nil {
		return raw.Bytes(n)[:0]
	}
	at := len(m.block)
	if cap(m.block)-at < n {
		m.block = make([]byte, 0, max(firstBlock, 2*cap(m.block), n)) // items keep the old block
		at = 0
	}
	m.block = m.block[:at+n]
	return m.block[at : at : at+n]
}
