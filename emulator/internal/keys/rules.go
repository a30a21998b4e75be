package keys

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The limits of key values (Developer Guide, "Constraints", "Primary keys").
const (
	maxHashKeyBytes  = storage.MaxHashKeyBytes
	maxRangeKeyBytes = storage.MaxRangeKeyBytes
)

// ErrSchema is the error of a Key parameter with other attributes than the table's key.
var ErrSchema = apierr.Invalid(keySchemaMismatch)

const keySchemaMismatch = "The provided key element does not match the schema"

// OfTable checks a Key parameter against the key schema of a table. The key must have exactly the
// attributes of the schema, with their types, and no value may be empty or too long. The returned
// key uses the given memory.
func OfTable(memory *item.Scratch, ks *storage.KeySchema, key item.Item) (storage.Key, error) {
	k, good, ok := ks.EncodeIn(memory, key)
	if !ok || key.Len() != len(ks.Hash)+len(ks.Range) {
		return storage.Key{}, ErrSchema
	}
	if good {
		return k, nil
	}
	return k, checkValues(ks, key)
}

// OfItem checks the key attributes of a whole item and returns its key, which uses the given
// memory.
func OfItem(memory *item.Scratch, ks *storage.KeySchema, it item.Item) (storage.Key, error) {
	k, good, ok := ks.EncodeIn(memory, it)
	switch {
	case !ok:
		return storage.Key{}, keyFault(ks, it)
	case good:
		return k, nil
	}
	return k, checkValues(ks, it)
}

// keyFault returns the reason why an item has no valid key.
func keyFault(ks *storage.KeySchema, it item.Item) error {
	for _, attrs := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for _, a := range attrs {
			v := it.Get(a.Name)
			if v == "" {
				return apierr.Invalid(
					"One or more parameter values were invalid: Missing the key %s in the item",
					a.Name)
			}
			if v.Type() != a.Type {
				return apierr.Invalid(
					"One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s",
					a.Name, a.Type, v.Type())
			}
		}
	}
	return nil
}

// Has reports whether an item has all attributes of a key schema, with their types.
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

