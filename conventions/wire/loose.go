package wire

import (
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Loose reports whether a request, which Decode has read into the shape v, has values that a strict
// reader would not take: a truth value in quotes, an integer with decimals, or an attribute value
// that is null or does not have exactly one type. The new layer of validation leaves such a request
// to the old one as a whole (service facts F.5, F.7).
func Loose(body string, v any) bool {
	_, pl := open(v)
	r := strictReader{s: jsontext.NewScanner(body)}
	return !r.value(pl)
}

// strictReader reads a request that Decode has read. Its methods return false as soon as something
// is loose.
type strictReader struct{ s jsontext.Scanner }

// value reads a value. A null is an absent member.
func (r *strictReader) value(pl *plan) bool {
	if r.s.Next('n') {
		return !pl.nullable() || !pl.held
	}
	switch pl.kind {
	case kindPointer:
		return r.value(pl.elem)
	case kindBool:
		return r.s.Peek() != '"' && r.skip()
	case kindInt:
		from := r.s.Pos()
		return r.skip() && !strings.ContainsAny(r.s.Text(from), ".eE")
	case kindStruct:
		return r.members('{', '}', func(name string) bool {
			if i := pl.find(name, 0); i >= 0 {
				return r.value(pl.members[i].plan)
			}
			return r.skip()
		})
	case kindList:
		return r.members('[', ']', func(string) bool { return r.value(pl.elem) })
	case kindMap:
		return r.members('{', '}', func(string) bool { return r.value(pl.elem) })
	case kindAttributes:
		return r.attributes()
	case kindAttributeValue:
		return r.attributeValue()
	}
	return r.skip()
}

func (r *strictReader) skip() bool { return r.s.Skip(deepestStrict) == nil }

// deepestStrict is the most levels of JSON that are skipped, more than the reader of values takes.
const deepestStrict = 1000

// members reads a list or an object, and calls each for its parts. It returns false if each does.
func (r *strictReader) members(open, shut jsontext.Kind, each func(name string) bool) bool {
	if !r.s.Next(open) {
		return false
	}
	if r.s.Next(shut) {
		return true
	}
	for {
		name := ""
		if open == '{' {
			raw, _, err := r.s.String()
			if err != nil || !r.s.Next(':') {
				return false
			}
			name = jsontext.Unquote(raw)
		}
		if !each(name) {
			return false
		}
		if !r.s.Next(',') {
			return r.s.Next(shut)
		}
	}
}

func (r *strictReader) attributes() bool {
	return r.members('{', '}', func(string) bool { return r.attributeValue() })
}

// attributeValue reads a value with exactly one type.
func (r *strictReader) attributeValue() bool {
	types := 0
	good := r.s.Peek() == '{' && r.members('{', '}', func(name string) bool {
		types++
		switch t := item.TypeNamed(name); {
		case t == item.NoType || r.s.Peek() == 'n':
			return false
		case t == item.BOOL || t == item.NULL:
			return r.s.Peek() != '"' && r.skip()
		case t == item.M:
			return r.attributes()
		case t == item.L:
			return r.members('[', ']', func(string) bool { return r.attributeValue() })
		}
		return r.skip()
	})
	return good && types == 1
}
