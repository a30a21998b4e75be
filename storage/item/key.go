package item

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// The key of a string or binary is its bytes, with each zero byte as 00 FF, and then 00 01. No
// encoding is a prefix of another, and encodings compare like the bytes.
const (
	zeroByte  = "\x00\xff"
	keyEnding = "\x00\x01"
)

// AppendKey appends an encoding of an S, N or B that preserves order: for two values of one type
// the encodings compare, as bytes, like the values. No encoding is a prefix of another.
func AppendKey(dst []byte, v Value) []byte {
	if v.Type() == N {
		return appendNumberKey(dst, v.Decimal())
	}
	return append(AppendKeyPrefix(dst, v), keyEnding...)
}

// AppendKeyPrefix appends the part of AppendKey's encoding that is common to all S or B values that
// begin with v.
func AppendKeyPrefix(dst []byte, v Value) []byte {
	text := v.Str()
	if v.Type() == B {
		text = v.Bytes()
	}
	for {
		i := strings.IndexByte(text, 0)
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		dst = append(dst, zeroByte...)
		text = text[i+1:]
	}
}

// The first byte of a number's key orders negative numbers, zero and positive numbers. The exponent
// and the digits follow for the latter, two digits to a byte, which is never 0, and then 00. For a
// negative number these bytes are inverted.
const (
	keyNegative = 0x3f
	keyZero     = 0x80
	keyPositive = 0xc1
)

func appendNumberKey(dst []byte, d Decimal) []byte {
	sign := d.Sign()
	if sign == 0 {
		return append(dst, keyZero)
	}
	first := byte(keyPositive)
	if sign < 0 {
		first = keyNegative
	}
	dst = append(dst, first)
	start := len(dst)
	dst = append(dst, byte(d.exp-minExp))
	for i := 0; i < len(d.digits); i += 2 {
		pair := (d.digits[i]-'0')*10 + 1
		if i+1 < len(d.digits) {
			pair += d.digits[i+1] - '0'
		}
		dst = append(dst, pair)
	}
	dst = append(dst, 0)
	if sign < 0 {
		for i := start; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}

// HashKey returns the hash of an encoded partition key, which determines its place in a table. The
// hash is the same in every process, because scans and their ExclusiveStartKeys depend on it.
func HashKey(encoded string) uint64 { return xxhash.Sum64String(encoded) }
