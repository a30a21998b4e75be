package wire

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unsafe"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// javaString prints a value as the service's messages do, by Java's toString.
func javaString(pl *plan, p unsafe.Pointer) string {
	var b strings.Builder
	printJava(&b, pl, p)
	return b.String()
}

func printJava(b *strings.Builder, pl *plan, p unsafe.Pointer) {
	if pl.absent(p) {
		b.WriteString("null")
		return
	}
	switch pl.kind {
	case kindPointer:
		printJava(b, pl.elem, *(*unsafe.Pointer)(p))
	case kindString:
		b.WriteString(*(*string)(p))
	case kindStruct:
		printStruct(b, pl, p)
	case kindList, kindMap:
		printCollection(b, pl, p)
	case kindAttributes:
		printAttributes(b, p)
	case kindAttributeValue:
		printAttributeValue(b, (*api.AttributeValue)(p).Value)
	default:
		b.Write(appendValue(nil, pl, p))
	}
}

// printStruct prints the members, including those that the public model hides.
func printStruct(b *strings.Builder, pl *plan, p unsafe.Pointer) {
	if api.Opaque(pl.typ) {
		printObject(b, pl.typ.Name(), string(appendValue(nil, pl, p)))
		return
	}
	b.WriteString(pl.typ.Name())
	b.WriteByte('(')
	for i := range pl.members {
		m := &pl.members[i]
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(m.path)
		b.WriteByte('=')
		printJava(b, m.plan, unsafe.Add(p, m.offset))
	}
	for _, name := range api.HiddenMembers(pl.typ) {
		b.WriteString(", ")
		b.WriteString(name)
		b.WriteString("=null")
	}
	b.WriteByte(')')
}

func printCollection(b *strings.Builder, pl *plan, p unsafe.Pointer) {
	open, end := byte('['), byte(']')
	if pl.kind == kindMap {
		open, end = '{', '}'
	}
	b.WriteByte(open)
	for i := range (*collection)(p).len {
		key, elem := pl.at(p, i)
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > longestQuoted { // the rest is cut off anyway
			break
		}
		if key != nil {
			b.WriteString(*key)
			b.WriteByte('=')
		}
		printJava(b, pl.elem, elem)
	}
	b.WriteByte(end)
}

func printAttributes(b *strings.Builder, p unsafe.Pointer) {
	b.WriteByte('{')
	if it := (*item.Attributes)(p).Item; it != "" {
		first := true
		for name, v := range it.All() {
			if !first {
				b.WriteString(", ")
			}
			first = false
			b.WriteString(name)
			b.WriteByte('=')
			printAttributeValue(b, v)
		}
	}
	b.WriteByte('}')
}

// printAttributeValue prints a value. Its Java class has no toString of its own.
func printAttributeValue(b *strings.Builder, v item.Value) {
	printObject(b, "AttributeValue", string(v))
}

// printObject prints what Object.toString does: the name of the class and a hash.
func printObject(b *strings.Builder, class, content string) {
	h := fnv.New32a()
	h.Write([]byte(content))
	b.WriteString("com.amazonaws.dynamodb.v20120810.")
	b.WriteString(class)
	b.WriteByte('@')
	b.WriteString(strconv.FormatUint(uint64(h.Sum32()), 16))
}
