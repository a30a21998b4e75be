package wire

import (
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Sum64 is the XXH64 of what Append would append. Items, which are most of that,
// are not copied for it; everything else is, to room.
func Sum64(v any, room []byte) uint64 {
	p, pl := open(v)
	s := sum{buf: room[:0]}
	s.digest.Reset()
	s.value(pl, p)
	s.flush()
	return s.digest.Sum64()
}

type sum struct {
	digest xxhash.Digest // of what came before buf
	buf    []byte
}

// sumAtOnce is from what length on the digest takes the buffer.
const sumAtOnce = 1 << 10

func (s *sum) flush() {
	s.digest.Write(s.buf)
	s.buf = s.buf[:0]
}

func (s *sum) value(pl *plan, p unsafe.Pointer) {
	switch pl.kind {
	case kindStruct:
		s.structure(pl, p)
	case kindList:
		s.list(pl, p)
	case kindPointer:
		s.value(pl.elem, *(*unsafe.Pointer)(p))
	case kindAttributes:
		s.flush()
		s.digest.WriteString(string((*item.Attributes)(p).Item.JSON()))
	default:
		s.buf = appendValue(s.buf, pl, p)
		if len(s.buf) >= sumAtOnce {
			s.flush()
		}
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
