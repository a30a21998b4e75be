package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// accepts reports whether text is one JSON value and nothing else.
func accepts(text string) bool {
	s := NewScanner(text)
	return s.Skip(1000) == nil && s.End() == nil
}

func TestSkip(t *testing.T) {
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"null", "null", true},
		{"half a word", "nul", false},
		{"a word too long", "nulls", false},
		{"white space of all kinds", " \t\r\n1 \t\r\n", true},
		{"other white space", "\u00a01", false},
		{"nothing", "", false},
		{"two values", "1 2", false},
		{"zero", "0", true},
		{"minus zero", "-0", true},
		{"leading zero", "01", false},
		{"leading plus", "+1", false},
		{"leading point", ".5", false},
		{"trailing point", "1.", false},
		{"lonely minus", "-", false},
		{"exponents", "[1e5,1E+5,1.5e-5]", true},
		{"exponent without digits", "1e+", false},
		{"hexadecimal", "0x1", false},
		{"not a number", "NaN", false},
		{"empty groups", "[{},[]]", true},
		{"trailing comma in a list", "[1,]", false},
		{"trailing comma in an object", `{"a":1,}`, false},
		{"no comma", "[1 2]", false},
		{"no colon", `{"a" 1}`, false},
		{"no name", `{1:1}`, false},
		{"crossed brackets", "[1}", false},
		{"unclosed", `{"a":[1`, false},
		{"comment", "1 // one", false},
		{"all escapes", `"\"\\\/\b\f\n\r\t\u00e9\uD834\udd1e"`, true},
		{"unknown escape", `"\x41"`, false},
		{"short escape", `"\u12"`, false},
		{"escape that is not hexadecimal", `"\u12g4"`, false},
		{"backslash at the end", `"\`, false},
		{"high surrogate alone", `"\ud834"`, false},
		{"high surrogate with something else", `"\ud834\u0041"`, false},
		{"low surrogate alone", `"\udd1e"`, false},
		{"tab in a string", "\"a\tb\"", false},
		{"zero byte in a string", "\"12345678\x00\"", false},
		{"delete in a string", "\"\x7f\"", true},
		{"unclosed string", `"abc`, false},
		{"single quotes", `'a'`, false},
		{"UTF-8", `"é€𝄞 and more"`, true},
		{"bad UTF-8", "\"\xc3\"", false},
		{"overlong UTF-8", "\"\xc0\x80\"", false},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", false},
		{"bad UTF-8 outside of strings", "\xff1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.ok, accepts(c.text))
		})
	}
}

func TestSkipIsBoundedInDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	s := NewScanner(nested(3))
	require.NoError(t, s.Skip(3))
	s = NewScanner(nested(3))
	require.Equal(t, ErrSyntax, s.Skip(2))
	s = NewScanner(strings.Repeat(`{"":`, 1_000_000))
	require.Equal(t, ErrSyntax, s.Skip(1000))
}

func TestTokens(t *testing.T) {
	s := NewScanner(` {"a\u0062" : [true, -1.5e3]} `)
	assert.False(t, s.Next('['))
	assert.True(t, s.Next('{'))
	raw, escaped, err := s.String()
	require.NoError(t, err)
	assert.Equal(t, `a\u0062`, raw)
	assert.True(t, escaped)
	assert.Equal(t, "ab", Unquote(raw))
	assert.True(t, s.Next(':'))
	assert.Equal(t, Kind('['), s.Peek())
	from := s.Pos()
	assert.True(t, s.Next('['))
	assert.False(t, s.Next('f'))
	assert.True(t, s.Next('t'))
	_, _, err = s.String()
	assert.Equal(t, ErrSyntax, err)
	assert.True(t, s.Next(','))
	number, err := s.Number()
	require.NoError(t, err)
	assert.Equal(t, "-1.5e3", number)
	assert.True(t, s.Next(']'))
	assert.Equal(t, "[true, -1.5e3]", s.Text(from))
	assert.Equal(t, ErrSyntax, s.End())
	assert.True(t, s.Next('}'))
	assert.NoError(t, s.End())
}

