package item

import (
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// scalar reads the string of an S, N or B, or of such an element of a set.
func (p *parser) scalar(t Type) (size int, err error) {
	if p.s.Peek() != '"' {
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
	if escaped {
		raw = jsontext.Unquote(raw)
	}
	if t == N {
		return p.number(raw), nil
	}
	if err := checkBase64(raw); err != nil {
		return 0, err
	}
	p.quoted(raw, false)
	return binaryLen(raw), nil
}

// quoted appends a string of the text in canonical form and returns the number
// of bytes that it stands for.
func (p *parser) quoted(raw string, escaped bool) int {
	if !escaped {
		p.buf = append(p.buf, '"')
		p.buf = append(p.buf, raw...)
		p.buf = append(p.buf, '"')
		return len(raw)
	}
	text := jsontext.Unquote(raw)
	p.buf = jsontext.AppendQuoted(p.buf, text)
	return len(text)
}

func (p *parser) number(text string) int {
	if isNormal(text) {
		p.quoted(text, false)
		return numberSize(text)
	}
	d, err := ParseDecimal(text)
	if err != nil {
		p.fail(strings.Clone(err.Error()))
	}
	p.buf = append(p.buf, '"')
	p.buf = d.Append(p.buf)
	p.buf = append(p.buf, '"')
	return d.Size()
}

// isNormal reports whether s is a number in normal form, of those that can be
// recognised at a glance: 38 digits at most, no exponent, no superfluous zeros.
func isNormal(s string) bool {
	if s == "0" {
		return true
	}
	s = strings.TrimPrefix(s, "-")
	point := -1
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' && point < 0:
			point = i
		case c < '0' || c > '9':
			return false
		}
	}
	switch {
	case s == "" || len(s) > maxDigits:
		return false
	case point < 0:
		return s[0] != '0'
	}
	return (s[0] != '0' || point == 1) && point > 0 && s[len(s)-1] != '0' && point < len(s)-1
}

// base64Bits are the six bits that a character stands for, or 0xff.
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

// checkBase64 accepts padded standard base64 without stray bits in its last
// character, so that each binary has one text only.
func checkBase64(s string) error {
	if len(s)%4 != 0 {
		return errBase64Length(len(s))
	}
	body := strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	for i := range len(body) {
		if base64Bits[body[i]] == 0xff {
			return errBase64Character(body[i])
		}
	}
	if unused := 2 * (len(s) - len(body)); unused > 0 {
		if base64Bits[body[len(body)-1]]&(1<<unused-1) != 0 {
			return ErrBase64Bits
		}
	}
	return nil
}

func (p *parser) boolean(t Type) (int, error) {
	switch {
	case p.s.Next('t'):
		p.buf = append(p.buf, "true"...)
		return 1, nil
	case p.s.Next('f'):
		if t == NULL {
			p.fail(invalidNull)
		}
		p.buf = append(p.buf, "false"...)
		return 1, nil
	}
	raw, err := p.scalarText(JavaClass + "java.lang.Boolean")
	switch {
	case err != nil:
		return 0, err
	case raw[0] == '"':
		return 0, ErrNoStringHere
	}
	return 0, ErrConversion(raw, "Boolean")
}
