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
	repeats := false
	s := jsontext.NewScanner(body)
	eachMember(&s, func(name string) {
		if name != "RequestItems" {
			s.Skip(maxWritten)
			return
		}
		eachMember(&s, func(of string) {
			eachMember(&s, func(name string) {
				if of != table || name != "Keys" {
					s.Skip(maxWritten)
					return
				}
				eachElement(&s, func() {
					key := writtenKey(&s)
					repeats = repeats || seen[key]
					seen[key] = true
				})
			})
		})
	})
	return repeats
}

// maxWritten is how deep a skipped value may be: the body was read with less.
const maxWritten = 1000

// writtenKey reads a key and returns it with its members sorted and without blanks.
func writtenKey(s *jsontext.Scanner) string {
	var members []string
	eachMember(s, func(name string) {
		text := string(jsontext.AppendQuoted(nil, name)) + ":"
		eachMember(s, func(kind string) {
			from := s.Pos()
			s.Skip(maxWritten)
			text += kind + trimmed(s.Text(from))
		})
		members = append(members, text)
	})
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

// eachMember calls f at the value of each member of an object, which f reads.
func eachMember(s *jsontext.Scanner, f func(name string)) {
	if !s.Next('{') {
		s.Skip(maxWritten)
		return
	}
	for more := !s.Next('}'); more; more = s.Next(',') {
		name, _, err := s.String()
		if err != nil || !s.Next(':') {
			return
		}
		f(jsontext.Unquote(name))
	}
	s.Next('}')
}

// eachElement calls f at each element of a list, which f reads.
func eachElement(s *jsontext.Scanner, f func()) {
	if !s.Next('[') {
		s.Skip(maxWritten)
		return
	}
	for more := !s.Next(']'); more; more = s.Next(',') {
		f()
	}
	s.Next(']')
}
