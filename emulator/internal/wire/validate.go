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
	v.structure(pl, p)
	switch len(v.messages) {
	case 0:
		return ""
	case 1:
		return "1 validation error detected: " + v.messages[0]
	}
	return strconv.Itoa(len(v.messages)) + " validation errors detected: " + strings.Join(v.messages, "; ")
}

// validator walks a shape and gathers violations.
type validator struct {
	path     []step
	messages []string
}

// step is one part of a path: a member's name, or for an element of a list its
// number from 1, or for an entry of a map its key.
type step struct {
	name    string
	index   int
	element bool
}

func (v *validator) structure(pl *plan, p unsafe.Pointer) {
	for _, i := range pl.checks {
		if len(v.messages) == maxMessages {
			return
		}
		m := &pl.members[i]
		at := unsafe.Add(p, m.offset)
		switch {
		case !m.plan.absent(at):
			v.member(m, at)
		case m.required:
			v.push(step{name: m.path})
			v.violation("null", notNull)
			v.pop()
		}
	}
}

// member checks a member that is not absent and all below it.
func (v *validator) member(m *member, p unsafe.Pointer) {
	pl := m.plan
	if pl.kind == kindPointer {
		pl, p = pl.elem, *(*unsafe.Pointer)(p)
	}
	if !pl.below && pl.limits.hold(pl, p) {
		return
	}
	v.push(step{name: m.path})
	v.value(pl, p)
	v.pop()
}

func (v *validator) value(pl *plan, p unsafe.Pointer) {
	for _, rule := range pl.limits.broken(pl, p) {
		v.violation("'"+javaString(pl, p)+"'", rule)
	}
	if !pl.below {
		return
	}
	switch pl.kind {
	case kindStruct:
		v.structure(pl, p)
	case kindList, kindMap:
		v.elements(pl, p)
		v.below(pl, p)
	}
}

// elements checks the constraints on a collection's keys and elements
// themselves: violations are the collection's, and named once for all of them.
func (v *validator) elements(pl *plan, p unsafe.Pointer) {
	badKey, badElem := false, false
	for key, elem := range pl.all(p) {
		badKey = badKey || pl.limits != nil && pl.limits.keys != nil && !pl.limits.keys.holdString(*key)
		badElem = badElem || !pl.elem.limits.hold(pl.elem, elem)
	}
	if badKey {
		v.violation("'"+javaString(pl, p)+"'", "Map keys must satisfy constraint: "+pl.limits.keys.all(kindString))
	}
	if badElem {
		what := "Member"
		if pl.kind == kindMap {
			what = "Map value"
		}
		v.violation("'"+javaString(pl, p)+"'", what+" must satisfy constraint: "+pl.elem.limits.all(pl.elem.kind))
	}
}

// below checks what the elements of a collection contain.
func (v *validator) below(pl *plan, p unsafe.Pointer) {
	if !pl.elem.below && !pl.elem.nullable() {
		return
	}
	i := 0
	for key, elem := range pl.all(p) {
		i++
		if pl.elem.nullable() && !pl.elem.absent(elem) {
			continue
		}
		s := step{index: i, element: true}
		if key != nil {
			s.name = *key
		}
		v.push(s)
		switch {
		case pl.elem.nullable():
			v.violation("null", notNull)
		case pl.elem.kind == kindStruct:
			v.structure(pl.elem, elem)
		default:
			v.below(pl.elem, elem)
		}
		v.pop()
		if len(v.messages) == maxMessages {
			return
		}
	}
}

func (v *validator) push(s step) { v.path = append(v.path, s) }
func (v *validator) pop()        { v.path = v.path[:len(v.path)-1] }

func (v *validator) violation(value, rule string) {
	if len(v.messages) == maxMessages {
		return
	}
	v.messages = append(v.messages, "Value "+value+" at '"+v.where()+"' failed to satisfy constraint: "+rule)
}

// where is the path: keySchema.1.member.attributeName, requestItems.table.member.keys.
func (v *validator) where() string {
	var parts []string
	for _, s := range v.path {
		switch {
		case !s.element:
			parts = append(parts, s.name)
		case s.name != "":
			parts = append(parts, s.name, "member")
		default:
			parts = append(parts, strconv.Itoa(s.index), "member")
		}
	}
	return strings.Join(parts, ".")
}
