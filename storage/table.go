package storage

import (
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Table is one table. Its handle stays valid, and describes the same table, until the table is deleted.
// Its exported fields never change.
type Table struct {
	Name    string
	ID      string
	Created time.Time
	Key     KeySchema

	number      uint64 // of all tables of the store that there ever were
	store       *Store // nil once dropped
	settings    Settings
	keyNames    []string
	tree        *tree
	items       slabs // of items
	texts       slabs // of the texts of keys
	bytes       int64
	indexes     []*Index     // appended to and replaced, not otherwise modified
	collections *collections // nil if there is no local index
	expiry      *expiry      // nil if items do not expire
	stream      *Stream      // nil if there is none that goes on
}

// Settings is what a table remembers but storage does not interpret; replaced as a whole, never modified. The emulator's type.
type Settings any

// Stats counts what a table or index holds.
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

// fork returns the same table for another store.
func (t *Table) fork(s *Store) *Table {
	f := *t
	f.store = s
	f.tree = t.tree.Copy()
	f.items.free, f.texts.free = nil, nil
	f.indexes = make([]*Index, len(t.indexes))
	for i, ix := range t.indexes {
		f.indexes[i] = ix.fork()
	}
	f.collections = t.collections.fork()
	f.expiry = t.expiry.fork()
	return &f
}

// write is the only way by which items change: it replaces the item at the key of
// e, or removes it if that of e is "", in the table and in whatever follows from
// the table, and returns the old one. What it did, writing the old one undoes. The
// text of the key, and with copies the item, lie in memory that is not to be kept:
// the table copies what it does not have, and e becomes what it has. near is the leaf
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
	if t.expiry != nil {
		t.expiry.replace(k, old, it)
	}
	if t.collections != nil && delta != 0 {
		t.collections.add(t.collectionKey(k, old, it), delta)
	}
	return old
}

// put is write for the table alone. An item that is there already stays where it
// is: indexes share its memory.
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
		of := Stats{int64(t.tree.Len()), t.bytes}
		e.key.Text = t.texts.copy(e.key.Text, of, textSlab)
		if copies {
			e.item = item.Item(t.items.copy(string(e.item), of, itemSlab))
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

// relay lays all texts and items anew. What it takes is little beside the deletions
// that it follows.
func (t *Table) rebuildSlabs() {
	t.items, t.texts = slabs{}, slabs{}
	of := Stats{int64(t.tree.Len()), t.bytes}
	t.tree.cells(func(c *cell) {
		c.text = t.texts.copy(c.text, of, textSlab)
		c.item = item.Item(t.items.copy(string(c.item), of, itemSlab))
		for _, ix := range t.indexes {
			ix.share(c.item)
		}
	})
}

// collectionKey is the partition key part of k, the key of two items, of which one may be "".
func (t *Table) collectionKey(k Key, old, new item.Item) Key {
	if new == "" {
		new = old
	}
	var buffer [keyBuffer]byte
	text, _ := appendKeys(buffer[:0], t.Key.Hash, new)
	return Key{k.Hash, k.Text[:len(text)]}
}

// indexing returns what takes the table back to the indexes that it has now.
func (t *Table) indexing() (undo func()) {
	indexes, collections := t.indexes, t.collections
	return func() { t.indexes, t.collections = indexes, collections }
}

// addIndex adds an index and fills it.
func (t *Table) addIndex(schema IndexSchema) *Index {
	ix := newIndex(t, schema)
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
	t.indexes = slices.DeleteFunc(slices.Clone(t.indexes), func(other *Index) bool { return other == ix })
	if ix.Local {
		t.collect()
	}
}

// collect measures all item collections anew.
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
