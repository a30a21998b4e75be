package emulator

import (
	"cmp"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// TableSize is how much a table or an index holds at a moment.
type TableSize struct {
	Table string
	Index string // "" for the table itself
	Items int64
	Bytes int64 // as DynamoDB counts those of items
}

// TableSizes returns how much all tables and indexes hold, in the order of their
// names, each table before its indexes. What different access keys and regions have
// in tables of the same name is added up. Tables that Delegates have are not among them.
func (e *Emulator) TableSizes() []TableSize {
	type source struct{ table, index string }
	sums := map[source]storage.Stats{}
	add := func(table, index string, s storage.Stats) {
		sum := sums[source{table, index}]
		sums[source{table, index}] = storage.Stats{Items: sum.Items + s.Items, Bytes: sum.Bytes + s.Bytes}
	}
	now := e.clock()
	for _, store := range e.namespaces.allStores() {
		store.View(func(tx *storage.Tx) error {
			for _, name := range tx.TableNames() {
				t := tx.Table(name)
				if tables.SettingsOf(tx, t).State.At(now) == "" {
					continue
				}
				add(name, "", tx.Stats(t))
				for _, ix := range tx.Indexes(t) {
					add(name, ix.Name, tx.IndexStats(t, ix))
				}
				for _, ix := range tx.VectorIndexes(t) {
					add(name, ix.Name, tx.VectorStats(t, ix))
				}
			}
			return nil
		})
	}
	list := make([]TableSize, 0, len(sums))
	for k, s := range sums {
		list = append(list, TableSize{k.table, k.index, s.Items, s.Bytes})
	}
	slices.SortFunc(list, func(a, b TableSize) int { return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index)) })
	return list
}
