package seed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// source is a file of seeds.
type source struct {
	name string
	text []byte // nil for Go values, which have no lines
}

// place is a position for errors: a line of a file, and the number in a list on it.
type place struct {
	in    *source
	at    int // offset
	index int // from 1; 0 outside a list
}

func (p place) String() string {
	text := p.in.name
	if p.in.text != nil {
		text += fmt.Sprintf(":%d", 1+bytes.Count(p.in.text[:p.at], []byte("\n")))
	}
	if p.index > 0 {
		text += fmt.Sprintf(": item %d", p.index)
	}
	return text
}

// fail adds the place to an error.
func (p place) fail(err error) error { return fmt.Errorf("%v: %w", p, err) }

func (p place) errorf(format string, args ...any) error {
	return p.fail(fmt.Errorf(format, args...))
}

// node is a JSON value in a source.
type node struct {
	place
	raw []byte
}

// member is a member of an object.
type member struct {
	name  string
	value node
}

var (
	errNoObject = errors.New("want an object")
	errNoList   = errors.New("want a list")
)

// values returns the JSON values of a source.
func (s *source) values() ([]node, error) {
	text := s.text
	start := 0
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) { // the byte order mark of PowerShell's >
		start, text = 3, text[3:]
	}
	d := json.NewDecoder(bytes.NewReader(text))
	var list []node
	for {
		n, err := s.next(d, start)
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if err := jsontext.CheckUnicode(string(n.raw)); err != nil {
			return nil, n.fail(err)
		}
		list = append(list, n)
	}
}

// next reads the decoder's next value. The decoder began at offset start of the source.
func (s *source) next(d *json.Decoder, start int) (node, error) {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		if err == io.EOF {
			return node{}, err
		}
		at := start + int(d.InputOffset())
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = start + int(syntax.Offset)
		}
		return node{}, place{in: s, at: min(at, len(s.text))}.errorf("no JSON: %w", err)
	}
	return node{place{in: s, at: start + int(d.InputOffset()) - len(raw)}, raw}, nil
}

// inside returns a decoder for the content of a list or object, after its opening delimiter.
func (n node) inside(begin byte, otherwise error) (*json.Decoder, error) {
	if n.raw[0] != begin {
		return nil, n.fail(otherwise)
	}
	d := json.NewDecoder(bytes.NewReader(n.raw))
	_, err := d.Token()
	return d, err
}

// members returns the members of an object. A name may occur only once.
func (n node) members() ([]member, error) {
	d, err := n.inside('{', errNoObject)
	if err != nil {
		return nil, err
	}
	var list []member
	known := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, n.fail(err)
		}
		v, err := n.in.next(d, n.at)
		if err != nil {
			return nil, err
		}
		m := member{name.(string), v}
		if known[m.name] {
			return nil, v.errorf("the member %q is there twice", m.name)
		}
		known[m.name] = true
		list = append(list, m)
	}
	return list, nil
}

// elems returns the elements of a list.
func (n node) elems() ([]node, error) {
	d, err := n.inside('[', errNoList)
	if err != nil {
		return nil, err
	}
	var list []node
	for d.More() {
		v, err := n.in.next(d, n.at)
		if err != nil {
			return nil, err
		}
		v.index = len(list) + 1
		list = append(list, v)
	}
	return list, nil
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
