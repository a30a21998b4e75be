package keys

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Condition is a key condition that fits the key of a source: Developer Guide, "Key condition
// expressions for the Query operation" and "Multi-attribute keys pattern". Its equalities compare
// all HASH attributes and the first RANGE attributes of the key, in their order. Its bound compares
// the next RANGE attribute.
type Condition struct {
	equal []expr.KeyTerm
	bound *expr.KeyTerm // nil: no bound
}

// Errors of key conditions.
var (
	ErrConditions            = apierr.Invalid("Conditions can be of length 1 or 2 only")
	errKeyConditionUnsuited  = apierr.Invalid("Query key condition not supported")
	errKeyConditionOperation = apierr.Invalid(
		"Attempted conditional constraint is not an indexable operation")
	errKeyConditionValueType = apierr.Invalid(
		"One or more parameter values were invalid: Condition parameter type does not match schema type")
)

// maxKeyAttributes is the most attributes of a key.
const maxKeyAttributes = 8

// MaxLegacyKeyTerms is the most entries of KeyConditions.
const MaxLegacyKeyTerms = 2

// NewCondition matches the terms of a request, at most one for each attribute, with the key of a
// source and checks their values. It reports missing terms before it checks those that the request
// has (service facts 12.2).
func NewCondition(s *Source, terms []expr.KeyTerm) (Condition, error) {
	ks := s.Key()
	if attributes := len(ks.Hash) + len(ks.Range); len(terms) > attributes {
		return Condition{}, apierr.Invalid(
			"The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)",
			len(terms), attributes)
	}
	kc := Condition{equal: make([]expr.KeyTerm, 0, len(terms))}
	if err := kc.match(ks, terms); err != nil {
		return kc, err
	}
	return kc, kc.checkAsKeys(s)
}

// match takes the terms on all HASH attributes and on the first RANGE attributes, from the left and
// without gaps. Nothing may follow a term that is not an equality.
func (kc *Condition) match(ks *storage.KeySchema, terms []expr.KeyTerm) error {
	multiple := len(ks.Hash) > 1 || len(ks.Range) > 1
	if multiple {
		if err := checkMultipleKey(ks, terms); err != nil {
			return err
		}
	}
	key := make([]*expr.KeyTerm, 0, maxKeyAttributes) // the slice stays on the stack
	for i := 0; i < len(ks.Hash)+len(ks.Range) && len(key) < max(len(terms), len(ks.Hash)); i++ {
		name := Attribute(ks, i).Name
		term := TermOf(terms, name)
		if term == nil {
			return errKeyConditionMissed(name)
		}
		key = append(key, term)
	}
	for i, term := range key {
		if err := checkKeyTerm(term, Attribute(ks, i).Type); err != nil {
			return err
		}
		switch {
		case term.Op == expr.KeyEqual:
			kc.equal = append(kc.equal, *term)
		case i < len(ks.Hash):
			return errKeyConditionUnsuited
		default:
			kc.bound = term
		}
	}
	return nil
}

// checkMultipleKey checks which attributes of a multi-attribute key have conditions, and which of
// the conditions are equalities (service facts 3.4 and 3.5).
func checkMultipleKey(ks *storage.KeySchema, terms []expr.KeyTerm) error {
	if open := withoutEquality(ks.Hash, terms); open != nil {
		return apierr.Invalid(
			"HASH key attributes %s must have equality conditions specified in the query",
			strings.Join(open, ", "))
	}
	for last := len(ks.Range) - 1; last > 0; last-- {
		if TermOf(terms, ks.Range[last].Name) == nil {
			continue
		}
		if open := withoutEquality(ks.Range[:last], terms); open != nil {
			return apierr.Invalid(
				"RANGE key attributes %s must have equality conditions specified in the query "+
					"because a condition is present on key attribute %s", strings.Join(open, ", "),
				ks.Range[last].Name)
		}
	}
	return nil
}

// withoutEquality returns the attributes without an equality.
func withoutEquality(attributes []storage.KeyAttribute, terms []expr.KeyTerm) (names []string) {
	for i := range attributes {
		if term := TermOf(terms, attributes[i].Name); term == nil || term.Op != expr.KeyEqual {
			names = append(names, attributes[i].Name)
		}
	}
	return names
}

// checkKeyTerm checks a single term against the type of its attribute. It checks the types of the
// values before the operator (service facts 12.6).
func checkKeyTerm(term *expr.KeyTerm, want item.Type) error {
	switch {
	case !term.Indexable():
		return errKeyConditionOperation
	case term.Value.Type() != want, term.Hi != "" && term.Hi.Type() != want:
		return errKeyConditionValueType
	}
	return nil
}

