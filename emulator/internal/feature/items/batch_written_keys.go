package items

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// repeatsKey reports whether the body of a BatchGetItem has a key of a table twice, as it is
// written: keys whose numbers are written differently are no duplicates (service facts H.1). The
// body has been read, so that its form is good.
func repeatsKey(body, table string) bool {
	seen := map[string]bool{}
	s := jsontext.NewScanner(body)
	for name := range s.Members(maxWritten) {
		if name != "RequestItems" {
			continue
		}
		for of := range s.Members(maxWritten) {
			if of == table && repeatsIn(&s, seen) {
				return true
			}
		}
	}
	return false
}

// repeatsIn is repeatsKey for what is asked of the table, with the keys that were seen before.
func repeatsIn(s *jsontext.Scanner, seen map[string]bool) bool {
	for name := range s.Members(maxWritten) {
		if name != "Keys" {
			continue
		}
		for range s.Elements(maxWritten) {
			key := writtenKey(s)
			if seen[key] {
				return true
			}
			seen[key] = true
		}
	}
	return false
}

// maxWritten is how deep a skipped value may be: the body was read with less.
const maxWritten = 1000

// writtenKey reads a key and returns it with its members sorted and without blanks.
func writtenKey(s *jsontext.Scanner) string {
	var members []string
	for name := range s.Members(maxWritten) {
		text := string(jsontext.AppendQuoted(nil, name)) + ":"
		for kind := range s.Members(maxWritten) {
			value, _ := s.Value(maxWritten)
			text += kind + trimmed(value)
		}
		members = append(members, text)
	}
	slices.Sort(members)
	return string(jsontext.AppendQuoted(nil, strings.Join(members, ",")))
}

// trimmed returns the text that a JSON string stands for.
func trimmed(raw string) string {
	s := jsontext.NewScanner(raw)
	if s.Peek() != '"' {
		return raw
	}
	text, _, _ := s.String()
	return `"` + jsontext.Unquote(text) + `"`
}
