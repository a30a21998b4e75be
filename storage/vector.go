package storage

import (
	"bytes"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Distance is the function that compares two vectors.
type Distance string

// The distance functions, as the service names them.
const (
	Cosine     Distance = "COSINE"
	Euclidean  Distance = "EUCLIDEAN"
	DotProduct Distance = "DOT_PRODUCT"
)

// VectorSchema defines a vector index.
type VectorSchema struct {
	Name       string
	Attribute  string // a list of numbers
	Dimensions int
	Distance   Distance
	Hash       []KeyAttribute // the attribute that partitions the index, if any
	Filters    []KeyAttribute // the attributes that a search may compare
	Projection Projection
}

// VectorIndex finds the items whose vectors are nearest to a given one. It has an entry for each
// item with a vector of the right dimensions and, if the schema has one, a partition key. Its
// schema never changes.
//
// The vectors of a partition are rows of columns, which a search reads from the first to the last:
// see vectorPartition. A B-tree finds the row of an item.
type VectorIndex struct {
	VectorSchema

	table      KeySchema // the key of the table
	names      []string  // the attributes that it holds besides the vector, sorted; nil is all
	owner      *owner    // owns the partitions and blocks that the index may modify
	partitions sorted[*vectorPartition]
	rows       sorted[vectorRow]
	bytes      int64
	written    VectorEffect // what the last replace did, without Index and write
}

// vectorRow is the place of an item in its partition.
type vectorRow struct {
	key Key // the key of the item in the table, which shares its memory
	row int
}

// floatBytes is the size of an element of a vector in the index. Developer Guide, "Requirements and
// limitations" of vector indexes: embeddings are stored at 32-bit floating point precision.
const floatBytes = 4

func newVectorIndex(table KeySchema, schema VectorSchema) *VectorIndex {
	ix := &VectorIndex{VectorSchema: schema, table: table, owner: new(owner),
		partitions: newSorted((*vectorPartition).less),
		rows:       newSorted(func(a, b vectorRow) bool { return a.key.less(b.key) })}
	if schema.Projection.Type != "ALL" {
		names := table.names(slices.Clone(schema.Projection.NonKey))
		for _, a := range slices.Concat(schema.Hash, schema.Filters) {
			names = append(names, a.Name)
		}
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names),
			func(name string) bool { return name == schema.Attribute })
		ix.names = names
	}
	return ix
}

// fork returns a copy of the index for the table of another store. Both clone a block before they
// modify it.
func (ix *VectorIndex) fork() *VectorIndex {
	f := *ix
	f.owner, ix.owner = new(owner), new(owner)
	f.partitions, f.rows = ix.partitions.Copy(), ix.rows.Copy()
	return &f
}

// appendPartition appends the encoded partition key of an item. ok is false if the item has none,
// or one of another type or size. The partition key of an index without one is empty.
func (ix *VectorIndex) appendPartition(dst []byte, it item.Item) (_ []byte, ok bool) {
	return appendPossible(dst, ix.Hash, it, MaxHashKeyBytes)
}

// project returns the item as the index holds it besides the vector. With all attributes projected
// it is the whole item, so that no copy is needed.
func (ix *VectorIndex) project(it item.Item) item.Item {
	if ix.names == nil {
		return it
	}
	return it.Only(ix.names...)
}

// size returns the size of an item's entry: its vector and the other projected attributes.
func (ix *VectorIndex) size(it item.Item) int {
	size := floatBytes * ix.Dimensions
	if ix.names == nil {
		for name, v := range it.All() {
			if name != ix.Attribute { // the vector takes longest to measure
				size += len(name) + v.Size()
			}
		}
		return size
	}
	for _, name := range ix.names {
		if v := it.Get(name); v != "" {
			size += len(name) + v.Size()
		}
	}
	return size
}