func errKeyConditionMissed(name string) error {
	return apierr.Invalid("Query condition missed key schema element: %s", name)
}

func TermOf(terms []expr.KeyTerm, name string) *expr.KeyTerm {
	for i := range terms {
		if terms[i].Name == name {
			return &terms[i]
		}
	}
	return nil
}

// Attribute returns attribute i of a key. HASH attributes come before RANGE attributes.
func Attribute(ks *storage.KeySchema, i int) storage.KeyAttribute {
	if i < len(ks.Hash) {
		return ks.Hash[i]
	}
	return ks.Range[i-len(ks.Hash)]
}

// checkAsKeys applies the rules for key values to the values of the condition: none may be empty or
// too long.
func (kc *Condition) checkAsKeys(s *Source) error {
	if !kc.doubtful() {
		return nil
	}
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

// doubtful reports whether a value needs the check for key values.
func (kc *Condition) doubtful() bool {
	doubtful := func(v item.Value) bool { return len(v) > maxRangeKeyBytes || emptyKind(v) != "" }
	for i := range kc.equal {
		if doubtful(kc.equal[i].Value) {
			return true
		}
	}
	return kc.bound != nil && (doubtful(kc.bound.Value) || doubtful(kc.bound.Hi))
}

// isOnRange reports whether the condition is on a RANGE attribute.
func (kc *Condition) isOnRange(ks *storage.KeySchema) bool {
	return len(kc.equal) > len(ks.Hash) || kc.bound != nil
}

// inPartitionOf returns the same condition on RANGE attributes, in the partition of an item.
func (kc *Condition) inPartitionOf(ks *storage.KeySchema, it item.Item) Condition {
	moved := Condition{equal: slices.Clone(kc.equal), bound: kc.bound}
	for i := range ks.Hash {
		moved.equal[i].Value = it.Get(ks.Hash[i].Name)
	}
	return moved
}

// checkKeyValues checks values for the first attributes of the source's key. For the key of an
// index the service's errors are the same as for an item with such a value.
func (s *Source) checkKeyValues(attributes []item.Attribute) error {
	given := item.New(attributes...)
	if s.Index != nil {
		return CheckIndexes([]*storage.Index{s.Index}, given)
	}
	ks := s.Table.Key
	ks.Range = ks.Range[:len(attributes)-len(ks.Hash)]
	return checkValues(&ks, given)
}

// Span is the part of a source with the items that satisfy a key condition.
type Span struct {
	storage.Range
	Partition storage.Range // all items with the partition key
	One       bool          // one item at most can satisfy the condition
}

// Locate returns the span of the items that satisfy the condition in a source.
func (kc *Condition) Locate(s *Source) Span {
	var buffer [256]byte
	ks := s.Key()
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
	case s.Index == nil && len(kc.equal) == len(ks.Hash)+len(ks.Range):
		k.Text = string(text)
		return Span{storage.Range{Lo: k, Hi: k.Next()}, partition, true}
	case kc.bound != nil:
		return Span{kc.locateBound(s, k.Hash, text), partition, false}
	}
	k.Text = string(text)
	return Span{k.Prefix(), partition, false}
}

// locateBound returns the range for a condition with a bound. text is the encoding of the key
// before the bound's attribute.
func (kc *Condition) locateBound(s *Source, hash uint64, text []byte) storage.Range {
	at := func(v item.Value) storage.Key {
		return storage.Key{Hash: hash, Text: string(item.AppendKey(text[:len(text):len(text)], v))}
	}
	bound := kc.bound
	r := storage.Key{Hash: hash, Text: string(text)}.Prefix()
	switch bound.Op {
	case expr.KeyLess:
		r.Hi = at(bound.Value)
	case expr.KeyAtMost:
		r.Hi = s.after(at(bound.Value))
	case expr.KeyGreater:
		r.Lo = s.after(at(bound.Value))
	case expr.KeyAtLeast:
		r.Lo = at(bound.Value)
	case expr.KeyBetween:
		r.Lo, r.Hi = at(bound.Value), s.after(at(bound.Hi))
	case expr.KeyBeginsWith:
		r = storage.Key{Hash: hash, Text: string(item.AppendKeyPrefix(text, bound.Value))}.Prefix()
	}
	return r
}

// after returns the smallest key after all keys that begin with k. In a table only k itself begins
// with k. In an index there may be many such keys. (The key always exists, because no encoding
// consists of FF alone.)
func (s *Source) after(k storage.Key) storage.Key {
	if s.Index == nil {
		return k.Next()
	}
	return k.Prefix().Hi
}
