package wire

import (
	"encoding/binary"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Sum64 returns a hash of a shape: the XXH64 of what Append would append, with each item replaced
// by its own XXH64, which is faster than writing the item. Equal shapes have equal sums, and
// different shapes hardly ever have. Sum64 may use the memory of room.
func Sum64(v any, room []byte) uint64 {
	p, pl := open(v)
	s := sum{buf: room[:0]}
	s.value(pl, p)
	return xxhash.Sum64(s.buf)
}

type sum struct{ buf []byte }

func (s *sum) value(pl *plan, p unsafe.Pointer) {
	switch pl.kind {
	case kindStruct:
		s.structure(pl, p)
	case kindList:
		s.list(pl, p)
	case kindPointer:
		s.value(pl.elem, *(*unsafe.Pointer)(p))
	case kindAttributes:
		s.buf = binary.LittleEndian.AppendUint64(s.buf,
			xxhash.Sum64String(string((*item.Attributes)(p).Item)))
	default:
		s.buf = appendValue(s.buf, pl, p)
	}
}

func (s *sum) structure(pl *plan, p unsafe.Pointer) {
	s.buf = append(s.buf, '{')
	first := true
	for i := range pl.members {
		m := &pl.members[i]
		v := unsafe.Add(p, m.offset)
		if m.plan.absent(v) {
			continue
		}
		s.buf = appendName(s.buf, m, first)
		first = false
		s.value(m.plan, v)
	}
	s.buf = append(s.buf, '}')
}

func (s *sum) list(pl *plan, p unsafe.Pointer) {
	s.buf = append(s.buf, '[')
	for i := range (*collection)(p).len {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		_, elem := pl.at(p, i)
		s.value(pl.elem, elem)
	}
	s.buf = append(s.buf, ']')
}
