package storage

import (
	"iter"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// TableAt holds the items of a table as they were at one moment. It never changes. It may be read
// outside of a View too, and by several goroutines.
type TableAt struct{ table *Table }

// At returns what a table held at a moment, including all changes of that millisecond. The moment
// must not be before the one of Window. The time depends on the number of changes since.
func (rc Recovery) At(t *Table, at time.Time) *TableAt {
	rc.tx.mustWrite() // copying a tree changes it
	rc.tx.mustHave(t)
	c := t.copyFor(nil)
	c.indexes, c.collections = nil, nil
	c.undoTo(&t.recovery.log, at.UnixMilli())
	return &TableAt{c}
}

// Stats returns the number of items and their bytes.
func (v *TableAt) Stats() Stats {
	return Stats{Items: int64(v.table.tree.Len()), Bytes: v.table.bytes}
}

// Get returns the item under a key, or "".
func (v *TableAt) Get(k Key) item.Item {
	e, _ := v.table.tree.Get(entry{key: k})
	return e.item
}

// Items yields the items in a range, in the order of their keys.
func (v *TableAt) Items(r Range) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		v.table.tree.Ascend(entry{key: r.Lo}, func(e entry) bool {
			return (r.HiOpen || e.key.less(r.Hi)) && yield(e.item)
		})
	}
}

// ChangedBetween returns the keys of the items that changed from one moment on and before another,
// each with the time of its last change in between. The first moment must not be before the one of
// Window.
func (rc Recovery) ChangedBetween(t *Table, from, to time.Time) map[Key]time.Time {
	rc.tx.mustHave(t)
	changed := map[Key]time.Time{}
	for _, chunk := range t.recovery.log.chunks {
		if chunk.latest < from.UnixMilli() {
			continue
		}
		for r := chunk.reader(); r.next(); {
			if at := r.logged.time(); !at.Before(from) && at.Before(to) {
				changed[t.keyOf(&r.logged)] = at
			}
		}
	}
	return changed
}
