package expr

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// The naive model of the property tests. Attribute values are plain Go values, and evaluation walks
// them.
type (
	object  = map[string]any // M, and items
	list    = []any          // L
	binary  string           // B
	null    struct{}         // NULL
	members map[any]bool     // SS, NS, BS: of string, int or binary
)

// wire returns the value for encoding/json.
func wire(v any) any {
	switch v := v.(type) {
	case string:
		return object{"S": v}
	case int:
		return object{"N": strconv.Itoa(v)}
	case binary:
		return object{"B": []byte(v)}
	case bool:
		return object{"BOOL": v}
	case null:
		return object{"NULL": true}
	case list:
		elems := make([]any, len(v))
		for i := range v {
			elems[i] = wire(v[i])
		}
		return object{"L": elems}
	case object:
		return object{"M": wireFields(v)}
	case members:
		return wireSet(v)
	}
	panic(fmt.Sprintf("%T is no value", v))
}

func wireFields(v object) object {
	fields := object{}
	for name, field := range v {
		fields[name] = wire(field)
	}
	return fields
}

func wireSet(v members) any {
	elems, typ := []string{}, ""
	for e := range v {
		switch e := e.(type) {
		case string:
			elems, typ = append(elems, e), "SS"
		case int:
			elems, typ = append(elems, strconv.Itoa(e)), "NS"
		case binary:
			elems, typ = append(elems, base64.StdEncoding.EncodeToString([]byte(e))), "BS"
		}
	}
	return object{typ: elems}
}

func wireText(fields object) string {
	text, err := json.Marshal(wireFields(fields))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// typeOf returns the name of a value's type on the wire, or "" for nil.
func typeOf(v any) string {
	if v == nil {
		return ""
	}
	for name := range wire(v).(object) {
		return name
	}
	panic("a value without type")
}

func anyValue(depth int) *rapid.Generator[any] {
	strs := rapid.SampledFrom([]any{"", "a", "ab", "b", `q"`, "é", "€𝄞"})
	ints := rapid.SampledFrom([]any{-3, 0, 1, 2, 10, 1234})
	bins := rapid.SampledFrom([]any{binary(""), binary("a"), binary("ab")})
	kinds := []*rapid.Generator[any]{strs, strs, ints, ints, bins,
		rapid.SampledFrom([]any{true, false, null{}}),
		anySet(strs), anySet(ints), anySet(bins)}
	if depth > 0 {
		elem := rapid.Deferred(func() *rapid.Generator[any] { return anyValue(depth - 1) })
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(elem, 0, 3), func(elems []any) any { return elems }),
			rapid.Map(anyFields(elem), func(fields object) any { return fields }))
	}
	return rapid.OneOf(kinds...)
}

func anySet(elems *rapid.Generator[any]) *rapid.Generator[any] {
	return rapid.Map(rapid.SliceOfNDistinct(elems, 1, 3, rapid.ID[any]), func(elems []any) any {
		set := members{}
		for _, e := range elems {
			set[e] = true
		}
		return set
	})
}

var memberNames = rapid.SampledFrom([]string{"a", "b", "c", "d"})

func anyFields(elem *rapid.Generator[any]) *rapid.Generator[object] {
	return rapid.Map(rapid.MapOfN(memberNames, elem, 0, 4),
		func(m map[string]any) object { return m })
}

func anyItem() *rapid.Generator[object] { return anyFields(anyValue(2)) }

// naivePath holds strings and ints.
type naivePath []any

