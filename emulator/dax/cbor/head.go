package cbor

import "errors"

// The major types of RFC 8949, section 3.1, in the high bits of a head.
const (
	Uint  = 0x00
	Nint  = 0x20
	Bytes = 0x40
	Text  = 0x60
	Array = 0x80
	Map   = 0xa0
	Tag   = 0xc0
	Other = 0xe0 // simple values, floats and the break
)

// Whole heads.
const (
	False   = Other | 20
	True    = Other | 21
	Null    = Other | 22
	Undef   = Other | 23
	Float16 = Other | 25
	Float32 = Other | 26
	Float64 = Other | 27
	Break   = Other | 31

	MapStream = Map | 31 // a map of unknown length, up to a Break
)

// Tags of RFC 8949, section 3.4.
const (
	TagPosBig  = 2
	TagNegBig  = 3
	TagDecimal = 4
)

// MaxDepth limits how deep arrays, maps and tags are nested. Expressions of the service's greatest
// size are not as deep.
const MaxDepth = 512

// ErrMalformed is the error of bytes that are not the data item that was asked for.
var ErrMalformed = errors.New("not the CBOR of a DAX message")

// ErrTooLarge is the error of a data item beyond a limit.
var ErrTooLarge = errors.New("a DAX message beyond the limits")

// ErrNoMemory is the error of a data item for which no memory was granted.
var ErrNoMemory = errors.New("no memory for a DAX message")

const (
	majorMask = 0xe0
	extraMask = 0x1f
	extra8    = 24
	extra64   = 27
	extraOpen = 31 // the length is not known
)

// extraBytes returns how many bytes follow a head, or -1 if no head looks like that.
func extraBytes(head byte) int {
	switch extra := head & extraMask; {
	case extra < extra8:
		return 0
	case extra <= extra64:
		return 1 << (extra - extra8)
	case extra == extraOpen && head&majorMask >= Bytes && head&majorMask != Tag:
		return 0
	}
	return -1
}

// open reports whether a head is of a string, an array or a map that a Break ends.
func open(head byte) bool {
	return head&extraMask == extraOpen && head&majorMask >= Bytes && head&majorMask < Tag
}

// argument reads the number of a head from the bytes behind it.
func argument(head byte, extra []byte) (n uint64) {
	if len(extra) == 0 {
		return uint64(head & extraMask)
	}
	for _, b := range extra {
		n = n<<8 | uint64(b)
	}
	return n
}
