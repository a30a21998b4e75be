package wire

import (
	"strconv"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

func appendStruct(dst []byte, pl *plan, p unsafe.Pointer) []byte {
	dst = append(dst, '{')
	first := true
	for i := range pl.members {
		m := &pl.members[i]
		v := unsafe.Add(p, m.offset)
		if m.plan.absent(v) {
			continue
		}
		dst = appendName(dst, m, first)
		first = false
		dst = appendValue(dst, m.plan, v)
	}
	return append(dst, '}')
}

// appendName appends the name of a member. first is set for the first member of the structure.
func appendName(dst []byte, m *member, first bool) []byte {
	if !first {
		dst = append(dst, ',')
	}
	return append(dst, m.opening...)
}

func appendValue(dst []byte, pl *plan, p unsafe.Pointer) []byte {
	switch pl.kind {
	case kindString:
		return jsontext.AppendQuoted(dst, *(*string)(p))
	case kindInt:
		return strconv.AppendInt(dst, *(*int64)(p), 10)
	case kindFloat:
		return appendDouble(dst, *(*float64)(p))
	case kindBool:
		return strconv.AppendBool(dst, *(*bool)(p))
	case kindStruct:
		return appendStruct(dst, pl, p)
	case kindList:
		return appendList(dst, pl, p)
	case kindMap:
		return appendMap(dst, pl, p)
	case kindPointer:
		return appendValue(dst, pl.elem, *(*unsafe.Pointer)(p))
	case kindAttributes:
		return append(dst, (*item.Attributes)(p).Item.JSON()...)
	case kindAttributeValue:
		return append(dst, (*api.AttributeValue)(p).Value...)
	}
	return append(dst, *(*item.JSON)(p)...)
}

func appendList(dst []byte, pl *plan, p unsafe.Pointer) []byte {
	c := (*collection)(p)
	dst = append(dst, '[')
	for i := range c.len {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, pl.elem, unsafe.Add(c.data, uintptr(i)*pl.stride))
	}
	return append(dst, ']')
}

func appendMap(dst []byte, pl *plan, p unsafe.Pointer) []byte {
	c := (*collection)(p)
	dst = append(dst, '{')
	for i := range c.len {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := unsafe.Add(c.data, uintptr(i)*pl.stride)
		dst = jsontext.AppendQuoted(dst, *(*string)(e))
		dst = append(dst, ':')
		dst = appendValue(dst, pl.elem, unsafe.Add(e, entryKeyBytes))
	}
	return append(dst, '}')
}

// appendDouble appends a number as Java's Double.toString and the service write it: 1.0, 0.5, and
// 1.363729002358E9 for a time (API Reference, DescribeTable, Examples).
func appendDouble(dst []byte, f float64) []byte {
	if abs := max(f, -f); abs == 0 || abs >= 1e-3 && abs < 1e7 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
		return withPoint(dst, start, len(dst))
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'E', -1, 64) // 1.5E+09
	e := start
	for dst[e] != 'E' {
		e++
	}
	exponent, _ := strconv.Atoi(string(dst[e+1:]))
	dst = withPoint(dst[:e], start, e)
	dst = append(dst, 'E')
	return strconv.AppendInt(dst, int64(exponent), 10)
}

// withPoint appends ".0" unless dst[start:end] has a point.
func withPoint(dst []byte, start, end int) []byte {
	for _, c := range dst[start:end] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, '.', '0')
}
