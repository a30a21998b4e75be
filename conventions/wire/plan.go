package wire

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// kind is the form of a value in memory and on the wire.
type kind uint8

const (
	kindString kind = iota
	kindInt
	kindFloat
	kindBool
	kindStruct
	kindList
	kindMap
	kindPointer        // a pointer to a scalar or structure; nil means absent
	kindAttributes     // item.Attributes
	kindAttributeValue // api.AttributeValue
	kindJSON           // item.JSON
)

// plan is how to decode, check and encode the values of one type.
type plan struct {
	kind kind
	typ  reflect.Type
	elem *plan // the plan of what a pointer, list or map holds
	held bool  // a list or map holds the value, not a structure

	// Of a structure, or of the elements or entries of a list or map:
	stride  uintptr      // the distance in memory from one to the next
	several reflect.Type // the type of a slice of them
	number  int          // the number of their slab, from 0 on

	last atomic.Int32 // how many elements the last list or map had, at most mostExpected

	java   string // the service's name of the type of a scalar
	narrow bool   // an integer of 32 bits

	members []member // the members of a structure
	heads   []head   // the beginnings of the members' texts
	checks  []int    // the numbers of the members to check, in the service's order

	limits *limits // the constraints on the type itself, or nil
	below  bool    // something inside a value can violate a constraint
}

// nullable reports whether a null in a collection of such values differs from every value, so that
// it can be rejected.
func (pl *plan) nullable() bool {
	return pl.kind == kindAttributes || pl.kind == kindAttributeValue
}

// constrained reports whether a value can violate a constraint.
func (pl *plan) constrained() bool { return pl.limits != nil || pl.below }

// member is a member of a structure.
type member struct {
	name     string // the name on the wire
	opening  string // the name in quotes and a colon, as on the wire
	path     string // the name in messages, with a small first letter
	offset   uintptr
	plan     *plan
	required bool
}

// head is the beginning of a member's opening, as jsontext.Word reads it. Most members of a
// structure differ in it.
type head struct{ word, mask uint64 }

const headBytes = 8

// newHead returns the head of an opening. The mask leaves out the bytes behind a short one.
func newHead(opening string) head {
	unused := max(0, headBytes-len(opening))
	mask := ^uint64(0) >> (8 * unused)
	return head{jsontext.Word((opening + "        ")[:headBytes]) & mask, mask}
}

// plans holds the plans of all types, with the model's constraints except for maxima of its own.
type plans struct {
	byType  sync.Map // reflect.Type -> *plan
	maxima  map[reflect.Type]int64
	numbers atomic.Int64
}

// next returns a number for a slab.
func (ps *plans) next() int { return int(ps.numbers.Add(1)) - 1 }

// model holds the plans with the model's constraints.
var model plans

// of returns the plan of a type. It makes the plan when it is first needed.
func (ps *plans) of(t reflect.Type) *plan {
	if p, ok := ps.byType.Load(t); ok {
		return p.(*plan)
	}
	p, _ := ps.byType.LoadOrStore(t, ps.compile(t))
	return p.(*plan)
}

var (
	attributesType     = reflect.TypeFor[item.Attributes]()
	attributeValueType = reflect.TypeFor[api.AttributeValue]()
	jsonType           = reflect.TypeFor[item.JSON]()
)

// compile makes a plan. No shape contains itself.
func (ps *plans) compile(t reflect.Type) *plan {
	p := &plan{typ: t, limits: limitsOf(t)}
	if most, scaled := ps.maxima[t]; scaled {
		p.limits.Max = most
	}
	switch {
	case t == attributesType:
		p.kind = kindAttributes
	case t == attributeValueType:
		p.kind = kindAttributeValue
	case t == jsonType:
		p.kind = kindJSON
	default:
		p.compileGo(t, ps)
	}
	return p
}

// bounded makes a plan for a member with a maximum of its own.
func (ps *plans) bounded(t reflect.Type, most int64) *plan {
	p := ps.compile(t)
	own := *p.limits
	own.Max = most
	p.limits = &own
	return p
}

// unchecked makes a plan for a member whose operation checks its value.
func (ps *plans) unchecked(t reflect.Type) *plan {
	p := ps.compile(t)
	p.elem = ps.compile(t.Elem()) // the member is optional, so that t is a pointer
	p.elem.limits = nil
	return p
}

