package item

import (
	"math"
	"math/bits"
	"strconv"
)

// A number is read in one pass: eight digits at a time into a 64-bit integer, which is then scaled
// in 64-bit arithmetic and rounded to 32 bits. The few numbers for which the error of the 64-bit
// result could change the rounding are left to strconv.

// readFloat32 reads the canonical number at the start of a text that goes on behind it, rounded to
// 32 bits, and returns its length. ok is false if it cannot tell the nearest float.
func readFloat32(s string) (f float32, n int, ok bool) {
	var sign uint32 // random in most vectors, so that a branch on it would be slow
	if s[0] == '-' {
		sign = 1
	}
	n = int(sign)
	var d digits
	if s[n] == '0' {
		n++ // without reading on: no other digit follows
	} else {
		n = d.read(s, n)
	}
	exponent := d.dropped
	if s[n] == '.' {
		d.dropped = 0
		whole := n + 1
		n = d.read(s, whole)
		exponent += d.dropped - (n - whole)
	}
	f, ok = scale(d.sum, exponent)
	return math.Float32frombits(math.Float32bits(f) | sign<<31), n, ok
}

// parseFloat32 rounds a number to 32 bits. ok is false if it is beyond their range.
func parseFloat32(number string) (_ float32, ok bool) {
	f, err := strconv.ParseFloat(number, 32)
	return float32(f), err == nil
}

// digits is the integer that digits make. It has room for 18 digits behind the leading zeros, often
// 19, and drops those that follow.
type digits struct {
	sum     uint64
	dropped int
}

// read adds the digits of a text from index i on and returns the index behind them.
func (d *digits) read(s string, i int) int {
	for d.sum < 1e11 && i+8 <= len(s) {
		eight, n := readEight(word(s[i:]))
		d.sum = d.sum*powers[n] + eight
		i += n
		if n < 8 {
			return i
		}
	}
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if d.sum < 1e18 {
			d.sum = d.sum*10 + uint64(s[i]-'0')
		} else {
			d.dropped++
		}
	}
	return i
}

var powers = [9]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// word returns the first eight bytes of a text, the first as the lowest.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// readEight reads the digits of a word up to the first byte that is none. It returns their integer
// and their number.
func readEight(word uint64) (sum uint64, n int) {
	word ^= 0x3030303030303030 // a digit becomes its value
	others := (word + 0x7676767676767676 | word) & 0x8080808080808080
	n = bits.TrailingZeros64(others) / 8
	word <<= 64 - 8*n        // as many zeros before the digits
	word = word*10 + word>>8 // pairs of digits
	const pairs = 0xff | 0xff<<32
	return (word&pairs*(100+1000000<<32) + word>>16&pairs*(1+10000<<32)) >> 32, n
}

const maxPower = 22

// powersOfTen has 10^i at i+maxPower. Those below 1 are rounded.
var powersOfTen = [...]float64{1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12,
	1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6,
	1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// scale returns sum × 10^exponent, rounded to 32 bits, where the last digits of a sum of at least
// 1e18 may be missing. ok is false if it cannot tell the nearest float.
//
// Missing digits, the conversion of the sum, the power and the product each change a 64-bit result
// by at most its last bit. Only a result that close to the middle of two 32-bit floats can be
// rounded the wrong way.
func scale(sum uint64, exponent int) (_ float32, ok bool) {
	const (
		lostBits = 52 - 23
		middle   = 1 << (lostBits - 1)
		unsure   = 4
	)
	if sum == 0 {
		return 0, true
	}
	if exponent < -maxPower || exponent > maxPower {
		return 0, false
	}
	f := float64(sum) * powersOfTen[exponent+maxPower]
	if f < 0x1p-125 || f > 0x1p127 {
		return 0, false
	}
	lost := math.Float64bits(f) & (1<<lostBits - 1)
	return float32(f), lost-(middle-unsure) > 2*unsure
}
