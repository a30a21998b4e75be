package dax

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
)

// lists are the attribute lists that clients and nodes know by numbers. A list's number is made of
// its names, so that a client which outlives a server never takes one list for another.
type lists struct {
	mu    sync.RWMutex
	ids   map[string]int64 // by the encoded names
	names map[int64][]string
	bytes int
}

// emptyList is the number of the list without names, which clients know without asking.
const emptyList = 1

// maxLists limits the bytes of all lists together. A cluster of the service runs out of memory at
// some point, too (Developer Guide, "DAX cluster components", "Attribute names").
const maxLists = 64 << 20

// errNoRoom is the error of a list beyond maxLists.
var errNoRoom = errors.New(
	"the items have too many different sets of attribute names for an accelerator")

func newLists() *lists {
	l := &lists{ids: map[string]int64{}, names: map[int64][]string{}}
	l.ids[string(appendNames(nil, nil))] = emptyList
	l.names[emptyList] = nil
	return l
}

func appendNames(dst []byte, names []string) []byte {
	for _, name := range names {
		dst = cbor.AppendText(dst, name)
	}
	return dst
}

// Names implements protocol.Lists.
func (l *lists) Names(id int64) ([]string, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	names, ok := l.names[id]
	return names, ok
}

// ID implements protocol.Lists.
func (l *lists) ID(names []string) (int64, error) {
	var space [512]byte
	key := appendNames(space[:0], names)
	l.mu.RLock()
	id, ok := l.ids[string(key)]
	l.mu.RUnlock()
	if ok {
		return id, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.ids[string(key)]; ok {
		return id, nil
	}
	size := 2*len(key) + 16*len(names) + 128
	if l.bytes+size > maxLists {
		return 0, errNoRoom
	}
	l.bytes += size
	sum := sha256.Sum256(key)
	// a number that JavaScript can hold, and none of another list
	id = int64(binary.BigEndian.Uint64(sum[:]) >> 12)
	for id <= emptyList || l.names[id] != nil {
		id = (id + 1) & (1<<52 - 1)
	}
	l.ids[string(key)], l.names[id] = id, names
	return id, nil
}
