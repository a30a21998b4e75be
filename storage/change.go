package storage

import (
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Change is one item's change.
type Change struct {
	Table    *Table
	Keys     item.Item // the table's key attributes
	Old, New item.Item // "" if there was or is none
	Seq      uint64    // ascending over all of the store's changes
	Time     time.Time
	Expired  bool // removed by Expire

	key Key
}

// listener is a function with an identity.
type listener struct {
	f func([]Change)
}

// commit makes the writes of the Tx final, numbers them, adds them to the streams
// of their tables, tells the listeners and appends them to the journal.
func (tx *Tx) commit() {
	tx.committed = true
	tx.store.touched = tx.store.touched || len(tx.log) > 0
	tx.publish()
	tx.store.durable.commit(tx)
}

func (tx *Tx) publish() {
	s := tx.store
	if len(tx.log) > 0 && s.history.keep.Load() > 0 {
		tx.remember()
	}
	writes, streamed := tx.count()
	if len(s.listeners) == 0 && !streamed {
		s.seq += writes
		return
	}
	now := s.now()
	if len(s.listeners) == 0 && len(tx.log) == 1 { // which is most often so, and need not allocate
		c := tx.log[0].change()
		s.number(&c, now)
		return
	}
	changes := tx.changes()
	if len(changes) == 0 {
		return
	}
	for i := range changes {
		s.number(&changes[i], now)
	}
	if len(s.listeners) > 0 {
		s.tell(changes)
	}
}

// number gives a change its time and its Seq, and adds it to the stream of its table.
func (s *Store) number(c *Change, now time.Time) {
	c.Time = now
	if stream := c.Table.stream; stream != nil && c.Old != c.New {
		stream.log(s, c)
		return
	}
	s.seq++
	c.Seq = s.seq
}

// count returns how many writes of items the Tx has, and whether a stream shows one of them.
// Changes of the schema get no Seq: DescribeStream looks for shards to end, mostly finds none,
// and then commits without a batch, so that the journal would not learn the new count.
func (tx *Tx) count() (writes uint64, streamed bool) {
	for i := range tx.log {
		if r := &tx.log[i]; r.undo == nil {
			writes++
			streamed = streamed || r.table.stream != nil
		}
	}
	return writes, streamed
}

// tell tells the listeners.
func (s *Store) tell(changes []Change) {
	for i := range changes {
		c := &changes[i]
		image := c.New
		if image == "" {
			image = c.Old
		}
		c.Keys, c.key = image.Only(c.Table.keyNames...), Key{}
	}
	for _, l := range s.listeners {
		l.f(changes)
	}
}

// written names an item.
type written struct {
	table *Table
	key   Key
}

// fewWrites are looked through for those of the same item, more are looked up in a map.
const fewWrites = 32

// changes are the Tx's changes in the order of the items' first writes. Of
// several writes of one item the last one counts; an item that the Tx both made
// and removed has not changed.
func (tx *Tx) changes() []Change {
	changes := make([]Change, 0, len(tx.log))
	var places map[written]int
	if len(tx.log) > fewWrites {
		places = make(map[written]int, len(tx.log))
	}
	for i := range tx.log {
		r := &tx.log[i]
		if r.undo != nil {
			continue
		}
		if place := placeOf(r, changes, places); place >= 0 {
			changes[place].New, changes[place].Expired = r.new, r.expired
			continue
		}
		if places != nil {
			places[written{r.table, r.key}] = len(changes)
		}
		changes = append(changes, r.change())
	}
	kept := changes[:0]
	for _, c := range changes {
		if c.Old != "" || c.New != "" {
			kept = append(kept, c)
		}
	}
	return kept
}

// placeOf returns where the change of a record's item is, or -1. places, unless nil, has it.
func placeOf(r *record, changes []Change, places map[written]int) int {
	if places != nil {
		if place, again := places[written{r.table, r.key}]; again {
			return place
		}
		return -1
	}
	for i := range changes {
		if c := &changes[i]; c.key == r.key && c.Table == r.table {
			return i
		}
	}
	return -1
}

// change is the change that a record of a write tells.
func (r *record) change() Change {
	return Change{Table: r.table, Old: r.old, New: r.new, Expired: r.expired, key: r.key}
}
