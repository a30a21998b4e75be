package storage

import (
	"bytes"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Projection says which attributes an index holds besides the keys.
type Projection struct {
	Type   string   // ALL, KEYS_ONLY, INCLUDE
	NonKey []string // for INCLUDE
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

	table KeySchema // the key of its table
	names []string  // the attributes it holds, sorted; nil: all
	tree  *tree
	texts slabs // of the texts of keys
	bytes int64
}

func newIndex(t *Table, schema IndexSchema) *Index {
	ix := &Index{IndexSchema: schema, table: t.Key, tree: newTree()}
	if schema.Projection.Type != "ALL" {
		ix.names = t.Key.names(schema.Key.names(slices.Clone(schema.Projection.NonKey)))
		slices.Sort(ix.names)
		ix.names = slices.Compact(ix.names)
	}
	return ix
}

// fork returns the same index for the table of another store.
func (ix *Index) fork() *Index {
	f := *ix
	f.tree, f.texts.free = ix.tree.Copy(), nil
	return &f
}

// EntryKey is the key of an item's entry in the index; ok is false if it has
// none, because an attribute of the index's key is missing, of another type or
// no possible key. The item may be any that has the key attributes of the index
// and of its table. A text begins with that of ix.Key.Encode and ends with that
// of the table's.
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

// The most bytes that the partition key and the sort key of a table or index
// have. Developer Guide, "Constraints", "Partition key length" and "Sort key length".
const (
	MaxHashKeyBytes  = 2048
	MaxRangeKeyBytes = 1024
)

// appendKey appends the part of an item's entry key that is the index's own.
// hashed is the length of its partition key, 0 if the item is not in the index.
//
// Writes to a table are refused if an index would get an impossible key; those
// that were there before the index are left out of it (Developer Guide,
// "Detecting and correcting index key violations").
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

// appendPossible is appendKeys for values none of which is empty and that have
// together at most so many bytes.
func appendPossible(dst []byte, attributes []KeyAttribute, it item.Item, most int) (_ []byte, ok bool) {
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

// project is the item as the index holds it.
func (ix *Index) project(it item.Item) item.Item {
	if ix.names == nil {
		return it
	}
	return it.Only(ix.names...)
}

// size is the size of the entry of an item that the index holds.
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

// same reports whether two items agree in all that the index holds.
func (ix *Index) same(a, b item.Item) bool {
	if ix.names == nil {
		return a == b
	}
	for _, name := range ix.names {
		if a.Get(name) != b.Get(name) {
			return false
		}
	}
	return true
}

// replace has the index follow the replacement of an item (either may be "") at
// the key of the table, and returns by how many bytes it grew. An entry that
// stays the same is not touched.
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
		grown += int64(projected.Size() - ix.set(keyOf(append(to, k.Text...), isIn), projected).Size())
	}
	ix.bytes += grown
	return grown
}

// set puts an entry in the place of the one with its key, whose item it returns. The text of the key stays the caller's.
func (ix *Index) set(k Key, it item.Item) (old item.Item) {
	c, found := ix.tree.at(&k, nil)
	if !found {
		c.text = ix.texts.copy(k.Text, Stats{int64(ix.tree.Len()), ix.bytes}, textSlab)
	}
	old, c.item = c.item, it
	return old
}

// relay lays the texts of all keys anew.
func (ix *Index) rebuildSlabs() {
	ix.texts = slabs{}
	of := Stats{int64(ix.tree.Len()), ix.bytes}
	ix.tree.cells(func(c *cell) { c.text = ix.texts.copy(c.text, of, textSlab) })
}

// share has the entry of an item, which has moved, share its memory again.
func (ix *Index) share(it item.Item) {
	if ix.names != nil {
		return
	}
	if k, ok := ix.EntryKey(it); ok {
		c, _ := ix.tree.at(&k, nil)
		c.item = it
	}
}

// Effect is what replacing an item does to one index, for capacity.
type Effect struct {
	Index    *Index
	Old, New int  // bytes of the entry before and after; 0: there is none
	Moved    bool // the entry's key changes: one entry is deleted and one put
}

// effect is the Effect of replacing an item; changed is false if the entry stays as it is.
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
