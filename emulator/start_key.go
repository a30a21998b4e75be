package emulator

import (
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

const startKeyInvalid = "The provided starting key is invalid"

var (
	errStartKey          = invalid(startKeyInvalid)
	errStartKeyOutside   = invalid("The provided starting key is outside query boundaries based on provided conditions")
	errStartKeyPredicate = invalid("The provided starting key does not match the range key predicate")
	errStartKeyOfOne     = invalid("The query can return at most one row and cannot be restarted")
)

// errStartKeyBecause is errStartKey with a reason.
func errStartKeyBecause(reason string) error { return invalid(startKeyInvalid + ": " + reason) }

// startKey checks an ExclusiveStartKey against a source and returns the key
// after which to go on. It has the attributes of the source's key and of the
// table's and nothing else, as LastEvaluatedKey has. mismatch is the error of one
// that has not.
func startKey(s *source, start item.Item, mismatch error) (storage.Key, error) {
	schemas := []*storage.KeySchema{&s.table.Key}
	if s.index != nil {
		schemas = append(schemas, &s.index.Key)
	}
	if start.Len() != len(s.keyNames()) {
		return storage.Key{}, mismatch
	}
	for _, ks := range schemas {
		if !hasKey(ks, start) {
			return storage.Key{}, mismatch
		}
		if err := checkKeyValues(ks, start); err != nil {
			return storage.Key{}, errStartKeyBecause(err.(*apiError).message)
		}
	}
	return s.encode(start), nil
}

// lastKey is the LastEvaluatedKey of a page that ended with an item.
func lastKey(s *source, last item.Item) item.JSON {
	return item.JSON(last.AppendOnlyJSON(nil, s.keyNames()...))
}

// within reports whether a range holds a key.
func within(r *storage.Range, k storage.Key) bool {
	return !keyLess(k, r.Lo) && (r.HiOpen || keyLess(k, r.Hi))
}

func keyLess(a, b storage.Key) bool {
	return a.Hash < b.Hash || a.Hash == b.Hash && a.Text < b.Text
}

// rest is what of a range comes after a key that it holds.
func rest(r storage.Range, k storage.Key, reverse bool) storage.Range {
	if reverse {
		r.Hi, r.HiOpen = k, false
	} else {
		r.Lo = k.Next()
	}
	return r
}

// isEmpty reports whether no key can be in a range.
func isEmpty(r *storage.Range) bool { return !r.HiOpen && !keyLess(r.Lo, r.Hi) }

// resume is what of a query's range comes after a start key. The service refuses
// start keys that do not satisfy the key condition themselves, and also the last
// key that could, in the direction of the query: with "sk >= :a" backwards, the
// one with sk = :a.
func (r *keyRange) resume(k storage.Key, reverse bool) (storage.Range, error) {
	switch {
	case r.one:
		return storage.Range{}, errStartKeyOfOne
	case !within(&r.partition, k):
		return storage.Range{}, errStartKeyOutside
	case !within(&r.Range, k):
		return storage.Range{}, errStartKeyPredicate
	}
	left := rest(r.Range, k, reverse)
	if isEmpty(&left) {
		return left, errStartKeyPredicate
	}
	return left, nil
}
