package item

import (
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// scalar reads the string of an S, N or B, or of an element of a set of them.
func (p *parser) scalar(t Type) (size int, err error) {
	p.space()
	if p.s.Byte() != '"' {
		wanted := JavaClass + "java.lang.String"
		if t == B {
			wanted = JavaClass + "java.nio.ByteBuffer"
		}
		raw, err := p.scalarText(wanted)
		switch {
		case err != nil:
			return 0, err
		case t == B:
			return 0, ErrNoBase64
		}
		return 0, ErrConversion(raw, "String")
	}
	raw, escaped, err := p.s.String()
	if err != nil {
		return 0, ErrSyntax
	}
	if t == S {
		return p.quoted(raw, escaped), nil
	}
	text := raw
	if escaped {
		text = jsontext.Unquote(raw)
	}
	if t == N {
		return p.number(raw, text, len(`"`)), nil
	}
	if err := checkBase64(text); err != nil {
		return 0, err
	}
	p.quoted(raw, escaped)
	return binaryLen(text), nil
}

// quoted makes the string that was just read canonical. raw is the text between its quotes. quoted
// returns the number of bytes that the string stands for.
func (p *parser) quoted(raw string, escaped bool) int {
	if !escaped {
		return len(raw)
	}
	if n, ok := jsontext.CanonicalLen(raw); ok {
		return n
	}
	text := jsontext.Unquote(raw)
	p.replace(raw, len(`"`))
	p.buf = jsontext.AppendEscaped(p.buf, text)
	return len(text)
}

// number makes a number canonical and returns its size. raw is its text, which ends behind bytes
// before the scanner and stands for number.
func (p *parser) number(raw, number string, behind int) int {
	if size := normalSize(raw); size > 0 {
		return size
	}
	d, err := ParseDecimal(number)
	if err != nil {
		p.fail(Invalid{Fault: BadNumber, Number: strings.Clone(number)})
	}
	p.replace(raw, behind)
	p.buf = d.Append(p.buf)
	return d.Size()
}

// replace removes raw, which ends behind bytes before the scanner, from the run.
func (p *parser) replace(raw string, behind int) {
	end := p.s.Pos() - behind
	p.cut(end - len(raw))
	p.run = end
}

// normalSize returns the size of a number in normal form, or 0 if a quick check does not recognise
// it: at most 38 digits, no exponent, no superfluous zeros.
func normalSize(s string) int {
	size := 1
	if len(s) > 1 && s[0] == '-' && s != "-0" {
		size, s = 2, s[1:]
	}
	if len(s) == 0 || len(s) > maxDigits {
		return 0
	}
	point := -1
	for i := range len(s) {
		if c := s[i]; c-'0' > 9 {
			if c != '.' || point >= 0 {
				return 0
			}
			point = i
		}
	}
	if s == "0" {
		return size
	}
	last := len(s) - 1
	switch {
	case point < 0 && s[0] != '0':
		for s[last] == '0' { // not significant
			last--
		}
		return size + packed(last+1, 0)
	case point <= 0 || point == last || s[last] == '0':
		return 0
	case s[0] != '0':
		return size + packed(point, last-point)
	case point > 1:
		return 0
	}
	first := 2
	for s[first] == '0' {
		first++
	}
	return size + packed(0, len(s)-first)
}

// base64Bits holds the six bits of each character, or 0xff.
var base64Bits = func() (bits [256]byte) {
	for i := range bits {
		bits[i] = 0xff
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(alphabet) {
		bits[alphabet[i]] = byte(i)
	}
	return bits
}()

// checkBase64 accepts padded standard base64 without stray bits in its last character, so that each
// binary has exactly one text.
func checkBase64(s string) error {
	if len(s)%4 != 0 {
		return errBase64Length(len(s))
	}
	body := strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	padding := false
	for i := range len(body) {
		switch {
		case base64Bits[body[i]] != 0xff:
		case body[i] == '=':
			padding = true
		default:
			return errBase64Character(body[i])
		}
	}
	if unused := 2 * (len(s) - len(body)); unused > 0 {
		if last := body[len(body)-1]; last != '=' && base64Bits[last]&(1<<unused-1) != 0 {
			return ErrBase64Bits // also if there is padding before it (service facts 11.3)
		}
	}
	if padding {
		return errBase64Character('=')
	}
	return nil
}

func (p *parser) boolean(t Type) (int, error) {
	p.space()
	switch {
	case p.s.Next('t'):
		return 1, nil
	case p.s.Next('f'):
		p.checkTruth(t, false)
		return 1, nil
	}
	if p.s.Peek() == '[' { // service facts F.4
		return 0, ErrSyntax
	}
	raw, err := p.scalarText(JavaClass + "java.lang.Boolean")
	if err != nil {
		return 0, err
	}
	truth, ok := TruthOf(raw)
	switch {
	case ok:
		p.replace(raw, 0)
		p.buf = strconv.AppendBool(p.buf, truth)
		p.checkTruth(t, truth)
		return 1, nil
	case raw[0] == '"':
		return 0, ErrNoStringHere
	}
	return 0, ErrConversion(raw, "Boolean")
}

// checkTruth checks the truth value of a BOOL or NULL.
func (p *parser) checkTruth(t Type, truth bool) {
	if t == NULL && !truth {
		p.fail(Invalid{Fault: FalseNull})
	}
}

// TruthOf reads a string, with its quotes, in the place of a truth value, as the service does: in
// any case of letters (service facts 1.13, F.2).
func TruthOf(raw string) (truth, ok bool) {
	const longest = len(`"false"`) * len(`\u0000`) // each letter may be escaped
	if raw[0] != '"' || len(raw) > longest {
		return false, false
	}
	switch strings.ToLower(jsontext.Unquote(raw[1 : len(raw)-1])) {
	case "true", "t", "yes", "y", "1":
		return true, true
	case "false", "f", "no", "n", "0":
		return false, true
	}
	return false, false
}
