package protocol

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
)

// A number as a sort key is encoded so that bytes compare as numbers do: a head with sign and
// exponent, then the digits in groups of three, each in ten bits, and a terminator that says how
// many digits the last group has. The groups of a negative number are complements.
const (
	lexZero     = 0x80
	lexNarrow   = 0x3e // exponents from -lexNarrow to lexNarrow-1 fit the head
	lexPositive = 0xc0
	lexNegative = 0x3f
	lexDigits   = 12 // what is added to a group
	lexMax      = 1023
	lexMaxText  = 256 // digits; DynamoDB's numbers have 38
)

// appendLex appends the encoding of a decimal number, such as -12, 0.5 or 5E-1.
func appendLex(dst []byte, text string) []byte {
	rest, negative := strings.CutPrefix(text, "-")
	rest, power, _ := strings.Cut(rest, "E")
	exponent, _ := strconv.Atoi(power) // 0 without an exponent
	whole, fraction, _ := strings.Cut(rest, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent += len(digits) - len(fraction)
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return append(dst, lexZero)
	}
	if exponent > len(digits) { // clients show the zeros of whole numbers only if they come
		digits += strings.Repeat("0", exponent-len(digits))
	}
	dst = appendLexHead(dst, negative, exponent)
	last := (len(digits) + 2) % 3
	digits += "00"[last:]
	bits, n := uint32(0), 0
	put := func(group int) {
		bits, n = bits<<10|uint32(group), n+10
		for ; n >= 8; n -= 8 {
			dst = append(dst, byte(bits>>(n-8)))
		}
	}
	for ; digits != ""; digits = digits[3:] {
		group, _ := strconv.Atoi(digits[:3])
		if negative {
			group = 999 - group
		}
		put(group + lexDigits)
	}
	if negative {
		last = lexMax - last
	}
	put(last)
	if n > 0 {
		dst = append(dst, byte(bits<<(8-n)))
	}
	return dst
}

func appendLexHead(dst []byte, negative bool, exponent int) []byte {
	narrow := -lexNarrow <= exponent && exponent < lexNarrow
	switch {
	case narrow && negative:
		return append(dst, byte(lexNegative-exponent))
	case narrow:
		return append(dst, byte(lexPositive+exponent))
	case negative && exponent < 0:
		dst = append(dst, 0x7e)
	case negative:
		dst = append(dst, 0x01)
	case exponent < 0:
		dst = append(dst, 0x81)
	default:
		dst = append(dst, 0xfe)
	}
	flip := uint32(0x80000000)
	if negative {
		flip = 0x7fffffff
	}
	return binary.BigEndian.AppendUint32(dst, uint32(int32(exponent))^flip)
}

// readLex decodes data, a single number, as text such as -12E-1.
func readLex(data []byte) (string, error) {
	if len(data) == 1 && (data[0] == lexZero || data[0] == lexZero-1) {
		return "0", nil
	}
	negative, exponent, data, err := lexHead(data)
	if err != nil {
		return "", err
	}
	digits, err := lexGroups(data, negative)
	if err != nil {
		return "", err
	}
	if negative {
		digits = "-" + digits
		exponent++
	}
	return digits + "E" + strconv.Itoa(exponent-len(digits)), nil
}

func lexHead(data []byte) (negative bool, exponent int, rest []byte, err error) {
	if len(data) == 0 {
		return false, 0, nil, cbor.ErrMalformed
	}
	head, rest := data[0], data[1:]
	switch head {
	case 0x00, 0xff, lexZero, lexZero - 1:
		return false, 0, nil, cbor.ErrMalformed
	case 0x01, 0x7e, 0x81, 0xfe:
		if len(rest) < 4 {
			return false, 0, nil, cbor.ErrMalformed
		}
		negative = head < lexZero
		flip := uint32(0x80000000)
		if negative {
			flip = 0x7fffffff
		}
		return negative, int(int32(binary.BigEndian.Uint32(rest) ^ flip)), rest[4:], nil
	}
	if head < lexZero {
		return true, lexNegative - int(head), rest, nil
	}
	return false, int(head) - lexPositive, rest, nil
}

// lexGroups decodes the digits of a number up to the terminator.
func lexGroups(data []byte, negative bool) (string, error) {
	var digits []byte
	bits, n := uint32(0), 0
	for len(digits) <= lexMaxText {
		for ; n < 10; n += 8 {
			if len(data) == 0 {
				return "", cbor.ErrMalformed
			}
			bits, data = bits<<8|uint32(data[0]), data[1:]
		}
		group := int(bits >> (n - 10) & lexMax)
		n -= 10
		if negative {
			group = lexMax - group
		}
		switch {
		case group <= 2 && len(digits) > 0 && len(data) == 0:
			return string(digits[:len(digits)-2+group]), nil
		case group < lexDigits || group > lexDigits+999:
			return "", cbor.ErrMalformed
		}
		digits = append(digits, strconv.Itoa(1000 + group - lexDigits)[1:]...)
	}
	return "", cbor.ErrMalformed
}
