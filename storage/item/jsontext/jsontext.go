// Package jsontext reads JSON text strictly and writes strings in one canonical
// form, without building trees: the ground of package item's attribute values
// and of the wire codec.
package jsontext

import (
	"errors"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Kind is what a token begins with: '{' '}' '[' ']' '"' ':' ',' 't' 'f' 'n', '0'
// for any number, and 0 at the end of the text or before a character that
// starts no token.
type Kind byte

// ErrSyntax is returned for text that is not JSON (RFC 8259), or not UTF-8.
var ErrSyntax = errors.New("not JSON")

// A Scanner reads one JSON text from front to back. It never allocates. The
// strings that it hands out are parts of the text.
type Scanner struct {
	src string
	pos int
}

// NewScanner returns a Scanner at the start of src.
func NewScanner(src string) Scanner { return Scanner{src: src} }

// Pos returns the offset of the next unread byte.
func (s *Scanner) Pos() int { return s.pos }

// Text returns what was read from offset from up to here.
func (s *Scanner) Text(from int) string { return s.src[from:s.pos] }

// Peek skips white space and returns the kind of the next token without consuming it.
func (s *Scanner) Peek() Kind {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		case '{', '}', '[', ']', '"', ':', ',', 't', 'f', 'n':
			return Kind(c)
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return '0'
		default:
			return 0
		}
	}
	return 0
}

// Next consumes the delimiter or literal (true, false, null) that k stands for;
// it reports false, consuming nothing but white space, if something else is there.
func (s *Scanner) Next(k Kind) bool {
	// Most texts have no white space: the common case first.
	if s.pos >= len(s.src) || s.src[s.pos] != byte(k) {
		if s.Peek() != k {
			return false
		}
	}
	switch k {
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case 0, '"', '0':
		return false
	}
	s.pos++
	return true
}

func (s *Scanner) literal(word string) bool {
	if !strings.HasPrefix(s.src[s.pos:], word) {
		return false
	}
	s.pos += len(word)
	return true
}

// String consumes a string and returns what stands between its quotes. If
// escaped is true, that holds escapes: see Unquote. The text is valid UTF-8, its
// escapes are well formed and their surrogates paired.
func (s *Scanner) String() (raw string, escaped bool, err error) {
	if s.pos >= len(s.src) || s.src[s.pos] != '"' {
		if s.Peek() != '"' {
			return "", false, ErrSyntax
		}
	}
	src, start := s.src, s.pos+1
	stopHigh := uint64(highBits)
	for i := start; ; {
		if i = plainRun(src, i, stopHigh); i >= len(src) {
			return "", false, ErrSyntax
		}
		switch c := src[i]; {
		case c == '"':
			raw = src[start:i]
			if stopHigh == 0 && !utf8.ValidString(raw) {
				return "", false, ErrSyntax
			}
			s.pos = i + 1
			return raw, escaped, nil
		case c == '\\':
			n := escapeLen(src[i:])
			if n == 0 {
				return "", false, ErrSyntax
			}
			escaped = true
			i += n
		case c < ' ':
			return "", false, ErrSyntax
		default:
			stopHigh = 0 // checked at the end, all at once
			i++
		}
	}
}

// PlainName consumes "name": and returns the name, if that is what stands here
// to the byte, in ASCII that holds no escape. It and PlainScalar are the short
// way past what most requests consist of.
func (s *Scanner) PlainName() (name string, ok bool) {
	src, start := s.src, s.pos+1
	if start > len(src) || src[start-1] != '"' {
		return "", false
	}
	end := plainRun(src, start, highBits)
	if end+2 > len(src) || src[end] != '"' || src[end+1] != ':' {
		return "", false
	}
	s.pos = end + 2
	return src[start:end], true
}

// PlainScalar consumes {"S":"text"} or {"N":"text"} and returns all of it with
// its letter, 0 if something else stands here; see PlainName.
func (s *Scanner) PlainScalar() (letter byte, all string) {
	const (
		opening = '{' | '"'<<8 | '"'<<24 | ':'<<32 | '"'<<40
		mask    = 0xffffff00ffff
	)
	src, start := s.src, s.pos
	if start+8 > len(src) {
		return 0, ""
	}
	first := word(src[start : start+8])
	if letter = byte(first >> 16); first&mask != opening || letter != 'S' && letter != 'N' {
		return 0, ""
	}
	end := plainRun(src, start+len(`{"S":"`), highBits)
	if end+2 > len(src) || src[end] != '"' || src[end+1] != '}' {
		return 0, ""
	}
	s.pos = end + 2
	return letter, src[start:s.pos]
}

