package partiql

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokWord             // a keyword, a function or a plain name
	tokQuoted           // "name"
	tokString           // 'text'
	tokNumber           // 12, 1.5, 1e3
	tokSymbol
)

// token is a part of a statement. The text of a quoted name or string is without quotes and
// escapes.
type token struct {
	kind tokenKind
	text string
	at   Span
}

// Span is the position of a part of a statement: from one byte up to another, which is not
// included.
type Span struct{ from, to int32 }

// place returns a span of src as the service's texts name it: line, column and length, counted in
// characters from 1 (service facts 2.13).
func (at Span) place(src string) string {
	before := src[:at.from]
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[1+strings.LastIndexByte(before, '\n'):])
	length := utf8.RuneCountInString(src[at.from:at.to])
	return " at " + strconv.Itoa(line) + ":" + strconv.Itoa(column) + ":" + strconv.Itoa(length)
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

// symbols of more than one character precede the others.
var symbols = [...]string{
	"<<", ">>", "<>", "!=", "<=", ">=", "||", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ".",
	":", "*", "+", "-",
	"/", "%", "@", "?", ";",
}

// lex splits src into tokens. The last one is tokEOF. Its error is errUnreadable.
func lex(src string) (toks []token, err error) {
	toks = make([]token, 0, len(src)/4+4)
	for rest := src; ; {
		if rest, err = skipSpace(rest); err != nil {
			return nil, err
		}
		from := len(src) - len(rest)
		if rest == "" {
			return append(toks, token{kind: tokEOF, at: Span{int32(from), int32(from)}}), nil
		}
		t, n := lexToken(rest)
		if n == 0 {
			return nil, errUnreadable
		}
		t.at = Span{int32(from), int32(from + n)}
		toks = append(toks, t)
		rest = rest[n:]
	}
}

// skipSpace removes leading white space and comments.
func skipSpace(src string) (string, error) {
	for {
		src = strings.TrimLeft(src, " \t\r\n")
		switch {
		case strings.HasPrefix(src, "--"):
			_, src, _ = strings.Cut(src, "\n")
		case strings.HasPrefix(src, "/*"):
			_, after, closed := strings.Cut(src[2:], "*/")
			if !closed {
				return "", errUnreadable
			}
			src = after
		default:
			return src, nil
		}
	}
}

// lexToken reads the token at the beginning of src and returns its length, or 0 without one.
func lexToken(src string) (token, int) {
	switch c := src[0]; {
	case c == '\'':
		return lexQuoted(tokString, src, "'")
	case c == '"':
		return lexQuoted(tokQuoted, src, `"`)
	case isDigit(c) || c == '.' && len(src) > 1 && isDigit(src[1]):
		return lexNumber(src)
	case isLetter(c):
		n := 1
		for n < len(src) && (isLetter(src[n]) || isDigit(src[n])) {
			n++
		}
		return token{kind: tokWord, text: src[:n]}, n
	}
	for _, s := range symbols {
		if strings.HasPrefix(src, s) {
			return token{kind: tokSymbol, text: s}, len(s)
		}
	}
	return token{}, 0
}

// lexQuoted reads a text in quotes, in which quotes are doubled.
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
		return token{kind: kind, text: text}, i + 1
	}
	return token{}, 0
}

// lexNumber reads a number. Its exponent has 32 bits, and so has its scale, which is the number of
// digits behind the point less the exponent: service facts 2.7.
func lexNumber(src string) (token, int) {
	n, fraction, exponent := digits(src, 0), 0, int64(0)
	if n < len(src) && src[n] == '.' {
		end := digits(src, n+1)
		n, fraction = end, end-n-1
	}
	if n < len(src) && src[n]|0x20 == 'e' {
		e := n + 1
		if e < len(src) && (src[e] == '+' || src[e] == '-') {
			e++
		}
		var err error
		end := digits(src, e)
		if exponent, err = strconv.ParseInt(src[n+1:end], 10, 32); err != nil {
			return token{}, 0
		}
		n = end
	}
	if scale := int64(fraction) - exponent; scale != int64(int32(scale)) {
		return token{}, 0
	}
	return token{kind: tokNumber, text: src[:n]}, n
}

func digits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' }
