package storage

import (
	"errors"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
)

// addVector adds a vector index and fills it with the items of the table.
func (t *Table) addVector(schema VectorSchema) *VectorIndex {
	ix := newVectorIndex(t, schema)
	t.tree.Scan(func(e entry) bool {
		ix.replace(e.key, "", e.item)
		return true
	})
	t.vectors = append(t.vectors, ix)
	return ix
}

// dropVectors removes the vector indexes with some names.
func (t *Table) dropVectors(names []string) {
	t.vectors = slices.DeleteFunc(slices.Clone(t.vectors), func(ix *VectorIndex) bool { return slices.Contains(names, ix.Name) })
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

// VectorIndexes returns the table's vector indexes in the order of their creation. The caller must
// not modify the slice.
func (tx *Tx) VectorIndexes(t *Table) []*VectorIndex {
	tx.mustHave(t)
	return t.vectors
}

// VectorIndex returns the vector index with a name, or nil.
func (tx *Tx) VectorIndex(t *Table, name string) *VectorIndex {
	tx.mustHave(t)
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

// AddVectorIndex creates a vector index and fills it with the items of the table. It leaves out
// items whose vector does not fit.
func (tx *Tx) AddVectorIndex(t *Table, schema VectorSchema) *VectorIndex {
	tx.changeIndexes(t)
	return t.addVector(schema)
}

// DropVectorIndex removes a vector index.
func (tx *Tx) DropVectorIndex(t *Table, ix *VectorIndex) {
	tx.changeIndexes(t)
	t.dropVectors([]string{ix.Name})
}

// VectorStats returns how much a vector index of a table holds.
func (tx *Tx) VectorStats(t *Table, ix *VectorIndex) Stats {
	tx.mustHave(t)
	return Stats{Items: int64(ix.rows.Len()), Bytes: ix.bytes}
}

// VectorEffects is Effects for vector indexes.
func (tx *Tx) VectorEffects(t *Table, old, new item.Item) []VectorEffect {
	tx.mustHave(t)
	var effects []VectorEffect
	for _, ix := range t.vectors {
		if e, changed := ix.effect(old, new); changed {
			effects = append(effects, e)
		}
	}
	return effects
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
	return VectorRecord{s.Name, s.Attribute, s.Dimensions, string(s.Distance), recordAttributes(s.Hash),
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
