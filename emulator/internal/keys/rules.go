package keys

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Developer Guide, "Constraints", "Primary keys".
const (
	maxHashKeyBytes  = storage.MaxHashKeyBytes
	maxRangeKeyBytes = storage.MaxRangeKeyBytes
)

// ErrSchema is the error of a Key parameter whose attributes are not those of the table's key.
var ErrSchema = apierr.Invalid(keySchemaMismatch)

const keySchemaMismatch = "The provided key element does not match the schema"

// OfTable checks a Key parameter against a table's key schema: exactly the
// attributes of the schema, in its types, neither empty nor too long. The key lies in memory.
func OfTable(memory *item.Scratch, ks *storage.KeySchema, key item.Item) (storage.Key, error) {
	k, good, ok := ks.EncodeIn(memory, key)
	if !ok || key.Len() != len(ks.Hash)+len(ks.Range) {
		return storage.Key{}, ErrSchema
	}
	if good {
		return k, nil
	}
	return k, CheckValues(ks, key)
}

// OfItem checks the key attributes of a whole item and returns its key, which lies
// in memory.
func OfItem(memory *item.Scratch, ks *storage.KeySchema, it item.Item) (storage.Key, error) {
	k, good, ok := ks.EncodeIn(memory, it)
	switch {
	case !ok:
		return storage.Key{}, keyFault(ks, it)
	case good:
		return k, nil
	}
	return k, CheckValues(ks, it)
}

// keyFault says why an item has no key.
func keyFault(ks *storage.KeySchema, it item.Item) error {
	for _, attrs := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for _, a := range attrs {
			v := it.Get(a.Name)
			if v == "" {
				return apierr.Invalid("One or more parameter values were invalid: Missing the key %s in the item", a.Name)
			}
			if v.Type() != a.Type {
				return apierr.Invalid("One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s",
					a.Name, a.Type, v.Type())
			}
		}
	}
	return nil
}

// Has reports whether an item has all attributes of a key schema, in their types.
func Has(ks *storage.KeySchema, it item.Item) bool {
	for _, attrs := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for _, a := range attrs {
			if it.Get(a.Name).Type() != a.Type {
				return false
			}
		}
	}
	return true
}

// CheckValues checks the values of a key, all of which it has in their types:
// first that none is empty, then that none is too long.
func CheckValues(ks *storage.KeySchema, it item.Item) error {
	hash, err := checkNotEmpty(ks.Hash, it)
	if err != nil {
		return err
	}
	rest, err := checkNotEmpty(ks.Range, it)
	if err != nil {
		return err
	}
	if hash <= maxHashKeyBytes && rest <= maxRangeKeyBytes {
		return nil
	}
	return checkKeySizes(ks, it)
}

// checkNotEmpty checks that no attribute is empty. It returns the length of their
// wire forms, which is never less than their size.
func checkNotEmpty(attrs []storage.KeyAttribute, it item.Item) (length int, err error) {
	for _, a := range attrs {
		v := it.Get(a.Name)
		if empty := emptyKind(v); empty != "" {
			return 0, errEmptyKeyValue("The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", empty, a.Name)
		}
		length += len(v)
	}
	return length, nil
}

// checkKeySizes checks a key that it has. The missing space is the service's.
func checkKeySizes(ks *storage.KeySchema, it item.Item) error {
	if keyBytes(ks.Hash, it) > maxHashKeyBytes {
		return apierr.Invalid("One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of%d bytes", maxHashKeyBytes)
	}
	if keyBytes(ks.Range, it) > maxRangeKeyBytes {
		return apierr.Invalid("One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of %d bytes", maxRangeKeyBytes)
	}
	return nil
}

func keyBytes(attrs []storage.KeyAttribute, it item.Item) int {
	n := 0
	for _, a := range attrs {
		n += it.Get(a.Name).Size()
	}
	return n
}

// Nester is an expression that may reach into attributes, as a.b and a[0] do.
type Nester interface {
	Nests() bool // false of a nil expression
	Nested(attribute string) bool
}

// CheckScalars refuses an expression that reaches into an attribute that is a key of the
// table ("Key") or of one of its indexes ("IndexKey"), whether to read it or to write it
// (service facts 8.8).
func CheckScalars(tx *storage.Tx, t *storage.Table, e Nester) error {
	if !e.Nests() {
		return nil
	}
	if name := nestedKey(&t.Key, e); name != "" {
		return errNestedKey("Key", name)
	}
	for _, ix := range tx.Indexes(t) {
		if name := nestedKey(&ix.Key, e); name != "" {
			return errNestedKey("IndexKey", name)
		}
	}
	return nil
}

// nestedKey is the first attribute of a key that an expression reaches into, or "".
func nestedKey(ks *storage.KeySchema, e Nester) string {
	for i := range len(ks.Hash) + len(ks.Range) {
		if name := Attribute(ks, i).Name; e.Nested(name) {
			return name
		}
	}
	return ""
}

// errNestedKey: an expression reaches into a key attribute of a table ("Key") or
// of an index ("IndexKey").
func errNestedKey(label, name string) error {
	return apierr.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s", label, name)
}