func TestPlainScalar(t *testing.T) {
	for _, c := range []struct {
		name, text string
		letter     byte
		all        string
	}{
		{"string", `{"S":"abc"},`, 'S', `{"S":"abc"}`},
		{"number", `{"N":"1"}}`, 'N', `{"N":"1"}`},
		{"empty", `{"S":""}`, 'S', `{"S":""}`},
		{"long", `{"S":"0123456789abcdef"}`, 'S', `{"S":"0123456789abcdef"}`},
		{"another letter", `{"B":"YQ=="}`, 0, ""},
		{"another name", `{"SS":["1"]}`, 0, ""},
		{"another start", `["S":"1"]`, 0, ""},
		{"another kind", `{"S":123456}`, 0, ""},
		{"white space", `{"S": "abc"}`, 0, ""},
		{"white space at the end", `{"S":"a" }`, 0, ""},
		{"another member", `{"S":"a","N":"1"}`, 0, ""},
		{"escape", `{"S":"a\\"}`, 0, ""},
		{"UTF-8", `{"S":"é"}`, 0, ""},
		{"unclosed string", `{"S":"abc`, 0, ""},
		{"unclosed", `{"S":"ab"`, 0, ""},
		{"short", `{"S":"`, 0, ""},
		{"nothing", "", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewScanner(c.text)
			letter, all := s.PlainScalar()
			assert.Equal(t, c.letter, letter)
			assert.Equal(t, c.all, all)
			assert.Equal(t, len(c.all), s.Pos())
		})
	}
}

func TestPlainString(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		ok               bool
	}{
		{"empty", `""`, "", true},
		{"short", `"a"`, "a", true},
		{"long", `"a text that is longer than a few words",1`,
			"a text that is longer than a few words", true},
		{"escaped", `"a\t"`, "", false},
		{"not ASCII", `"aé"`, "", false},
		{"a control character", "\"a\x01\"", "", false},
		{"white space before", ` "a"`, "", false},
		{"no end", `"a`, "", false},
		{"a quote only", `"`, "", false},
		{"nothing", ``, "", false},
		{"a number", `1`, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewScanner(c.text)
			got, ok := s.PlainString()
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, got)
			if ok {
				assert.Equal(t, len(got)+2, s.Pos())
			} else {
				assert.Zero(t, s.Pos())
			}
		})
	}
}

func TestPlainName(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		pos              int
	}{
		{"plain", `"abc":1`, "abc", 6},
		{"at the end", `"a":`, "a", 4},
		{"empty", `"":{`, "", 3},
		{"long", `"0123456789abcdef":`, "0123456789abcdef", 19},
		{"no quote", `abc":1`, "", 0},
		{"white space", `"abc" :1`, "", 0},
		{"escape", `"a\\b":1`, "", 0},
		{"UTF-8", `"é":1`, "", 0},
		{"no colon", `"abc"`, "", 0},
		{"unclosed", `"abc`, "", 0},
		{"nothing", "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewScanner(c.text)
			got, ok := s.PlainName()
			assert.Equal(t, c.pos > 0, ok)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.pos, s.Pos())
		})
	}
}

func TestAppendQuoted(t *testing.T) {
	const text = "a\"b\\c/\b\f\n\r\t\x00\x1f\x7f<é𝄞>"
	got := string(AppendQuoted(nil, text))
	assert.Equal(t, `"a\"b\\c/\b\f\n\r\t\u0000\u001f`+"\x7f"+`<é𝄞>"`, got)
	assert.Equal(t, text, Unquote(got[1:len(got)-1]))
}

