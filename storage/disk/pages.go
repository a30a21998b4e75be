package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
)

// bbolt trusts its pages: a damaged one may lead it out of the file, into a loop or into a panic.
// So a pageWalk reads all pages before bbolt opens the file. It knows version 2 of bbolt's format
// (go.etcd.io/bbolt, internal/common). It verifies that each page is reached once, has its own
// number and its keys in order, and refers to nothing outside of the page and the file.
const (
	boltMagic   = 0xED0CDAED
	boltVersion = 2

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	pageHeader    = 16
	elementLen    = 16
	bucketHeader  = 16
	bucketElement = 0x01
	metaSumAt     = 56
	rootLen       = metaSumAt + 8
	longFreelist  = 0xFFFF // a count that says that the first entry of the list is its length
)

// order is the byte order. bbolt uses the machine's, which is little-endian wherever kugiri runs.
var order = binary.LittleEndian

// pageWalk reads and verifies the pages of a file.
type pageWalk struct {
	path    string
	file    io.ReaderAt
	size    int64
	high    uint64        // pages from here on are not in use
	used    pageSet       // the pages that were reached
	free    pageSet       // the pages in the list of free pages
	buffers [][]byte      // the page that is being read at each depth
	oldRoot *DamagedError // the damage of one root, if the other one is sound

	freeUnknown bool // the list of free pages is damaged
	damage      func(loss) error
}

// loss is damage, with the keys that it makes unreadable. A walk passes each loss to its damage
// function. An error of that ends the walk; after nil it continues.
type loss struct {
	damaged *DamagedError
	keys    *keyRange // nil if nothing is lost
}

// keyRange is a range of keys: from <= key < to. nil is no limit.
type keyRange struct{ from, to []byte }

func (r keyRange) has(key []byte) bool {
	return bytes.Compare(key, r.from) >= 0 && (r.to == nil || bytes.Compare(key, r.to) < 0)
}

// leafEntry is an entry of a leaf page. Its slices are valid until the walk continues.
type leafEntry struct {
	bucket     bool // the value describes a bucket
	key, value []byte
	at         int64 // the offset of the key in the file
}

// pageSet is a set of page numbers.
type pageSet []uint64

func newPageSet(high uint64) pageSet { return make(pageSet, (high+63)/64) }
func (s pageSet) has(id uint64) bool { return s[id/64]&(1<<(id%64)) != 0 }
func (s pageSet) add(id uint64)      { s[id/64] |= 1 << (id % 64) }
func (s pageSet) remove(id uint64)   { s[id/64] &^= 1 << (id % 64) }

func (w *pageWalk) at(id uint64) int64 { return int64(id) * pageSize }

func (w *pageWalk) lost(d *DamagedError, keys keyRange) error { return w.damage(loss{d, &keys}) }
func (w *pageWalk) misplaced(d *DamagedError) error           { return w.damage(loss{damaged: d}) }

func (w *pageWalk) damaged(offset int64, reason string, args ...any) *DamagedError {
	return &DamagedError{w.path, offset, fmt.Sprintf(reason, args...)}
}

// begin reads the roots of the file and the list of free pages.
func (w *pageWalk) begin() (root uint64, err error) {
	root, freelist, err := w.roots()
	if err != nil {
		return 0, err
	}
	if need := w.at(w.high); w.size < need {
		if err := w.misplaced(w.damaged(w.size, "it should have %d bytes", need)); err != nil {
			return 0, err
		}
		w.high = max(2, uint64(w.size/pageSize))
	}
	w.used, w.free = newPageSet(w.high), newPageSet(w.high)
	w.used.add(0)
	w.used.add(1)
	if damaged := w.freelist(freelist); damaged != nil {
		w.freeUnknown = true
		return root, w.misplaced(damaged)
	}
	return root, nil
}

// roots reads the two meta pages and returns the newer root. A power cut may leave one of them half
// written, and the logs show whether the other one is too old. A meta page with a single wrong bit
// was written as a whole, so that is damage.
func (w *pageWalk) roots() (root, freelist uint64, err error) {
	var newest uint64
	found := false
	for i := range int64(2) {
		var page [pageHeader + rootLen]byte
		if _, err := w.file.ReadAt(page[:], i*pageSize); err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, w.damaged(i*pageSize, "%v", err)
		}
		m := page[pageHeader:]
		if !soundRoot(m) {
			at, mended := mendRoot(m)
			if !mended {
				w.oldRoot = w.damaged(i*pageSize, "a root is unreadable")
				continue
			}
			if err := w.misplaced(
				w.damaged(i*pageSize+pageHeader+int64(at),
					"a bit of a root is wrong")); err != nil {
				return 0, 0, err
			}
		}
		if size := order.Uint32(m[8:]); size != pageSize {
			return 0, 0, w.damaged(i*pageSize, "its pages have %d bytes", size)
		}
		if tx := order.Uint64(m[48:]); !found || tx > newest {
			found, newest = true, tx
			root, freelist, w.high = order.Uint64(m[16:]), order.Uint64(m[32:]), order.Uint64(
				m[40:])
		}
	}
	switch {
	case !found:
		return 0, 0, w.damaged(0, "neither of its roots is readable")
	case w.high < 2 || w.high > math.MaxInt64/pageSize:
		return 0, 0, w.damaged(0, "it says that it has %d pages", w.high)
	}
	return root, freelist, nil
}

