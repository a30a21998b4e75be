package storage

import (
	"errors"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// addVector adds a vector index and fills it with the items of the table.
func (t *Table) addVector(schema VectorSchema) *VectorIndex {
	ix := newVectorIndex(t.Key, schema)
	t.tree.Scan(func(e entry) bool {
		ix.replace(t.vectorReader(), e.key, "", e.item)
		return true
	})
	t.vectors = append(t.vectors, ix)
	return ix
}

// dropVectors removes the vector indexes with some names.
func (t *Table) dropVectors(names []string) {
	t.vectors = slices.DeleteFunc(slices.Clone(t.vectors),
		func(ix *VectorIndex) bool { return slices.Contains(names, ix.Name) })
}

// forkVectors returns copies of vector indexes for the table of another store.
func forkVectors(vectors []*VectorIndex) []*VectorIndex {
	var forks []*VectorIndex
	for _, ix := range vectors {
		forks = append(forks, ix.fork())
	}
	return forks
}

// shareVectors points all vector indexes to the table's present memory.
func (t *Table) shareVectors() {
	if len(t.vectors) == 0 {
		return
	}
	t.tree.Scan(func(e entry) bool {
		for _, ix := range t.vectors {
			ix.share(e.key, e.item)
		}
		return true
	})
}

// Vectors is the part of a Tx that is about vector indexes; see Tx.Vectors.
type Vectors struct{ tx *Tx }

// Indexes returns the table's vector indexes in the order of their creation. The caller must
// not modify the slice.
func (vs Vectors) Indexes(t *Table) []*VectorIndex {
	vs.tx.mustHave(t)
	return t.vectors
}

// Index returns the vector index with a name, or nil.
func (vs Vectors) Index(t *Table, name string) *VectorIndex {
	vs.tx.mustHave(t)
	return t.VectorIndex(name)
}

// VectorIndex returns the vector index with a name, or nil.
func (t *Table) VectorIndex(name string) *VectorIndex {
	for _, ix := range t.vectors {
		if ix.Name == name {
			return ix
		}
	}
	return nil
}

// AddIndex creates a vector index and fills it with the items of the table. It leaves out
// items whose vector does not fit.
func (vs Vectors) AddIndex(t *Table, schema VectorSchema) *VectorIndex {
	vs.tx.Tables().changeIndexes(t)
	return t.addVector(schema)
}

// DropIndex removes a vector index.
func (vs Vectors) DropIndex(t *Table, ix *VectorIndex) {
	vs.tx.Tables().changeIndexes(t)
	t.dropVectors([]string{ix.Name})
}

// Stats returns how much a vector index of a table holds.
func (vs Vectors) Stats(t *Table, ix *VectorIndex) Stats {
	vs.tx.mustHave(t)
	return Stats{Items: int64(ix.rows.Len()), Bytes: ix.bytes}
}

// WrittenSize returns the size of an item as a write of it counts. An attribute that vector indexes
// read then counts as the 32-bit floats of the index, whatever its numbers (service facts V.3.2).
func (vs Vectors) WrittenSize(t *Table, it item.Item) int {
	vs.tx.mustHave(t)
	size := it.Size()
	for i, ix := range t.vectors {
		if slices.ContainsFunc(t.vectors[:i],
			func(before *VectorIndex) bool { return before.Attribute == ix.Attribute }) {
			continue
		}
		if v := it.Get(ix.Attribute); v != "" && ix.Fits(v) {
			size += floatBytes*ix.Dimensions - v.Size()
		}
	}
	return size
}

// Fits reports whether a value that is to be written is a vector for an index. memory is
// where the value is, or nil. In a View it keeps nothing for the write.
func (vs Vectors) Fits(memory *item.Scratch, ix *VectorIndex, v item.Value) bool {
	if !vs.tx.writes {
		return ix.Fits(v)
	}
	_, ok := vs.tx.store.vectors.read(memory, v, ix.Dimensions)
	return ok
}

// note notes what the write that comes next in the log did to the vector indexes of a table.
func (vs Vectors) note(t *Table) {
	for _, ix := range t.vectors {
		if e := ix.written; e != (VectorEffect{}) {
			e.Index, e.write = ix, len(vs.tx.log)
			vs.tx.vectors = append(vs.tx.vectors, e)
		}
	}
}

// Effects returns what the last write of this Tx to the item with a key did to each vector
// index, without those whose entry did not change. The result is valid until the next write.
func (vs Vectors) Effects(t *Table, k Key) []VectorEffect {
	vs.tx.mustHave(t)
	write := len(vs.tx.log) - 1
	for write >= 0 && (vs.tx.log[write].table != t || vs.tx.log[write].key != k) {
		write--
	}
	end := len(vs.tx.vectors)
	for end > 0 && vs.tx.vectors[end-1].write > write {
		end--
	}
	start := end
	for start > 0 && vs.tx.vectors[start-1].write == write {
		start--
	}
	return vs.tx.vectors[start:end]
}

// VectorSchemas returns the schemas of the table's vector indexes, in the order of their creation.
func (b *Backup) VectorSchemas() []VectorSchema {
	var schemas []VectorSchema
	for _, ix := range b.table.vectors {
		schemas = append(schemas, ix.VectorSchema)
	}
	return schemas
}

// VectorRecord is a VectorSchema in a record.
type VectorRecord struct {
	Name       string
	Attribute  string
	Dimensions int
	Distance   string
	Hash       []attributeRecord `json:",omitempty"`
	Filters    []attributeRecord `json:",omitempty"`
	Projection string
	NonKey     []string `json:",omitempty"`
}

// RecordVector returns the record of a VectorSchema.
func RecordVector(s VectorSchema) VectorRecord {
	return VectorRecord{s.Name, s.Attribute, s.Dimensions, string(s.Distance),
		recordAttributes(s.Hash),
		recordAttributes(s.Filters), s.Projection.Type, s.Projection.NonKey}
}

// Schema returns the VectorSchema. It fails for a record that RecordVector does not make.
func (r VectorRecord) Schema() (VectorSchema, error) {
	hash, err := schemaAttributes(r.Hash)
	if err != nil {
		return VectorSchema{}, err
	}
	filters, err := schemaAttributes(r.Filters)
	if err != nil {
		return VectorSchema{}, err
	}
	if r.Dimensions <= 0 {
		return VectorSchema{}, errors.New("a vector has no dimensions")
	}
	return VectorSchema{r.Name, r.Attribute, r.Dimensions, Distance(r.Distance), hash, filters,
		Projection{r.Projection, r.NonKey}}, nil
}

// vectorReader returns the reader of the table's store, which backups that are loaded do not have.
func (t *Table) vectorReader() *vectorReader {
	if t.store == nil {
		return nil
	}
	return &t.store.vectors
}
