package designfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/internal/fields"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// Change is a change of a design file: the field at Path gets Value, which is JSON, or goes if that
// is null. Paths are those of errors, such as models[0].attributes[2].format, and those of the file
// before all changes. A field that is not there is added, and so is the element after the last one
// of a list.
type Change struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// maxChanges is how many changes Edit makes at once.
const maxChanges = 10_000

// Values returns what a file says as JSON, even if it is no design yet.
func Values(text []byte) ([]byte, error) {
	_, root, err := fields.Open(text)
	if err != nil {
		return nil, err
	}
	v, err := valueOf(root.Node)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// Edit changes fields of a design file and leaves the rest of its text as it is: comments, order,
// quotes, and what Parse does not know. Lines right above an element that goes, with its comments,
// go with it. The file need not be a design, before or after. Edit fails, and says where, if it
// cannot make a change without another one.
func Edit(text []byte, changes []Change) ([]byte, error) {
	if len(changes) > maxChanges {
		return nil, &Error{Message: fmt.Sprintf("there are more than %d changes", maxChanges)}
	}
	_, root, err := fields.Open(text)
	if err != nil {
		return nil, err
	}
	want, err := valueOf(root.Node)
	if err != nil {
		return nil, err
	}
	e := &editor{text: text, lines: []int{0}, newLine: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		e.newLine = "\r\n"
	}
	for i, c := range text {
		if c == '\n' {
			e.lines = append(e.lines, i+1)
		}
	}
	for _, c := range changes {
		steps, value, err := c.parts()
		if err != nil {
			return nil, err
		}
		e.path = c.Path
		e.change(root.Node, steps, value)
		if e.err != nil {
			return nil, e.err
		}
		want = put(want, steps, value)
	}
	out := e.apply()
	if e.err != nil {
		return nil, e.err
	}
	// A text can be written in more ways than the editor knows: it is read again.
	if got, err := valuesOf(out); err != nil || !reflect.DeepEqual(got, sweep(want)) {
		return nil, &Error{Field: e.path, Message: inText}
	}
	return out, nil
}

const inText = "it is written in a way that can only be changed in the text"

func valuesOf(text []byte) (any, error) {
	_, root, err := fields.Open(text)
	if err != nil {
		return nil, err
	}
	return valueOf(root.Node)
}

// maxMembers is how many members an object of an edited file has: the reader of YAML compares
// each with all others.
const maxMembers = 1000

func valueOf(n *yaml.Node) (v any, err error) {
	if n := wide(n); n != nil {
		return nil, &Error{Message: fmt.Sprintf(
			"line %d: the object has more than %d members", n.Line, maxMembers)}
	}
	if err := n.Decode(&v); err != nil {
		return nil, &Error{Message: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	return v, nil
}

// wide returns an object with too many members, or nil.
func wide(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode && len(n.Content) > 2*maxMembers {
		return n
	}
	for _, in := range n.Content {
		if found := wide(in); found != nil {
			return found
		}
	}
	return nil
}

// parts returns the names and the numbers of a path, and the value; nil for null.
func (c Change) parts() (steps []any, value *yaml.Node, err error) {
	for _, part := range strings.Split(c.Path, ".") {
		name, numbers, _ := strings.Cut(part, "[")
		steps = append(steps, name)
		for numbers != "" {
			digits, rest, ok := strings.Cut(numbers, "]")
			n, err := strconv.Atoi(digits)
			if !ok || err != nil || n < 0 || rest != "" && rest[0] != '[' {
				return nil, nil, &Error{Field: c.Path, Message: "this is no path of a field"}
			}
			steps, numbers = append(steps, n), strings.TrimPrefix(rest, "[")
		}
	}
	if !json.Valid(c.Value) {
		return nil, nil, &Error{Field: c.Path, Message: "the value is not JSON"}
	}
	if err := budget.CheckMarks(c.Value); err != nil {
		return nil, nil, &Error{Field: c.Path, Message: err.Error()}
	}
	var escaped bytes.Buffer
	for _, r := range string(c.Value) {
		switch {
		case r < 0x7f:
			escaped.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&escaped, `\u%04x`, r)
		default:
			fmt.Fprintf(&escaped, `\U%08x`, r)
		}
	}
	var doc yaml.Node // JSON in ASCII is YAML
	if err := yaml.Unmarshal(escaped.Bytes(), &doc); err != nil {
		return nil, nil, &Error{Field: c.Path, Message: err.Error()}
	}
	if value = doc.Content[0]; value.Tag == "!!null" {
		return steps, nil, nil
	}
	return steps, value, nil
}

// gone stands where an element was.
type gone struct{}

// put returns a value with a change.
func put(in any, steps []any, value *yaml.Node) any {
	if len(steps) == 0 {
		if value == nil {
			return gone{}
		}
		var v any
		_ = value.Decode(&v) // it is of JSON
		return v
	}
	switch in := in.(type) {
	case map[string]any:
		name, _ := steps[0].(string)
		in[name] = put(in[name], steps[1:], value)
	case []any:
		switch i, _ := steps[0].(int); {
		case i < len(in):
			in[i] = put(in[i], steps[1:], value)
		default:
			return append(in, put(nil, steps[1:], value))
		}
	}
	return in
}

// sweep returns a value without the members and elements that are marked as gone.
func sweep(in any) any {
	isGone := func(v any) bool { _, is := v.(gone); return is }
	switch in := in.(type) {
	case map[string]any:
		maps.DeleteFunc(in, func(_ string, v any) bool { return isGone(v) })
		for name, v := range in {
			in[name] = sweep(v)
		}
	case []any:
		in = slices.DeleteFunc(in, isGone)
		for i, v := range in {
			in[i] = sweep(v)
		}
		return in
	}
	return in
}

// editor collects replacements of parts of a text.
type editor struct {
	text    []byte
	lines   []int  // the beginning of each line
	newLine string // ends lines
	path    string
	list    []replacement
	err     error // the first
}

type replacement struct {
	from, to int
	with     string
}

func (e *editor) fail(message string) {
	if e.err == nil {
		e.err = &Error{Field: e.path, Message: message}
	}
}

func (e *editor) replace(from, to int, with string) {
	e.list = append(e.list, replacement{from, to, with})
}

// apply returns the text with all replacements.
func (e *editor) apply() []byte {
	slices.SortStableFunc(e.list, func(a, b replacement) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})
	var b bytes.Buffer
	at := 0
	for _, r := range e.list {
		if r.from < at {
			e.fail("two changes meet here: make one after the other")
			return nil
		}
		b.Write(e.text[at:r.from])
		b.WriteString(r.with)
		at = r.to
	}
	b.Write(e.text[at:])
	return b.Bytes()
}
