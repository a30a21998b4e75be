package cbor

import (
	"bufio"
	"io"
	"runtime"
	"slices"
)

// A Source takes data items off a stream. It must not be used concurrently.
type Source struct {
	from    *bufio.Reader
	grant   func(bytes int) bool
	granted int
}

// step is how many bytes a Source asks for at a time.
const step = 64 << 10

// NewSource returns a Source of r. grant is asked for memory beyond the first 64 KB, and refuses it
// with false.
func NewSource(r *bufio.Reader, grant func(bytes int) bool) *Source {
	return &Source{from: r, grant: grant}
}

// Release returns how much memory was granted since the last Release: its user is done with it.
func (s *Source) Release() (bytes int) {
	bytes, s.granted = s.granted, 0
	return bytes
}

// grow asks for memory for a number of bytes.
func (s *Source) grow(size int) error {
	for size > s.granted+step {
		if !s.Grant(step) {
			return ErrNoMemory
		}
		runtime.Gosched() // others may have less to read
	}
	return nil
}

// Grant asks for memory for a number of bytes, which Release counts as well.
func (s *Source) Grant(bytes int) bool {
	granted := s.grant(bytes)
	if granted {
		s.granted += bytes
	}
	return granted
}

// AppendItem reads one data item and appends its bytes to dst, which it lets grow to at most limit
// bytes. It reads nothing behind the item. The error is ErrTooLarge, ErrNoMemory, ErrMalformed, or
// that of the stream: io.EOF if it ended before the item, io.ErrUnexpectedEOF if within. dst then
// holds what was read of the item.
func (s *Source) AppendItem(dst []byte, limit int) ([]byte, error) {
	dst, err := s.item(dst, limit, 0)
	return dst, err
}

func (s *Source) item(dst []byte, limit, depth int) ([]byte, error) {
	head, err := s.from.ReadByte()
	if err != nil {
		if depth > 0 && err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return dst, err
	}
	return s.rest(dst, head, limit, depth)
}

// rest reads a data item whose head has been read.
func (s *Source) rest(dst []byte, head byte, limit, depth int) ([]byte, error) {
	n := extraBytes(head)
	switch {
	case n < 0 || head == Break:
		return dst, ErrMalformed
	case depth > MaxDepth:
		return dst, ErrTooLarge
	}
	dst = append(dst, head)
	dst, err := s.bytes(dst, uint64(n), limit)
	if err != nil {
		return dst, err
	}
	if open(head) {
		return s.open(dst, head, limit, depth)
	}
	length := argument(head, dst[len(dst)-n:])
	switch head & majorMask {
	case Bytes, Text:
		return s.bytes(dst, length, limit)
	case Map:
		if length > uint64(limit) {
			return dst, ErrTooLarge
		}
		return s.items(dst, 2*length, limit, depth)
	case Array:
		return s.items(dst, length, limit, depth)
	case Tag:
		return s.items(dst, 1, limit, depth)
	}
	return dst, nil
}

// items reads a number of data items. Each is a byte at least, so that the limit holds their
// number, too.
func (s *Source) items(dst []byte, n uint64, limit, depth int) ([]byte, error) {
	if n > uint64(limit) {
		return dst, ErrTooLarge
	}
	var err error
	for ; n > 0; n-- {
		if dst, err = s.item(dst, limit, depth+1); err != nil {
			return dst, err
		}
		if len(dst) > limit {
			return dst, ErrTooLarge
		}
		if err = s.grow(len(dst)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// open reads the parts of an item of unknown length, with the Break.
func (s *Source) open(dst []byte, head byte, limit, depth int) ([]byte, error) {
	for part := 0; ; part++ {
		next, err := s.from.ReadByte()
		switch {
		case err == io.EOF:
			return dst, io.ErrUnexpectedEOF
		case err != nil:
			return dst, err
		case next == Break && head == MapStream && part%2 == 1:
			return dst, ErrMalformed
		case next == Break:
			return append(dst, Break), nil
		case head&majorMask < Array && (next&majorMask != head&majorMask || open(next)):
			return dst, ErrMalformed // the parts of a string are strings of its type
		}
		if dst, err = s.rest(dst, next, limit, depth+1); err != nil {
			return dst, err
		}
		if len(dst) > limit {
			return dst, ErrTooLarge
		}
		if err = s.grow(len(dst)); err != nil {
			return dst, err
		}
	}
}

// bytes reads n bytes. It takes memory for them as they come: a length alone takes none.
func (s *Source) bytes(dst []byte, n uint64, limit int) ([]byte, error) {
	if n > uint64(limit) || len(dst)+int(n) > limit+maxHead {
		return dst, ErrTooLarge
	}
	for n > 0 {
		from, part := len(dst), int(min(n, step))
		var err error
		if dst, err = s.room(dst, part, limit); err != nil {
			return dst, err
		}
		read, err := io.ReadFull(s.from, dst[from:])
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return dst[:from+read], err
		}
		n -= uint64(part)
	}
	return dst, nil
}

// room makes dst longer by part bytes.
func (s *Source) room(dst []byte, part, limit int) ([]byte, error) {
	size := len(dst) + part
	if size <= cap(dst) || len(dst) < doubled {
		if err := s.grow(size); err != nil {
			return dst, err
		}
		return slices.Grow(dst, part)[:size], nil
	}
	most := max(size, min(2*len(dst), limit+maxHead))
	if err := s.grow(most); err != nil {
		return dst, err
	}
	longer := make([]byte, size, most)
	copy(longer, dst)
	return longer, nil
}

// doubled is how long an item is from which on its memory doubles when it is full. What append
// would add to much memory is a quarter, and a long item would be copied again and again.
const doubled = 4 * step

// maxHead is the greatest length of a head with its number.
const maxHead = 9
