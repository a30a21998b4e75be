package item

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// A number is read in one pass: eight digits at a time into a 64-bit integer, which is then scaled
// in 64-bit arithmetic and rounded to 32 bits. Long numbers, and the few for which the error of the
// 64-bit result could change the rounding, are left to strconv.

// readFloat32 reads the canonical number at the start of a text that goes on behind it, rounded to
// 32 bits, and returns its length. ok is false if it cannot tell the nearest float.
func readFloat32(s string) (f float32, n int, ok bool) {
	var sign uint32 // random in most vectors, so that a branch on it would be slow
	if s[0] == '-' {
		sign = 1
	}
	s = s[sign:]
	if len(s) < readAhead {
		return 0, 0, false
	}
	sum, n := uint64(s[0]-'0'), 1
	if s[1] != '.' {
		sum, n = readEight(jsontext.Word(s))
	}
	places := 0 // digits behind the point
	if s[n] == '.' {
		first, a := readEight(jsontext.Word(s[n+1:]))
		// none behind fewer than eight
		second, b := readEight(jsontext.Word(s[n+9:]) & -uint64(a/8))
		if n+a+b > maxSumDigits {
			return 0, 0, false
		}
		sum = (sum*powers[a]+first)*powers[b] + second
		places = a + b
		n += 1 + a + b
		if b == 8 {
			dropped := countDigits(jsontext.Word(s[n:]))
			if dropped > 0 && sum < minDropping {
				return 0, 0, false
			}
			n += dropped
		}
	}
	if s[n] != '"' {
		return 0, 0, false
	}
	f, ok = scale(sum, places)
	return math.Float32frombits(math.Float32bits(f) | sign<<31), n + int(sign), ok
}

const (
	// readAhead is how many bytes readFloat32 reads at most: up to eight digits, a point, up to 24
	// digits and a quote.
	readAhead = 34

	maxSumDigits = 19 // a 64-bit integer has room for them

	// minDropping is the least sum for which the digits behind it do not matter to scale.
	minDropping = 1e12
)

// parseFloat32 rounds a number to 32 bits. ok is false if it is beyond their range.
func parseFloat32(number string) (_ float32, ok bool) {
	f, err := strconv.ParseFloat(number, 32)
	return float32(f), err == nil
}

var powers = [9]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// digitValues makes each digit of a word its value.
const digitValues = 0x3030303030303030

// countDigits returns the number of digits of a word up to the first other byte.
func countDigits(word uint64) int {
	word ^= digitValues
	others := (word + 0x7676767676767676 | word) & 0x8080808080808080
	return bits.TrailingZeros64(others) / 8
}

// readEight reads the digits of a word up to the first other byte. It returns their integer and
// their number.
func readEight(word uint64) (sum uint64, n int) {
	n = countDigits(word)
	word ^= digitValues
	word <<= 64 - 8*n        // the digits that are missing become zeros in front
	word = word*10 + word>>8 // pairs of digits
	const pairs = 0xff | 0xff<<32
	return (word&pairs*(100+1000000<<32) + word>>16&pairs*(1+10000<<32)) >> 32, n
}

// readFraction returns the length of the number at the start of a text, and its size in an item. It
// reads the numbers that most vectors have, in normal form: a digit, a point and up to 24 digits.
// Otherwise n is 0.
func readFraction(s string) (n, size int) {
	sign := 0
	if s != "" && s[0] == '-' {
		sign = 1
	}
	if s = s[sign:]; len(s) < readAhead || s[0]-'0' > 9 || s[1] != '.' {
		return 0, 0
	}
	first := jsontext.Word(s[2:])
	n = countDigits(first)
	n += countDigits(jsontext.Word(s[10:]) & -uint64(n/8))
	if n == 16 {
		n += countDigits(jsontext.Word(s[18:]))
	}
	last := s[1+n]
	if s[2+n] != '"' || last == '0' || last == '.' {
		return 0, 0
	}
	if s[0] != '0' {
		return sign + 2 + n, sign + 1 + packed(1, n)
	}
	zeros := bits.TrailingZeros64(first^digitValues) / 8
	if zeros == 8 {
		return 0, 0
	}
	return sign + 2 + n, sign + 1 + packed(0, n-zeros)
}

// readFractionFloat is readFraction and readFloat32 in one pass.
func readFractionFloat(s string) (f float32, n, size int) {
	var sign int
	if s != "" && s[0] == '-' {
		sign = 1
	}
	if s = s[sign:]; len(s) < readAhead || s[0]-'0' > 9 || s[1] != '.' {
		return 0, 0, 0
	}
	word := jsontext.Word(s[2:])
	first, a := readEight(word)
	second, b := readEight(jsontext.Word(s[10:]) & -uint64(a/8)) // none behind fewer than eight
	sum := (uint64(s[0]-'0')*powers[a]+first)*powers[b] + second
	n = a + b
	if b == 8 {
		dropped := countDigits(jsontext.Word(s[18:]))
		if dropped > 0 && sum < minDropping {
			return 0, 0, 0
		}
		n += dropped
	}
	last := s[1+n]
	if s[2+n] != '"' || last == '0' || last == '.' {
		return 0, 0, 0
	}
	f, ok := scale(sum, a+b)
	if !ok {
		return 0, 0, 0
	}
	f = math.Float32frombits(math.Float32bits(f) | uint32(sign)<<31)
	if s[0] != '0' {
		return f, sign + 2 + n, sign + 1 + packed(1, n)
	}
	zeros := bits.TrailingZeros64(word^digitValues) / 8
	if zeros == 8 {
		return 0, 0, 0
	}
	return f, sign + 2 + n, sign + 1 + packed(0, n-zeros)
}

// tenths has 10^-i at i, rounded.
var tenths = [...]float64{1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11,
	1e-12, 1e-13, 1e-14,
	1e-15, 1e-16}

// scale returns sum / 10^places, rounded to 32 bits, where the digits behind a sum of at least
// minDropping may be missing. ok is false if it cannot tell the nearest float.
//
// The conversion of the sum, the power and the product each change a 64-bit result by at most its
// last bit, and missing digits by at most 2^-39 of it. Only a result that close to the middle of
// two 32-bit floats can be rounded the wrong way.
func scale(sum uint64, places int) (_ float32, ok bool) {
	const (
		lostBits = 52 - 23
		middle   = 1 << (lostBits - 1)
		unsure   = 1 << (52 - 39 + 1)
	)
	f := float64(sum) * tenths[places]
	lost := math.Float64bits(f) & (1<<lostBits - 1)
	return float32(f), lost-(middle-unsure) > 2*unsure
}
