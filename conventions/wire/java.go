package wire

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
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
			if b.Len() > longestQuoted {
				break
			}
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

// javaFields are the fields of the service's class of attribute values, in its order. Some are
// those of types that the public model does not have.
var javaFields = [...]struct {
	name string
	of   item.Type
}{
	{"s", item.S}, {"n", item.N}, {"b", item.B}, {"iNT", item.NoType}, {"dECIMAL", item.NoType},
	{"dOUBLE", item.NoType}, {"sS", item.SS}, {"nS", item.NS}, {"bS", item.BS},
	{"iNTSET", item.NoType}, {"dECIMALSET", item.NoType}, {"dOUBLESET", item.NoType},
	{"m", item.M}, {"l", item.L}, {"nULL", item.NULL}, {"bOOL", item.BOOL},
}

// printAttributeValue prints all fields of a value (service facts F.31).
func printAttributeValue(b *strings.Builder, v item.Value) {
	b.WriteString("AttributeValue(")
	for i, f := range javaFields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.name)
		b.WriteByte('=')
		if f.of == item.NoType || f.of != v.Type() {
			b.WriteString("null")
			continue
		}
		printContent(b, v)
	}
	b.WriteByte(')')
}

// printContent prints what a value has in the field of its type. (How a binary, a set of them, a
// list or a map is printed is unconfirmed: as Java's collections and buffers do.)
func printContent(b *strings.Builder, v item.Value) {
	switch v.Type() {
	case item.S:
		b.WriteString(v.Str())
	case item.N:
		b.WriteString(v.Num())
	case item.B:
		printBuffer(b, v)
	case item.M, item.L, item.SS, item.NS, item.BS:
		printParts(b, v)
	case item.NULL:
		b.WriteString("true")
	case item.BOOL:
		b.WriteString(strconv.FormatBool(v == item.Boolean(true)))
	}
}

func printBuffer(b *strings.Builder, v item.Value) {
	n := strconv.Itoa(len(v.Bytes()))
	b.WriteString("java.nio.HeapByteBuffer[pos=0 lim=" + n + " cap=" + n + "]")
}

// printParts prints the parts of a map, a list or a set, as long as messages quote them.
func printParts(b *strings.Builder, v item.Value) {
	if v.Type() == item.M {
		sep := "{"
		for name, elem := range v.Fields() {
			if b.Len() > longestQuoted {
				break
			}
			b.WriteString(sep + name + "=")
			printAttributeValue(b, elem)
			sep = ", "
		}
		b.WriteString(strings.TrimSuffix(sep, ", ") + "}")
		return
	}
	sep, print := "[", printContent
	if v.Type() == item.L {
		print = printAttributeValue
	}
	for elem := range v.Elems() {
		if b.Len() > longestQuoted {
			break
		}
		b.WriteString(sep)
		print(b, elem)
		sep = ", "
	}
	b.WriteString(strings.TrimSuffix(sep, ", ") + "]")
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