func (p naivePath) String() string {
	var b strings.Builder
	for i, s := range p {
		switch s := s.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

func anyPath(t *rapid.T) naivePath {
	p := naivePath{memberNames.Draw(t, "attribute")}
	for range rapid.IntRange(0, 2).Draw(t, "depth") {
		if rapid.Bool().Draw(t, "by index") {
			p = append(p, rapid.IntRange(0, 3).Draw(t, "index"))
		} else {
			p = append(p, memberNames.Draw(t, "member"))
		}
	}
	return p
}

// get returns what is at the path, or nil.
func (p naivePath) get(v any) any {
	for _, s := range p {
		switch at := v.(type) {
		case object:
			name, ok := s.(string)
			if !ok {
				return nil
			}
			v = at[name]
		case list:
			i, ok := s.(int)
			if !ok || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}

// clashes: one path holds the other, or they take one value for a map and a list.
func (p naivePath) clashes(q naivePath) bool {
	n := min(len(p), len(q))
	for i := range n {
		if p[i] != q[i] {
			return reflect.TypeOf(p[i]) != reflect.TypeOf(q[i])
		}
	}
	return true
}

// script is an expression under construction: its text and values.
type script struct {
	t      *rapid.T
	values object
}

func (s *script) value(v any) string {
	name := fmt.Sprintf(":v%d", len(s.values))
	s.values[name] = v
	return name
}

// naiveOperand is an operand: its text, and a function for its value in an item, which may be nil.
type naiveOperand struct {
	text string
	eval func(object) any
}

func (s *script) operand(types ...string) naiveOperand {
	switch rapid.IntRange(0, 3).Draw(s.t, "operand") {
	case 0:
		p := anyPath(s.t)
		return naiveOperand{"size(" + p.String() + ")",
			func(it object) any { return naiveSize(p.get(it)) }}
	case 1:
		p := anyPath(s.t)
		return naiveOperand{p.String(), func(it object) any { return p.get(it) }}
	}
	values := anyValue(2)
	if types != nil {
		values = values.Filter(func(v any) bool { return slices.Contains(types, typeOf(v)) })
	}
	v := values.Draw(s.t, "value")
	return naiveOperand{s.value(v), func(object) any { return v }}
}

func naiveSize(v any) any {
	switch v := v.(type) {
	case string:
		return len(utf16.Encode([]rune(v))) // service facts 1.12
	case binary:
		return len(v)
	case list:
		return len(v)
	case object:
		return len(v)
	case members:
		return len(v)
	}
	return nil
}

func naiveCompare(o string, v, w any) bool {
	equal := v != nil && reflect.DeepEqual(v, w)
	switch o {
	case "=":
		return equal
	case "<>":
		return !equal
	}
	var c int
	switch v := v.(type) {
	case string:
		w, ok := w.(string)
		if !ok {
			return false
		}
		c = strings.Compare(v, w)
	case binary:
		w, ok := w.(binary)
		if !ok {
			return false
		}
		c = strings.Compare(string(v), string(w))
	case int:
		w, ok := w.(int)
		if !ok {
			return false
		}
		c = v - w
	default:
		return false
	}
	return o == "<" && c < 0 || o == "<=" && c <= 0 || o == ">" && c > 0 || o == ">=" && c >= 0
}

func naiveContains(v, w any) bool {
	switch v := v.(type) {
	case string:
		w, ok := w.(string)
		return ok && strings.Contains(v, w)
	case binary:
		w, ok := w.(binary)
		return ok && strings.Contains(string(v), string(w))
	case list:
		return slices.ContainsFunc(v, func(e any) bool { return reflect.DeepEqual(e, w) })
	case members:
		switch w.(type) {
		case string, int, binary:
			return v[w]
		}
	}
	return false
}

func naiveBegins(v, w any) bool {
	switch v := v.(type) {
	case string:
		w, ok := w.(string)
		return ok && strings.HasPrefix(v, w)
	case binary:
		w, ok := w.(binary)
		return ok && strings.HasPrefix(string(v), string(w))
	}
	return false
}

// naiveCopy copies deeply.
func naiveCopy(v any) any {
	switch v := v.(type) {
	case object:
		c := maps.Clone(v)
		for name := range c {
			c[name] = naiveCopy(c[name])
		}
		return c
	case list:
		c := slices.Clone(v)
		for i := range c {
			c[i] = naiveCopy(c[i])
		}
		return c
	case members:
		return maps.Clone(v)
	}
	return v
}
