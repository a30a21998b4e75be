package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/jsontree"
)

// FileError is an error in the document of a Directory, with its place.
type FileError struct {
	Line int    // the line, from 1
	Path string // the member, as in `accessKeys.ALICE.policies[0]`; "" for the document
	Err  error
}

func (e *FileError) Error() string {
	if e.Path == "" {
		return budget.Excerpt(fmt.Sprintf("line %d: %v", e.Line, e.Err))
	}
	return budget.Excerpt(fmt.Sprintf("line %d: %s: %v", e.Line, e.Path, e.Err))
}

func (e *FileError) Unwrap() error { return e.Err }

// shape says which members the objects of a document have.
type shape struct {
	members map[string]*shape // the known ones; nil: any
	each    *shape            // the shape of values of any members, and of the elements of a list
}

var (
	anything       = &shape{}
	statementShape = &shape{members: membersOfShape(statementOrder)}
	policyShape    = &shape{
		members: map[string]*shape{"Version": anything, "Id": anything,
			"Statement": statementShape},
	}
	principalShape = &shape{members: map[string]*shape{"account": anything, "user": anything,
		"role": anything, "session": anything,
		"id": anything, "tags": anything, "policies": policyShape, "boundary": policyShape,
		"sessionPolicies": policyShape}}
	directoryShape = &shape{
		members: map[string]*shape{"accessKeys": {each: principalShape},
			"policies": {each: policyShape}},
	}
)

func membersOfShape(names []string) map[string]*shape {
	all := map[string]*shape{}
	for _, name := range names {
		all[name] = anything
	}
	return all
}

// outline knows where the members of a document are.
type outline struct {
	text   []byte
	places map[string]int // paths to offsets behind the members' names
	room   int            // bytes that paths may yet have
}

// The limits of an outline: levels, and bytes of all paths besides four times those of the text.
const (
	maxLevels = 100
	maxPaths  = 1 << 20
)

// put notes the place of a member. The names around it are in its path, so that a few of them can
// make all paths long.
func (o *outline) put(path string, offset int) error {
	if o.room -= len(path); o.room < 0 {
		return o.errorAt(offset, "", errors.New("the names around the members are too long"))
	}
	o.places[path] = offset
	return nil
}

// newOutline reads a document. It fails if the document is no JSON, or has a member twice or one
// that is unknown.
func newOutline(text []byte, s *shape) (*outline, error) {
	o := &outline{text: text, places: map[string]int{}, room: maxPaths + 4*len(text)}
	n, err := jsontree.Read(text, maxLevels)
	if err != nil {
		return nil, o.unread(err)
	}
	return o, o.value("", n, s)
}

// unread returns the error of a document that cannot be read.
func (o *outline) unread(err error) error {
	var e *jsontree.Error
	if !errors.As(err, &e) {
		return err
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return o.errorAt(int(syntax.Offset), e.Path, syntax)
	}
	switch e.Err {
	case jsontree.ErrEnds:
		return o.errorAt(len(o.text), e.Path, errors.New("the document ends in the middle"))
	case jsontree.ErrMore:
		return o.errorAt(e.Offset, "", errors.New("there is more after the JSON document"))
	case jsontree.ErrDeep:
		return o.errorAt(e.Offset, "", fmt.Errorf("there are more than %d levels", maxLevels))
	}
	return o.errorAt(e.Offset, e.Path, e.Err)
}

// value looks at a value. A list has the shape of its elements.
func (o *outline) value(path string, n jsontree.Node, s *shape) error {
	switch v := n.Value.(type) {
	case jsontree.Object:
		return o.object(path, v, s)
	case []jsontree.Node:
		for i, element := range v {
			within := fmt.Sprintf("%s[%d]", path, i)
			if err := o.put(within, element.Begin); err != nil {
				return err
			}
			if err := o.value(within, element, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *outline) object(path string, object jsontree.Object, s *shape) error {
	twice := object.Twice()
	for i := range object {
		m := &object[i]
		within := strings.TrimPrefix(path+"."+m.Name, ".")
		if m == twice {
			return o.errorAt(m.End, within, fmt.Errorf("it %w", jsontree.ErrTwice))
		}
		of := s.each
		if s.members != nil {
			if of = s.members[m.Name]; of == nil {
				return o.errorAt(m.End, within,
					unknownMember(m.Name, slices.Sorted(maps.Keys(s.members))))
			}
		}
		if of == nil {
			of = anything
		}
		if err := o.put(within, m.End); err != nil {
			return err
		}
		if err := o.value(within, m.Value, of); err != nil {
			return err
		}
	}
	return nil
}

// at returns an error about the member at a path, or about the nearest one around it that the
// document has.
func (o *outline) at(path string, err error) error {
	for near := path; near != ""; near = near[:max(0, strings.LastIndexAny(near, ".["))] {
		if offset, ok := o.places[near]; ok {
			return o.errorAt(offset, path, err)
		}
	}
	return o.errorAt(0, path, err)
}

// inPrincipal returns an error about a principal.
func (o *outline) inPrincipal(path string, err error) error {
	var m *memberError
	if errors.As(err, &m) {
		return o.inPolicy(path+"."+m.member, m.error)
	}
	return o.at(path, err)
}

// inPolicy returns an error about a policy, at its statement if it is about one.
func (o *outline) inPolicy(path string, err error) error {
	var s *statementError
	if !errors.As(err, &s) {
		return o.at(path, err)
	}
	if _, list := o.places[path+".Statement[0]"]; list {
		return o.at(fmt.Sprintf("%s.Statement[%d]", path, s.statement), err)
	}
	return o.at(path+".Statement", err)
}

// ofType returns the error of a value of a wrong type.
func (o *outline) ofType(err error) error {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return o.at("", err)
	}
	path := ""
	for p, offset := range o.places {
		if int64(offset) < t.Offset && offset > o.places[path] {
			path = p
		}
	}
	return o.at(path, fmt.Errorf("it is a %s and must be a %s", t.Value, t.Type.Kind()))
}

func (o *outline) errorAt(offset int, path string, err error) error {
	before := o.text[:min(offset, len(o.text))]
	return &FileError{Line: 1 + bytes.Count(before, []byte("\n")), Path: path, Err: err}
}

// unknownMember returns the error for a member that is not among the known ones.
func unknownMember(name string, known []string) error {
	for _, k := range known {
		if near(name, k) {
			return fmt.Errorf("unknown member: did you mean %s?", k)
		}
	}
	return fmt.Errorf("unknown member: want one of %s", strings.Join(known, ", "))
}

// near reports whether two names differ in case only, in one letter, or in two letters that changed
// places.
func near(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
