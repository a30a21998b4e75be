// Package jsontext reads JSON text strictly, without building trees, and writes strings in one
// canonical form. Package item and the wire codec are built on it.
package jsontext

import (
	"errors"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a token, named by its first character: '{' '}' '[' ']' '"' ':' ',' 't' 'f'
// 'n', and '0' for any number. It is 0 at the end of the text, and before a character that begins
// no token.
type Kind byte

// ErrSyntax is the error of text that is not JSON (RFC 8259), or not UTF-8.
var ErrSyntax = errors.New("not JSON")

// errUnicode is the error of JSON with a string that is not Unicode text. DynamoDB rejects it.
// encoding/json accepts it, and replaces the invalid parts by U+FFFD.
var errUnicode = errors.New(
	`a string is not Unicode text: it has bytes that are not UTF-8, or an escape such as \ud800 without its other half`)

// CheckUnicode returns ErrUnicode if a string in a text is not Unicode. The text must be JSON, of
// any number of values, that encoding/json accepts.
func CheckUnicode(text string) error {
	if !utf8.ValidString(text) {
		return errUnicode
	}
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return nil
		}
		n := escapeLen(text[i:])
		if n == 0 {
			return errUnicode
		}
		text = text[i+n:]
	}
}

// A Scanner reads one JSON text from front to back. The strings that it returns are parts of the
// text, and it allocates nothing, but for the loops of Members and Elements.
type Scanner struct {
	src string
	pos int
}

// NewScanner returns a Scanner at the start of src.
func NewScanner(src string) Scanner { return Scanner{src: src} }

// Pos returns the offset of the next unread byte.
func (s *Scanner) Pos() int { return s.pos }

// Text returns the text from an offset to the next unread byte.
func (s *Scanner) Text(from int) string { return s.src[from:s.pos] }

// Slice returns the text between two offsets.
func (s *Scanner) Slice(from, to int) string { return s.src[from:to] }

// Rest returns the unread text.
func (s *Scanner) Rest() string { return s.src[s.pos:] }

// Advance consumes n bytes.
func (s *Scanner) Advance(n int) { s.pos += n }

// Byte returns the next unread byte, or 0 at the end of the text.
func (s *Scanner) Byte() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// Take consumes the next byte if it is c.
func (s *Scanner) Take(c byte) bool {
	if s.pos >= len(s.src) || s.src[s.pos] != c {
		return false
	}
	s.pos++
	return true
}

// Space consumes white space.
func (s *Scanner) Space() {
	i := s.pos
	for i < len(s.src) &&
		(s.src[i] == ' ' || s.src[i] == '\n' || s.src[i] == '\t' || s.src[i] == '\r') {
		i++
	}
	s.pos = i
}

// Peek skips white space and returns the kind of the next token without consuming it.
func (s *Scanner) Peek() Kind {
	s.Space()
	if s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '{', '}', '[', ']', '"', ':', ',', 't', 'f', 'n':
			return Kind(c)
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return '0'
		}
	}
	return 0
}

