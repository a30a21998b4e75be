package keys

import (
	"slices"

	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Source is the table, or the index of it, that a Query or Scan reads.
type Source struct {
	Table *storage.Table
	Index *storage.Index // nil for the table itself
}

// Key returns the key schema that orders the source.
func (s *Source) Key() *storage.KeySchema {
	if s.Index != nil {
		return &s.Index.Key
	}
	return &s.Table.Key
}

// KeyNames returns the attributes of the source's key and then those of the table's key, without
// duplicates. Together they identify an entry.
func (s *Source) KeyNames() []string {
	names := make([]string, 0, 4)
	add := func(attributes []storage.KeyAttribute) {
		for i := range attributes {
			if name := attributes[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(s.Key().Hash)
	add(s.Key().Range)
	if s.Index != nil {
		add(s.Table.Key.Hash)
		add(s.Table.Key.Range)
	}
	return names
}

// NamesOf returns the names of a key's attributes.
func NamesOf(ks *storage.KeySchema) (names []string) {
	for _, attributes := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for i := range attributes {
			names = append(names, attributes[i].Name)
		}
	}
	return names
}

// IsAttribute reports whether an attribute is part of a key.
func IsAttribute(ks *storage.KeySchema, name string) bool {
	for _, attributes := range [...][]storage.KeyAttribute{ks.Hash, ks.Range} {
		for i := range attributes {
			if attributes[i].Name == name {
				return true
			}
		}
	}
	return false
}

// Encode returns the key of an entry of the source. The entry must have all key attributes with
// their types.
func (s *Source) Encode(it item.Item) storage.Key {
	var k storage.Key
	if s.Index != nil {
		k, _ = s.Index.EntryKey(it)
	} else {
		k, _ = s.Table.Key.Encode(it)
	}
	return k
}

// Partial reports whether the source projects only some attributes of the items.
func (s *Source) Partial() bool { return s.Index != nil && s.Index.Projection.Type != "ALL" }

// Lacking returns the attributes that the source does not project.
func (s *Source) Lacking(names []string) []string {
	if !s.Partial() {
		return nil
	}
	var lacking []string
	for _, name := range names {
		if !IsAttribute(&s.Index.Key, name) && !IsAttribute(&s.Table.Key, name) &&
			!slices.Contains(s.Index.Projection.NonKey, name) {
			lacking = append(lacking, name)
		}
	}
	return lacking
}
