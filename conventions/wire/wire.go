// Package wire decodes requests into the shapes of package api, checks the model's constraints on
// them, and encodes answers: JSON 1.0 as the service reads and writes it.
//
// The first use of a shape compiles a plan: its members, their offsets and their constraints.
// Decoding, checking and encoding follow the plan and access memory directly, without reflection.
//
// A decoded shape refers to the request's body and to a Memory. It is valid until the Memory is
// reset. Plans are shared by all goroutines, and a Memory belongs to one request.
//
// Like package api, it is public for the server and the policies, and no API for other programs.
package wire

import (
	"reflect"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Decode reads a JSON object into v, a pointer to a zero shape. Its errors are
// item.SerializationErrors. Strings in v may be parts of body. Everything else that v refers to is
// in m, and is valid until m is reset. If m is nil, it has memory of its own.
func Decode(body string, v any, m *Memory) error {
	p, pl := open(v)
	d := decoder{s: jsontext.NewScanner(body), items: m.Items(), memory: m}
	if m == nil {
		d.memory = new(Memory)
	}
	if d.s.Peek() != '{' {
		return d.unexpected(pl, item.ErrNoValueHere)
	}
	if err := d.structure(pl, p); err != nil {
		return err
	}
	if d.s.End() != nil {
		return item.ErrSyntax
	}
	return nil
}

// IsJSON reports whether body is one JSON value that is not nested too deep.
func IsJSON(body string) bool {
	s := jsontext.NewScanner(body)
	return s.Skip(maxSkipped) == nil && s.End() == nil
}

// Validate checks the constraints on a decoded shape. It returns at most ten violations, in the
// service's order.
func Validate(v any) []Violation { return (*Validator)(nil).Validate(v) }

// Validator checks constraints with maxima that may differ from the model's. A nil Validator has
// those of the model. It is safe for concurrent use.
type Validator struct{ plans plans }

// NewValidator returns a Validator with other maxima for some types of lists and maps.
func NewValidator(maxima map[reflect.Type]int64) *Validator {
	return &Validator{plans{maxima: maxima}}
}

// Validate is the function Validate.
func (v *Validator) Validate(shape any) []Violation {
	p, pl := open(shape)
	if v != nil {
		pl = v.plans.of(pl.typ)
	}
	if !pl.below {
		return nil
	}
	var check validator
	check.structure(pl, p, nil)
	return check.violations
}

// Append appends the JSON of a shape. It omits absent members, which are nil, or "" of item.JSON.
func Append(dst []byte, v any) []byte {
	p, pl := open(v)
	return appendStruct(dst, pl, p)
}

// open returns the address and the plan of the shape that v points to.
func open(v any) (unsafe.Pointer, *plan) {
	r := reflect.ValueOf(v)
	return r.UnsafePointer(), model.of(r.Type().Elem())
}
