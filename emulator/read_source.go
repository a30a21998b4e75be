package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// source is the table, or the index of it, that a Query or Scan reads.
type source struct {
	table *storage.Table
	index *storage.Index // nil: the table itself
}

// key is the key by which the source is ordered.
func (s *source) key() *storage.KeySchema {
	if s.index != nil {
		return &s.index.Key
	}
	return &s.table.Key
}

// keyNames are the attributes of the source's key, and then of the table's:
// those that tell its entries apart. There are no duplicates.
func (s *source) keyNames() []string {
	names := make([]string, 0, 4)
	add := func(attributes []storage.KeyAttribute) {
		for i := range attributes {
			if name := attributes[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(s.key().Hash)
	add(s.key().Range)
	if s.index != nil {
		add(s.table.Key.Hash)
		add(s.table.Key.Range)
	}
	return names
}

// isKey reports whether an attribute is of the source's key.
func isKey(ks *storage.KeySchema, name string) bool {
	for _, attributes := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for i := range attributes {
			if attributes[i].Name == name {
				return true
			}
		}
	}
	return false
}

// encode is the key of an entry of the source, of which it has all key
// attributes in their types.
func (s *source) encode(it item.Item) storage.Key {
	var k storage.Key
	if s.index != nil {
		k, _ = s.index.EntryKey(it)
	} else {
		k, _ = s.table.Key.Encode(it)
	}
	return k
}

// partial reports whether the source holds less than whole items.
func (s *source) partial() bool { return s.index != nil && s.index.Projection.Type != "ALL" }

// lacking returns those of the attributes that the source does not hold.
func (s *source) lacking(names []string) []string {
	if !s.partial() {
		return nil
	}
	var lacking []string
	for _, name := range names {
		if !isKey(&s.index.Key, name) && !isKey(&s.table.Key, name) && !slices.Contains(s.index.Projection.NonKey, name) {
			lacking = append(lacking, name)
		}
	}
	return lacking
}
