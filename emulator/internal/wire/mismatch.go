package wire

import (
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// mismatch is the error for a JSON value, not yet read, that pl cannot take.
func (d *decoder) mismatch(pl *plan) error { return d.unexpected(pl, noScalar(pl)) }

// unexpected is mismatch; scalar is the error for a scalar if pl is of none itself.
func (d *decoder) unexpected(pl *plan, scalar error) error {
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
	}
	return scalar
}

// noScalar is the error for a scalar in the place of a structure or collection. It depends on what
// holds that (service facts 11.1, 11.2).
func noScalar(pl *plan) error {
	structure := pl.kind == kindStruct || pl.kind == kindAttributeValue
	switch {
	case !pl.held:
		return item.ErrNoScalarHere
	case structure:
		return item.ErrNoValueHere
	}
	return errNoClass
}

// errNoClass is what the service says of a scalar where a list or map holds a collection.
const errNoClass item.SerializationError = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
	"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"

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
	case kindStruct, kindAttributeValue:
		return "com.amazonaws.dynamodb.v20120810." + pl.typ.Name()
	case kindAttributes:
		return item.JavaAttributes
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