// Next consumes white space and then the delimiter or literal (true, false, null) of kind k. It
// reports false, and consumes white space only, if something else follows.
func (s *Scanner) Next(k Kind) bool {
	// The common case first: most texts have no white space.
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

// String consumes a string and returns the text between its quotes, which has escapes if escaped is
// set: see Unquote. The text is valid UTF-8, its escapes are well formed and their surrogates
// paired.
func (s *Scanner) String() (raw string, escaped bool, err error) {
	if s.pos >= len(s.src) || s.src[s.pos] != '"' {
		if s.Peek() != '"' {
			return "", false, ErrSyntax
		}
	}
	src, start := s.src, s.pos+1
	ascii := true
	for i := start; ; {
		if ascii {
			i = PlainRun(src, i)
		} else {
			i = textRun(src, i)
		}
		if i == len(src) {
			return "", false, ErrSyntax
		}
		switch c := src[i]; {
		case c == '"':
			raw = src[start:i]
			if !ascii && !utf8.ValidString(raw) {
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
			ascii = false // checked at the end, all at once
			i++
		}
	}
}

// PlainName consumes "name": and returns the name. It reports false, and consumes nothing, if the
// text differs from that form: there must be no white space, and the name must be ASCII without
// escapes. PlainName, PlainString and PlainScalar are shortcuts for what most requests consist of.
func (s *Scanner) PlainName() (name string, ok bool) {
	src, start := s.src, s.pos+1
	if start > len(src) || src[start-1] != '"' {
		return "", false
	}
	end := PlainRun(src, start)
	if end+2 > len(src) || src[end] != '"' || src[end+1] != ':' {
		return "", false
	}
	s.pos = end + 2
	return src[start:end], true
}

// PlainString consumes "text" and returns the text; see PlainName.
func (s *Scanner) PlainString() (text string, ok bool) {
	src, start := s.src, s.pos+1
	if start > len(src) || src[start-1] != '"' {
		return "", false
	}
	end := PlainRun(src, start)
	if end == len(src) || src[end] != '"' {
		return "", false
	}
	s.pos = end + 1
	return src[start:end], true
}

// PlainScalar consumes {"S":"text"} or {"N":"text"} and returns all of it with its letter, or 0 if
// the text has another form; see PlainName.
func (s *Scanner) PlainScalar() (letter byte, all string) {
	const (
		opening = '{' | '"'<<8 | '"'<<24 | ':'<<32 | '"'<<40
		mask    = 0xffffff00ffff
	)
	src, start := s.src, s.pos
	if start+8 > len(src) {
		return 0, ""
	}
	first := Word(src[start : start+8])
	if letter = byte(first >> 16); first&mask != opening || letter != 'S' && letter != 'N' {
		return 0, ""
	}
	end := PlainRun(src, start+len(`{"S":"`))
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
	slashes  = '\\' * lowBits
)

// PlainRun returns the offset of the first byte from i on that is a quote, a backslash, a control
// character or not ASCII, or len(s).
func PlainRun(s string, i int) int {
	for ; i+16 <= len(s); i += 16 {
		both := s[i : i+16]
		x := Word(both[:8])
		if stop := (special(x) | x) & highBits; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		x = Word(both[8:])
		if stop := (special(x) | x) & highBits; stop != 0 {
			return i + 8 + bits.TrailingZeros64(stop)/8
		}
	}
	for i < len(s) && !isSpecial(s[i]) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// textRun is PlainRun for text that need not be ASCII.
func textRun(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		x := Word(s[i : i+8])
		if stop := special(x&^highBits) &^ x & highBits; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for i < len(s) && !isSpecial(s[i]) {
		i++
	}
	return i
}

func isSpecial(c byte) bool { return c == '"' || c == '\\' || c < ' ' }

// special sets the high bit of each byte that is a quote, a backslash or a control character, and
// no other bit. It is for ASCII: a byte that is not ASCII disturbs the bytes above it. Flipping a
// bit turns a backslash into 0, and a quote into a space, below which there are only control
// characters. An addition then sets the high bit of all other
// bytes, and the result is inverted.
func special(x uint64) uint64 {
	return ^((x ^ slashes + 0x7f*lowBits) & (x ^ ('"'^' ')*lowBits + (0x7f-' ')*lowBits))
}

// Word reads eight bytes, the first one lowest. The compiler turns it into one load.
func Word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// escapeLen returns the length of the escape at the start of s, or 0 if it is malformed. A
// surrogate counts with its partner only.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
	default:
		return 0
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

// Skip consumes one value of any kind with at most depth levels of nesting.
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
	closing := open + 2 // '}' and ']' are two behind '{' and '[' in ASCII
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

// End returns an error unless only white space is left.
func (s *Scanner) End() error {
	if s.Peek() != 0 || s.pos < len(s.src) {
		return ErrSyntax
	}
	return nil
}

// Unquote returns what the text between the quotes of a JSON string stands for. raw must come from
// String.
func Unquote(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(appendUnquoted(make([]byte, 0, len(raw)), raw))
}

// appendUnquoted appends the result of Unquote.
func appendUnquoted(dst []byte, raw string) []byte {
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

// AppendQuoted appends s as a JSON string, with quotes, in canonical form: it escapes '"', '\\' and
// control characters only, \b \f \n \r \t in their short form and others as \u00xx.
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

// CanonicalLen returns the number of bytes that raw stands for. ok is false unless AppendEscaped
// would write raw. raw must come from String.
func CanonicalLen(raw string) (n int, ok bool) {
	n = len(raw)
	for {
		i := strings.IndexByte(raw, '\\')
		if i < 0 {
			return n, true
		}
		raw = raw[i:]
		size := 2
		switch raw[1] {
		case '/':
			return 0, false
		case 'u':
			r, _ := hex4(raw)
			upper := raw[5] >= 'A' && raw[5] <= 'F'
			if r >= ' ' || upper || strings.IndexByte("\b\f\n\r\t", byte(r)) >= 0 {
				return 0, false
			}
			size = 6
		}
		n -= size - 1
		raw = raw[size:]
	}
}
