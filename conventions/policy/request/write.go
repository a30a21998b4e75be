package request

import (
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

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

func (k WriteKind) String() string {
	if int(k) >= len(writeKindNames) {
		return "unknown"
	}
	return writeKindNames[k]
}

// Write is a write of one item.
type Write struct {
	Action int
	Table  string // name, not ARN
	Kind   WriteKind

	// Key is the key of an Update, Delete or Check. It may hold other attributes, which the write
	// requires to be equal (a PartiQL WHERE clause).
	Key       item.Item
	Item      item.Item       // the item of a Put
	Update    *expr.Update    // the expression of an Update
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

// ImagedWrite is a write with the item before and after it. Either is "" if there is no item.
type ImagedWrite struct {
	*Write
	Old, New item.Item
}

// Attributes returns the attributes that the item of a write is known to have: the item of a Put,
// otherwise the key.
func (w *Write) Attributes() item.Item {
	if w.Kind == Put {
		return w.Item
	}
	return w.Key
}

// MayCreate reports whether an update creates a missing item: it sets something, and its condition,
// if it has one, holds for an item without attributes.
func (w *Write) MayCreate() bool {
	return w.Kind == Update && !w.Exists && (w.Update == nil || !w.Update.OnlyRemoves()) &&
		(w.Condition == nil || w.Condition.Match(""))
}

// Demand returns what a write demands of an attribute of the stored item. If the attribute is "",
// Demand returns whether the write demands that there is no item. key names the key of the table.
func (w *Write) Demand(attribute string, key KeySchema) (d expr.Demand) {
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

// Sets reports whether a write sets an attribute to a value that the request tells, or adds to it.
func (w *Write) Sets(attribute string) bool {
	if w.Kind == Put || w.Update == nil {
		return w.Kind == Put
	}
	by, _ := w.Update.Increment(attribute)
	return by != "" || w.Update.Assigned(attribute) != ""
}
