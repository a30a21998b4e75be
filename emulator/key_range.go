package emulator

import (
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// keyCondition is a key condition that suits the key of a source: Developer
// Guide, "Key condition expressions for the Query operation" and "Multi-attribute
// keys pattern". Its equalities are on all HASH attributes and on the first
// RANGE attributes of the key, in their order. Its bound is on the next one.
type keyCondition struct {
	equal []expr.KeyTerm
	bound *expr.KeyTerm // nil: none
}

var (
	errKeyConditions         = invalid("Conditions can be of length 1 or 2 only")
	errKeyConditionUnsuited  = invalid("Query key condition not supported")
	errKeyConditionValueType = invalid("One or more parameter values were invalid: Condition parameter type does not match schema type")
)

// maxPlainKeyTerms is how many conditions the key of any table can have, and of
// any index but a global one with a multi-attribute key.
const maxPlainKeyTerms = 2

// newKeyCondition matches the terms of a request, at most one per attribute,
// with the key of a source and checks their values.
func newKeyCondition(s *source, terms []expr.KeyTerm) (keyCondition, error) {
	ks := s.key()
	if attributes := len(ks.Hash) + len(ks.Range); len(terms) > maxPlainKeyTerms && attributes <= maxPlainKeyTerms {
		return keyCondition{}, errKeyConditions
	}
	kc := keyCondition{equal: make([]expr.KeyTerm, 0, len(terms))}
	for i := range ks.Hash {
		term := termOf(terms, ks.Hash[i].Name)
		switch {
		case term == nil:
			return kc, errKeyConditionMissed(ks.Hash[i].Name)
		case term.Op != "=":
			return kc, errKeyConditionUnsuited
		}
		kc.equal = append(kc.equal, *term)
	}
	if err := kc.matchRange(ks, terms); err != nil {
		return kc, err
	}
	return kc, kc.checkValues(s)
}

// matchRange takes the terms on RANGE attributes: from the left, none left out,
// and nothing after one that is not an equality.
func (kc *keyCondition) matchRange(ks *storage.KeySchema, terms []expr.KeyTerm) error {
	left := len(terms) - len(ks.Hash)
	for i := 0; i < len(ks.Range) && left > 0; i++ {
		term := termOf(terms, ks.Range[i].Name)
		switch {
		case term == nil:
			return errKeyConditionMissed(ks.Range[i].Name)
		case kc.bound != nil:
			return errKeyConditionUnsuited
		case term.Op == "=":
			kc.equal = append(kc.equal, *term)
		default:
			kc.bound = term
		}
		left--
	}
	if left > 0 { // they are on attributes that are not of the key
		return errKeyConditionUnsuited
	}
	return nil
}

func errKeyConditionMissed(name string) error {
	return invalid("Query condition missed key schema element: %s", name)
}

func termOf(terms []expr.KeyTerm, name string) *expr.KeyTerm {
	for i := range terms {
		if terms[i].Name == name {
			return &terms[i]
		}
	}
	return nil
}

// checkValues checks the values that keys are compared with as keys are checked:
// their types, that none is empty, and their sizes.
func (kc *keyCondition) checkValues(s *source) error {
	ks := s.key()
	doubtful := false
	check := func(i int, v item.Value) error {
		if v.Type() != keyAttribute(ks, i).Type {
			return errKeyConditionValueType
		}
		doubtful = doubtful || len(v) > maxRangeKeyBytes || emptyKind(v) != ""
		return nil
	}
	for i := range kc.equal {
		if err := check(i, kc.equal[i].Value); err != nil {
			return err
		}
	}
	if b := kc.bound; b != nil {
		if err := check(len(kc.equal), b.Value); err != nil {
			return err
		}
		if b.Hi != "" {
			if err := check(len(kc.equal), b.Hi); err != nil {
				return err
			}
		}
	}
	if !doubtful {
		return nil
	}
	return kc.checkAsKeys(s)
}

// keyAttribute is attribute i of a key, counted over HASH and RANGE.
func keyAttribute(ks *storage.KeySchema, i int) storage.KeyAttribute {
	if i < len(ks.Hash) {
		return ks.Hash[i]
	}
	return ks.Range[i-len(ks.Hash)]
}

// checkAsKeys applies the rules for the values of keys to those of the condition.
func (kc *keyCondition) checkAsKeys(s *source) error {
	attributes := make([]item.Attribute, len(kc.equal), len(kc.equal)+1)
	for i := range kc.equal {
		attributes[i] = item.Attribute{Name: kc.equal[i].Name, Value: kc.equal[i].Value}
	}
	if kc.bound == nil {
		return s.checkKeyValues(attributes)
	}
	for _, v := range [...]item.Value{kc.bound.Value, kc.bound.Hi} {
		if v == "" {
			continue
		}
		bound := item.Attribute{Name: kc.bound.Name, Value: v}
		if err := s.checkKeyValues(append(attributes, bound)); err != nil {
			return err
		}
	}
	return nil
}

// checkKeyValues checks values for the first attributes of the source's key. Of
// an index's key the service says what it says of an item with such a value.
func (s *source) checkKeyValues(attributes []item.Attribute) error {
	given := item.New(attributes...)
	if s.index != nil {
		return checkIndexKeys([]*storage.Index{s.index}, given)
	}
	ks := s.table.Key
	ks.Range = ks.Range[:len(attributes)-len(ks.Hash)]
	return checkKeyValues(&ks, given)
}

// keyRange is where the items that satisfy a key condition are.
type keyRange struct {
	storage.Range
	partition storage.Range // all items with the partition key
	one       bool          // at most one item can satisfy the condition
}

// locate returns where in a source the items are that satisfy the condition.
func (kc *keyCondition) locate(s *source) keyRange {
	var buffer [256]byte
	ks := s.key()
	text := buffer[:0]
	var k storage.Key
	for i := range kc.equal {
		text = item.AppendKey(text, kc.equal[i].Value)
		if i+1 == len(ks.Hash) {
			k.Text = string(text)
			k.Hash = item.HashKey(k.Text)
		}
	}
	partition := k.Prefix()
	switch {
	case s.index == nil && len(kc.equal) == len(ks.Hash)+len(ks.Range):
		k.Text = string(text)
		return keyRange{storage.Range{Lo: k, Hi: k.Next()}, partition, true}
	case kc.bound != nil:
		return keyRange{kc.locateBound(s, k.Hash, text), partition, false}
	}
	k.Text = string(text)
	return keyRange{k.Prefix(), partition, false}
}

// locateBound is locate for a condition with a bound; text is the encoding of
// what comes before it in the key.
func (kc *keyCondition) locateBound(s *source, hash uint64, text []byte) storage.Range {
	at := func(v item.Value) storage.Key {
		return storage.Key{Hash: hash, Text: string(item.AppendKey(text[:len(text):len(text)], v))}
	}
	bound := kc.bound
	r := storage.Key{Hash: hash, Text: string(text)}.Prefix()
	switch bound.Op {
	case "<":
		r.Hi = at(bound.Value)
	case "<=":
		r.Hi = s.after(at(bound.Value))
	case ">":
		r.Lo = s.after(at(bound.Value))
	case ">=":
		r.Lo = at(bound.Value)
	case "BETWEEN":
		r.Lo, r.Hi = at(bound.Value), s.after(at(bound.Hi))
	case "begins_with":
		r = storage.Key{Hash: hash, Text: string(item.AppendKeyPrefix(text, bound.Value))}.Prefix()
	}
	return r
}

// after is the smallest key after all those that begin with k: in a table that
// is k alone, in an index there may be many. (There always is such a key: no
// encoding is nothing but FF.)
func (s *source) after(k storage.Key) storage.Key {
	if s.index == nil {
		return k.Next()
	}
	return k.Prefix().Hi
}
