package keys

import (
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// CheckVectors checks the attributes of a new item that vector indexes have. They may be missing,
// because the indexes are sparse. old is the item that it replaces, or "" if that is not known yet,
// and memory is where the new item is, or nil.
func CheckVectors(memory *item.Scratch, tx *storage.Tx, t *storage.Table, old, it item.Item) error {
	for _, ix := range tx.Vectors().Indexes(t) {
		if f := findVectorKeyFault(ix, it); f.kind != faultNone {
			return f.ofItem(ix.Name)
		}
		if v := it.Get(ix.Attribute); v != "" && !fits(memory, tx, ix, old, v) {
			return vectorFault(ix, v)
		}
	}
	return nil
}

// fits reports whether v, which replaces a value of old, is a vector for an index. The write reads
// the vector again only if it changes.
func fits(memory *item.Scratch, tx *storage.Tx, ix *storage.VectorIndex, old item.Item,
	v item.Value) bool {
	if v == old.Get(ix.Attribute) {
		return ix.Fits(v)
	}
	return tx.Vectors().Fits(memory, ix, v)
}

// findVectorKeyFault returns what is wrong with the attributes of an item that are in the search
// schema of an index. An inline filter may be empty or long: it is no key.
func findVectorKeyFault(ix *storage.VectorIndex, it item.Item) indexKeyFault {
	if f := findFault(ix.Hash, it, maxHashKeyBytes); f.kind != faultNone {
		return f
	}
	for _, a := range ix.Filters {
		if v := it.Get(a.Name); v != "" && v.Type() != a.Type {
			return indexKeyFault{kind: faultType, attribute: a, value: v}
		}
	}
	return indexKeyFault{}
}

// vectorFault returns the error of a value that is no vector for an index (service facts V.3.1).
func vectorFault(ix *storage.VectorIndex, v item.Value) error {
	if v.Type() != item.L {
		return badVector(
			"type for parameter %s, Expected: 32-bit floating point number list IndexName: %s",
			ix.Attribute, ix.Name)
	}
	if n := v.Len(); n != ix.Dimensions {
		return badVector("size for parameter %s, Expected: %d, Actual: %d IndexName: %s",
			ix.Attribute, ix.Dimensions, n, ix.Name)
	}
	i := 0
	for e := range v.Elems() {
		if e.Type() != item.N {
			return badVector(
				"type for parameter %s[%d], Expected: 32-bit floating point number, Actual: %s. IndexName: %s", ix.Attribute, i, e.Type(), ix.Name)
		}
		if !item.IsFloat(e.Num()) {
			return badVector(
				"value for parameter %s[%d], Value: %s is outside valid range [-3.4028235E38, 3.4028235E38]. IndexName: %s",
				ix.Attribute, i, scientific(e.Num()), ix.Name)
		}
		i++
	}
	return nil
}

func badVector(format string, args ...any) error {
	return apierr.Invalid("One or more parameter values were invalid. Invalid "+format, args...)
}

// scientific returns a whole number that ends with a 0 as the service prints it: 3.5E+38.
func scientific(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	sign := ""
	if negative {
		sign = "-"
	}
	exponent := len(digits) - 1
	digits = strings.TrimRight(digits, "0")
	if len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return sign + digits + "E+" + strconv.Itoa(exponent)
}