// errEmptyKeyValue is the error of an empty value in a key of a table or index. It refuses a whole
// transaction (service facts 5.1 and 5.2).
func errEmptyKeyValue(format string, args ...any) error {
	err := apierr.As(apierr.Invalid("One or more parameter values are not valid. "+format, args...))
	err.Whole = true
	return err
}

// emptyKind names what an empty key value would be, "string" or "binary"; "" if v is not empty.
func emptyKind(v item.Value) string {
	switch v {
	case `{"S":""}`:
		return "string"
	case `{"B":""}`:
		return "binary"
	}
	return ""
}

// CheckIndexes checks those attributes of a new item that are keys of secondary
// indexes. Missing ones are fine: indexes are sparse.
func CheckIndexes(indexes []*storage.Index, it item.Item) error {
	return checkKeysOf(indexes, func(ix *storage.Index) indexKeyFault { return findIndexKeyFault(ix, it) })
}

// checkKeysOf returns the error of the first fault in a global index, else of the first in a
// local one (service facts 3.10).
func checkKeysOf(indexes []*storage.Index, find func(*storage.Index) indexKeyFault) (err error) {
	for _, ix := range indexes {
		fault := find(ix)
		switch {
		case fault.kind == faultNone:
		case !ix.Local:
			return fault.ofItem(ix)
		case err == nil:
			err = fault.ofItem(ix)
		}
	}
	return err
}

// CheckUpdated checks all index keys of an updated item, also those that
// the update did not touch: an item that had a bad one when its index was created
// cannot be updated until it is put right (Developer Guide, "Detecting and
// correcting index key violations").
func CheckUpdated(indexes []*storage.Index, it item.Item) error {
	for _, ix := range indexes {
		if fault := findIndexKeyFault(ix, it); fault.kind != faultNone {
			return fault.ofUpdate()
		}
	}
	return nil
}

// CheckAssigned checks the types of the values that an update gives index
// keys, as far as they are known without the item.
func CheckAssigned(indexes []*storage.Index, u *expr.Update) error {
	return checkKeysOf(indexes, func(ix *storage.Index) indexKeyFault { return findAssignedFault(ix, u) })
}

func findAssignedFault(ix *storage.Index, u *expr.Update) indexKeyFault {
	for _, attrs := range [...][]storage.KeyAttribute{ix.Key.Hash, ix.Key.Range} {
		for _, a := range attrs {
			if v := u.Assigned(a.Name); v != "" && v.Type() != a.Type {
				return indexKeyFault{kind: faultType, attribute: a, value: v}
			}
		}
	}
	return indexKeyFault{}
}

// indexKeyFault is what makes an attribute unfit as the key of an index.
type indexKeyFault struct {
	kind      faultKind
	attribute storage.KeyAttribute
	value     item.Value
	maxBytes  int
}

type faultKind uint8

const (
	faultNone faultKind = iota
	faultType
	faultEmpty
	faultLength
)

func findIndexKeyFault(ix *storage.Index, it item.Item) indexKeyFault {
	if f := findFault(ix.Key.Hash, it, maxHashKeyBytes); f.kind != faultNone {
		return f
	}
	return findFault(ix.Key.Range, it, maxRangeKeyBytes)
}

func findFault(attrs []storage.KeyAttribute, it item.Item, maxBytes int) indexKeyFault {
	for _, a := range attrs {
		v := it.Get(a.Name)
		f := indexKeyFault{attribute: a, value: v, maxBytes: maxBytes}
		switch {
		case v == "":
			continue
		case v.Type() != a.Type:
			f.kind = faultType
		case emptyKind(v) != "":
			f.kind = faultEmpty
		case len(v) > maxBytes && v.Size() > maxBytes:
			f.kind = faultLength
		default:
			continue
		}
		return f
	}
	return indexKeyFault{}
}

// ofItem is the error for an attribute that the request has.
func (f *indexKeyFault) ofItem(ix *storage.Index) error {
	switch f.kind {
	case faultType:
		return apierr.Invalid("One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s",
			f.attribute.Name, f.attribute.Type, f.value.Type(), ix.Name)
	case faultEmpty:
		return errEmptyKeyValue("A value specified for a secondary index key is not supported. "+
			"The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s",
			emptyKind(f.value), ix.Name, f.attribute.Name)
	}
	return apierr.Invalid("One or more parameter values were invalid: Size limit exceeded for Index Key %s Actual Size: %d bytes Max Size: %d bytes IndexName: %s",
		f.attribute.Name, f.value.Size(), f.maxBytes, ix.Name)
}

// ofUpdate is the error for an attribute that an update has made (API Reference,
// TransactWriteItems, TransactionCanceledException, has the texts).
func (f *indexKeyFault) ofUpdate() error {
	switch f.kind {
	case faultType:
		return apierr.Invalid("The update expression attempted to update the secondary index key to unsupported type")
	case faultEmpty:
		return errEmptyKeyValue("The update expression attempted to update a secondary index key to a value that is not supported. "+
			"The AttributeValue for a key attribute cannot contain an empty %s value.", emptyKind(f.value))
	}
	return apierr.Invalid("The update expression attempted to update the secondary index key beyond allowed size limits")
}
