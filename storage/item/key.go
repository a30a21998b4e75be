package item

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Strings and binaries in a key: their bytes, a zero byte as 00 FF, then 00 01.
// No encoding is a prefix of another, and they compare as the bytes do.
const (
	zeroByte  = "\x00\xff"
	keyEnding = "\x00\x01"
)

// AppendKey appends an order-preserving, self-delimiting encoding of an S, N or
// B: for two values of one type the encodings compare, as bytes, as the values
// do, and none is a prefix of another.
func AppendKey(dst []byte, v Value) []byte {
	if v.Type() == N {
		return appendNumberKey(dst, v.Decimal())
	}
	return append(AppendKeyPrefix(dst, v), keyEnding...)
}

// AppendKeyPrefix appends the part of AppendKey's encoding that all S or B values beginning with v share.
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

// The first byte of a number's key orders negative numbers, zero and positive
// numbers. Of the others there follow the exponent and the digits in pairs, a
// byte each (never 0), and 00; of negative ones all that inverted.
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

// HashKey is the hash that places a partition, of its encoded partition key. It
// is the same in every process: scans and their ExclusiveStartKeys depend on it.
func HashKey(encoded string) uint64 { return xxhash.Sum64String(encoded) }
