package keys

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Errors of start keys.
var (
	ErrStart           = apierr.Invalid(apierr.StartKeyInvalid)
	ErrStartSchema     = ErrStartBecause(keySchemaMismatch)
	errStartKeyOutside = apierr.Invalid(
		"The provided starting key is outside query boundaries based on provided conditions")
	errStartKeyPredicate = apierr.Invalid(
		"The provided starting key does not match the range key predicate")
	errStartKeyOfOne = apierr.Invalid(
		"The query can return at most one row and cannot be restarted")
)

// ErrStartBecause returns the error of a wrong start key, with a reason.
func ErrStartBecause(reason string) error {
	return apierr.Invalid(apierr.StartKeyInvalid + ": " + reason)
}

// errStartKeyItself returns the error of a Query that can find only the item of its start key
// (service facts 3.8).
func errStartKeyItself(ks *storage.KeySchema, start item.Item) error {
	name := ks.Hash[0].Name
	return apierr.Invalid("The provided exclusive start key is invalid: ExclusiveStartKey: {%s=%s}",
		name, expr.PrintScalar(start.Get(name)))
}

// CheckStart checks that an ExclusiveStartKey has the attributes of the source's key and of the
// table's key, with their types, and no others. A LastEvaluatedKey has this form. The error texts
// are those of Scan (service facts 3.13). Query has the one of ErrStart for all faults (service
// facts F.13).
func CheckStart(s *Source, start item.Item) error {
	names := s.KeyNames()
	ofSource := len(s.Key().Hash) + len(s.Key().Range)
	for i, name := range names {
		if start.Get(name) != "" {
			continue
		}
		if i >= ofSource && start.Len() == len(names) {
			return ErrStartSchema
		}
		return ErrStart
	}
	switch {
	case start.Len() != len(names):
		return ErrStart
	case !Has(s.Key(), start):
		return ErrSchema
	case !Has(&s.Table.Key, start):
		return ErrStartSchema
	}
	return nil
}

// Start returns the key after which to continue. CheckStart must have accepted the start key.
func Start(s *Source, start item.Item) (storage.Key, error) {
	schemas := []*storage.KeySchema{&s.Table.Key}
	if s.Index != nil {
		schemas = append(schemas, &s.Index.Key)
	}
	for _, ks := range schemas {
		if err := checkValues(ks, start); err != nil {
			return storage.Key{}, ErrStartBecause(apierr.As(err).Message)
		}
	}
	return s.Encode(start), nil
}

// Last returns the LastEvaluatedKey of a page that ends with an item.
func Last(s *Source, last item.Item) item.JSON {
	return item.JSON(last.AppendOnlyJSON(nil, s.KeyNames()...))
}

// Within reports whether a range holds a key.
func Within(r *storage.Range, k storage.Key) bool {
	return !Less(k, r.Lo) && (r.HiOpen || Less(k, r.Hi))
}

func Less(a, b storage.Key) bool {
	return a.Hash < b.Hash || a.Hash == b.Hash && a.Text < b.Text
}

// After returns the part of a range that follows a key in the range.
func After(r storage.Range, k storage.Key, reverse bool) storage.Range {
	if reverse {
		r.Hi, r.HiOpen = k, false
	} else {
		r.Lo = k.Next()
	}
	return r
}

// IsEmpty reports whether a range can hold no keys.
func IsEmpty(r *storage.Range) bool { return !r.HiOpen && !Less(r.Lo, r.Hi) }

// Resume returns the rest of a query's span after a start key, whose key is k. The service refuses
// a start key that does not satisfy the key condition itself (service facts 3.8 and 3.9). It also
// refuses a start key after which, in the direction of the query, nothing can satisfy the
// condition: for example sk = :a for "sk >= :a" backwards.
func (kc *Condition) Resume(s *Source, r *Span, start item.Item, k storage.Key,
	reverse bool) (storage.Range, error) {
	ks := s.Key()
	if kc.isOnRange(ks) {
		moved := kc.inPartitionOf(ks, start)
		if there := moved.Locate(s); !Within(&there.Range, k) {
			return storage.Range{}, errStartKeyPredicate
		}
		if r.One || !Within(&r.Partition, k) {
			return storage.Range{}, errStartKeyOfOne
		}
	}
	switch {
	case !Within(&r.Partition, k):
		return storage.Range{}, errStartKeyOutside
	case r.One:
		return storage.Range{}, errStartKeyItself(ks, start)
	}
	left := After(r.Range, k, reverse)
	if IsEmpty(&left) {
		return left, errStartKeyPredicate
	}
	return left, nil
}
