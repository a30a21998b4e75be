package fields

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/internal/spelling"
	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/jsontree"
)

// Decoder reads nodes into a value. It continues after an error, to find all errors.
type Decoder struct {
	at     map[string]*yaml.Node // the node of each field, by path
	fields int                   // number of fields read
	errs   []*conventions.FileError
}

// maxFields is the largest number of fields and elements in a file. Each use of an alias counts
// again.
const maxFields = 100_000

// Field is a node with the path to it.
type Field struct {
	*yaml.Node
	path string
}

// field returns the node at a path. For an alias it returns the node that the alias stands for. ok
// is false if there are too many fields.
func (d *Decoder) field(n *yaml.Node, path string) (f Field, ok bool) {
	if d.fields++; d.fields > maxFields {
		if d.fields == maxFields+1 {
			d.Fail(Field{n, path},
				"the file has more than %d fields, those that aliases repeat counted each time",
				maxFields)
		}
		return f, false
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return Field{n, path}, true
}

// Fail adds an error of a field.
func (d *Decoder) Fail(f Field, format string, args ...any) {
	d.errs = append(d.errs,
		&conventions.FileError{Line: f.Line, Column: f.Column, Field: f.path,
			Message: budget.Excerpt(fmt.Sprintf(format, args...))})
}

// Err joins the errors in the order of their lines. It returns nil without errors.
func (d *Decoder) Err() error {
	if d.errs == nil {
		return nil
	}
	slices.SortStableFunc(d.errs,
		func(a, b *conventions.FileError) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	joined := make([]error, len(d.errs))
	for i, e := range d.errs {
		joined[i] = e
	}
	return errors.Join(joined...)
}

// Place adds the errors of a check, joined or not. An error with a method FieldMessage gets the
// line of its field or, if the field is absent, of the enclosing object.
func (d *Decoder) Place(err error) {
	if err == nil {
		return
	}
	var list interface{ Unwrap() []error }
	if errors.As(err, &list) {
		for _, e := range list.Unwrap() {
			d.Place(e)
		}
		return
	}
	var in interface {
		FieldMessage() (field, message string)
	}
	if !errors.As(err, &in) {
		d.errs = append(d.errs, &conventions.FileError{Message: budget.Excerpt(err.Error())})
		return
	}
	field, message := in.FieldMessage()
	n := d.Nearest(field)
	d.errs = append(d.errs, &conventions.FileError{Line: n.Line, Column: n.Column, Field: field,
		Message: budget.Excerpt(message)})
}

// Nearest returns the node of a field or, if the field is absent, of the enclosing object.
func (d *Decoder) Nearest(path string) *yaml.Node {
	for d.at[path] == nil && path != "" {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return d.at[path]
}

// Member returns the value of a member of an object.
func (f Field) Member(name string) (value Field, ok bool) {
	for i := 0; f.Node != nil && f.Kind == yaml.MappingNode && i+1 < len(f.Content); i += 2 {
		if f.Content[i].Value != name {
			continue
		}
		n := f.Content[i+1]
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		return Field{n, strings.TrimPrefix(f.path+"."+name, ".")}, true
	}
	return value, false
}

// Elements returns the elements of a list, or the values of an object.
func (f Field) Elements() []Field {
	var list []Field
	if f.Node == nil {
		return nil
	}
	for i, n := range f.Content {
		switch {
		case f.Kind == yaml.SequenceNode:
			list = append(list, Field{n, f.path + "[" + strconv.Itoa(i) + "]"})
		case i%2 == 1:
			list = append(list, Field{n, strings.TrimPrefix(f.path+"."+f.Content[i-1].Value, ".")})
		}
	}
	return list
}

// Path returns the path of a field: tables[0].entities[2].sort.
func (f Field) Path() string { return f.path }

// Scalar is the Kind of a Field that is neither an object nor a list.
const Scalar = yaml.ScalarNode

// Member reads a field of an object.
type Member func(Field)

// Object reads an object whose fields are known.
func (d *Decoder) Object(f Field, members map[string]Member) {
	d.Each(f, func(name string, value Field) {
		read := members[name]
		if read == nil {
			known := slices.Sorted(maps.Keys(members))
			d.Fail(value, "there is no such field: there are %s%s", strings.Join(known, ", "),
				spelling.Hint(name, known))
			return
		}
		read(value)
	})
}

// Each reads an object, field by field.
func (d *Decoder) Each(f Field, read func(name string, value Field)) {
	d.at[f.path] = f.Node
	if f.Kind != yaml.MappingNode {
		d.Fail(f, "this is %s and should be an object", kindOf(f.Node))
		return
	}
	seen := jsontree.Names{}
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
			d.Fail(Field{key, value.path}, "the name of a field is not text: put it in quotes")
			continue
		case seen.Twice(key.Value):
			d.Fail(Field{key, value.path}, "the field %v", jsontree.ErrTwice)
			continue
		}
		d.at[value.path] = value.Node
		read(key.Value, value)
	}
}

// maxElements is how many elements a list of objects has at most.
const maxElements = 1 << 14

// List returns a Member that reads a list, element by element. An empty list is not nil.
func List[T any](d *Decoder, into *[]T, read func(Field, *T)) Member {
	return func(f Field) {
		if f.Kind != yaml.SequenceNode {
			hint := ""
			if f.Kind == yaml.ScalarNode && f.Value != "" {
				hint = fmt.Sprintf(": write [%.100s]", f.Value)
			}
			d.Fail(f, "this is %s and should be a list%s", kindOf(f.Node), hint)
			return
		}
		if len(f.Content) > maxElements {
			d.Fail(f, "there are %d: want at most %d", len(f.Content), maxElements)
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

// IsText reports whether a field is text. If not, that is an error.
func (d *Decoder) IsText(f Field) bool {
	if f.Kind == yaml.ScalarNode && f.Tag == "!!str" {
		return true
	}
	d.Fail(f, "this is %s and should be text: put it in quotes if it is", kindOf(f.Node))
	return false
}

// ReadText reads text.
func (d *Decoder) ReadText(f Field, into *string) {
	if d.IsText(f) {
		*into = f.Value
	}
}

// Text returns a Member that reads text.
func (d *Decoder) Text(into *string) Member { return func(f Field) { d.ReadText(f, into) } }

// Texts returns a Member that reads a list of texts.
func (d *Decoder) Texts(into *[]string) Member { return List(d, into, d.ReadText) }

// Number returns a Member that reads a whole number.
func (d *Decoder) Number(into *int) Member {
	return func(f Field) {
		n, ok := d.whole(f, strconv.IntSize)
		if !ok {
			return
		}
		*into = int(n)
	}
}

// Count returns a Member that reads a whole number of 64 bits.
func (d *Decoder) Count(into *int64) Member {
	return func(f Field) {
		n, ok := d.whole(f, 64)
		if ok {
			*into = n
		}
	}
}

// whole returns a whole number of so many bits, such as 1000 or 1_000. Another value is an
// error.
func (d *Decoder) whole(f Field, bits int) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(f.Value, "_", ""), 10, bits)
	switch {
	case f.Kind == yaml.ScalarNode && f.Tag == "!!int" && err == nil:
		return n, true
	case f.Kind == yaml.ScalarNode && f.Tag != "!!str" && errors.Is(err, strconv.ErrRange):
		d.Fail(f, "this number is out of range")
	default:
		d.Fail(f, "this is %s and should be a whole number", kindOf(f.Node))
	}
	return 0, false
}

// Float returns a Member that reads a number.
func (d *Decoder) Float(into *float64) Member {
	return func(f Field) {
		var n float64
		if f.Kind != yaml.ScalarNode || (f.Tag != "!!int" && f.Tag != "!!float") ||
			f.Decode(&n) != nil {
			d.Fail(f, "this is %s and should be a number", kindOf(f.Node))
			return
		}
		if math.IsNaN(n) || math.IsInf(n, 0) {
			d.Fail(f, "this should be a finite number")
			return
		}
		*into = n
	}
}

// Flag returns a Member that reads true or false.
func (d *Decoder) Flag(into *bool) Member {
	return func(f Field) {
		if f.Kind != yaml.ScalarNode || f.Tag != "!!bool" || f.Decode(into) != nil {
			d.Fail(f, "this is %s and should be true or false", kindOf(f.Node))
		}
	}
}

// Choice returns a Member that reads one of the values first to last of an enumeration, by name.
func Choice[T interface {
	~uint8
	fmt.Stringer
}](d *Decoder, into *T, first, last T) Member {
	return func(f Field) {
		if !d.IsText(f) {
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
		d.Fail(f, "%.100q is none of %s", f.Value, strings.Join(names, ", "))
	}
}

// OneOf returns a Member that reads one of some texts.
func OneOf[T ~string](d *Decoder, into *T, values ...T) Member {
	return func(f Field) {
		if !d.IsText(f) {
			return
		}
		if !slices.Contains(values, T(f.Value)) {
			names := make([]string, len(values))
			for i, v := range values {
				names[i] = string(v)
			}
			d.Fail(f, "%.100q is none of %s%s", f.Value, strings.Join(names, ", "),
				spelling.Hint(f.Value, names))
			return
		}
		*into = T(f.Value)
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
