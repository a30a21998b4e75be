package storage

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Table is one table. The handle stays valid until the table is dropped. Its exported fields never
// change.
type Table struct {
	Name    string
	ID      string
	Created time.Time
	Key     KeySchema

	number      uint64 // 1 for the first table that the store ever had, and so on
	store       *Store // nil once dropped
	settings    Settings
	keyNames    []string
	tree        *tree
	items       slabs // memory for new items
	texts       slabs // memory for the texts of new keys
	bytes       int64
	writes      uint64         // writes of items since the table was made, loaded or forked
	indexes     []*Index       // only appended to or replaced: a rollback restores the slice
	vectors     []*VectorIndex // only appended to or replaced, too
	collections *collections   // nil if there is no local index
	expiry      *expiry        // nil if items do not expire
	stream      *Stream        // nil if no stream is enabled
	recovery    *undoLog       // nil if nothing can take the table back
	outboxes    []*Outbox      // those that are open; only appended to or replaced
	replica     *replica       // nil if the table is no replica of a global table
}

// Settings are the settings of a table that the store keeps and does not interpret. Their type is
// the emulator's. They are replaced as a whole and never modified.
type Settings any

// Stats says how much a table or index holds.
type Stats struct {
	Items int64
	Bytes int64
}

func newTable(s *Store, name, id string, key KeySchema, settings Settings) *Table {
	return &Table{
		Name: name, ID: id, Created: s.now(), Key: key,
		store: s, settings: settings, keyNames: key.names(nil), tree: newTree(),
	}
}

// fork returns a copy of the table for another store.
func (t *Table) fork(s *Store) *Table {
	f := t.copyFor(s)
	f.number, f.settings = t.number, t.settings
	f.expiry = t.expiry.fork()
	f.recovery = t.recovery.fork()
	f.replica = t.replica.fork()
	return f
}

// copyFor returns a copy of the table's key schema, items and indexes for another store, or for
// none. The copy has no number and no settings. The time does not depend on the amount of data.
func (t *Table) copyFor(s *Store) *Table {
	c := &Table{
		Name: t.Name, ID: t.ID, Created: t.Created, Key: t.Key,
		store: s, keyNames: t.keyNames, tree: t.tree.Copy(), items: t.items, texts: t.texts,
		bytes:   t.bytes,
		indexes: make([]*Index, len(t.indexes)), collections: t.collections.fork(),
	}
	c.items.free, c.texts.free = nil, nil
	for i, ix := range t.indexes {
		c.indexes[i] = ix.fork()
	}
	c.vectors = forkVectors(t.vectors)
	return c
}

// write is the only function that changes items. It replaces the item at the key of e, or removes
// it if e has no item, and returns the old one. It updates the indexes, the expiry order and the
// collection sizes. Writing the old item reverts all of it.
//
// The caller keeps the memory of the key's text and, if copies is set, of the item. The table
// copies what it does not have yet, and write points e to the table's memory. near is the leaf
// where a lookup of the key ended, or nil.
func (t *Table) write(e *entry, copies bool, near *node) (old item.Item) {
	if old = t.put(e, copies, near); old == e.item {
		return old
	}
	k, it := e.key, e.item
	delta := int64(it.Size() - old.Size())
	t.bytes += delta
	for _, ix := range t.indexes {
		change := ix.replace(k, old, it)
		if ix.Local {
			delta += change
		}
	}
	for _, ix := range t.vectors {
		ix.replace(t.vectorReader(), k, old, it)
	}
	if t.expiry != nil {
		t.expiry.replace(k, old, it)
	}
	if t.collections != nil && delta != 0 {
		t.collections.add(t.collectionKey(k, old, it), delta)
	}
	return old
}

