package storage

import (
	"fmt"
	"sync"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Tx gives the function of a View or an Update its access to the store. Methods that write panic in
// a View. All methods panic for a table that belongs to another store or was dropped. Tx itself
// reads and writes items. What is about something else is in a part of it, such as Streams. A part
// holds no more than the Tx, so getting one costs nothing.
type Tx struct {
	store     *Store
	writes    bool
	committed bool
	before    counters       // the store's counters when the Tx began
	log       []record       // the writes so far, in their order
	atCommit  []func()       // called when the writes are final
	arriving  bool           // the writes are changes of another replica
	local     bool           // the changes are not for other replicas
	second    bool           // the writes come after Separate
	outgoing  []string       // the tables whose peers have to get the changes
	vectors   []VectorEffect // the effects of the writes, in their order
}

// record is one step of a Tx: the write of an item or, if undo is set, a change of the schema. A
// rollback reverts the steps, and a commit publishes them.
type record struct {
	table    *Table
	key      Key
	old, new item.Item
	expired  bool
	second   bool // it comes after Separate
	undo     func()
}

// writers holds the Txs of past Updates. Reusing a Tx keeps its log in the cache of the core that
// writes.
var writers = sync.Pool{New: func() any { return &Tx{writes: true} }}

// keptLog is the largest capacity, in records, with which a log is kept for the next Tx.
const keptLog = 256

// end closes an Update. It rolls back a Tx that was not committed, and returns the Tx to the pool.
func (tx *Tx) end() {
	if !tx.committed {
		tx.rollback()
	}
	tx.store.durable.reset()
	clear(tx.log) // release the old items
	clear(tx.vectors)
	*tx = Tx{writes: true, log: tx.log[:0], vectors: tx.vectors[:0]}
	if cap(tx.log) > keptLog {
		tx.log, tx.vectors = nil, nil
	}
	writers.Put(tx)
}

func (tx *Tx) rollback() {
	for i := len(tx.log) - 1; i >= 0; i-- {
		r := &tx.log[i]
		if r.undo != nil {
			r.undo()
			continue
		}
		r.table.write(&entry{r.key, r.old}, false, nil)
	}
	tx.store.counters = tx.before
}

// logUndo records a change of the schema and how to revert it.
func (tx *Tx) logUndo(undo func()) { tx.log = append(tx.log, record{undo: undo}) }

// logTable records a change of a table's definition.
func (tx *Tx) logTable(t *Table, undo func()) {
	tx.logUndo(undo)
	tx.store.durable.touch(t)
}

// logUndo records a change of a stream.
func (ss Streams) logUndo(s *Stream, undo func()) {
	ss.tx.logUndo(undo)
	ss.tx.store.durable.touchStream(s)
}

// mustWrite panics in a View.
func (tx *Tx) mustWrite() {
	if !tx.writes {
		panic("storage: a write in a View")
	}
}

// mustHave panics unless t is a table of this store.
func (tx *Tx) mustHave(t *Table) {
	if t.store != tx.store {
		panic(fmt.Sprintf("storage: table %s is of another store, or was dropped", t.Name))
	}
}

// Table returns the table with a name, or nil.
func (tx *Tx) Table(name string) *Table { return tx.store.tables[name] }

// Tables returns the part of the Tx that creates, changes and removes tables and their indexes.
func (tx *Tx) Tables() Tables { return Tables{tx} }

// Streams returns the part of the Tx that is about streams.
func (tx *Tx) Streams() Streams { return Streams{tx} }

// Backups returns the part of the Tx that is about backups.
func (tx *Tx) Backups() Backups { return Backups{tx} }

// Outboxes returns the part of the Tx that is about outboxes.
func (tx *Tx) Outboxes() Outboxes { return Outboxes{tx} }

// Replicas returns the part of the Tx that is about replicas of tables and the changes for them.
func (tx *Tx) Replicas() Replicas { return Replicas{tx} }

// Vectors returns the part of the Tx that is about vector indexes.
func (tx *Tx) Vectors() Vectors { return Vectors{tx} }

// Recovery returns the part of the Tx that keeps the past of tables and goes back to it.
func (tx *Tx) Recovery() Recovery { return Recovery{tx} }

// Get returns the item with a key, or "" if the table has none.
func (tx *Tx) Get(t *Table, k Key) item.Item {
	tx.mustHave(t)
	e, _ := t.tree.Get(entry{key: k})
	return e.item
}

// Lookup names an item to read, and holds what GetAll finds: Item is "" if the table has no such
// item.
type Lookup struct {
	Table *Table
	Key   Key
	Item  item.Item
	Size  int // the size of Item

	leaf *node // the end of the search for Key; nil before GetAll
}

// GetAll reads many items of one or several tables at about half the cost of as many Gets.
func (tx *Tx) GetAll(lookups []Lookup) {
	for i := range lookups {
		tx.mustHave(lookups[i].Table)
	}
	getAll(lookups)
}

// getAll is Get for many keys. It waits for memory once per step instead of once per key: all keys
// descend one level before any descends the next, and all texts and items that were found are
// touched before any is compared.
func getAll(lookups []Lookup) {
	var space [128]*node
	nodes := space[:0]
	for i := range lookups {
		nodes = append(nodes, lookups[i].Table.tree.root)
	}
	for further := true; further; {
		further = false
		for i, n := range nodes {
			if n != nil && n.children != nil {
				nodes[i], further = n.childFor(&lookups[i].Key), true
			}
		}
	}
	var cellSpace [128]*cell
	cells := append(cellSpace[:0], make([]*cell, len(lookups))...)
	for i, n := range nodes {
		lookups[i].Item, lookups[i].Size, lookups[i].leaf = "", 0, n
		if n != nil {
			cells[i] = n.candidate(&lookups[i].Key)
		}
	}
	for i, c := range cells {
		if c != nil && mayBeEqual(c.text, lookups[i].Key.Text) {
			lookups[i].Item, lookups[i].Size = c.item, c.item.Size()
		}
	}
	for i, c := range cells {
		if lookups[i].Item != "" && c.text != lookups[i].Key.Text {
			lookups[i].Item, lookups[i].Size = "", 0
		}
	}
}

// Put stores a copy of an item, whose key must be k. Get sees the item at once. Others see it after
// the Update has committed.
func (tx *Tx) Put(t *Table, k Key, it item.Item) { tx.put(t, entry{k, it}, true, nil) }

// PutAt is Put at the table and key of l. After GetAll of l, PutAt starts where that search ended
// instead of at the root. Writes in between, or a Lookup that GetAll never saw, do no harm: PutAt
// then searches again.
func (tx *Tx) PutAt(l *Lookup, it item.Item) { tx.put(l.Table, entry{l.Key, it}, true, l.leaf) }

// PutOwnedAt is PutAt without a copy: the item becomes the table's. It must not be part of a longer
// string, because the table would keep all of that string in memory.
func (tx *Tx) PutOwnedAt(l *Lookup, it item.Item) {
	tx.put(l.Table, entry{l.Key, it}, false, l.leaf)
}

func (tx *Tx) put(t *Table, e entry, copies bool, near *node) {
	if e.item == "" {
		panic("storage: Put of no item")
	}
	tx.write(t, e, copies, false, near)
}

// Delete removes an item, if there is one; see Put.
func (tx *Tx) Delete(t *Table, k Key) { tx.write(t, entry{key: k}, false, false, nil) }

// Expire is Delete on behalf of the service: the Change has Expired set.
func (tx *Tx) Expire(t *Table, k Key) { tx.write(t, entry{key: k}, false, true, nil) }

func (tx *Tx) write(t *Table, e entry, copies, expired bool, near *node) {
	tx.mustWrite()
	tx.mustHave(t)
	old := t.write(&e, copies, near)
	if old == "" && e.item == "" {
		return
	}
	if len(t.vectors) > 0 && old != e.item {
		tx.Vectors().note(t)
	}
	tx.log = append(tx.log, record{}) // filled in place, which is faster than a copy from the stack
	r := &tx.log[len(tx.log)-1]
	r.table, r.key, r.old, r.new, r.expired, r.second = t, e.key, old, e.item, expired, tx.second
}

// Separate makes the further writes of each item one change, and the writes so far another. Other
// replicas get only the further one.
func (tx *Tx) Separate() {
	tx.mustWrite()
	tx.second = true
}

// CollectionBytes returns the size of an item collection: all items in the table and in its local
// indexes with one partition key. keyed is an item, or the key attributes of one, with that
// partition key. Tables without local indexes have no collections, and the size is 0.
func (tx *Tx) CollectionBytes(t *Table, keyed item.Item) int64 {
	tx.mustHave(t)
	k, ok := t.Key.Encode(keyed)
	if t.collections == nil || !ok {
		return 0
	}
	c, _ := t.collections.of(k)
	return c.bytes
}

// Effects returns what replacing old by new does to each index, for the capacity that the write
// consumes. Either item may be "". Indexes whose entry does not change are left out. The result
// depends on the items alone, so it is the same before and after the write.
func (tx *Tx) Effects(t *Table, old, new item.Item) []Effect {
	tx.mustHave(t)
	var effects []Effect
	for _, ix := range t.indexes {
		if e, changed := ix.effect(old, new); changed {
			effects = append(effects, e)
		}
	}
	return effects
}
