// Package jsontree reads documents of JSON that people write, such as faults and policies, into
// nodes that know their places. Items and seeds, which may be large, have package jsontext, whose
// Scanner goes through the members of one object at a time and keeps none.
//
// It takes tokens and their places from encoding/json. github.com/tailscale/hujson, whose nodes
// have places as well, was rejected: it reads comments and trailing commas, which are errors here.
package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Node is a value in a document.
type Node struct {
	Value any // an Object, a []Node, a string, a json.Number, a bool, or nil for null
	Begin int // the offset of its first byte
	End   int // the offset behind it, or behind the delimiter that opens an object or a list
}

// Object has the members of an object in their order. A name may be there twice.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Name  string
	End   int // the offset behind the name
	Value Node
}

// ErrTwice is the end of the errors about members that are in their object twice.
var ErrTwice = errors.New("is there twice")

// Names has the names of an object's members, as far as they were read.
type Names map[string]bool

// Twice adds a name, and reports whether it was there.
func (n Names) Twice(name string) bool {
	twice := n[name]
	n[name] = true
	return twice
}

// Twice returns the first member whose name an earlier one has, or nil.
func (o Object) Twice() *Member {
	seen := make(Names, len(o))
	for i := range o {
		if seen.Twice(o[i].Name) {
			return &o[i]
		}
	}
	return nil
}

// Twice is Object.Twice for a value and all that is in it.
func (n Node) Twice() *Member {
	switch v := n.Value.(type) {
	case Object:
		if m := v.Twice(); m != nil {
			return m
		}
		for i := range v {
			if m := v[i].Value.Twice(); m != nil {
				return m
			}
		}
	case []Node:
		for i := range v {
			if m := v[i].Twice(); m != nil {
				return m
			}
		}
	}
	return nil
}

// Why a document cannot be read, besides errors of syntax, which are those of encoding/json.
var (
	ErrDeep = errors.New("the JSON is nested too deep")
	ErrEnds = errors.New("the JSON ends too early")
	ErrMore = errors.New("there is more after the JSON value")
)

// Error is why a document cannot be read. It wraps one of the errors above, or another one.
type Error struct {
	Offset int    // up to which the document was read
	Path   string // the path of the value that was being read: "a.b[2]", or "" for the document
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Read reads a document, which is one value. depth bounds how many objects and lists may be in each
// other. An error is an *Error.
func Read(text []byte, depth int) (Node, error) {
	r := &reader{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber()
	n, err := r.value(depth)
	if err == nil {
		if _, end := r.decoder.Token(); end != io.EOF {
			err = r.fail(ErrMore)
		}
	}
	return n, err
}

type reader struct {
	text    []byte
	decoder *json.Decoder
	path    []string // the path of the value that is being read: names, and places in lists
}

func (r *reader) fail(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = ErrEnds
	}
	path := strings.TrimPrefix(strings.Join(r.path, ""), ".")
	return &Error{int(r.decoder.InputOffset()), path, err}
}

// begin returns the offset of the next token.
func (r *reader) begin() int {
	rest := r.text[r.decoder.InputOffset():]
	return len(r.text) - len(bytes.TrimLeft(rest, ":, \t\r\n"))
}

// value reads a value, which may have objects and lists in each other up to a depth.
func (r *reader) value(depth int) (n Node, err error) {
	n.Begin = r.begin()
	token, err := r.decoder.Token()
	if err != nil {
		return n, r.fail(err)
	}
	n.Value, n.End = token, int(r.decoder.InputOffset())
	open, nested := token.(json.Delim)
	switch {
	case !nested:
		return n, nil
	case depth == 0:
		return n, r.fail(ErrDeep)
	case open == '{':
		n.Value, err = r.object(depth - 1)
	default:
		n.Value, err = r.list(depth - 1)
	}
	if err == nil {
		if _, err = r.decoder.Token(); err != nil { // the closing delimiter
			err = r.fail(err)
		}
	}
	return n, err
}

// within reads the value that is in another one, by a name or a place in a list.
func (r *reader) within(name string, depth int) (Node, error) {
	r.path = append(r.path, name)
	n, err := r.value(depth)
	r.path = r.path[:len(r.path)-1]
	return n, err
}

func (r *reader) list(depth int) ([]Node, error) {
	list := []Node{}
	for r.decoder.More() {
		n, err := r.within("["+strconv.Itoa(len(list))+"]", depth)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func (r *reader) object(depth int) (Object, error) {
	object := Object{}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		if err != nil {
			return nil, r.fail(err)
		}
		m := Member{Name: token.(string), End: int(r.decoder.InputOffset())}
		if m.Value, err = r.within("."+m.Name, depth); err != nil {
			return nil, err
		}
		object = append(object, m)
	}
	return object, nil
}
