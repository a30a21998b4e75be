package seed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
	"github.com/kugiri-db/kugiri/storage/item/raw"
	"github.com/kugiri-db/kugiri/storage/jsontree"
)

// source is a file of seeds, or a table as Go values.
type source struct {
	name     string
	text     []byte
	inMemory bool // Go values: their text has no lines
}

// place is a position for errors: a line of a file, and the number in a list on it.
type place struct {
	in    *source
	at    int // offset
	index int // its number in a list, from 1; 0 outside a list
}

func (p place) String() string { return new(lineCounter).text(p) }

// lineCounter tells places of one source after the other in a time that grows with the source, if
// they are in order.
type lineCounter struct {
	last  place
	lines int // lines before last
}

// text returns what place.String returns.
func (c *lineCounter) text(p place) string {
	text := p.in.name
	if !p.in.inMemory {
		if p.in != c.last.in || p.at < c.last.at {
			c.last, c.lines = place{in: p.in}, 0
		}
		c.lines += bytes.Count(p.in.text[c.last.at:p.at], []byte("\n"))
		c.last = p
		text += fmt.Sprintf(":%d", 1+c.lines)
	}
	if p.index > 0 {
		text += fmt.Sprintf(": item %d", p.index)
	}
	return text
}

// fail adds the place to an error.
func (p place) fail(err error) error { return &placeError{p, err} }

// placeError is an error at a place. The line is counted when somebody reads the text: forms that
// are tried one after the other fail often.
type placeError struct {
	at  place
	err error
}

func (e *placeError) Error() string {
	return budget.Excerpt(e.at.String() + ": " + e.err.Error())
}

func (e *placeError) Unwrap() error { return e.err }

func (p place) errorf(format string, args ...any) error {
	return p.fail(fmt.Errorf(format, args...))
}

// node is a JSON value in a source, whose members and elements are read when they are asked for.
// The nodes of package jsontree hold a whole document, in many times its size, and a source may
// have 1 GB.
type node struct {
	place
	raw []byte // a part of the source's text
}

// member is a member of an object.
type member struct {
	name  string
	value node
}

var (
	errNoObject = errors.New("want an object")
	errNoList   = errors.New("want a list")
	errNoItem   = errors.New("want an item, an object with attributes")
)

// Limits of what a source has.
const (
	maxDepth   = 10_000  // levels, as encoding/json has
	maxMembers = 1 << 18 // members of an object: more than an item of 400 KB can have
)

// values calls add for each JSON value of a source.
func (s *source) values(add func(node) error) error {
	start := 0
	if bytes.HasPrefix(s.text, []byte("\xef\xbb\xbf")) { // the byte order mark of PowerShell's >
		start = 3
	}
	in := jsontext.NewScanner(raw.String(s.text))
	in.Advance(start)
	for in.Space(); in.Rest() != ""; in.Space() {
		at := in.Pos()
		if in.Peek() != '{' || in.Skip(maxDepth) != nil {
			return s.wrong(at)
		}
		if err := add(s.node(at, in.Pos())); err != nil {
			return err
		}
	}
	return nil
}

// node returns the value in a part of the text.
func (s *source) node(from, to int) node {
	return node{place{in: s, at: from}, s.text[from:to:to]}
}

// wrong returns what is wrong with the value that begins at an offset: no JSON, or no object.
func (s *source) wrong(at int) error {
	d := json.NewDecoder(bytes.NewReader(s.text[at:]))
	var value json.RawMessage
	if err := d.Decode(&value); err != nil {
		offset := int(d.InputOffset())
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			offset = int(syntax.Offset)
		}
		return place{in: s, at: min(at+offset, len(s.text))}.errorf("no JSON: %w", err)
	}
	n := s.node(at, at+len(value))
	if err := jsontext.CheckUnicode(string(value)); err != nil {
		return n.fail(err)
	}
	return n.fail(errNoObject)
}

// next returns the value that comes next in a scanner of n, which is known to be JSON.
func (n node) next(in *jsontext.Scanner) node {
	value, _ := in.Value(maxDepth)
	to := n.at + in.Pos()
	return n.in.node(to-len(value), to)
}

// members returns the members of an object. A name may occur only once.
func (n node) members() ([]member, error) {
	if n.raw[0] != '{' {
		return nil, n.fail(errNoObject)
	}
	var list []member
	known := jsontree.Names{}
	in := jsontext.NewScanner(raw.String(n.raw))
	for name := range in.Members(maxDepth) {
		v := n.next(&in)
		switch {
		case known.Twice(name):
			return nil, v.errorf("the member %q %w", name, jsontree.ErrTwice)
		case len(list) == maxMembers:
			return nil, v.errorf("the object has more than %d members", maxMembers)
		}
		list = append(list, member{name, v})
	}
	return list, nil
}

// elems calls f for each element of a list, until it returns an error.
func (n node) elems(f func(node) error) error {
	if n.raw[0] != '[' {
		return n.fail(errNoList)
	}
	in := jsontext.NewScanner(raw.String(n.raw))
	for i := range in.Elements(maxDepth) {
		v := n.next(&in)
		v.index = i + 1
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// isNull reports whether the value is null.
func (n node) isNull() bool { return string(n.raw) == "null" }

// decode decodes the value into a Go value. A member without a field is an error.
func (n node) decode(to any) error {
	d := json.NewDecoder(bytes.NewReader(n.raw))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return n.fail(err)
	}
	return nil
}

// find returns the member with a name. ok is false if the member is missing or null.
func find(list []member, name string) (n node, ok bool) {
	i := slices.IndexFunc(list, func(m member) bool { return m.name == name })
	if i < 0 || list[i].value.isNull() {
		return node{}, false
	}
	return list[i].value, true
}

// only returns an error if a member has a name that is not in names.
func only(form string, list []member, names ...string) error {
	for _, m := range list {
		if !slices.Contains(names, m.name) {
			return m.value.errorf("%s has no member %q", form, m.name)
		}
	}
	return nil
}

// namesOf returns the names of members for errors.
func namesOf(list []member) string {
	names := make([]string, 0, len(list))
	for _, m := range list[:min(len(list), 10)] {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}
