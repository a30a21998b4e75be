package policy

import (
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Request is what a request asks for. Its slices and what they point to are read only while it is
// checked, so all of it can be kept and filled again.
type Request struct {
	Operation   string // PutItem
	Caller      Caller
	Reads       []Read
	Writes      []Write
	Transaction bool // all of Writes happen or none

	// Table is the one that an operation on no items is about: a table of one on tables or streams;
	// "" if it is about none, or another.
	Table string

	// Expires is the table in which TTL is enabled, "" if the request does not enable it.
	Expires string

	// Images says that the writes will come to CheckWrites too: what is to be seen there is left to
	// it.
	Images bool

	// Amends says that the caller will put the conditions of Amendments on the request.
	Amends bool
}

// Read is a read of items: of one by its Key, of a partition or a part of it by Terms, or, without
// either, a scan.
type Read struct {
	Action int
	Table  string // name, not ARN
	Index  string // "" for the table
	Key    item.Item

	// Terms are a key condition. An Op "IN", which no key condition has, is one of the values in
	// the list Value: that is how PartiQL reads several partitions. Terms on attributes that are
	// not of the key are allowed and mean nothing.
	Terms []expr.KeyTerm

	// Loose says that Terms may be on attributes of no key, as those of a statement. Of an index
	// that is not declared they then tell nothing, but for those on the table's key.
	Loose bool
}

// WriteKind says what a write does.
type WriteKind uint8

// The kinds of writes.
const (
	Put WriteKind = iota
	Update
	Delete
	Check // a ConditionCheck: it reads, and is a part of a transaction
)

var writeKindNames = [...]string{"put", "update", "delete", "check"}

func (k WriteKind) String() string { return nameOf(writeKindNames[:], int(k)) }

// Write is a write of one item.
type Write struct {
	Action int
	Table  string // name, not ARN
	Kind   WriteKind

	// Key is the key of what is not a Put. It may hold other attributes, which the write demands to
	// be equal (a PartiQL WHERE clause).
	Key       item.Item
	Item      item.Item       // of a Put
	Update    *expr.Update    // of an Update
	Condition *expr.Condition // nil: none

	// Schema are the attributes of the table's key where they are known, which a Put does not tell.
	// Zero: they are not.
	Schema KeySchema

	// Fixed says that no condition expression can be added: of a part of a batch, of PartiQL, and
	// where legacy parameters are used.
	Fixed bool

	// Insert marks a Put that fails if there is an item (PartiQL's INSERT).
	Insert bool

	// Exists marks an Update that fails if there is no item (PartiQL's UPDATE).
	Exists bool
}

// attributes are those known to be in the item that a write addresses.
func (w *Write) attributes() item.Item {
	if w.Kind == Put {
		return w.Item
	}
	return w.Key
}

// mayCreate reports whether an update creates an item where there is none. Its condition, if it has
// one, then holds for an item without attributes.
func (w *Write) mayCreate() bool {
	return w.Kind == Update && !w.Exists && (w.Condition == nil || w.Condition.Match(""))
}

// demand is what a write demands of an attribute of the stored item, or of whether there is one.
// The attribute is none of the key.
func (w *Write) demand(attribute string, key KeySchema) (d expr.Demand) {
	if w.Condition != nil {
		d = w.Condition.Demands(attribute, [2]string{key.Partition, key.Sort})
	}
	switch {
	case w.Insert:
		return expr.Demand{Absent: true}
	case d == expr.Demand{} && w.Kind != Put:
		d.Value = w.Key.Get(attribute)
	}
	return d
}
