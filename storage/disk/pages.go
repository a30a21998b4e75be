package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt follows whatever a page says, to places outside the file or round in
// circles. So before it opens a file, the pages are walked here, by bbolt's
// format of version 2 (go.etcd.io/bbolt, internal/common): each is reached
// once, is where it says, and refers to nothing outside of itself and the file. What the pages
// say is judged later, by bbolt's own Check and by the digests.
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
	longFreelist  = 0xFFFF // then the first of the list is its length
)

var order = binary.LittleEndian // bbolt uses the machine's; those that Go's ports have and this is run on are little-endian

// pageWalk is a walk through the pages of a file.
type pageWalk struct {
	path string
	file io.ReaderAt
	high uint64 // pages from here on are not in use
	seen map[uint64]bool
}

// checkPages verifies the structure of a bbolt file.
func checkPages(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	w := &pageWalk{path: path, file: f, seen: map[uint64]bool{0: true, 1: true}}
	root, freelist, err := w.meta()
	if err != nil {
		return err
	}
	if need := int64(w.high) * pageSize; info.Size() < need {
		return w.damaged(info.Size(), "it should have %d bytes", need)
	}
	if err := w.freelist(freelist); err != nil {
		return err
	}
	return w.page(root)
}

func (w *pageWalk) damaged(offset int64, reason string, args ...any) error {
	return &DamagedError{w.path, offset, fmt.Sprintf(reason, args...)}
}

// meta reads the newer of the two meta pages. One that is not whole is what a
// power cut leaves while it is written; that the other one is not too old, the logs tell.
func (w *pageWalk) meta() (root, freelist uint64, err error) {
	var newest uint64
	found := false
	for i := range int64(2) {
		var page [pageHeader + metaSumAt + 8]byte
		if _, err := w.file.ReadAt(page[:], i*pageSize); err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, err
		}
		m := page[pageHeader:]
		sum := fnv.New64a()
		sum.Write(m[:metaSumAt])
		if order.Uint32(m) != boltMagic || order.Uint32(m[4:]) != boltVersion || sum.Sum64() != order.Uint64(m[metaSumAt:]) {
			continue
		}
		if size := order.Uint32(m[8:]); size != pageSize {
			return 0, 0, w.damaged(i*pageSize, "its pages have %d bytes", size)
		}
		if tx := order.Uint64(m[48:]); !found || tx > newest {
			found, newest = true, tx
			root, freelist, w.high = order.Uint64(m[16:]), order.Uint64(m[32:]), order.Uint64(m[40:])
		}
	}
	if !found {
		return 0, 0, w.damaged(0, "neither of its meta pages is sound")
	}
	if w.high > 1<<40 {
		return 0, 0, w.damaged(0, "it has too many pages")
	}
	return root, freelist, nil
}

// read returns a page with its overflow, which it has not met before.
func (w *pageWalk) read(id uint64) ([]byte, error) {
	at := int64(id) * pageSize
	if id >= w.high {
		return nil, w.damaged(-1, "page %d is beyond its end", id)
	}
	var head [pageHeader]byte
	if _, err := w.file.ReadAt(head[:], at); err != nil {
		return nil, w.damaged(at, "%v", err)
	}
	overflow := uint64(order.Uint32(head[12:]))
	switch {
	case order.Uint64(head[:]) != id:
		return nil, w.damaged(at, "page %d says that it is another one", id)
	case overflow >= w.high-id:
		return nil, w.damaged(at, "page %d reaches beyond the end", id)
	}
	for i := range overflow + 1 {
		if w.seen[id+i] {
			return nil, w.damaged(at, "page %d is in two places", id+i)
		}
		w.seen[id+i] = true
	}
	page := make([]byte, (overflow+1)*pageSize)
	if _, err := w.file.ReadAt(page, at); err != nil {
		return nil, w.damaged(at, "%v", err)
	}
	return page, nil
}

// page walks a branch or leaf and everything below it.
func (w *pageWalk) page(id uint64) error {
	page, err := w.read(id)
	if err != nil {
		return err
	}
	at := int64(id) * pageSize
	switch order.Uint16(page[8:]) {
	case branchPage:
		return w.branch(page, at)
	case leafPage:
		return w.leaf(page, at)
	}
	return w.damaged(at, "page %d is of an unknown kind", id)
}

// element returns an element of a page and where its key begins, from which on it has so many bytes.
func (w *pageWalk) element(page []byte, i int, at int64) (element, rest []byte, err error) {
	from := pageHeader + i*elementLen
	if from+elementLen > len(page) {
		return nil, nil, w.damaged(at, "a page has too many elements")
	}
	return page[from : from+elementLen], page[from:], nil
}

func (w *pageWalk) branch(page []byte, at int64) error {
	count := int(order.Uint16(page[10:]))
	if count == 0 {
		return w.damaged(at, "a branch is empty")
	}
	for i := range count {
		e, rest, err := w.element(page, i, at)
		if err != nil {
			return err
		}
		if uint64(order.Uint32(e))+uint64(order.Uint32(e[4:])) > uint64(len(rest)) {
			return w.damaged(at, "a key is not in its page")
		}
		if err := w.page(order.Uint64(e[8:])); err != nil {
			return err
		}
	}
	return nil
}

func (w *pageWalk) leaf(page []byte, at int64) error {
	for i := range int(order.Uint16(page[10:])) {
		e, rest, err := w.element(page, i, at)
		if err != nil {
			return err
		}
		key, value := uint64(order.Uint32(e[8:])), uint64(order.Uint32(e[12:]))
		from := uint64(order.Uint32(e[4:])) + key
		if from+value > uint64(len(rest)) {
			return w.damaged(at, "an entry is not in its page")
		}
		if order.Uint32(e)&bucketElement != 0 {
			if err := w.bucket(rest[from:from+value], at); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucket walks a bucket, which is in pages of its own or, if it is small, in the entry itself.
func (w *pageWalk) bucket(value []byte, at int64) error {
	if len(value) < bucketHeader {
		return w.damaged(at, "a bucket is too short")
	}
	if root := order.Uint64(value); root != 0 {
		return w.page(root)
	}
	page := value[bucketHeader:]
	if len(page) < pageHeader || order.Uint16(page[8:]) != leafPage {
		return w.damaged(at, "a bucket is no leaf")
	}
	return w.leaf(page, at)
}

// freelist verifies that the list of free pages is in its page.
func (w *pageWalk) freelist(id uint64) error {
	page, err := w.read(id)
	if err != nil {
		return err
	}
	at := int64(id) * pageSize
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
	for i := range count {
		if free := order.Uint64(list[8*i:]); free < 2 || free >= w.high {
			return w.damaged(at, "page %d cannot be free", free)
		}
	}
	return nil
}
