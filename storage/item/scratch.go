package item

import (
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// Scratch is memory for parsed items and texts that are not needed for long, such as
// those of a request: it takes a few large allocations, or none once it has been
// used, in place of one for each. The zero Scratch is empty. A nil one gives each
// memory of its own. It is for one goroutine at a time.
type Scratch struct {
	block []byte // in use, up to its length
}

// firstBlock is the least memory that a Scratch allocates.
const firstBlock = 4 << 10

// ParseAttributes is the function ParseAttributes, but that the item lies in the
// Scratch: it is valid until the next Reset.
func (m *Scratch) ParseAttributes(s *jsontext.Scanner) (Attributes, error) {
	return parseAttributes(s, m)
}

// Copy returns a copy of b in the Scratch, valid until the next Reset.
func (m *Scratch) Copy(b []byte) []byte { return append(m.take(len(b)), b...) }

// Reset takes back all memory. What it returns will be used next: the caller may
// overwrite it, but not keep it.
func (m *Scratch) Reset() []byte {
	m.block = m.block[:0]
	return m.block[:cap(m.block)]
}

// take returns n bytes of memory, in an empty slice. They are not cleared.
func (m *Scratch) take(n int) []byte {
	if m == nil {
		return raw.Bytes(n)[:0]
	}
	at := len(m.block)
	if cap(m.block)-at < n {
		m.block = make([]byte, 0, max(firstBlock, 2*cap(m.block), n)) // items keep the one before
		at = 0
	}
	m.block = m.block[:at+n]
	return m.block[at : at : at+n]
}