// TestStringsOfAllLengths puts a byte that ends a plain run at every offset in and behind a word.
func TestStringsOfAllLengths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("aaaaaaaa\"\\\n\x00é𝄞"))).Draw(t, "text")
		quoted := AppendQuoted(nil, text)
		s := NewScanner(string(quoted))
		raw, escaped, err := s.String()
		require.NoError(t, err)
		assert.NoError(t, s.End())
		assert.Equal(t, strings.Contains(raw, `\`), escaped)
		assert.Equal(t, text, Unquote(raw))
		var std string
		require.NoError(t, json.Unmarshal(quoted, &std))
		assert.Equal(t, text, std)
	})
}

// TestBytesInStrings puts each byte at each offset of a word. The scanner must stop exactly at
// bytes that end a string or are not allowed in one.
func TestBytesInStrings(t *testing.T) {
	for c := range 256 {
		for place := range 17 {
			text := `"` + strings.Repeat("a", place) + string([]byte{byte(c)}) + strings.Repeat("z",
				30-place) + `"`
			valid := json.Valid([]byte(text)) && utf8.ValidString(text)
			require.Equal(t, valid, accepts(text), "%q", text)
			text = `"é` + text[1:]
			require.Equal(t, valid, accepts(text), "%q", text)
		}
	}
}

func TestCanonicalLen(t *testing.T) {
	for _, c := range []struct {
		raw       string
		n         int
		canonical bool
	}{
		{"", 0, true},
		{"aé", 3, true},
		{`\"\\\b\f\n\r\t`, 7, true},
		{`a\u0000b\u001f`, 4, true},
		{`a\u000b`, 2, true},
		{`a\u001F`, 0, false},
		{`a\u000a`, 0, false},
		{`\u0020`, 0, false},
		{`\u007f`, 0, false},
		{`\n\ud834\udd1e`, 0, false},
		{`\/`, 0, false},
	} {
		t.Run(c.raw, func(t *testing.T) {
			n, ok := CanonicalLen(c.raw)
			assert.Equal(t, c.canonical, ok)
			assert.Equal(t, c.n, n)
			text := Unquote(c.raw)
			assert.Equal(t, c.canonical, string(AppendEscaped(nil, text)) == c.raw)
			if ok {
				assert.Len(t, text, n)
			}
		})
	}
}

func TestCheckUnicode(t *testing.T) {
	for _, c := range []struct {
		name, text string
		err        error
	}{
		{"nothing", "", nil},
		{"plain", `{"a":["b"]}`, nil},
		{"several values", "{\"a\":\"\\ud834\\udd1e\"}\n{\"é\":1}", nil},
		{"every escape", `"\"\\\/\b\f\n\r\t\u0000\ufffd"`, nil},
		{"an escaped backslash", `"\\ud800"`, nil},
		{"half a pair", `{"a":"\ud800"}`, errUnicode},
		{"the other half", `{"a":"x\udc00"}`, errUnicode},
		{"two first halves", `"\ud800\ud800\udc00"`, errUnicode},
		{"in a name", `{"\uDBFF":1}`, errUnicode},
		{"after a backslash", `"\\\ud800"`, errUnicode},
		{"bytes", "\"\xe9\"", errUnicode},
		{"half a pair in bytes", "\"\xed\xa0\x80\"", errUnicode},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.err, CheckUnicode(c.text))
		})
	}
}

// FuzzSkip compares Skip with encoding/json. They may differ only in that encoding/json accepts
// invalid UTF-8 and lone surrogates.
func FuzzSkip(f *testing.F) {
	for _, text := range []string{`{"a":[1,-2.5e+3,true,false,null,"x\u00e9\ud834\udd1e"]}`,
		"[[[]]]", `"\ud834x"`, "01", "\"\xff\"", ` { } `} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if json.Valid([]byte(text)) && strings.Count(text, "[")+strings.Count(text, "{") < 1000 {
			require.Equal(t, accepts(text), CheckUnicode(text) == nil)
		}
		if !accepts(text) {
			if json.Valid([]byte(text)) && utf8.ValidString(text) &&
				strings.Count(text, "[")+strings.Count(text, "{") < 1000 {
				require.Regexp(t, `\\u[dD][89a-fA-F]`, text)
			}
			return
		}
		require.True(t, json.Valid([]byte(text)))
		require.True(t, utf8.ValidString(text))
	})
}

func BenchmarkString(b *testing.B) {
	for name, text := range map[string]string{
		"short": `"someone"`,
		"600":   `"` + strings.Repeat("lorem ipsum ", 50) + `"`,
		"UTF-8": `"` + strings.Repeat("løren ipsüm ", 50) + `"`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := NewScanner(text)
				if _, _, err := s.String(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
