// Package raw allocates memory without clearing it.
package raw

import (
	"strings"
	"unsafe"
)

// Bytes returns n bytes with any content. The caller must write all of them.
func Bytes(n int) []byte {
	var b strings.Builder // the only way there is
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// String returns bytes that will not change any more as a string, without a copy.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