// soundRoot reports whether a root is one that bbolt has written.
func soundRoot(m []byte) bool {
	sum := fnv.New64a()
	sum.Write(m[:metaSumAt])
	return order.Uint32(m) == boltMagic && order.Uint32(m[4:]) == boltVersion &&
		sum.Sum64() == order.Uint64(m[metaSumAt:])
}

// mendRoot repairs a root in which a single bit is wrong, and returns the offset of the byte with
// that bit.
func mendRoot(m []byte) (at int, mended bool) {
	for bit := range 8 * len(m) {
		m[bit/8] ^= 1 << (bit % 8)
		if soundRoot(m) {
			return bit / 8, true
		}
		m[bit/8] ^= 1 << (bit % 8)
	}
	return 0, false
}

// read returns a page with its overflow pages, and marks it as used. The page is valid until
// another one is read at the same depth.
func (w *pageWalk) read(id uint64, depth int) ([]byte, *DamagedError) {
	if id < 2 || id >= w.high {
		return nil, w.damaged(w.at(min(id, w.high)), "there is no page %d", id)
	}
	at := w.at(id)
	page, err := w.readAt(at, pageSize, depth)
	if err != nil {
		return nil, w.damaged(at, "%v", err)
	}
	overflow := uint64(order.Uint32(page[12:]))
	switch {
	case order.Uint64(page) != id:
		return nil, w.damaged(at, "page %d says that it is another one", id)
	case overflow >= w.high-id:
		return nil, w.damaged(at, "page %d reaches beyond the end", id)
	}
	for i := id; i <= id+overflow; i++ {
		if w.used.has(i) || w.free.has(i) {
			return nil, w.damaged(at, "page %d is in two places", i)
		}
	}
	if overflow > 0 {
		if page, err = w.readAt(at, int(overflow+1)*pageSize, depth); err != nil {
			return nil, w.damaged(at, "%v", err)
		}
	}
	for i := id; i <= id+overflow; i++ {
		w.used.add(i)
	}
	return page, nil
}

func (w *pageWalk) readAt(at int64, n, depth int) ([]byte, error) {
	if at+int64(n) > w.size {
		return nil, io.ErrUnexpectedEOF
	}
	for depth >= len(w.buffers) {
		w.buffers = append(w.buffers, make([]byte, pageSize))
	}
	if cap(w.buffers[depth]) < n {
		w.buffers[depth] = make([]byte, n)
	}
	b := w.buffers[depth][:n]
	_, err := w.file.ReadAt(b, at)
	return b, err
}

// tree visits the entries of a page and of all pages below it. keys is the range that they must be
// in.
func (w *pageWalk) tree(id uint64, depth int, keys keyRange, visit func(leafEntry) error) error {
	page, damaged := w.read(id, depth)
	if damaged != nil {
		return w.lost(damaged, keys)
	}
	switch order.Uint16(page[8:]) {
	case branchPage:
		return w.branch(page, w.at(id), depth, keys, visit)
	case leafPage:
		return w.leaf(page, w.at(id), keys, visit)
	}
	for i := range uint64(len(page) / pageSize) {
		w.used.remove(id + i) // nothing of it was taken
	}
	return w.lost(w.damaged(w.at(id), "page %d is of an unknown kind", id), keys)
}

// element returns element i of a page, and the position that its field refers to.
func (w *pageWalk) element(page []byte, at int64, i, field int) (element []byte, pos uint64,
	damaged *DamagedError) {
	from := pageHeader + i*elementLen
	if from+elementLen > len(page) {
		return nil, 0, w.damaged(at, "the page has more elements than fit")
	}
	element = page[from : from+elementLen]
	return element, uint64(from) + uint64(order.Uint32(element[field:])), nil
}

// child returns the key and the page number of an element of a branch page.
func (w *pageWalk) child(page []byte, at int64, i int) (key []byte, id uint64,
	damaged *DamagedError) {
	e, pos, damaged := w.element(page, at, i, 0)
	if damaged != nil {
		return nil, 0, damaged
	}
	end := pos + uint64(order.Uint32(e[4:]))
	if end > uint64(len(page)) {
		return nil, 0, w.damaged(at+int64(pageHeader+i*elementLen), "a key is not in its page")
	}
	return page[pos:end], order.Uint64(e[8:]), nil
}

