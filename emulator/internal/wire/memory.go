package wire

import (
	"reflect"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Memory is where the parts of decoded shapes lie: the items, and what pointers and
// lists of the shapes point to. Used for one request after another, it takes few
// allocations or none. The zero Memory is empty. It is for one goroutine at a time.
type Memory struct {
	items item.Scratch
	texts []string // up to its length pointed to
	slabs []slab   // by plan.number
	inUse []*plan  // whose slabs are not empty
}

// slab are values of one type in a row, of which the first len are in use, and the others zero.
type slab collection

// Larger memory than this is left to the garbage collector: it has room for most requests.
const (
	keepTexts     = 1 << 10
	keepSlabBytes = 16 << 10
)

// Items is where items lie. It is nil, as which each has memory of its own, if m is.
func (m *Memory) Items() *item.Scratch {
	if m == nil {
		return nil
	}
	return &m.items
}

// Reset takes back all memory. What it returns is that of the items: see item.Scratch.
// The rest is zero from now on.
func (m *Memory) Reset() []byte {
	clear(m.texts)
	m.texts = m.texts[:0]
	if cap(m.texts) > keepTexts {
		m.texts = nil
	}
	for _, pl := range m.inUse {
		s := &m.slabs[pl.number]
		if uintptr(s.cap)*pl.stride > keepSlabBytes {
			*s = slab{}
			continue
		}
		reflect.NewAt(pl.several, unsafe.Pointer(s)).Elem().Clear()
		s.len = 0
	}
	m.inUse = m.inUse[:0]
	return m.items.Reset()
}

// text returns memory for a string.
func (m *Memory) text() *string {
	n := len(m.texts)
	if n == cap(m.texts) {
		m.texts = make([]string, 0, max(4, 2*n)) // pointers keep what was there before
		n = 0
	}
	m.texts = m.texts[:n+1]
	return &m.texts[n]
}

// take returns zeroed memory for n structures of a plan, or elements of a list or map.
func (m *Memory) take(pl *plan, n int) unsafe.Pointer {
	for len(m.slabs) <= pl.number {
		m.slabs = append(m.slabs, slab{})
	}
	s := &m.slabs[pl.number]
	if s.len == 0 {
		m.inUse = append(m.inUse, pl)
	}
	if s.cap-s.len < n {
		most := max(n, 2*s.cap)
		*s = slab{} // pointers keep what was there before
		reflect.NewAt(pl.several, unsafe.Pointer(s)).Elem().Grow(most)
	}
	p := unsafe.Add(s.data, uintptr(s.len)*pl.stride)
	s.len += n
	return p
}
