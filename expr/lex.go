package expr

import (
	"strings"
	"unicode/utf8"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	// a character that begins no token; the parser reports it when it gets there
	tokBad
	tokIdent    // name
	tokName     // #name
	tokValue    // :name
	tokNumber   // 12
	tokEq       // =
	tokNe       // <>
	tokLt       // <
	tokLe       // <=
	tokGt       // >
	tokGe       // >=
	tokLParen   // (
	tokRParen   // )
	tokLBracket // [
	tokRBracket // ]
	tokComma    // ,
	tokDot      // .
	tokPlus     // +
	tokMinus    // -
	// Keywords, in any case of letters.
	tokAnd
	tokOr
	tokNot
	tokBetween
	tokIn
	tokSet
	tokRemove
	tokAdd
	tokDelete
)

// token is a part of an expression's text.
type token struct {
	kind     tokenKind
	pos, end int
}

// keyword pairs a token with its spelling in messages.
type keyword struct {
	word string
	kind tokenKind
}

// keywords are the keywords of conditions and of updates. They are tokens in every expression
// (service facts B.11).
var keywords = [...]keyword{
	{"AND", tokAnd}, {"OR", tokOr}, {"NOT", tokNot}, {"BETWEEN", tokBetween}, {"IN", tokIn},
	{"SET", tokSet}, {"REMOVE", tokRemove}, {"ADD", tokAdd}, {"DELETE", tokDelete},
}

// lex splits src into tokens. The last one is tokEOF at the end of src.
func lex(src string) []token {
	toks := make([]token, 0, len(src)/3+4)
	for pos := 0; ; {
		for pos < len(src) && isSpace(src[pos]) {
			pos++
		}
		if pos == len(src) {
			return append(toks, token{tokEOF, pos, pos})
		}
		t := lexToken(src, pos)
		toks = append(toks, t)
		pos = t.end
	}
}

// lexToken reads the token that begins at pos.
func lexToken(src string, pos int) token {
	c := src[pos]
	switch {
	case isLetter(c):
		end := lexWord(src, pos+1)
		return token{lexKeyword(src[pos:end]), pos, end}
	case isDigit(c):
		end := pos + 1
		// no number begins with 0 (service facts B.10)
		for c != '0' && end < len(src) && isDigit(src[end]) {
			end++
		}
		return token{tokNumber, pos, end}
	case c == '#' || c == ':':
		end := lexWord(src, pos+1)
		kind := tokName
		if c == ':' {
			kind = tokValue
		}
		if end == pos+1 {
			kind = tokBad
		}
		return token{kind, pos, end}
	}
	return lexSymbol(src, pos)
}

// lexWord returns the end of the letters, digits and underscores that begin at pos.
func lexWord(src string, pos int) int {
	for pos < len(src) && isWord(src[pos]) {
		pos++
	}
	return pos
}

func lexKeyword(word string) tokenKind {
	for _, k := range keywords {
		if strings.EqualFold(k.word, word) {
			return k.kind
		}
	}
	return tokIdent
}

func lexSymbol(src string, pos int) token {
	var next byte
	if pos+1 < len(src) {
		next = src[pos+1]
	}
	switch c := src[pos]; {
	case c == '<' && next == '>':
		return token{tokNe, pos, pos + 2}
	case c == '<' && next == '=':
		return token{tokLe, pos, pos + 2}
	case c == '>' && next == '=':
		return token{tokGe, pos, pos + 2}
	}
	if i := strings.IndexByte("=<>()[],.+-", src[pos]); i >= 0 {
		kinds := [...]tokenKind{tokEq, tokLt, tokGt, tokLParen, tokRParen, tokLBracket, tokRBracket,
			tokComma, tokDot, tokPlus, tokMinus}
		return token{kinds[i], pos, pos + 1}
	}
	_, n := utf8.DecodeRuneInString(src[pos:])
	return token{tokBad, pos, pos + n}
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }
