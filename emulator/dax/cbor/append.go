package cbor

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// AppendHead appends a head of a major type with its number.
func AppendHead(dst []byte, major byte, n uint64) []byte {
	switch {
	case n < extra8:
		return append(dst, major|byte(n))
	case n <= math.MaxUint8:
		return append(dst, major|extra8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, major|extra8+1), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, major|extra8+2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, major|extra64), n)
}

// InsertHead puts a head before what begins at an offset: for what knows its length last.
func InsertHead(dst []byte, at int, major byte, n int) []byte {
	var space [maxHead]byte
	return slices.Insert(dst, at, AppendHead(space[:0], major, uint64(n))...)
}

// AppendInt appends a whole number.
func AppendInt(dst []byte, n int64) []byte {
	if n < 0 {
		return AppendHead(dst, Nint, uint64(-1-n))
	}
	return AppendHead(dst, Uint, uint64(n))
}

// AppendText appends a text string, which must be UTF-8.
func AppendText(dst []byte, s string) []byte {
	return append(AppendHead(dst, Text, uint64(len(s))), s...)
}

// AppendBytes appends a byte string.
func AppendBytes[T ~string | ~[]byte](dst []byte, b T) []byte {
	return append(AppendHead(dst, Bytes, uint64(len(b))), b...)
}

// AppendFloat appends a floating-point number of 64 bits.
func AppendFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, Float64), math.Float64bits(f))
}

// AppendNumber appends a decimal number in the plain notation of DynamoDB's answers, such as -12 or
// 0.5: a whole one as an integer, any other as a decimal.
func AppendNumber(dst []byte, text string) []byte {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return AppendInt(dst, n)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction != "" {
		dst = AppendHead(dst, Tag, TagDecimal)
		dst = AppendHead(dst, Array, 2)
		dst = AppendInt(dst, -int64(len(fraction)))
		if n, err := strconv.ParseInt(whole+fraction, 10, 64); err == nil {
			return AppendInt(dst, n)
		}
	}
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return append(dst, Null)
	}
	tag := uint64(TagPosBig)
	if n.Sign() < 0 {
		tag = TagNegBig
		n.Not(n)
	}
	return AppendBytes(AppendHead(dst, Tag, tag), n.Bytes())
}
