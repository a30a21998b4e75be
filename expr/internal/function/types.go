package function

import "github.com/kugiri-db/kugiri/storage/item"

// Types is a set of data types.
type Types uint16

// TypesOf returns a set of types.
func TypesOf(types ...item.Type) (s Types) {
	for _, t := range types {
		s |= 1 << t
	}
	return s
}

// Has reports whether a type is in the set.
func (s Types) Has(t item.Type) bool { return s&(1<<t) != 0 }

// AnyType has all types.
const AnyType = ^Types(0)

// Sets of types, as the service checks them before it reads an item.
var (
	Lists    = TypesOf(item.L)
	Sets     = TypesOf(item.SS, item.NS, item.BS)
	prefixed = TypesOf(item.S, item.B)
	sized    = prefixed | Sets | TypesOf(item.M, item.L)
)

// Same reports whether two values are there, and of one type, which is in a set.
func Same(v, w item.Value, types Types) bool {
	if v == "" || w == "" {
		return false
	}
	t := v.Type()
	return types.Has(t) && t == w.Type()
}