// put is write for the table's own tree. An item that does not change keeps its memory, which
// indexes share.
func (t *Table) put(e *entry, copies bool, near *node) (old item.Item) {
	if e.item == "" {
		gone, _ := t.tree.Delete(*e)
		if t.texts.sparse(t.tree.Len()) {
			t.rebuildSlabs()
		}
		return gone.item
	}
	c, found := t.tree.at(&e.key, near)
	if !found {
		e.key.Text = t.texts.copy(e.key.Text, t.bytes, textSlab)
		if copies {
			e.item = item.Item(t.items.copy(string(e.item), t.bytes, itemSlab))
		}
		*c = cell{e.key.Text, e.item}
		return ""
	}
	e.key.Text, old = c.text, c.item
	switch {
	case old == e.item:
		e.item = old
	case copies:
		e.item = item.Item(strings.Clone(string(e.item)))
	}
	c.item = e.item
	return old
}

// rebuildSlabs copies the live texts and items to new slabs and drops the old slabs. It costs
// little compared to the deletions that make it necessary.
func (t *Table) rebuildSlabs() {
	t.items, t.texts = slabs{}, slabs{}
	t.tree.cells(func(c *cell) {
		c.text = t.texts.copy(c.text, t.bytes, textSlab)
		c.item = item.Item(t.items.copy(string(c.item), t.bytes, itemSlab))
		for _, ix := range t.indexes {
			ix.share(c.item)
		}
	})
	t.shareVectors()
}

// collectionKey returns the partition key of k. k is the key of old and new; one of the two may be
// "".
func (t *Table) collectionKey(k Key, old, new item.Item) Key {
	if new == "" {
		new = old
	}
	var buffer [keyBuffer]byte
	text, _ := appendKeys(buffer[:0], t.Key.Hash, new)
	return Key{k.Hash, k.Text[:len(text)]}
}

// indexing returns a function that restores the present indexes.
func (t *Table) indexing() (undo func()) {
	indexes, vectors, collections := t.indexes, t.vectors, t.collections
	return func() { t.indexes, t.vectors, t.collections = indexes, vectors, collections }
}

// addIndex adds an index and fills it with the items of the table.
func (t *Table) addIndex(schema IndexSchema) *Index {
	ix := newIndex(t.Key, schema)
	t.tree.Scan(func(e entry) bool {
		ix.replace(e.key, "", e.item)
		return true
	})
	t.indexes = append(t.indexes, ix)
	if ix.Local {
		t.collect()
	}
	return ix
}

func (t *Table) dropIndex(ix *Index) {
	t.indexes = slices.DeleteFunc(slices.Clone(t.indexes),
		func(other *Index) bool { return other == ix })
	if ix.Local {
		t.collect()
	}
}

// collect measures all item collections from scratch.
func (t *Table) collect() {
	t.collections = nil
	local := slices.DeleteFunc(slices.Clone(t.indexes), func(ix *Index) bool { return !ix.Local })
	if len(local) == 0 {
		return
	}
	t.collections = newCollections()
	t.tree.Scan(func(e entry) bool {
		bytes := e.item.Size()
		for _, ix := range local {
			if ix.holds(e.item) {
				bytes += ix.size(e.item)
			}
		}
		t.collections.add(t.collectionKey(e.key, "", e.item), int64(bytes))
		return true
	})
}

// Tables is the part of a Tx that is about tables, their settings and their indexes; see Tx.Tables.
type Tables struct{ tx *Tx }

// Names returns the names of all tables, sorted.
func (ts Tables) Names() []string { return slices.Sorted(maps.Keys(ts.tx.store.tables)) }

// Create adds a table. It panics if the name is taken.
func (ts Tables) Create(name, id string, key KeySchema, indexes []IndexSchema,
	settings Settings) *Table {
	ts.tx.mustWrite()
	s := ts.tx.store
	if s.tables[name] != nil {
		panic("storage: there is a table " + name + " already")
	}
	t := newTable(s, name, id, key, settings)
	for _, schema := range indexes {
		t.addIndex(schema)
	}
	s.numbers++
	t.number = s.numbers
	s.tables[name] = t
	ts.tx.logTable(t, func() {
		delete(s.tables, name)
		t.store = nil
	})
	return t
}

