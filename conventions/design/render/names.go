package render

import (
	"encoding/json"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a name at everything but letters and digits.
func words(name string) []string {
	return strings.FieldsFunc(name,
		func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// initialisms are words that Go writes in capitals.
var initialisms = []string{"id", "url", "uri", "api", "ip", "ttl", "html", "json", "http", "uuid",
	"ulid"}

// title writes a word as it begins in the middle of a Go name.
func title(word string) string {
	if slices.Contains(initialisms, strings.ToLower(word)) {
		return strings.ToUpper(word)
	}
	if strings.HasSuffix(word, "Id") {
		word = word[:len(word)-len("Id")] + "ID"
	}
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// exported makes an exported Go name.
func exported(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		b.WriteString(title(word))
	}
	if first, _ := utf8.DecodeRuneInString(b.String()); !unicode.IsUpper(first) {
		return "X" + b.String() // a digit, or a letter that has no capital
	}
	return b.String()
}

// unexported makes the Go name of a parameter.
func unexported(name string) string {
	all := words(name)
	if len(all) == 0 {
		return "x"
	}
	first := strings.ToLower(all[0])
	// customerId
	if first != all[0] && all[0] != strings.ToUpper(all[0]) || strings.HasSuffix(all[0], "Id") {
		c, size := utf8.DecodeRuneInString(all[0])
		first = string(unicode.ToLower(c)) + strings.TrimPrefix(title(all[0]), title(all[0])[:size])
	}
	text := first
	for _, word := range all[1:] {
		text += title(word)
	}
	if c, _ := utf8.DecodeRuneInString(text); !unicode.IsLower(c) {
		return "x" + text
	}
	return text
}

// scope holds the names that are taken.
type scope map[string]bool

func newScope(taken ...string) scope {
	s := scope{}
	for _, name := range taken {
		s[name] = true
	}
	return s
}

// add returns a name, or the first of name2, name3, ... that is free. also are further names that
// come with it, such as those of functions of a type.
func (s scope) add(name string, also ...func(string) string) string {
	also = append(also, func(name string) string { return name })
	free := func(name string) bool {
		return !token.IsKeyword(name) &&
			!slices.ContainsFunc(also, func(of func(string) string) bool { return s[of(name)] })
	}
	chosen := name
	for n := 2; !free(chosen); n++ {
		chosen = name + strconv.Itoa(n)
	}
	for _, of := range also {
		s[of(chosen)] = true
	}
	return chosen
}

// packageName makes the name of a package: lower-case letters and digits, and none that a file of
// the package could not have.
func packageName(table string) string {
	name := strings.Map(func(c rune) rune {
		if c = unicode.ToLower(c); 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			return c
		}
		return -1
	}, table)
	reserved := []string{"", "main", "aws", "dynamodb", "types", "errors", "fmt", "strconv",
		"strings", "internal", "vendor", "testdata", "seed", "test"}
	if slices.Contains(reserved, name) || token.IsKeyword(name) || name[0] <= '9' {
		return "table" + name
	}
	return name
}

// scriptQuote writes a string of TypeScript.
func scriptQuote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can be written
	}
	return string(quoted)
}
