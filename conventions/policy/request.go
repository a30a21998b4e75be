package policy

import (
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Request describes the reads and writes of a request. Its slices and what they point to are read
// only while it is checked, so all of it can be kept and filled again.
type Request struct {
	Operation   string // PutItem
	Caller      Caller
	Reads       []Read
	Writes      []Write
	Transaction bool // all of Writes happen or none

	// Table names the table of an operation on tables or streams, or is "".
	Table string

	// Expires is the table in which TTL is enabled, "" if the request does not enable it.
	Expires string

	// Images says that CheckWrites will see the writes too, with the items before and after.
	// CheckRequest then leaves to it what only the items show.
	Images bool

	// Amends says that the caller will add the conditions of Amendments to the request.
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
	// outside of the key are allowed and mean nothing.
	Terms []expr.KeyTerm

	// Loose says that Terms may be on attributes outside of keys, as in a statement. For an
	// undeclared index, only the Terms on the table's key then count.
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

	// Key is the key of an Update, Delete or Check. It may hold other attributes, which the write
	// requires to be equal (a PartiQL WHERE clause).
	Key       item.Item
	Item      item.Item       // of a Put
	Update    *expr.Update    // of an Update
	Condition *expr.Condition // nil: none

	// Schema names the attributes of the table's key, which a Put does not show. It is zero if they
	// are unknown.
	Schema KeySchema

	// Fixed says that the write can get no condition expression: it is part of a batch or PartiQL,
	// or has legacy parameters.
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

// demand is a demand of a write on an attribute of the stored item, outside of its key, or on the
// existence of that item.
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