// checkValues checks the values of a key that has all attributes with their types: first that none
// is empty, then that none is too long.
func checkValues(ks *storage.KeySchema, it item.Item) error {
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

// checkNotEmpty checks that no attribute is empty. It returns the length of the attributes in JSON,
// which is at least their size.
func checkNotEmpty(attrs []storage.KeyAttribute, it item.Item) (length int, err error) {
	for _, a := range attrs {
		v := it.Get(a.Name)
		if empty := emptyKind(v); empty != "" {
			return 0, errEmptyKeyValue(
				"The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s",
				empty, a.Name)
		}
		length += len(v)
	}
	return length, nil
}

// checkKeySizes checks the sizes of a complete key. The missing space in the text is the service's.
func checkKeySizes(ks *storage.KeySchema, it item.Item) error {
	if keyBytes(ks.Hash, it) > maxHashKeyBytes {
		return apierr.Invalid(
			"One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of%d bytes", maxHashKeyBytes)
	}
	if keyBytes(ks.Range, it) > maxRangeKeyBytes {
		return apierr.Invalid(
			"One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of %d bytes", maxRangeKeyBytes)
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

// Nester is an expression that can contain paths into attributes, such as a.b and a[0].
type Nester interface {
	Nests() bool // false for a nil expression
	Nested(attribute string) bool
}

// CheckScalars refuses an expression with a path into a key attribute of the table ("Key") or of
// one of its indexes ("IndexKey"). It makes no difference whether the expression reads or writes
// the path (service facts 8.8).
func CheckScalars(tx *storage.Tx, t *storage.Table, e Nester) error {
	if !e.Nests() {
		return nil
	}
	if name := nestedKey(&t.Key, e); name != "" {
		return errNestedKey("Key", name)
	}
	for _, ix := range tx.Tables().Indexes(t) {
		if name := nestedKey(&ix.Key, e); name != "" {
			return errNestedKey("IndexKey", name)
		}
	}
	return nil
}

// nestedKey returns the first key attribute that an expression has a path into, or "".
func nestedKey(ks *storage.KeySchema, e Nester) string {
	for i := range len(ks.Hash) + len(ks.Range) {
		if name := Attribute(ks, i).Name; e.Nested(name) {
			return name
		}
	}
	return ""
}

// errNestedKey returns the error of a path into a key attribute of a table ("Key") or of an index
// ("IndexKey").
func errNestedKey(label, name string) error {
	return apierr.Invalid(
		"Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s", label, name)
}

// errEmptyKeyValue returns the error of an empty value in a key of a table or index. It refuses a
// transaction as a whole (service facts 5.1 and 5.2).
func errEmptyKeyValue(format string, args ...any) error {
	err := apierr.As(apierr.Invalid("One or more parameter values are not valid. "+format, args...))
	err.Whole = true
	return err
}

// emptyKind returns the kind of an empty key value, "string" or "binary", or "" if v is not empty.
func emptyKind(v item.Value) string {
	switch v {
	case `{"S":""}`:
		return "string"
	case `{"B":""}`:
		return "binary"
	}
	return ""
}

// CheckIndexes checks the attributes of a new item that are keys of secondary indexes. They may be
// missing, because indexes are sparse.
func CheckIndexes(indexes []*storage.Index, it item.Item) error {
	return checkKeysOf(indexes,
		func(ix *storage.Index) indexKeyFault { return findIndexKeyFault(ix, it) })
}

// checkKeysOf returns the error of the first fault in a global index. Without one it returns the
// error of the first fault in a local index (service facts 3.10).
func checkKeysOf(indexes []*storage.Index, find func(*storage.Index) indexKeyFault) (err error) {
	for _, ix := range indexes {
		fault := find(ix)
		switch {
		case fault.kind == faultNone:
		case !ix.Local:
			return fault.ofItem(ix.Name)
		case err == nil:
			err = fault.ofItem(ix.Name)
		}
	}
	return err
}

// CheckUpdated checks all index keys of an updated item, including those that the update did not
// change. An item that had an invalid key when its index was created can only be updated with valid
// keys (Developer Guide, "Detecting and correcting index key violations").
func CheckUpdated(indexes []*storage.Index, it item.Item) error {
	for _, ix := range indexes {
		if fault := findIndexKeyFault(ix, it); fault.kind != faultNone {
			return fault.ofUpdate()
		}
	}
	return nil
}

// CheckAssigned checks the types of the values that an update assigns to index keys. It skips
// values that depend on the item.
func CheckAssigned(indexes []*storage.Index, u *expr.Update) error {
	return checkKeysOf(indexes,
		func(ix *storage.Index) indexKeyFault { return findAssignedFault(ix, u) })
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

// indexKeyFault describes why an attribute cannot be the key of an index.
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

// ofItem returns the error for an attribute of an item in the request.
func (f *indexKeyFault) ofItem(index string) error {
	switch f.kind {
	case faultType:
		return apierr.Invalid(
			"One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s",
			f.attribute.Name, f.attribute.Type, f.value.Type(), index)
	case faultEmpty:
		return errEmptyKeyValue("A value specified for a secondary index key is not supported. "+
			"The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s",
			emptyKind(f.value), index, f.attribute.Name)
	}
	return apierr.Invalid(
		"One or more parameter values were invalid: Size limit exceeded for Index Key %s Actual Size: %d bytes Max Size: %d bytes IndexName: %s",
		f.attribute.Name, f.value.Size(), f.maxBytes, index)
}

// ofUpdate returns the error for an attribute that an update made. The texts are from API
// Reference, TransactWriteItems, TransactionCanceledException.
func (f *indexKeyFault) ofUpdate() error {
	switch f.kind {
	case faultType:
		return apierr.Invalid(
			"The update expression attempted to update the secondary index key to unsupported type")
	case faultEmpty:
		return errEmptyKeyValue(
			"The update expression attempted to update a secondary index key to a value that is not supported. "+
				"The AttributeValue for a key attribute cannot contain an empty %s value.",
			emptyKind(f.value))
	}
	return apierr.Invalid(
		"The update expression attempted to update the secondary index key beyond allowed size limits")
}
