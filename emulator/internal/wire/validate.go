package wire

import (
	"strconv"
	"strings"
	"unsafe"
)

// maxMessages is how many violations the service lists at most.
const maxMessages = 10

const notNull = "Member must not be null"

func validate(pl *plan, p unsafe.Pointer) string {
	var v validator
	v.structure(pl, p, nil)
	switch len(v.messages) {
	case 0:
		return ""
	case 1:
		return "1 validation error detected: " + v.messages[0]
	}
	return strconv.Itoa(len(v.messages)) + " validation errors detected: " + strings.Join(v.messages, "; ")
}

// validator walks a shape and gathers violations.
type validator struct{ messages []string }

// place is where the walk is, as a list from the inmost part of the path to the
// outmost, which all lie on the stack: a member's name, or for an element of a list its
// number from 1, or for an entry of a map its key.
type place struct {
	in      *place
	name    string
	index   int
	element bool
}

func (v *validator) structure(pl *plan, p unsafe.Pointer, in *place) {
	for _, i := range pl.checks {
		if len(v.messages) == maxMessages {
			return
		}
		m := &pl.members[i]
		at := unsafe.Add(p, m.offset)
		switch {
		case !m.plan.absent(at):
			v.member(m, at, in)
		case m.required:
			v.violation("null", notNull, &place{in: in, name: m.path})
		}
	}
}

// member checks a member that is not absent and all below it.
func (v *validator) member(m *member, p unsafe.Pointer, in *place) {
	pl := m.plan
	if pl.kind == kindPointer {
		pl, p = pl.elem, *(*unsafe.Pointer)(p)
	}
	if !pl.below && pl.limits.hold(pl, p) {
		return
	}
	v.value(pl, p, &place{in: in, name: m.path})
}

func (v *validator) value(pl *plan, p unsafe.Pointer, at *place) {
	for _, rule := range pl.limits.broken(pl, p) {
		v.violation("'"+javaString(pl, p)+"'", rule, at)
	}
	if !pl.below {
		return
	}
	switch pl.kind {
	case kindStruct:
		v.structure(pl, p, at)
	case kindList, kindMap:
		v.elements(pl, p, at)
		v.below(pl, p, at)
	}
}

// elements checks the constraints on a collection's keys and elements
// themselves: violations are the collection's, and named once for all of them.
func (v *validator) elements(pl *plan, p unsafe.Pointer, at *place) {
	if pl.elem.limits == nil && (pl.limits == nil || pl.limits.keys == nil) {
		return
	}
	badKey, badElem := false, false
	for i := range (*collection)(p).len {
		key, elem := pl.at(p, i)
		badKey = badKey || pl.limits != nil && pl.limits.keys != nil && !pl.limits.keys.holdString(*key)
		badElem = badElem || !pl.elem.limits.hold(pl.elem, elem)
	}
	if badKey {
		v.violation("'"+javaString(pl, p)+"'", "Map keys must satisfy constraint: "+pl.limits.keys.all(kindString), at)
	}
	if badElem {
		what := "Member"
		if pl.kind == kindMap {
			what = "Map value"
		}
		v.violation("'"+javaString(pl, p)+"'", what+" must satisfy constraint: "+pl.elem.limits.all(pl.elem.kind), at)
	}
}

// below checks what the elements of a collection contain.
func (v *validator) below(pl *plan, p unsafe.Pointer, in *place) {
	if !pl.elem.below && !pl.elem.nullable() {
		return
	}
	at := place{in: in, element: true} // one for all, so that it stays on the stack
	for i := range (*collection)(p).len {
		key, elem := pl.at(p, i)
		if pl.elem.nullable() && !pl.elem.absent(elem) {
			continue
		}
		at.index = i + 1
		if key != nil {
			at.name = *key
		}
		switch {
		case pl.elem.nullable():
			v.violation("null", notNull, &at)
		case pl.elem.kind == kindStruct:
			v.structure(pl.elem, elem, &at)
		default:
			v.below(pl.elem, elem, &at)
		}
		if len(v.messages) == maxMessages {
			return
		}
	}
}

func (v *validator) violation(value, rule string, at *place) {
	if len(v.messages) == maxMessages {
		return
	}
	v.messages = append(v.messages, "Value "+value+" at '"+at.String()+"' failed to satisfy constraint: "+rule)
}

// String is the path: keySchema.1.member.attributeName, requestItems.table.member.keys.
func (at *place) String() string {
	part := at.name
	if at.element {
		if part == "" {
			part = strconv.Itoa(at.index)
		}
		part += ".member"
	}
	if at.in == nil {
		return part
	}
	return at.in.String() + "." + part
}