// Drop removes a table and ends its stream. Of the handle only the exported fields may be used
// from then on.
func (ts Tables) Drop(t *Table) {
	ts.tx.mustWrite()
	ts.tx.mustHave(t)
	ts.tx.Streams().Disable(t)
	ts.tx.Recovery().Disable(t)
	ts.tx.Outboxes().CloseAll(t)
	s := ts.tx.store
	if t.replica != nil {
		ts.tx.atCommit = append(ts.tx.atCommit, s.countReplicas)
	}
	delete(s.tables, t.Name)
	t.store = nil
	ts.tx.logTable(t, func() {
		s.tables[t.Name] = t
		t.store = s
	})
}

// Settings returns a table's settings.
func (ts Tables) Settings(t *Table) Settings {
	ts.tx.mustHave(t)
	return t.settings
}

// SetSettings replaces a table's settings.
func (ts Tables) SetSettings(t *Table, settings Settings) {
	ts.tx.mustWrite()
	ts.tx.mustHave(t)
	old := t.settings
	t.settings = settings
	ts.tx.logTable(t, func() { t.settings = old })
}

// SetExpiry sets the attribute that holds the expiry time of a table's items; "" means that they do
// not expire. SetExpiry deletes nothing: the caller deletes what Tx.Expiring returns.
func (ts Tables) SetExpiry(t *Table, attribute string) {
	ts.tx.mustWrite()
	ts.tx.mustHave(t)
	before := t.expiry
	ts.tx.logTable(t, func() { t.expiry = before })
	t.expiry = nil
	if attribute == "" {
		return
	}
	t.expiry = newExpiry(attribute)
	t.tree.Scan(func(e entry) bool {
		t.expiry.replace(e.key, "", e.item)
		return true
	})
}

// Expiring returns the items of a table that expire before a time, in the order of their times,
// from the first one behind after. It returns at most limit items.
func (tx *Tx) Expiring(t *Table, after Expiring, before int64, limit int) []Expiring {
	tx.mustHave(t)
	var found []Expiring
	if t.expiry == nil {
		return nil
	}
	t.expiry.tree.Ascend(after, func(e Expiring) bool {
		if e.At >= before || len(found) == limit {
			return false
		}
		if e != after {
			found = append(found, e)
		}
		return true
	})
	return found
}

// Indexes returns the table's secondary indexes in the order of their creation. The caller must not
// modify the slice.
func (ts Tables) Indexes(t *Table) []*Index {
	ts.tx.mustHave(t)
	return t.indexes
}

// Index returns the index with a name, or nil.
func (ts Tables) Index(t *Table, name string) *Index {
	for _, ix := range ts.Indexes(t) {
		if ix.Name == name {
			return ix
		}
	}
	return nil
}

// AddIndex creates an index and fills it with the items of the table.
func (ts Tables) AddIndex(t *Table, schema IndexSchema) *Index {
	ts.changeIndexes(t)
	return t.addIndex(schema)
}

// DropIndex removes an index.
func (ts Tables) DropIndex(t *Table, ix *Index) {
	ts.changeIndexes(t)
	t.dropIndex(ix)
}

// changeIndexes prepares a change of the table's indexes of both kinds, which a rollback undoes.
func (ts Tables) changeIndexes(t *Table) {
	ts.tx.mustWrite()
	ts.tx.mustHave(t)
	ts.tx.logTable(t, t.indexing())
}

// Stats returns how much a table holds.
func (ts Tables) Stats(t *Table) Stats {
	ts.tx.mustHave(t)
	return Stats{Items: int64(t.tree.Len()), Bytes: t.bytes}
}

// Writes returns a number that grows with each item of a table that is put, updated or deleted. A
// restart, or a fork, may begin anew.
func (ts Tables) Writes(t *Table) uint64 {
	ts.tx.mustHave(t)
	return t.writes
}

// IndexStats returns how much an index of a table holds.
func (ts Tables) IndexStats(t *Table, ix *Index) Stats {
	ts.tx.mustHave(t)
	return Stats{Items: int64(ix.tree.Len()), Bytes: ix.bytes}
}