func (w *pageWalk) branch(page []byte, at int64, depth int, keys keyRange,
	visit func(leafEntry) error) error {
	count := int(order.Uint16(page[10:]))
	if count == 0 {
		return w.lost(w.damaged(at, "a branch is empty"), keys)
	}
	var last []byte
	for i := range count {
		key, id, damaged := w.child(page, at, i)
		if damaged != nil {
			if err := w.lost(damaged, keyRange{last, keys.to}); err != nil {
				return err
			}
			continue
		}
		below := keyRange{key, keys.to}
		if !keys.has(key) || i > 0 && bytes.Compare(key, last) <= 0 {
			if err := w.misplaced(
				w.damaged(at+int64(pageHeader+i*elementLen),
					"the keys are not in order")); err != nil {
				return err
			}
			below = keys
		}
		if i+1 < count {
			if next, _, damaged := w.child(page, at, i+1); damaged == nil {
				below.to = next
			}
		}
		if err := w.tree(id, depth+1, below, visit); err != nil {
			return err
		}
		last = key
	}
	return nil
}

func (w *pageWalk) leaf(page []byte, at int64, keys keyRange, visit func(leafEntry) error) error {
	var last []byte
	for i := range int(order.Uint16(page[10:])) {
		e, damaged := w.entry(page, at, i)
		if damaged != nil {
			if err := w.lost(damaged, keyRange{last, keys.to}); err != nil {
				return err
			}
			continue
		}
		if !keys.has(e.key) || i > 0 && bytes.Compare(e.key, last) <= 0 {
			if err := w.misplaced(w.damaged(e.at, "the keys are not in order")); err != nil {
				return err
			}
		}
		if err := visit(e); err != nil {
			return err
		}
		last = e.key
	}
	return nil
}

// entry returns entry i of a leaf page.
func (w *pageWalk) entry(page []byte, at int64, i int) (leafEntry, *DamagedError) {
	e, pos, damaged := w.element(page, at, i, 4)
	if damaged != nil {
		return leafEntry{}, damaged
	}
	value := pos + uint64(order.Uint32(e[8:]))
	end := value + uint64(order.Uint32(e[12:]))
	flags := order.Uint32(e)
	if end > uint64(len(page)) || flags&^bucketElement != 0 {
		return leafEntry{}, w.damaged(at+int64(pageHeader+i*elementLen),
			"an entry is not in its page")
	}
	return leafEntry{flags == bucketElement, page[pos:value], page[value:end], at + int64(pos)}, nil
}

// bucketAt is the value that describes a bucket, and its offset in the file.
type bucketAt struct {
	value []byte
	at    int64
}

// begins returns the offset of the bucket's contents: that of its root page, or of the value itself
// if the bucket is small and has no page (see bucket), or if the number of the page is damaged.
func (b bucketAt) begins() int64 {
	if len(b.value) < 8 {
		return b.at
	}
	root := order.Uint64(b.value)
	if root == 0 || root >= math.MaxInt64/pageSize {
		return b.at
	}
	return int64(root) * pageSize
}

// bucket visits the entries of a bucket. A small bucket has its entries in the value that describes
// it, and a larger one in pages of its own.
func (w *pageWalk) bucket(b bucketAt, visit func(leafEntry) error) error {
	if len(b.value) < bucketHeader {
		return w.lost(w.damaged(b.at, "a bucket is too short"), keyRange{})
	}
	if root := order.Uint64(b.value); root != 0 {
		return w.tree(root, 0, keyRange{}, visit)
	}
	page := b.value[bucketHeader:]
	if len(page) < pageHeader || order.Uint16(page[8:]) != leafPage {
		return w.lost(w.damaged(b.at, "a bucket is no leaf"), keyRange{})
	}
	return w.leaf(page, b.at+bucketHeader, keyRange{}, visit)
}

// freelist reads the list of free pages.
func (w *pageWalk) freelist(id uint64) *DamagedError {
	page, damaged := w.read(id, 0)
	if damaged != nil {
		return damaged
	}
	at := w.at(id)
	if order.Uint16(page[8:]) != freelistPage {
		return w.damaged(at, "page %d is no list of free pages", id)
	}
	count, list := uint64(order.Uint16(page[10:])), page[pageHeader:]
	if count == longFreelist {
		count, list = order.Uint64(list), list[8:]
	}
	if count > uint64(len(list)/8) {
		return w.damaged(at, "the list of free pages is too long")
	}
	last := uint64(1)
	for i := range count {
		free := order.Uint64(list[8*i:])
		if free <= last || free >= w.high || w.used.has(free) {
			return w.damaged(at, "page %d cannot be free", free)
		}
		w.free.add(free)
		last = free
	}
	return nil
}

// orphans returns the pages that are neither reached nor free.
func (w *pageWalk) orphans() (ids []uint64) {
	for id := range w.high {
		if !w.used.has(id) && !w.free.has(id) {
			ids = append(ids, id)
		}
	}
	return ids
}
