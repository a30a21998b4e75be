package wire

import (
	"reflect"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Memory holds the parts of decoded shapes: the items, and what the pointers and lists of the
// shapes refer to. A Memory that is used for one request after another takes few allocations or
// none. The zero Memory is empty. It must not be used concurrently.
type Memory struct {
	items item.Scratch
	texts []string // the strings that pointers refer to
	slabs []slab   // slabs by plan.number
	inUse []*plan  // the plans whose slabs are not empty
}

// slab is a row of values of one type. The first len are in use, and the others are zero.
type slab collection

// The most memory that Reset keeps, which suffices for most requests.
const (
	keepTexts     = 1 << 10
	keepSlabBytes = 16 << 10
)

// Items returns the memory for items. If m is nil it returns nil, which gives each item memory of
// its own.
func (m *Memory) Items() *item.Scratch {
	if m == nil {
		return nil
	}
	return &m.items
}

// Reset frees all memory and clears everything but the items. It returns the memory of the items:
// see item.Scratch.
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
		m.texts = make([]string, 0, max(4, 2*n)) // pointers keep the old memory
		n = 0
	}
	m.texts = m.texts[:n+1]
	return &m.texts[n]
}

// take returns zeroed memory for n structures of a plan, or for n elements of a list or map.
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
		*s = slab{} // pointers keep the old memory
		reflect.NewAt(pl.several, unsafe.Pointer(s)).Elem().Grow(most)
	}
	p := unsafe.Add(s.data, uintptr(s.len)*pl.stride)
	s.len += n
	return p
}
