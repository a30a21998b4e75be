package storage

import (
	"slices"
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
	f.indexes = make([]*Index, len(t.indexes))
	for i, ix := range t.indexes {
		f.indexes[i] = ix.fork()
	}
	f.collections = t.collections.fork()
	f.expiry = t.expiry.fork()
	return &f
}

// write is the only way by which items change: it replaces the item at k, or
// removes it if it is "", in the table and in whatever follows from the table,
// and returns the old one. What it did, write(k, old) undoes.
func (t *Table) write(k Key, it item.Item) (old item.Item) {
	var e entry
	if it == "" {
		e, _ = t.tree.Delete(entry{key: k})
	} else {
		e, _ = t.tree.Set(entry{k, it})
	}
	old = e.item
	if old == it {
		if it != "" {
			t.tree.Set(e) // indexes go on sharing the old item's memory
		}
		return old
	}
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
