package wire

import (
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// mismatch is the error for a JSON value, not yet read, that pl cannot take.
func (d *decoder) mismatch(pl *plan) error {
	switch d.s.Peek() {
	case '{':
		return item.ErrNoObjectHere
	case '[':
		return item.ErrNoList(javaType(pl))
	}
	from := d.s.Pos()
	if d.s.Skip(0) != nil {
		return item.ErrSyntax
	}
	switch raw := d.s.Text(from); {
	case pl.kind == kindBool && raw[0] == '"':
		return item.ErrNoStringHere
	case pl.kind <= kindBool:
		return cannotConvert(raw, pl)
	case pl.kind == kindStruct:
		return item.ErrNoValueHere
	}
	return item.ErrNoScalarHere
}

// javaType is what the service calls the type of a plan.
func javaType(pl *plan) string {
	name := javaName(pl)
	if strings.HasSuffix(name, ">") {
		return name
	}
	return item.JavaClass + name
}

func javaName(pl *plan) string {
	switch pl.kind {
	case kindPointer:
		return javaName(pl.elem)
	case kindStruct:
		return "com.amazonaws.dynamodb.v20120810." + pl.typ.Name()
	case kindList:
		return "java.util.List<" + javaName(pl.elem) + ">"
	case kindMap:
		return "java.util.Map<java.lang.String, " + javaName(pl.elem) + ">"
	}
	return "java.lang." + pl.java
}

// cannotConvert is the error for a scalar that another type was wanted for.
func cannotConvert(raw string, pl *plan) error {
	return item.ErrConversion(strings.TrimSpace(raw), pl.java)
}
