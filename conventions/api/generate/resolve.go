package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// goType is a shape with a Go type of its own.
type goType struct {
	name string
	shape
	underlying string  // the underlying type of all but structures
	fields     []field // the fields of a structure
	integer    bool    // a number of 32 bits
}

type field struct {
	name, typ, wire string
}

// resolver finds the Go types for the shapes of a model.
type resolver struct {
	*model
	inRequest map[string]bool // whether a request reaches a shape, by reached shape
}

// resolve returns the Go types of all shapes that operations reach, sorted by name.
func resolve(m *model) ([]goType, error) {
	r := resolver{m, map[string]bool{}}
	for _, inRequest := range []bool{true, false} {
		for _, o := range m.Operations {
			root := o.Output
			if inRequest {
				root = o.Input
			}
			if err := r.reach(root.Shape, inRequest); err != nil {
				return nil, err
			}
		}
	}
	var types []goType
	for _, name := range slices.Sorted(maps.Keys(r.inRequest)) {
		if r.named(name) {
			types = append(types, r.goType(name))
		}
	}
	return types, nil
}

// reach records a shape and all shapes in it. Requests come first, so an earlier record stays.
func (r *resolver) reach(name string, inRequest bool) error {
	if _, done := r.inRequest[name]; done || name == "" || name == attributeValue {
		return nil
	}
	s := r.Shapes[name]
	if s == nil {
		return fmt.Errorf("the model has no shape %s", name)
	}
	if s.Type != "structure" && underlying[s.Type] == "" {
		return fmt.Errorf("shape %s has the unknown type %s", name, s.Type)
	}
	r.inRequest[name] = inRequest
	inside := []string{s.Member.Shape, s.Value.Shape}
	if r.boundsKeys(s) {
		inside = append(inside, s.Key.Shape)
	}
	for _, m := range s.Members {
		inside = append(inside, m.shape)
	}
	for _, i := range inside {
		if err := r.reach(i, inRequest); err != nil {
			return err
		}
	}
	return nil
}

// attributeValue is the shape of an attribute value. Package api defines its Go types by hand.
const attributeValue = "AttributeValue"

// underlying maps the simple types of the model to Go types. The Go types of lists and maps depend
// on their elements.
var underlying = map[string]string{
	"string":    "string",
	"integer":   "int64",
	"long":      "int64",
	"double":    "float64",
	"boolean":   "bool",
	"timestamp": "Timestamp",
	"list":      "[]",
	"map":       "Map",
}

// named reports whether a shape becomes a Go type of its own. Structures do, and so do shapes with
// constraints, because the Go type identifies the constraints. An integer in a request has the
// constraint of 32 bits.
func (r *resolver) named(name string) bool {
	s := r.Shapes[name]
	return s.Type == "structure" || s.constrained() || s.Type == "integer" && r.inRequest[name]
}

// boundsKeys reports whether the keys of a map are checked. Those of a map with constraints are.
// The keys of other maps are attribute names, which the service checks by rules outside its model.
func (r *resolver) boundsKeys(s *shape) bool {
	return s.Type == "map" && s.constrained() && r.Shapes[s.Key.Shape].constrained()
}

func (r *resolver) goType(name string) goType {
	t := goType{name: name, shape: *r.Shapes[name]}
	t.integer = t.Type == "integer"
	if !r.boundsKeys(&t.shape) {
		t.Key.Shape = ""
	}
	if t.Type != "structure" {
		t.underlying = r.underlying(name, r.inRequest[name])
		return t
	}
	for _, m := range t.Members {
		f := field{
			name: strings.ToUpper(m.name[:1]) + m.name[1:],
			typ:  r.memberType(m.shape, r.inRequest[name]),
			wire: m.name,
		}
		if slices.Contains(t.Required, m.name) {
			f.wire += ",required"
		}
		t.fields = append(t.fields, f)
	}
	return t
}

// memberType returns the Go type of a structure's member. The zero value means that the member is
// absent.
func (r *resolver) memberType(name string, inRequest bool) string {
	t := r.typeOf(name, inRequest)
	if name == attributeValue || r.Shapes[name].Type == "list" || r.Shapes[name].Type == "map" {
		return t
	}
	return "*" + t
}

// typeOf returns the Go type of a shape in a request or in an answer.
func (r *resolver) typeOf(name string, inRequest bool) string {
	if name == attributeValue || r.named(name) {
		return name
	}
	return r.underlying(name, inRequest)
}

// underlying returns the Go type of a shape that is not a structure. In requests attributes are
// parsed values. In answers they are JSON in the stored form.
func (r *resolver) underlying(name string, inRequest bool) string {
	s := r.Shapes[name]
	switch {
	case s.Type == "map" && s.Value.Shape == attributeValue && inRequest:
		return "item.Attributes"
	case s.Type == "map" && s.Value.Shape == attributeValue:
		return "item.JSON"
	case s.Type == "map":
		return "Map[" + r.typeOf(s.Value.Shape, inRequest) + "]"
	case s.Type == "list":
		return "[]" + r.typeOf(s.Member.Shape, inRequest)
	}
	return underlying[s.Type]
}
