package storage

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// slabs allocate memory for the new keys and items of a table, many to an allocation. A garbage
// collection takes the longer the more allocations it finds: with 1 KB items it took 15 % of the
// time of a transaction of ten puts.
//
// One text in use keeps its whole slab in memory. So only new items are placed in slabs. An item
// that replaces another one gets memory of its own, and a table whose items are replaced over and
// over does not grow. When most of the texts that were placed have been deleted, the table copies
// the live ones to new slabs (see sparse and Table.rebuildSlabs).
type slabs struct {
	free   []byte // the unused rest of the last slab
	placed int    // the number of texts placed so far
}

const (
	slabShare  = 16 // a slab has at most this share of the table's bytes
	entryShare = 4  // a text in a slab has at most this share of the slab

	// Slabs are sparse if they have more texts than placedShare for each live one and placedAlways.
	placedShare  = 4
	placedAlways = 1000

	itemSlab = 256 << 10 // the most bytes of a slab of items
	textSlab = 32 << 10  // the most bytes of a slab of texts, or of keys
)

// sparse reports whether most of the texts that were placed are gone. n is the number of live ones.
func (s *slabs) sparse(n int) bool { return s.placed > placedShare*n+placedAlways }

// copy returns a copy of a text in a slab of at most largest bytes. held is how many bytes the
// table or index holds.
func (s *slabs) copy(text string, held int64, largest int) string {
	b := s.room(len(text), held, largest)
	copy(b, text)
	return raw.String(b)
}

// room returns n bytes to write a text to.
func (s *slabs) room(n int, held int64, largest int) []byte {
	if n > len(s.free) {
		size := min(int(held)/slabShare, largest)
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
