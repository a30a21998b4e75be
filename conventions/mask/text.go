package mask

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// format describes what masking keeps of a text: which characters may stand at each place.
type format struct {
	kind  kind
	text  []rune
	slots []*alphabet // nil: the character stays
}

// kind tells formats apart whose characters depend on each other.
type kind uint8

const (
	plain kind = iota
	whole      // a whole number, without leading zeros
	uuidLower
	uuidUpper
	ulid
)

// The forms of identifiers (RFC 9562; the specification of ULID).
var forms = sync.OnceValue(func() map[kind]*regexp.Regexp {
	return map[kind]*regexp.Regexp{
		whole: regexp.MustCompile(`^(0|[1-9][0-9]*)$`),
		uuidLower: regexp.MustCompile(
			`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`),
		uuidUpper: regexp.MustCompile(
			`^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$`),
		ulid: regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`),
	}
})

// The places of a UUID that hold its version and variant.
const (
	uuidVersion = 14
	uuidVariant = 19
)

// kindOf returns the kind of a text. Each text has one.
func kindOf(text string) kind {
	for _, k := range possible(len(text)) {
		if forms()[k].MatchString(text) {
			return k
		}
	}
	return plain
}

// possible returns the kinds that a text of a length may have.
func possible(length int) []kind {
	switch {
	case length == 36:
		return []kind{whole, uuidLower, uuidUpper}
	case length == 26:
		return []kind{whole, ulid}
	case length <= maxDigits:
		return []kind{whole}
	}
	return nil
}

// formatOf returns the format of a text.
func formatOf(text string) format {
	f := format{kind: kindOf(text), text: []rune(text)}
	f.slots = make([]*alphabet, len(f.text))
	for i, r := range f.text {
		f.slots[i] = f.slot(i, r)
	}
	return f
}

// slot returns the characters that may stand at a place.
func (f *format) slot(i int, r rune) *alphabet {
	switch f.kind {
	case whole:
		if i == 0 && len(f.text) > 1 {
			return nonzero
		}
		return decimal
	case uuidLower, uuidUpper:
		switch {
		case r == '-' || i == uuidVersion || i == uuidVariant:
			return nil
		case f.kind == uuidUpper:
			return upperHex
		}
		return lowerHex
	case ulid:
		if i == 0 {
			return octal
		}
		return crock
	}
	return alphabetOf(r)
}

// same reports whether a text has the format, too.
func (f *format) same(text string) bool {
	g := formatOf(text)
	return g.kind == f.kind && slices.Equal(g.slots, f.slots)
}

// keep lets the first and the last characters that are masked stay.
func (f *format) keep(first, last int) {
	var masked []int
	for i, a := range f.slots {
		if a != nil {
			masked = append(masked, i)
		}
	}
	for n, i := range masked {
		if n < first || n >= len(masked)-last {
			f.slots[i] = nil
		}
	}
}

// permuteText replaces a text by another one of its format. Which characters stay depends on the
// format only, so that different texts stay different.
func (k key) permuteText(text string, first, last int) string {
	f := formatOf(text)
	kept := format{kind: f.kind, text: f.text, slots: slices.Clone(f.slots)}
	kept.keep(first, last)
	if !slices.ContainsFunc(kept.slots, func(a *alphabet) bool { return a != nil }) {
		return text
	}
	for {
		// A permutation of more texts than have the format: going on until the next one of them is
		// a permutation of those.
		if text = k.permuteRunes(&kept); f.same(text) {
			return text
		}
	}
}

// permuteRunes replaces the characters of a format, and returns them as a text.
func (k key) permuteRunes(f *format) string {
	var digits, radices []int
	for i, a := range f.slots {
		if a != nil {
			digits = append(digits, a.index(f.text[i]))
			radices = append(radices, a.size)
		}
	}
	k.permuteLong(digits, radices, []byte(f.signature()))
	for i, a := range f.slots {
		if a != nil {
			f.text[i] = a.at(digits[0])
			digits = digits[1:]
		}
	}
	return string(f.text)
}

// signature is a text for each format that is permuted by itself: what stays is part of it.
func (f *format) signature() string {
	var b strings.Builder
	b.WriteByte(byte(f.kind))
	for i, a := range f.slots {
		if a == nil {
			b.WriteRune(f.text[i])
		} else {
			b.WriteByte(0)
		}
	}
	return b.String()
}

// headDigits is how many digits are permuted as one number.
const headDigits = 64

// permuteLong permutes any number of digits. The first ones are permuted as one number, in a way
// that depends on the rest. What they become decides what is added to the rest. So each digit
// depends on all others, and both steps can be taken back.
func (k key) permuteLong(digits, radices []int, tweak []byte) {
	if len(digits) <= headDigits {
		k.permute(digits, radices, tweak)
		return
	}
	head, rest := digits[:headDigits], digits[headDigits:]
	k.permute(head, radices[:headDigits], k.sum(append(encode(rest), tweak...)))
	added := k.derive("rest").block(append(encode(head), tweak...), 0)
	for i, radix := range radices[headDigits:] {
		rest[i] = (rest[i] + int(added.number(0, uint64(i), uint64(radix)))) % radix
	}
}

func encode(digits []int) (text []byte) {
	for _, d := range digits {
		text = append(text, byte(d>>16), byte(d>>8), byte(d))
	}
	return text
}

// permuteBytes replaces bytes by as many others.
func (k key) permuteBytes(b []byte) []byte {
	digits, radices := make([]int, len(b)), make([]int, len(b))
	for i := range b {
		digits[i], radices[i] = int(b[i]), 256
	}
	k.permuteLong(digits, radices, []byte("bytes"))
	permuted := make([]byte, len(b))
	for i, d := range digits {
		permuted[i] = byte(d)
	}
	return permuted
}

// maxDigits is how many significant digits a number has at most (Developer Guide, "Constraints",
// "Numbers").
const maxDigits = 38

// permuteNumber replaces a number of DynamoDB by another one with as many significant digits, the
// same sign and the same power of ten. A whole number that is not negative becomes what its text
// becomes.
func (k key) permuteNumber(n string, first, last int) string {
	if kindOf(n) == whole {
		return k.permuteText(n, first, last)
	}
	mantissa := n
	if e := strings.IndexAny(n, "Ee"); e >= 0 {
		mantissa = n[:e]
	}
	f := format{kind: plain, text: []rune(n), slots: make([]*alphabet, len(n))}
	digits := 0
	for i, r := range mantissa {
		if r < '0' || r > '9' || digits == 0 && r == '0' || digits == maxDigits {
			continue // it stays, so that the number is as large and has no more digits
		}
		digits++
		f.slots[i] = decimal
		if digits == 1 || r != '0' && i == len(mantissa)-1 && strings.Contains(mantissa, ".") {
			f.slots[i] = nonzero
		}
	}
	f.keep(first, last)
	return k.permuteRunes(&f)
}
