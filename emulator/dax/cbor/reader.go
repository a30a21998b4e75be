package cbor

import (
	"math"
	"unicode/utf8"
)

// A Reader decodes data items from memory. Strings of one piece that it returns are parts of that
// memory. It must not be used concurrently.
type Reader struct {
	data  []byte
	depth int
}

// NewReader returns a Reader of data.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Done reports whether all has been read.
func (r *Reader) Done() bool { return len(r.data) == 0 }

// Len returns how many bytes have not been read.
func (r *Reader) Len() int { return len(r.data) }

// Rest consumes and returns what has not been read.
func (r *Reader) Rest() []byte {
	rest := r.data
	r.data = nil
	return rest
}

// Major returns the major type of the next data item, or Break at the end.
func (r *Reader) Major() byte {
	if len(r.data) == 0 {
		return Break
	}
	return r.data[0] & majorMask
}

// Is consumes the next data item if it is the head alone, such as Null, and reports that.
func (r *Reader) Is(head byte) bool {
	if len(r.data) == 0 || r.data[0] != head {
		return false
	}
	r.data = r.data[1:]
	return true
}

// head consumes a head with its number.
func (r *Reader) head() (head byte, n uint64, err error) {
	if len(r.data) == 0 {
		return 0, 0, ErrMalformed
	}
	head = r.data[0]
	more := extraBytes(head)
	if more < 0 || len(r.data) <= more {
		return 0, 0, ErrMalformed
	}
	n = argument(head, r.data[1:1+more])
	r.data = r.data[1+more:]
	return head, n, nil
}

// Int reads a whole number of 64 bits.
func (r *Reader) Int() (int64, error) {
	head, n, err := r.head()
	if err != nil || n > math.MaxInt64 {
		return 0, ErrMalformed
	}
	switch head & majorMask {
	case Uint:
		return int64(n), nil
	case Nint:
		return -1 - int64(n), nil
	}
	return 0, ErrMalformed
}

// Bool reads true or false. Some clients send 1 and 0 in their place.
func (r *Reader) Bool() (bool, error) {
	switch {
	case r.Is(True):
		return true, nil
	case r.Is(False):
		return false, nil
	}
	n, err := r.Int()
	return n != 0, err
}

// Bytes reads a byte string.
func (r *Reader) Bytes() ([]byte, error) { return r.str(Bytes) }

// Text reads a text string, which is UTF-8.
func (r *Reader) Text() ([]byte, error) {
	text, err := r.str(Text)
	if err == nil && !utf8.Valid(text) {
		err = ErrMalformed
	}
	return text, err
}

// Name reads a text that some clients send as a byte string.
func (r *Reader) Name() (string, error) {
	text, err := r.str(r.Major())
	if err != nil || !utf8.Valid(text) {
		return "", ErrMalformed
	}
	return string(text), nil
}

func (r *Reader) str(major byte) ([]byte, error) {
	head, n, err := r.head()
	switch {
	case err != nil || head&majorMask != major || major != Bytes && major != Text:
		return nil, ErrMalformed
	case !open(head):
		if n > uint64(len(r.data)) {
			return nil, ErrMalformed
		}
		text := r.data[:n:n]
		r.data = r.data[n:]
		return text, nil
	}
	var all []byte
	for !r.Is(Break) {
		if len(r.data) == 0 || open(r.data[0]) {
			return nil, ErrMalformed
		}
		part, err := r.str(major)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

// Each reads an array, and calls f before each element, which f has to read. n is the number of
// elements, or -1 if the array does not say.
func (r *Reader) Each(f func(i, n int) error) error { return r.each(Array, 1, f) }

// Pairs reads a map, and calls f before each pair, which f has to read: the key, then the value.
func (r *Reader) Pairs(f func(i, n int) error) error { return r.each(Map, 2, f) }

func (r *Reader) each(major byte, size uint64, f func(i, n int) error) error {
	head, n, err := r.head()
	switch {
	case err != nil || head&majorMask != major || r.depth >= MaxDepth:
		return ErrMalformed
	case open(head):
		n = math.MaxUint64
	case n > uint64(len(r.data))/size:
		return ErrMalformed
	}
	count := -1
	if !open(head) {
		count = int(n)
	}
	r.depth++
	defer func() { r.depth-- }()
	for i := 0; uint64(i) < n; i++ {
		if count < 0 && r.Is(Break) {
			return nil
		}
		if err := f(i, count); err != nil {
			return err
		}
	}
	return nil
}

// Tag reads a tag. The data item that it is about follows.
func (r *Reader) Tag() (uint64, error) {
	head, n, err := r.head()
	if err != nil || head&majorMask != Tag {
		return 0, ErrMalformed
	}
	return n, nil
}

// Float reads a floating-point number of any size.
func (r *Reader) Float() (float64, error) {
	head, n, err := r.head()
	if err != nil {
		return 0, err
	}
	switch head {
	case Float16:
		return half(uint16(n)), nil
	case Float32:
		return float64(math.Float32frombits(uint32(n))), nil
	case Float64:
		return math.Float64frombits(n), nil
	}
	return 0, ErrMalformed
}

// half is a number of 16 bits (RFC 8949, appendix D).
func half(bits uint16) float64 {
	mantissa, exponent := float64(bits&0x3ff), int(bits>>10&0x1f)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(mantissa, -24)
	case 31:
		f = math.Inf(1)
		if mantissa != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(mantissa+1024, exponent-25)
	}
	if bits&0x8000 != 0 {
		f = -f
	}
	return f
}

// Item reads one data item of any kind and returns its bytes.
func (r *Reader) Item() ([]byte, error) {
	all := r.data
	if err := r.skip(); err != nil {
		return nil, err
	}
	return all[:len(all)-len(r.data)], nil
}

func (r *Reader) skip() error {
	switch major := r.Major(); {
	case major == Bytes || major == Text:
		_, err := r.str(major)
		return err
	case major == Array:
		return r.Each(func(int, int) error { return r.skip() })
	case major == Map:
		return r.Pairs(func(int, int) error {
			if err := r.skip(); err != nil {
				return err
			}
			return r.skip()
		})
	case major == Tag:
		if r.depth >= MaxDepth {
			return ErrMalformed
		}
		if _, err := r.Tag(); err != nil {
			return err
		}
		r.depth++
		defer func() { r.depth-- }()
		return r.skip()
	}
	head, _, err := r.head()
	if head == Break {
		return ErrMalformed
	}
	return err
}
