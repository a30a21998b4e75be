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
	for name := range s.Members(maxTree) {
		value, err := s.Value(maxTree)
		if err != nil {
			return
		}
		f(name, value)
	}
}

// eachElement calls f with the text of each element of a list, as far as f returns true and the
// text is JSON. It does nothing with another text.
func eachElement(text string, f func(value string) bool) {
	s := jsontext.NewScanner(text)
	for range s.Elements(maxTree) {
		if value, err := s.Value(maxTree); err != nil || !f(value) {
			return
		}
	}
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
