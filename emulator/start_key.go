package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

var (
	errStartKey          = apierr.Invalid(apierr.StartKeyInvalid)
	errStartKeySchema    = errStartKeyBecause(keySchemaMismatch)
	errStartKeyOutside   = apierr.Invalid("The provided starting key is outside query boundaries based on provided conditions")
	errStartKeyPredicate = apierr.Invalid("The provided starting key does not match the range key predicate")
	errStartKeyOfOne     = apierr.Invalid("The query can return at most one row and cannot be restarted")
)

// errStartKeyBecause is errStartKey with a reason.
func errStartKeyBecause(reason string) error {
	return apierr.Invalid(apierr.StartKeyInvalid + ": " + reason)
}

// errStartKeyItself is the error of a Query that can find nothing but the item of its start
// key (service facts 3.8).
func errStartKeyItself(ks *storage.KeySchema, start item.Item) error {
	name := ks.Hash[0].Name
	return apierr.Invalid("The provided exclusive start key is invalid: ExclusiveStartKey: {%s=%s}", name, expr.PrintScalar(start.Get(name)))
}

// checkStartKey checks that an ExclusiveStartKey has the attributes of the source's key and
// of the table's, in their types, and nothing else, as LastEvaluatedKey has. The texts are
// those of Query for tables and of both operations for indexes (service facts 3.7 and 3.13).
func checkStartKey(s *source, start item.Item) error {
	names := s.keyNames()
	ofSource := len(s.key().Hash) + len(s.key().Range)
	for i, name := range names {
		if start.Get(name) != "" {
			continue
		}
		if i >= ofSource && start.Len() == len(names) {
			return errStartKeySchema
		}
		return errStartKey
	}
	switch {
	case start.Len() != len(names):
		return errStartKey
	case !hasKey(s.key(), start):
		return errKeySchema
	case !hasKey(&s.table.Key, start):
		return errStartKeySchema
	}
	return nil
}

// startKey is the key after which to go on, of a start key that checkStartKey accepts.
func startKey(s *source, start item.Item) (storage.Key, error) {
	schemas := []*storage.KeySchema{&s.table.Key}
	if s.index != nil {
		schemas = append(schemas, &s.index.Key)
	}
	for _, ks := range schemas {
		if err := checkKeyValues(ks, start); err != nil {
			return storage.Key{}, errStartKeyBecause(err.(*apierr.Error).Message)
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

// resume is what of a query's range comes after a start key, whose key is k. The service
// refuses start keys that do not satisfy the key condition themselves (service facts 3.8 and
// 3.9), and also the last key that could, in the direction of the query: with "sk >= :a"
// backwards, the one with sk = :a.
func (q *queryRead) resume(kc *keyCondition, r *keyRange, start item.Item, k storage.Key) (storage.Range, error) {
	ks := q.source.key()
	if len(q.terms) > len(ks.Hash) {
		moved := kc.inPartitionOf(ks, start)
		if there := moved.locate(&q.source); !within(&there.Range, k) {
			return storage.Range{}, errStartKeyPredicate
		}
		if r.one || !within(&r.partition, k) {
			return storage.Range{}, errStartKeyOfOne
		}
	}
	switch {
	case !within(&r.partition, k):
		return storage.Range{}, errStartKeyOutside
	case r.one:
		return storage.Range{}, errStartKeyItself(ks, start)
	}
	left := rest(r.Range, k, q.reverse)
	if isEmpty(&left) {
		return left, errStartKeyPredicate
	}
	return left, nil
}
