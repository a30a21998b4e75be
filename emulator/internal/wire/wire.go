// Package wire decodes requests into the shapes of package api, checks the model's
// constraints on them, and encodes answers: JSON 1.0 as the service reads and writes it.
//
// What to do with a shape is worked out once, when the shape is first used, as a
// plan: its members, their offsets and their constraints. Decoding, checking and
// encoding then walk the plan and touch memory directly, without reflection.
package wire

import (
	"reflect"
	"unsafe"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Decode reads a JSON object into v, a pointer to a zero shape. Errors are
// item.SerializationError. Strings in v may be parts of body, and all that v points
// to lies in m and is valid until that is reset; if m is nil, it has memory of its own.
func Decode(body string, v any, m *Memory) error {
	p, pl := open(v)
	return decode(body, pl, p, m)
}

// IsJSON reports whether body is one JSON value, which is not nested too deeply.
func IsJSON(body string) bool {
	s := jsontext.NewScanner(body)
	return s.Skip(maxSkipped) == nil && s.End() == nil
}

// Validate checks the constraints on a decoded shape and returns the violations, ten at most,
// in the service's order.
func Validate(v any) []Violation { return (*Validator)(nil).Validate(v) }

// Validator checks the model's constraints with other maxima than the model's. A
// nil Validator has the model's. It is safe for concurrent use.
type Validator struct{ plans plans }

// NewValidator returns a Validator with maxima of its own for some types of lists and maps.
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
	return validate(pl, p)
}

// Append appends the JSON of a shape: absent members (nil, "" of item.JSON) are left out.
func Append(dst []byte, v any) []byte {
	p, pl := open(v)
	return appendStruct(dst, pl, p)
}

// open returns what v, a pointer to a shape, points to and the shape's plan.
func open(v any) (unsafe.Pointer, *plan) {
	r := reflect.ValueOf(v)
	return r.UnsafePointer(), model.of(r.Type().Elem())
}
