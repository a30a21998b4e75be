package storage

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"time"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item"
)

// changeLog holds the changes of a shard, oldest first, in chunks of bytes. Changes stay for a day
// and are mostly never read. If each were an object with pointers, every garbage collection would
// visit all of them, which costs writes more than anything else about a stream. So a chunk has
// pointers to large images only. All chunks but the last are full and never change, and forks share
// them.
type changeLog struct {
	chunks  []*chunk
	bytes   int64  // the size of all chunks
	dropped uint64 // the Seq of the last change that was dropped to limit memory; 0 if none was
}

// logged is a change as a shard keeps it.
type logged struct {
	seq      uint64
	millis   int64 // the time in milliseconds since 1970
	old, new item.Item
	expired  bool
}

// time returns when the change was made, to the millisecond.
func (l *logged) time() time.Time { return time.UnixMilli(l.millis) }

// add appends a change, whose Seq is greater than all others. It starts a new chunk if the last one
// would exceed full bytes.
func (l *changeLog) add(c *logged, full int) {
	n := len(l.chunks)
	if n == 0 || !l.chunks[n-1].fits(c, full) {
		next := new(chunk)
		if n > 0 {
			// It is likely to need as much as the last one.
			next.data = make([]byte, 0, min(cap(l.chunks[n-1].data), full))
		}
		l.chunks = append(l.chunks, next)
		n++
	}
	last := l.chunks[n-1]
	l.bytes -= int64(last.bytes)
	last.add(c)
	l.bytes += int64(last.bytes)
}

// fork returns a log with the same changes, in a time that does not depend on their sizes. It
// leaves no spare capacity in the last chunk, so that an append to one log never writes to memory
// that both have.
func (l *changeLog) fork() changeLog {
	f := *l
	f.chunks = slices.Clone(l.chunks)
	if n := len(f.chunks); n > 0 {
		last := l.chunks[n-1]
		last.data, last.shared = slices.Clip(last.data), slices.Clip(last.shared)
		own := *last
		f.chunks[n-1] = &own
	}
	return f
}

// drop drops the oldest chunk.
func (l *changeLog) drop() {
	first := l.chunks[0]
	l.dropped = first.last
	l.bytes -= int64(first.bytes)
	l.chunks[0] = nil // the array of l.chunks stays in memory
	l.chunks = l.chunks[1:]
}

// scan calls f with the changes from a Seq on, until f returns false. The images are parts of
// chunks, which never change. Whoever keeps an image keeps its whole chunk in memory.
func (l *changeLog) scan(from uint64, f func(*logged) bool) {
	first := sort.Search(len(l.chunks), func(i int) bool { return l.chunks[i].last >= from })
	for _, c := range l.chunks[first:] {
		r := c.reader()
		for r.next() {
			if r.seq < from {
				continue
			}
			if l := r.logged; !f(&l) {
				return
			}
		}
	}
}

// before returns the time of the last change with at most the given Seq, in milliseconds since
// 1970.
func (l *changeLog) before(seq uint64) (millis int64, ok bool) {
	at := sort.Search(len(l.chunks), func(i int) bool { return l.chunks[i].first > seq }) - 1
	if at < 0 {
		return 0, false
	}
	r := l.chunks[at].reader()
	for r.next() && r.seq <= seq {
		millis = r.millis
	}
	return millis, true
}

// since returns the Seq of the first change that was made after a time.
func (l *changeLog) since(millis int64) (seq uint64, ok bool) {
	for _, c := range l.chunks {
		if c.latest <= millis {
			continue
		}
		r := c.reader()
		for r.next() {
			if r.millis > millis {
				return r.seq, true
			}
		}
	}
	return 0, false
}

// chunk is a part of a log. data has one record after the other:
//
//	uvarint  Seq, less that of the record before
//	varint   time in milliseconds, less that of the record before
//	byte     the forms of the old and the new image, and expiredFlag
//	image    the old image: if it is inline, its length (uvarint) and its bytes
//	image    the new image, likewise
//
// The first record has the differences to 0. data and shared are only appended to.
type chunk struct {
	data        []byte
	shared      []item.Item // the images with the form sharedImage
	bytes       int         // the size of data and of the images in shared
	first, last uint64      // the Seqs of the first and the last change
	millis      int64       // the time of the last change
	latest      int64       // the greatest millis of all changes
}

// The forms of an image in a chunk.
const (
	noImage     = iota
	inlineImage // the image is in data
	sharedImage // the next element of shared
	formBits    = 2
	formMask    = 1<<formBits - 1
	expiredFlag = 1 << (2 * formBits)
)

// largestInline is the length of the longest image that is copied to a chunk. Copying a longer one
// costs more than the garbage collector takes for a pointer to it. With copies, replacing items of
// 50 KB would take half as long again.
const largestInline = 2 << 10

// largestHead is the most bytes of a record without its images.
const largestHead = 2*binary.MaxVarintLen64 + 1 + 2*binary.MaxVarintLen32

func formOf(image item.Item) byte {
	switch {
	case image == "":
		return noImage
	case len(image) > largestInline:
		return sharedImage
	}
	return inlineImage
}

// fits reports whether a change fits into a chunk of at most full bytes. An empty chunk takes any
// change.
func (c *chunk) fits(l *logged, full int) bool {
	return len(c.data) == 0 || c.bytes+largestHead+len(l.old)+len(l.new) <= full
}

func (c *chunk) add(l *logged) {
	old, new := formOf(l.old), formOf(l.new)
	b := c.data
	if len(b) == 0 {
		c.first, c.latest = l.seq, math.MinInt64
	}
	b = binary.AppendUvarint(b, l.seq-c.last)
	b = binary.AppendVarint(b, l.millis-c.millis)
	forms := old | new<<formBits
	if l.expired {
		forms |= expiredFlag
	}
	b = append(b, forms)
	b = c.appendImage(b, old, l.old)
	b = c.appendImage(b, new, l.new)
	c.bytes += len(b) - len(c.data)
	c.data, c.last, c.millis, c.latest = b, l.seq, l.millis, max(c.latest, l.millis)
}

func (c *chunk) appendImage(b []byte, form byte, image item.Item) []byte {
	switch form {
	case inlineImage:
		b = binary.AppendUvarint(b, uint64(len(image)))
		b = append(b, image...)
	case sharedImage:
		c.shared = append(c.shared, image)
		c.bytes += len(image)
	}
	return b
}

// chunkReader reads the records of a chunk.
type chunkReader struct {
	logged             // the last record that was read
	rest   []byte      // the data behind it
	shared []item.Item // the shared images behind it
}

func (c *chunk) reader() chunkReader { return chunkReader{rest: c.data, shared: c.shared} }

// next reads a record. It reports false at the end of the chunk.
func (r *chunkReader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	r.seq += r.uvarint()
	millis, n := binary.Varint(r.rest)
	r.millis += millis
	forms := r.rest[n]
	r.rest = r.rest[n+1:]
	r.expired = forms&expiredFlag != 0
	r.old = r.image(forms & formMask)
	r.new = r.image(forms >> formBits & formMask)
	return true
}

func (r *chunkReader) uvarint() uint64 {
	u, n := binary.Uvarint(r.rest)
	r.rest = r.rest[n:]
	return u
}

func (r *chunkReader) image(form byte) (image item.Item) {
	switch form {
	case inlineImage:
		n := r.uvarint()
		text := r.rest[:n]
		r.rest = r.rest[n:]
		return item.Item(unsafe.String(unsafe.SliceData(text), len(text)))
	case sharedImage:
		image, r.shared = r.shared[0], r.shared[1:]
	}
	return image
}
