package storage

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Change is the change of one item by a commit.
type Change struct {
	Table    *Table
	Keys     item.Item // the table's key attributes
	Old, New item.Item // "" if the item did not exist before, or does not after
	Seq      uint64    // the number of the change, ascending within the store
	Time     time.Time
	Expired  bool // Tx.Expire removed the item

	key      Key
	second   bool // it comes after Separate
	replaced bool // another change of the item by the same commit comes after Separate
}

// listener wraps a function, so that Listen can tell two of them apart.
type listener struct {
	f func([]Change)
}

// commit is the only place where writes become final. It numbers them, adds them to the streams and
// outboxes of their tables and to the changes for a recovery, passes them to the listeners and
// appends them to the journal.
func (tx *Tx) commit() {
	tx.committed = true
	tx.store.touched = tx.store.touched || len(tx.log) > 0
	tx.publish()
	for _, f := range tx.atCommit {
		f()
	}
	tx.store.durable.commit(tx)
}

func (tx *Tx) publish() {
	s := tx.store
	if len(tx.log) > 0 && s.history.keep.Load() > 0 {
		tx.remember()
	}
	writes, kept := tx.count()
	if len(s.listeners) == 0 && !kept {
		s.seq += writes
		return
	}
	now := s.now()
	if len(s.listeners) == 0 && len(tx.log) == 1 { // the most frequent case, without an allocation
		c := tx.log[0].change()
		tx.number(&c, now)
		return
	}
	changes := tx.changes()
	if len(changes) == 0 {
		return
	}
	for i := range changes {
		tx.number(&changes[i], now)
	}
	if len(s.listeners) > 0 {
		s.tell(changes)
	}
}

// number sets the time and the Seq of a change. It adds the change to the stream and the outboxes
// of its table, to the changes for a recovery and to those for other replicas.
func (tx *Tx) number(c *Change, now time.Time) {
	s := tx.store
	c.Time = now
	if stream := c.Table.stream; stream != nil && c.Old != c.New {
		stream.log(s, c)
	} else {
		s.seq++
		c.Seq = s.seq
	}
	if r := c.Table.recovery; r != nil && c.Old != c.New {
		r.add(s, c)
	}
	if c.Table.outboxes != nil && c.Old != c.New {
		for _, o := range c.Table.outboxes {
			o.add(s, c)
		}
	}
	if r := c.Table.replica; r != nil && !tx.arriving && c.Old != c.New {
		if c.replaced {
			return
		}
		r.add(s, c, tx.local)
		if !slices.Contains(tx.outgoing, c.Table.Name) {
			tx.outgoing = append(tx.outgoing, c.Table.Name)
		}
	}
}

// count counts the items that the Tx writes, all of them and those of each table. It returns how
// many they are, and whether a table keeps one of the changes. Changes of the schema get no Seq.
// DescribeStream looks for shards to end and mostly finds none. Its commit then has an empty batch,
// and the journal would not learn of a new Seq.
func (tx *Tx) count() (writes uint64, kept bool) {
	for i := range tx.log {
		if r := &tx.log[i]; r.undo == nil {
			writes++
			r.table.writes++
			kept = kept || r.table.stream != nil || r.table.recovery != nil ||
				r.table.outboxes != nil || r.table.replica != nil
		}
	}
	return writes, kept
}

// tell passes changes to the listeners.
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

// written identifies an item among all tables, before or after Separate.
type written struct {
	table  *Table
	key    Key
	second bool
}

// fewWrites is the most writes of a Tx among which a linear search finds earlier writes of an item.
// A Tx with more uses a map.
const fewWrites = 32

// changes returns the Tx's changes in the order of the items' first writes. If a Tx writes an item
// several times, the change has the last new item. An item that a Tx both creates and removes has
// no change. All of that is so once for the writes before Separate and once for those after it.
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
			places[written{r.table, r.key, r.second}] = len(changes)
		}
		changes = append(changes, r.change())
	}
	if tx.second {
		markReplaced(changes, places)
	}
	kept := changes[:0]
	for _, c := range changes {
		if c.Old != "" || c.New != "" {
			kept = append(kept, c)
		}
	}
	return kept
}

// markReplaced marks the changes of items that change again after Separate.
func markReplaced(changes []Change, places map[written]int) {
	for i := range changes {
		c := &changes[i]
		if !c.second || c.Old == c.New {
			continue
		}
		if place := placeOf(&record{table: c.Table, key: c.key}, changes, places); place >= 0 {
			changes[place].replaced = true
		}
	}
}

// placeOf returns the index of the change of a record's item, or -1. It looks in places unless that
// is nil.
func placeOf(r *record, changes []Change, places map[written]int) int {
	if places != nil {
		if place, again := places[written{r.table, r.key, r.second}]; again {
			return place
		}
		return -1
	}
	for i := range changes {
		if c := &changes[i]; c.key == r.key && c.Table == r.table && c.second == r.second {
			return i
		}
	}
	return -1
}

// change returns the change that a record makes.
func (r *record) change() Change {
	return Change{
		Table: r.table, Old: r.old, New: r.new, Expired: r.expired, key: r.key, second: r.second,
	}
}
