package wire

import (
	"strings"

	"github.com/kugiri-db/kugiri/storage/item"
)

// mismatch returns the error for the next JSON value, which has the wrong type for pl.
func (d *decoder) mismatch(pl *plan) error { return d.unexpected(pl, noScalar(pl)) }

// unexpected is mismatch with the error for a scalar, which counts unless pl is a scalar itself.
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

// noScalar returns the error for a scalar in the place of a structure or collection. It depends on
// what contains that place (service facts 11.1, 11.2).
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

// errNoClass is the error for a scalar in the place of a collection in a list or map.
const errNoClass item.SerializationError = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
	"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"

// javaType returns the service's name of a plan's type.
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

// cannotConvert returns the error for a scalar of the wrong type.
func cannotConvert(raw string, pl *plan) error {
	return item.ErrConversion(strings.TrimSpace(raw), pl.java)
}
