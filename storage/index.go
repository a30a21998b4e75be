package storage

import (
	"bytes"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Projection says which attributes an index holds besides key attributes.
type Projection struct {
	Type   string   // ALL, KEYS_ONLY or INCLUDE
	NonKey []string // the attributes of INCLUDE
}

// IndexSchema defines a secondary index.
type IndexSchema struct {
	Name       string
	Local      bool
	Key        KeySchema
	Projection Projection
}

// Index is a secondary index. Its schema never changes.
type Index struct {
	IndexSchema

	table KeySchema // the key of the table
	names []string  // the attributes that it holds, sorted; nil is all
	tree  *tree
	texts slabs // memory for the texts of new keys
	bytes int64
}

func newIndex(table KeySchema, schema IndexSchema) *Index {
	ix := &Index{IndexSchema: schema, table: table, tree: newTree()}
	if schema.Projection.Type != "ALL" {
		ix.names = table.names(schema.Key.names(slices.Clone(schema.Projection.NonKey)))
		slices.Sort(ix.names)
		ix.names = slices.Compact(ix.names)
	}
	return ix
}

// fork returns a copy of the index for the table of another store.
func (ix *Index) fork() *Index {
	f := *ix
	f.tree, f.texts.free = ix.tree.Copy(), nil
	return &f
}

// EntryKey returns the key of an item's entry in the index. ok is false if the item has no entry,
// because an attribute of the index's key is missing, has another type or is no possible key. The
// item must have the key attributes of the table. The text begins with the text of ix.Key.Encode
// and ends with that of the table's key.
func (ix *Index) EntryKey(it item.Item) (k Key, ok bool) {
	var buffer [keyBuffer]byte
	text, hashed := ix.appendKey(buffer[:0], it)
	if hashed == 0 {
		return Key{}, false
	}
	for _, attributes := range [...][]KeyAttribute{ix.table.Hash, ix.table.Range} {
		if text, ok = appendKeys(text, attributes, it); !ok {
			return Key{}, false
		}
	}
	return newKey(text, hashed), true
}

// appendKey appends the index's own part of an item's entry key. hashed is the length of its
// partition key, or 0 if the item has no entry.
//
// A write is rejected if an index would get an impossible key. Items that are older than the index
// are left out of it (Developer Guide, "Detecting and correcting index key violations").
func (ix *Index) appendKey(dst []byte, it item.Item) (_ []byte, hashed int) {
	dst, ok := appendPossible(dst, ix.Key.Hash, it, MaxHashKeyBytes)
	if !ok {
		return dst, 0
	}
	hashed = len(dst)
	if dst, ok = appendPossible(dst, ix.Key.Range, it, MaxRangeKeyBytes); !ok {
		return dst, 0
	}
	return dst, hashed
}

// appendPossible is appendKeys for possible keys: no value is empty, and all values together have
// at most most bytes.
func appendPossible(dst []byte, attributes []KeyAttribute, it item.Item, most int) (_ []byte,
	ok bool) {
	for i := range attributes {
		v := it.Get(attributes[i].Name)
		if v.Type() != attributes[i].Type {
			return dst, false
		}
		size := v.Size()
		if most -= size; size == 0 || most < 0 {
			return dst, false
		}
		dst = item.AppendKey(dst, v)
	}
	return dst, true
}

// holds reports whether an item has an entry in the index.
func (ix *Index) holds(it item.Item) bool {
	var buffer [keyBuffer]byte
	_, hashed := ix.appendKey(buffer[:0], it)
	return hashed > 0
}

// project returns the item as the index holds it.
func (ix *Index) project(it item.Item) item.Item {
	if ix.names == nil {
		return it
	}
	return it.Only(ix.names...)
}

// size returns the size of an item as the index holds it.
func (ix *Index) size(it item.Item) int {
	if ix.names == nil {
		return it.Size()
	}
	size := 0
	for _, name := range ix.names {
		if v := it.Get(name); v != "" {
			size += len(name) + v.Size()
		}
	}
	return size
}

// same reports whether two items have the same values in all attributes that the index holds.
func (ix *Index) same(a, b item.Item) bool { return sameIn(ix.names, a, b) }

// sameIn reports whether two items have the same values in some attributes, or in all if names is
// nil.
func sameIn(names []string, a, b item.Item) bool {
	if names == nil {
		return a == b
	}
	for _, name := range names {
		if a.Get(name) != b.Get(name) {
			return false
		}
	}
	return true
}

// replace updates the index after the item at key k of the table was replaced, and returns by how
// many bytes the index grew. Either item may be "". An entry that does not change is not touched.
func (ix *Index) replace(k Key, old, new item.Item) (grown int64) {
	var oldBuffer, newBuffer [keyBuffer]byte
	from, wasIn := ix.appendKey(oldBuffer[:0], old)
	to, isIn := ix.appendKey(newBuffer[:0], new)
	stays := wasIn > 0 && isIn > 0 && bytes.Equal(from, to)
	if stays && ix.same(old, new) {
		return 0
	}
	if wasIn > 0 && !stays {
		removed, _ := ix.tree.Delete(entry{key: keyOf(append(from, k.Text...), wasIn)})
		grown -= int64(removed.item.Size())
		if ix.texts.sparse(ix.tree.Len()) {
			ix.rebuildSlabs()
		}
	}
	if isIn > 0 {
		projected := ix.project(new)
		grown += int64(
			projected.Size() - ix.set(keyOf(append(to, k.Text...), isIn), projected).Size())
	}
	ix.bytes += grown
	return grown
}

// set stores the entry with key k and returns the item that it replaces. It copies the text of a
// new key.
func (ix *Index) set(k Key, it item.Item) (old item.Item) {
	c, found := ix.tree.at(&k, nil)
	if !found {
		c.text = ix.texts.copy(k.Text, ix.bytes, textSlab)
	}
	old, c.item = c.item, it
	return old
}

// rebuildSlabs copies the live texts to new slabs and drops the old slabs.
func (ix *Index) rebuildSlabs() {
	ix.texts = slabs{}
	held := ix.bytes
	ix.tree.cells(func(c *cell) { c.text = ix.texts.copy(c.text, held, textSlab) })
}

// share points the entry of an item to the item's new memory, if the index holds whole items.
func (ix *Index) share(it item.Item) {
	if ix.names != nil {
		return
	}
	if k, ok := ix.EntryKey(it); ok {
		c, _ := ix.tree.at(&k, nil)
		c.item = it
	}
}

// Effect says what replacing an item does to one index. The consumed capacity follows from it.
type Effect struct {
	Index    *Index
	Old, New int  // the bytes of the entry before and after; 0 without an entry
	Moved    bool // the key of the entry changes, so one entry is deleted and another put
}

// effect returns the Effect of replacing an item. changed is false if the entry does not change.
func (ix *Index) effect(old, new item.Item) (_ Effect, changed bool) {
	var oldBuffer, newBuffer [keyBuffer]byte
	from, wasIn := ix.appendKey(oldBuffer[:0], old)
	to, isIn := ix.appendKey(newBuffer[:0], new)
	e := Effect{Index: ix}
	if wasIn > 0 {
		e.Old = ix.size(old)
	}
	if isIn > 0 {
		e.New = ix.size(new)
	}
	if e.Old == 0 || e.New == 0 {
		return e, e.Old != e.New
	}
	e.Moved = !bytes.Equal(from, to)
	return e, !ix.same(old, new)
}
