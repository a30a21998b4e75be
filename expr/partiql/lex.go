package partiql

import (
	"strings"
	"unicode/utf8"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokBad              // a character that starts no token, or a literal that does not end
	tokWord             // a keyword, a function or a plain name
	tokQuoted           // "name"
	tokString           // 'text'
	tokNumber           // 12, 1.5, 1e3
	tokSymbol
)

// token is a part of a statement. The text of a quoted name or string is what it stands for.
type token struct {
	kind tokenKind
	text string
}

// is reports whether the token is a symbol, or a keyword in any case of letters.
func (t token) is(text string) bool {
	switch t.kind {
	case tokSymbol:
		return t.text == text
	case tokWord:
		return strings.EqualFold(t.text, text)
	}
	return false
}

// symbols of more than one character come first.
var symbols = [...]string{
	"<<", ">>", "<>", "!=", "<=", ">=", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ".", ":", "*", "+", "-", "?", ";",
}

// lex splits src into tokens; the last is tokEOF.
func lex(src string) []token {
	toks := make([]token, 0, len(src)/4+4)
	for {
		src = skipSpace(src)
		if src == "" {
			return append(toks, token{kind: tokEOF})
		}
		t, n := lexToken(src)
		toks = append(toks, t)
		src = src[n:]
	}
}

// skipSpace removes leading white space and comments.
func skipSpace(src string) string {
	for {
		src = strings.TrimLeft(src, " \t\r\n")
		switch {
		case strings.HasPrefix(src, "--"):
			_, src, _ = strings.Cut(src, "\n")
		case strings.HasPrefix(src, "/*") && strings.Contains(src[2:], "*/"):
			_, src, _ = strings.Cut(src[2:], "*/")
		default:
			return src
		}
	}
}

// lexToken reads the token at the beginning of src, and says how long it is.
func lexToken(src string) (token, int) {
	switch c := src[0]; {
	case c == '\'':
		return lexQuoted(tokString, src, "'")
	case c == '"':
		return lexQuoted(tokQuoted, src, `"`)
	case isDigit(c) || c == '.' && len(src) > 1 && isDigit(src[1]):
		n := numberLen(src)
		return token{tokNumber, src[:n]}, n
	case isLetter(c):
		n := 1
		for n < len(src) && (isLetter(src[n]) || isDigit(src[n])) {
			n++
		}
		return token{tokWord, src[:n]}, n
	}
	for _, s := range symbols {
		if strings.HasPrefix(src, s) {
			return token{tokSymbol, s}, len(s)
		}
	}
	_, n := utf8.DecodeRuneInString(src)
	return token{tokBad, src[:n]}, n
}

// lexQuoted reads what stands between quotes; a quote in it is doubled.
func lexQuoted(kind tokenKind, src, quote string) (token, int) {
	doubled := false
	for i := 1; i < len(src); i++ {
		if src[i] != quote[0] {
			continue
		}
		if i+1 < len(src) && src[i+1] == quote[0] {
			doubled = true
			i++
			continue
		}
		text := src[1:i]
		if doubled {
			text = strings.ReplaceAll(text, quote+quote, quote)
		}
		return token{kind, text}, i + 1
	}
	return token{tokBad, src}, len(src)
}

// numberLen is the length of the number at the beginning of src.
func numberLen(src string) int {
	n := digits(src, 0)
	if n < len(src) && src[n] == '.' {
		n = digits(src, n+1)
	}
	if n < len(src) && src[n]|0x20 == 'e' {
		e := n + 1
		if e < len(src) && (src[e] == '+' || src[e] == '-') {
			e++
		}
		if end := digits(src, e); end > e {
			n = end
		}
	}
	return n
}

func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' }
