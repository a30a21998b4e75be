package policyfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// decoder reads nodes into a policy. It continues after an error, to find all errors.
type decoder struct {
	at     map[string]*yaml.Node // by path: the node of each field
	fields int                   // number of fields read
	errs   []*Error
}

// MaxFields is the largest number of fields and elements in a file. Each use of an alias counts
// again.
const MaxFields = 100_000

// field is a node with the path to it.
type field struct {
	*yaml.Node
	path string
}

// field returns the node at a path. For an alias it returns the node that the alias stands for. ok
// is false if there are too many fields.
func (d *decoder) field(n *yaml.Node, path string) (f field, ok bool) {
	if d.fields++; d.fields > MaxFields {
		if d.fields == MaxFields+1 {
			d.fail(field{n, path}, "the file has more than %d fields, those that aliases repeat counted each time", MaxFields)
		}
		return f, false
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return field{n, path}, true
}

func (d *decoder) fail(f field, format string, args ...any) {
	d.errs = append(d.errs, &Error{Line: f.Line, Column: f.Column, Field: f.path, Message: fmt.Sprintf(format, args...)})
}

// err joins the errors in the order of their lines. It returns nil if there are none.
func (d *decoder) err() error {
	if d.errs == nil {
		return nil
	}
	slices.SortStableFunc(d.errs, func(a, b *Error) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	joined := make([]error, len(d.errs))
	for i, e := range d.errs {
		joined[i] = e
	}
	return errors.Join(joined...)
}

// place adds the errors of policy.Compile, each with the line of its field or, if the field is
// absent, of the enclosing object.
func (d *decoder) place(err error) {
	if err == nil {
		return
	}
	var list interface{ Unwrap() []error }
	if errors.As(err, &list) {
		for _, e := range list.Unwrap() {
			d.place(e)
		}
		return
	}
	var in *policy.FieldError
	if !errors.As(err, &in) {
		d.errs = append(d.errs, &Error{Message: err.Error()})
		return
	}
	n := d.nearest(in.Field)
	d.errs = append(d.errs, &Error{Line: n.Line, Column: n.Column, Field: in.Field, Message: in.Message})
}

// nearest returns the node of a field or, if the field is absent, of the enclosing object.
func (d *decoder) nearest(path string) *yaml.Node {
	for d.at[path] == nil && path != "" {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return d.at[path]
}

// member reads a field of an object.
type member func(field)

// object reads an object whose fields are known.
func (d *decoder) object(f field, members map[string]member) {
	d.each(f, func(name string, value field) {
		read := members[name]
		if read == nil {
			d.fail(value, "there is no such field: there are %s", strings.Join(slices.Sorted(maps.Keys(members)), ", "))
			return
		}
		read(value)
	})
}

// each reads an object, field by field.
func (d *decoder) each(f field, read func(name string, value field)) {
	d.at[f.path] = f.Node
	if f.Kind != yaml.MappingNode {
		d.fail(f, "this is %s and should be an object", kindOf(f.Node))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(f.Content); i += 2 {
		key, path := f.Content[i], f.Content[i].Value
		if f.path != "" {
			path = f.path + "." + key.Value
		}
		value, ok := d.field(f.Content[i+1], path)
		if !ok {
			return
		}
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			d.fail(field{key, value.path}, "the name of a field is not text: put it in quotes")
			continue
		case seen[key.Value]:
			d.fail(field{key, value.path}, "the field is there twice")
			continue
		}
		seen[key.Value] = true
		d.at[value.path] = value.Node
		read(key.Value, value)
	}
}

// list reads a list, element by element. An empty list is not nil.
func list[T any](d *decoder, into *[]T, read func(field, *T)) member {
	return func(f field) {
		if f.Kind != yaml.SequenceNode {
			d.fail(f, "this is %s and should be a list", kindOf(f.Node))
			return
		}
		*into = []T{}
		for i, n := range f.Content {
			element, ok := d.field(n, f.path+"["+strconv.Itoa(i)+"]")
			if !ok {
				return
			}
			d.at[element.path] = element.Node
			var v T
			read(element, &v)
			*into = append(*into, v)
		}
	}
}

func (d *decoder) isText(f field) bool {
	if f.Kind == yaml.ScalarNode && f.Tag == "!!str" {
		return true
	}
	d.fail(f, "this is %s and should be text: put it in quotes if it is", kindOf(f.Node))
	return false
}

func (d *decoder) readText(f field, into *string) {
	if d.isText(f) {
		*into = f.Value
	}
}

func (d *decoder) text(into *string) member { return func(f field) { d.readText(f, into) } }

func (d *decoder) texts(into *[]string) member { return list(d, into, d.readText) }

func (d *decoder) number(into *int) member {
	return func(f field) {
		n, err := strconv.Atoi(f.Value)
		if f.Kind != yaml.ScalarNode || f.Tag != "!!int" || err != nil {
			d.fail(f, "this is %s and should be a whole number", kindOf(f.Node))
			return
		}
		*into = n
	}
}

func (d *decoder) flag(into *bool) member {
	return func(f field) {
		if f.Kind != yaml.ScalarNode || f.Tag != "!!bool" || f.Decode(into) != nil {
			d.fail(f, "this is %s and should be true or false", kindOf(f.Node))
		}
	}
}

// choice reads one of the values 0 to last of an enumeration, by name.
func choice[T interface {
	~uint8
	fmt.Stringer
}](d *decoder, into *T, first, last T) member {
	return func(f field) {
		if !d.isText(f) {
			return
		}
		var names []string
		for v := first; v <= last; v++ {
			if v.String() == f.Value {
				*into = v
				return
			}
			names = append(names, v.String())
		}
		d.fail(f, "%.100q is none of %s", f.Value, strings.Join(names, ", "))
	}
}

func (d *decoder) pattern(into *[]policy.Segment) member {
	return func(f field) {
		if !d.isText(f) {
			return
		}
		segments, err := policy.ParsePattern(f.Value)
		if err != nil {
			d.fail(f, "%v", err)
		}
		*into = segments
	}
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!str":
		return "text"
	case "!!null":
		return "empty"
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	}
	return "of the type " + n.Tag
}
