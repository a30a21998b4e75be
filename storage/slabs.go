package storage

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// slabs are memory for what is added to a table: much that is small lies in one
// allocation, because what a collection costs is the number of allocations that
// it finds. Among 1 KB items that was 15 % of a transaction of ten puts, and to
// allocate each by itself was as much again.
//
// A slab is free when nothing in it is in use, so that one entry may keep the
// memory of the others. Therefore only new items lie in slabs: one that takes the
// place of another has memory of its own, and a table that is written over and
// over keeps no more than it needs. When most of what was laid has been deleted, the
// rest is laid anew.
type slabs struct {
	free   []byte // what is left of the last one
	placed int    // how many texts
}

const (
	slabShare    = 16 // a table has at least this many times the bytes of a slab
	entryShare   = 4  // and a slab those of a text in it
	placedShare  = 4  // so many texts are laid, at most, for each that there is
	placedAlways = 1000

	itemSlab = 256 << 10 // at most
	textSlab = 32 << 10
)

// sparse reports whether most of what was laid is gone, of n texts that there are now.
func (s *slabs) sparse(n int) bool { return s.placed > placedShare*n+placedAlways }

// copy returns a copy of a text, for a table or index of so many bytes and entries,
// in slabs of at most largest bytes.
func (s *slabs) copy(text string, of Stats, largest int) string {
	b := s.room(len(text), of, largest)
	copy(b, text)
	return raw.String(b)
}

func (s *slabs) room(n int, of Stats, largest int) []byte {
	if n > len(s.free) {
		size := min(int(of.Bytes)/slabShare, largest)
		if n*entryShare > size {
			return raw.Bytes(n)
		}
		s.free = raw.Bytes(1 << (bits.Len(uint(size)) - 1))
	}
	b := s.free[:n]
	s.free = s.free[n:]
	s.placed++
	return b
}
