package transfer

import "github.com/kugiri-db/kugiri/storage/item/jsontext"

// isGroup reports whether a JSON text begins as an object ('{') or a list ('[').
func isGroup(text string, open jsontext.Kind) bool {
	s := jsontext.NewScanner(text)
	return s.Peek() == open
}

// eachMember calls f with the names of an object, and the texts of their values, as far as the text
// is JSON. It does nothing with another text.
func eachMember(text string, f func(name, value string)) {
	s := jsontext.NewScanner(text)
	for begin := jsontext.Kind('{'); s.Next(begin); begin = ',' {
		name, err := scanText(&s)
		if err != nil || !s.Next(':') {
			return
		}
		value, ok := skipped(&s)
		if !ok {
			return
		}
		f(name, value)
	}
}

// eachElement calls f with the text of each element of a list, as far as f returns true and the
// text is JSON. It does nothing with another text.
func eachElement(text string, f func(value string) bool) {
	s := jsontext.NewScanner(text)
	for begin := jsontext.Kind('['); s.Next(begin) && s.Peek() != ']'; begin = ',' {
		value, ok := skipped(&s)
		if !ok || !f(value) {
			return
		}
	}
}

// skipped consumes a value and returns its text.
func skipped(s *jsontext.Scanner) (text string, ok bool) {
	s.Space()
	begin := s.Pos()
	if s.Skip(maxTree) != nil {
		return "", false
	}
	return s.Text(begin), true
}

// document is an object. Only a few of its members matter.
type document struct {
	members int               // how many it has
	of      map[string]string // the texts of those in known
}

// known are the members of requests, of models and of what is no item.
var known = map[string]bool{"RequestItems": true, "Item": true, "TableName": true,
	"PutRequest": true, "DeleteRequest": true, "DataModel": true, "TableData": true,
	"Resources": true, "TableDescription": true, "KeySchema": true}

// documentOf reads an object. Of another text it returns one without members.
func documentOf(text string) (d document) {
	eachMember(text, func(name, value string) {
		d.members++
		if !known[name] || value == "null" {
			return
		}
		if d.of == nil {
			d.of = map[string]string{}
		}
		d.of[name] = value
	})
	return d
}