// Eight bytes in a word, all of the same value.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
	quotes   = '"' * lowBits
	slashes  = '\\' * lowBits
	spaces   = ' ' * lowBits
)

// plainRun returns the offset, from i on, of the first byte that is a quote, a
// backslash or a control character or, if stopHigh is highBits and not 0, not
// ASCII; or len(s). It looks at eight bytes at a time: a byte of x is zero if
// subtracting 1 borrows into its high bit, which was 0 before.
func plainRun(s string, i int, stopHigh uint64) int {
	for ; i+8 <= len(s); i += 8 {
		x := word(s[i : i+8])
		q, b := x^quotes, x^slashes
		stop := ((q-lowBits)&^q | (b-lowBits)&^b | (x-spaces)&^x) & highBits
		if stop |= x & stopHigh; stop != 0 {
			// A borrow may have marked bytes above the first: never below.
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < ' ' || c >= utf8.RuneSelf && stopHigh != 0 {
			return i
		}
	}
	return i
}

// word reads eight bytes, the first one lowest. The compiler makes it one load.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// escapeLen is the length of the escape at the start of s, 0 if it is malformed.
// A surrogate counts only with its partner.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, s[1]) < 0 {
			return 0
		}
		return 2
	}
	r, ok := hex4(s)
	switch {
	case !ok || r >= 0xDC00 && r <= 0xDFFF:
		return 0
	case r >= 0xD800 && r <= 0xDBFF:
		low, ok := hex4(s[6:])
		if !ok || low < 0xDC00 || low > 0xDFFF {
			return 0
		}
		return 12
	}
	return 6
}

// hex4 reads the \uXXXX at the start of s.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// Number consumes a number and returns its text.
func (s *Scanner) Number() (raw string, err error) {
	if s.Peek() != '0' {
		return "", ErrSyntax
	}
	src, i := s.src, s.pos
	if src[i] == '-' {
		i++
	}
	intStart := i
	i = digits(src, i)
	if i == intStart || src[intStart] == '0' && i > intStart+1 {
		return "", ErrSyntax
	}
	if i < len(src) && src[i] == '.' {
		frac := i + 1
		if i = digits(src, frac); i == frac {
			return "", ErrSyntax
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		exp := i
		if i = digits(src, exp); i == exp {
			return "", ErrSyntax
		}
	}
	raw = src[s.pos:i]
	s.pos = i
	return raw, nil
}

func digits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// Skip consumes one value of any kind, nested at most depth levels.
func (s *Scanner) Skip(depth int) error {
	switch k := s.Peek(); k {
	case '"':
		_, _, err := s.String()
		return err
	case '0':
		_, err := s.Number()
		return err
	case 't', 'f', 'n':
		if !s.Next(k) {
			return ErrSyntax
		}
		return nil
	case '{', '[':
		if depth == 0 {
			return ErrSyntax
		}
		return s.skipGroup(k, depth-1)
	}
	return ErrSyntax
}

func (s *Scanner) skipGroup(open Kind, depth int) error {
	s.Next(open)
	closing := open + 2 // '}' and ']' stand two after their partners
	if s.Next(closing) {
		return nil
	}
	for {
		if open == '{' {
			if _, _, err := s.String(); err != nil {
				return err
			}
			if !s.Next(':') {
				return ErrSyntax
			}
		}
		if err := s.Skip(depth); err != nil {
			return err
		}
		if s.Next(closing) {
			return nil
		}
		if !s.Next(',') {
			return ErrSyntax
		}
	}
}

// End reports an error unless only white space is left.
func (s *Scanner) End() error {
	if s.Peek() != 0 || s.pos < len(s.src) {
		return ErrSyntax
	}
	return nil
}

// Unquote returns the text that the inside of a JSON string stands for. raw must
// come from String.
func Unquote(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(AppendUnquoted(make([]byte, 0, len(raw)), raw))
}

// AppendUnquoted appends what Unquote returns.
func AppendUnquoted(dst []byte, raw string) []byte {
	for {
		i := strings.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i:]
		n := escapeLen(raw)
		switch c := raw[1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, _ := hex4(raw)
			if n == 12 {
				low, _ := hex4(raw[6:])
				r = (r-0xD800)<<10 | (low - 0xDC00) + 0x10000
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
		raw = raw[n:]
	}
}

// AppendQuoted appends s as a JSON string, quotes included, in canonical form:
// only '"', '\\' and control characters are escaped, \b \f \n \r \t by their
// short form, others as \u00xx.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, s)
	return append(dst, '"')
}

// AppendEscaped is AppendQuoted without the quotes.
func AppendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, s[start:]...)
}