func (p *plan) compileGo(t reflect.Type, ps *plans) {
	switch t.Kind() {
	case reflect.String:
		p.kind, p.java = kindString, "String"
	case reflect.Int64:
		p.kind, p.java = kindInt, "Long"
		if p.limits != nil && p.limits.Integer {
			p.java, p.narrow = "Integer", true
		}
	case reflect.Float64:
		p.kind, p.java = kindFloat, "Double"
	case reflect.Bool:
		p.kind, p.java = kindBool, "Boolean"
	case reflect.Struct:
		p.kind = kindStruct
		p.stride, p.several, p.number = t.Size(), reflect.SliceOf(t), ps.next()
		p.compileMembers(t, ps)
	case reflect.Pointer:
		p.kind, p.elem = kindPointer, ps.of(t.Elem())
		p.limits, p.java, p.narrow = p.elem.limits, p.elem.java, p.elem.narrow
		p.below = p.elem.below
	case reflect.Slice:
		p.compileCollection(t, ps)
	default:
		panic(fmt.Sprintf("wire: no shape can be a %v", t))
	}
}

// compileCollection compiles a list, or a map, which is a list of api.Entry.
func (p *plan) compileCollection(t reflect.Type, ps *plans) {
	e := t.Elem()
	p.kind = kindList
	p.stride, p.several, p.number = e.Size(), t, ps.next()
	if e.Kind() == reflect.Struct && e.PkgPath() == attributeValueType.PkgPath() &&
		strings.HasPrefix(e.Name(), "Entry[") {
		p.kind = kindMap
		e = e.Field(1).Type
	}
	p.elem = ps.compile(e)
	p.elem.held = true
	p.below = p.elem.constrained() || p.elem.nullable() || p.limits != nil && p.limits.keys != nil
}

func (p *plan) compileMembers(t reflect.Type, ps *plans) {
	p.members = make([]member, t.NumField())
	p.heads = make([]head, t.NumField())
	for i := range p.members {
		f := t.Field(i)
		name, required := strings.CutSuffix(f.Tag.Get("wire"), ",required")
		m := member{
			name:     name,
			opening:  `"` + name + `":`,
			path:     strings.ToLower(name[:1]) + name[1:],
			offset:   f.Offset,
			plan:     ps.of(f.Type),
			required: required,
		}
		if most := api.MemberMax(t, name); most > 0 {
			m.plan = ps.bounded(f.Type, most)
		}
		if api.Unchecked(t, name) {
			m.plan = ps.unchecked(f.Type)
		}
		p.members[i] = m
		p.heads[i] = newHead(m.opening)
		if required || m.plan.constrained() {
			p.checks = append(p.checks, i)
		}
	}
	p.below = len(p.checks) > 0
	slots := javaSlots(len(p.members) + 1)
	slices.SortStableFunc(p.checks, func(i, j int) int {
		a, b := p.members[i].path, p.members[j].path
		return cmp.Or(javaSlot(a, slots)-javaSlot(b, slots), strings.Compare(a, b))
	})
}

// javaSlots returns how many slots a java.util.HashMap has that was made for n entries. The members
// of a shape are checked in the order of such a map by their names. That explains the orders on
// record (service facts 0.9, 0.11, 4.6, 5.5, 6.4, F.43) if each shape has a member that is not in
// the public model, as some are known to have (see api.HiddenMembers).
func javaSlots(n int) int {
	slots := 16
	for 4*n/3+1 > slots {
		slots *= 2
	}
	return slots
}

// javaSlot returns the slot of a key in such a map.
func javaSlot(key string, slots int) int {
	h := javaHash(key)
	return int((h ^ h>>16) % uint32(slots))
}

// javaHash is String.hashCode.
func javaHash(s string) uint32 {
	h := uint32(0)
	for i := range len(s) {
		h = 31*h + uint32(s[i])
	}
	return h
}

// entryKeyBytes is the offset of Value in an api.Entry, which is the size of a string for any type
// of Value.
const entryKeyBytes = unsafe.Sizeof("")

// absent reports whether the value at p means that the member is absent.
func (pl *plan) absent(p unsafe.Pointer) bool {
	switch pl.kind {
	case kindPointer, kindList, kindMap:
		return *(*unsafe.Pointer)(p) == nil
	case kindAttributes:
		a := (*item.Attributes)(p)
		return a.Item == "" && a.Invalid == nil
	case kindAttributeValue:
		return !(*api.AttributeValue)(p).Present
	case kindJSON:
		return *(*item.JSON)(p) == ""
	}
	return false
}

// collection is a list or map in memory.
type collection struct {
	data unsafe.Pointer
	len  int
	cap  int
}

// at returns element i of a list, or the value of entry i of a map and its key.
func (pl *plan) at(p unsafe.Pointer, i int) (key *string, elem unsafe.Pointer) {
	elem = unsafe.Add((*collection)(p).data, uintptr(i)*pl.stride)
	if pl.kind == kindMap {
		return (*string)(elem), unsafe.Add(elem, entryKeyBytes)
	}
	return nil, elem
}
