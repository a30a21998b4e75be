package wire

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// maxMessages is the most violations that the service lists.
const maxMessages = 10

const notNull = "Member must not be null"

// Violation is a constraint that a request violates. It is valid as long as the request.
type Violation struct {
	Type    reflect.Type // the type of the value; nil if it is absent
	Path    string       // such as keySchema.1.member.attributeName
	BigPath string       // the same with the members' own names: KeySchema.1.member.AttributeName
	Rule    string       // the violated rule, as messages have it
	Kind    RuleKind
	plan    *plan // the plan of the value; nil if it is absent
	pointer unsafe.Pointer
}

// RuleKind is the kind of a rule.
type RuleKind uint8

// The kinds of rules.
const (
	RuleNotNull RuleKind = iota
	RuleRange            // the range of a length or a number
	RulePattern
	RuleEnum
	RuleElements // a rule of the keys or the elements of a collection
)

// Java returns the value as Java prints it.
func (v *Violation) Java() string { return v.value(javaString) }

// JSON returns the value as compact JSON.
func (v *Violation) JSON() string {
	return v.value(
		func(pl *plan, p unsafe.Pointer) string { return string(appendValue(nil, pl, p)) })
}

// longestQuoted is the most bytes of a value that a message quotes. Without it, the five million
// elements that fit into a request would make an answer of 350 MB. It is not known how the service
// quotes such values.
const longestQuoted = 1 << 20

func (v *Violation) value(print func(*plan, unsafe.Pointer) string) string {
	if v.plan == nil {
		return "null"
	}
	text := print(v.plan, v.pointer)
	if len(text) > longestQuoted {
		text = strings.ToValidUTF8(text[:longestQuoted], "") + "…"
	}
	return "'" + text + "'"
}

// validator collects the violations of a shape.
type validator struct{ violations []Violation }

// place is a position in a shape: a member's name, the number of a list element from 1, or the key
// of a map entry. in is the position around it. All places of a path are on the stack.
type place struct {
	in     *place
	name   string
	index  int
	member bool
}

func (v *validator) structure(pl *plan, p unsafe.Pointer, in *place) {
	for _, i := range pl.checks {
		if len(v.violations) == maxMessages {
			return
		}
		m := &pl.members[i]
		at := unsafe.Add(p, m.offset)
		switch {
		case !m.plan.absent(at):
			v.member(m, at, in)
		case m.required:
			v.found(broken{rule: notNull}, nil, nil, &place{in: in, name: m.name, member: true})
		}
	}
}

// member checks a member that is not absent, and everything inside it.
func (v *validator) member(m *member, p unsafe.Pointer, in *place) {
	pl := m.plan
	if pl.kind == kindPointer {
		pl, p = pl.elem, *(*unsafe.Pointer)(p)
	}
	if !pl.below && pl.limits.hold(pl, p) {
		return
	}
	v.value(pl, p, &place{in: in, name: m.name, member: true})
}

func (v *validator) value(pl *plan, p unsafe.Pointer, at *place) {
	for _, b := range pl.limits.broken(pl, p) {
		v.found(b, pl, p, at)
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

// elements checks the constraints on the keys and elements of a collection themselves. The
// collection has the violation, once for all elements.
func (v *validator) elements(pl *plan, p unsafe.Pointer, at *place) {
	if pl.elem.limits == nil && (pl.limits == nil || pl.limits.keys == nil) {
		return
	}
	badKey, badElem := false, false
	for i := range (*collection)(p).len {
		key, elem := pl.at(p, i)
		badKey = badKey || pl.limits != nil && pl.limits.keys != nil &&
			!pl.limits.keys.holdString(*key)
		badElem = badElem || !pl.elem.limits.hold(pl.elem, elem)
	}
	if badKey {
		rule := "Map keys must satisfy constraint: " + pl.limits.keys.all(kindString)
		v.found(broken{rule, RuleElements}, pl, p, at)
	}
	if badElem {
		what := "Member"
		if pl.kind == kindMap {
			what = "Map value"
		}
		rule := what + " must satisfy constraint: " + pl.elem.limits.all(pl.elem.kind)
		v.found(broken{rule, RuleElements}, pl, p, at)
	}
}

// below checks the contents of a collection's elements.
func (v *validator) below(pl *plan, p unsafe.Pointer, in *place) {
	if !pl.elem.below && !pl.elem.nullable() {
		return
	}
	at := place{in: in} // one for all, so that it stays on the stack
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
			v.found(broken{rule: notNull}, nil, nil, &at)
		case pl.elem.kind == kindStruct:
			v.structure(pl.elem, elem, &at)
		default:
			v.below(pl.elem, elem, &at)
		}
		if len(v.violations) == maxMessages {
			return
		}
	}
}

// broken is a rule that a value breaks.
type broken struct {
	rule string
	kind RuleKind
}

// found notes what the value at p breaks; pl is nil if there is no value.
func (v *validator) found(b broken, pl *plan, p unsafe.Pointer, at *place) {
	if len(v.violations) == maxMessages {
		return
	}
	violation := Violation{ // a copy has the paths, so that places stay on the stack
		Path:    strings.Clone(at.path(lowerFirst)),
		BigPath: strings.Clone(at.path(asIs)),
		Rule:    b.rule, Kind: b.kind,
		plan: pl, pointer: p,
	}
	if pl != nil {
		violation.Type = pl.typ
	}
	v.violations = append(v.violations, violation)
}

// spelling is how a path spells the names of members.
type spelling bool

const (
	lowerFirst spelling = true
	asIs       spelling = false
)

// path is keySchema.1.member.attributeName, requestItems.table.member.keys.
func (at *place) path(s spelling) string {
	part := at.name
	switch {
	case at.member && s == lowerFirst:
		part = strings.ToLower(part[:1]) + part[1:]
	case at.member:
	case part == "":
		part = strconv.Itoa(at.index)
		fallthrough
	default:
		part += ".member"
	}
	if at.in == nil {
		return part
	}
	return at.in.path(s) + "." + part
}
