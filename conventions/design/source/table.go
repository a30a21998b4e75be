package source

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/expr"
)

// Table holds what is known of a table: its keys, items of it, and requests that read and write it.
type Table struct {
	Name     string
	Key      design.Key
	Indexes  []TableIndex
	Vectors  []TableVector
	Items    []Item                 // all, or a sample
	Count    int64                  // how many items there are in all; 0 is as many as Items
	Types    map[string]design.Type // those of key attributes
	TTL      string                 // the attribute of the time to live, or ""
	Requests []Request              // none: the patterns are those that the keys serve
	Writes   []TableWrite

	names map[string]design.Key // the names of what the table's key holds, by model
}

// TableIndex is an index of a Table.
type TableIndex struct {
	Name       string
	Local      bool
	Key        design.Key
	Projection design.Projection
}

// TableVector is a vector index of a Table.
type TableVector struct {
	Attribute  string // the vector
	Partition  string // "" for none
	Dimensions int
}

// Item is an item of a Table: its attributes, and the name of its model if that is known.
type Item struct {
	Model      string
	Attributes map[string]Value
}

// Value is the value of an attribute: its type as DynamoDB writes it, its text if it is a string or
// a number, and its size.
type Value struct {
	Type  string // S, N, B, BOOL, NULL, L, M, SS, NS or BS
	Text  string
	Bytes int
}

// Request is a kind of request that reads a table, with examples of it.
type Request struct {
	Index      string // "" is the table
	One        bool   // it gets one item
	Descending bool
	Consistent bool
	Rate       float64 // requests a second; 0 is unknown
	Returned   float64 // items, on average
	Limit      int     // the limit of a request, or 0
	Examples   []Condition
}

// Condition is the condition of a request on a key.
type Condition struct {
	Partition string
	// values of the key's attributes between the partition's and that of Operator: see ofSeveral
	Also     []string
	Operator expr.KeyOp // "" is no condition on the sort key; never KeyIn
	From, To string     // To is that of KeyBetween
	Requests float64    // requests with these values; 0 is 1
}

// keys returns the keys of the table and of its indexes, the table's first.
func (t *Table) keys() []TableIndex {
	return append([]TableIndex{{Key: t.Key}}, t.Indexes...)
}

// keyAttributes returns the attributes of all keys, each once.
func (t *Table) keyAttributes() []string {
	var names []string
	for _, k := range t.keys() {
		names = append(names, k.Key.Names()...)
	}
	return unique(names)
}

// isNatural reports whether an attribute is in no key but those of indexes with several attributes,
// which hold nothing that joins others.
func (t *Table) isNatural(name string) bool {
	return !slices.ContainsFunc(t.keys(),
		func(k TableIndex) bool { return k.Key.Has(name) && !k.Key.Several() })
}

// TypeOf returns the type of values that DynamoDB calls S, N and so on.
func TypeOf(letters string) design.Type {
	switch letters {
	case "N":
		return design.Number
	case "B":
		return design.Binary
	case "BOOL":
		return design.Boolean
	case "L", "SS", "NS", "BS":
		return design.List
	case "M":
		return design.Map
	}
	return design.String
}