// same reports whether two items have the same values in all attributes that the index holds,
// except possibly the vector.
func (ix *VectorIndex) same(a, b item.Item) bool { return sameIn(ix.names, a, b) }

// replace updates the index after the item at key k of the table was replaced, and describes that
// in written. Either item may be "". The text of k must be the table's, unless new is "".
func (ix *VectorIndex) replace(r *vectorReader, k Key, old, new item.Item) {
	at, was := ix.rows.Get(vectorRow{key: k})
	var from, to []byte
	if r != nil {
		from, to = r.from[:0], r.to[:0]
	}
	if was {
		from, _ = ix.appendPartition(from, old)
	}
	to, is := ix.appendPartition(to, new)
	if r != nil {
		r.from, r.to = from, to
	}
	stays := was && is && bytes.Equal(from, to)
	if stays && old.Get(ix.Attribute) == new.Get(ix.Attribute) {
		ix.keepVector(partitionKey(to), at.row, old, new)
		return
	}
	var e VectorEffect
	var vector []float32
	if is {
		vector, is = r.read(nil, new.Get(ix.Attribute), ix.Dimensions)
	}
	if is {
		e.New, e.Moved = ix.size(new), was && !stays
	}
	if stays && is {
		e.Old = ix.writable(partitionKey(to)).set(ix, at.row, vector, new, e.New)
	} else {
		if was {
			e.Old = ix.remove(partitionKey(from), at)
		}
		if is {
			ix.rows.Set(vectorRow{k, ix.writable(partitionKey(to)).add(ix, vector, new, e.New)})
		}
	}
	ix.note(e)
}

// keepVector updates a row after its item was replaced by one with the same vector.
func (ix *VectorIndex) keepVector(partition Key, row int, old, new item.Item) {
	if ix.same(old, new) {
		ix.written = VectorEffect{}
		return
	}
	p := ix.writable(partition)
	size := ix.size(new)
	ix.note(VectorEffect{Old: p.setItem(ix, row, new, size), New: size})
}

// note counts the bytes of an entry that changes.
func (ix *VectorIndex) note(e VectorEffect) {
	ix.bytes += int64(e.New - e.Old)
	ix.written = e
}

// remove removes a row and returns the size of its entry. The last row of the partition takes its
// place.
func (ix *VectorIndex) remove(partition Key, at vectorRow) (size int) {
	ix.rows.Delete(at)
	p := ix.writable(partition)
	size = p.size(ix, at.row)
	last := p.count - 1
	if at.row != last {
		moved := p.item(ix, last)
		k, _ := ix.table.Encode(moved)
		place, _ := ix.rows.Get(vectorRow{key: k})
		place.row = at.row
		ix.rows.Set(place)
		p.copyRow(ix, at.row, last)
	}
	if p.removeLast(ix); p.count == 0 {
		ix.partitions.Delete(p)
	}
	return size
}

// share points the entry of an item at key k to the new memory of both, after the table has moved
// them.
func (ix *VectorIndex) share(k Key, it item.Item) {
	at, ok := ix.rows.Get(vectorRow{key: k})
	if !ok {
		return
	}
	ix.rows.Set(vectorRow{k, at.row})
	if ix.names == nil {
		var buffer [keyBuffer]byte
		text, _ := ix.appendPartition(buffer[:0], it)
		b, i := ix.writable(partitionKey(text)).writableBlock(ix, at.row)
		b.items[i] = it
	}
}

// VectorEffect says what a write did to the entry of its item in one vector index. The consumed
// capacity follows from it. The zero VectorEffect is no change.
type VectorEffect struct {
	Index    *VectorIndex
	Old, New int  // the bytes of the entry before and after; 0 without an entry
	Moved    bool // the entry moves to another partition

	write int // the place of the write in the log of its Tx
}

// Fits reports whether a value is a vector for the index.
func (ix *VectorIndex) Fits(v item.Value) bool {
	n, ok := v.CountFloats()
	return ok && n == ix.Dimensions
}
