package emulator

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// TableSize is how much a table or an index holds at a moment.
type TableSize struct {
	Table string
	Index string // "" for the table itself
	Kind  IndexKind
	Items int64
	Bytes int64 // the size as DynamoDB counts it for items
	// RecoveryBytes is the bytes of a table and of its local indexes if it has point-in-time
	// recovery.
	RecoveryBytes int64
}

// IndexKind is the kind of an index, "" for a table.
type IndexKind string

// The kinds of indexes.
const (
	LocalIndex  IndexKind = "local"
	GlobalIndex IndexKind = "global"
	VectorIndex IndexKind = "vector"
)

// TableSizes returns how much all tables and indexes hold, in the order of their
// names, each table before its indexes. What different access keys and regions have
// in tables of the same name is added up. Tables that Delegates have are not among them.
func (i Inspector) TableSizes() []TableSize {
	type source struct{ table, index string }
	sums := map[source]TableSize{}
	now := i.service.Clock()
	for _, store := range i.service.Namespaces.AllStores() {
		store.View(func(tx *storage.Tx) error {
			for _, name := range tx.Tables().Names() {
				t := tables.Seen(tx, name, now)
				if t == nil {
					continue
				}
				for _, s := range tableSizes(tx, t) {
					sum := sums[source{name, s.Index}]
					s.Items += sum.Items
					s.Bytes += sum.Bytes
					s.RecoveryBytes += sum.RecoveryBytes
					sums[source{name, s.Index}] = s
				}
			}
			return nil
		})
	}
	list := make([]TableSize, 0, len(sums))
	for _, s := range sums {
		list = append(list, s)
	}
	slices.SortFunc(list,
		func(a, b TableSize) int {
			return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
		})
	return list
}

// TableSizesFor returns the TableSizes that the sender of a request may learn, which is not one of
// DynamoDB's API: all of them if it gets the findings, too (see FindingsPath), or if there is no
// policy. Others get those of tables whose sizes the policy hides from nobody.
func (i Inspector) TableSizesFor(r *http.Request) []TableSize {
	all, g := i.TableSizes(), i.service.Policy
	if g == nil {
		return all
	}
	if _, why := i.refusal("the sizes of tables", r); why == "" {
		return all
	}
	return slices.DeleteFunc(all, func(s TableSize) bool { return !g.ShowsCounts(s.Table) })
}

// tableSizes returns the sizes of a table, which comes first, and of its indexes.
func tableSizes(tx *storage.Tx, t *storage.Table) []TableSize {
	size := func(index string, kind IndexKind, s storage.Stats) TableSize {
		return TableSize{Table: t.Name, Index: index, Kind: kind, Items: s.Items, Bytes: s.Bytes}
	}
	list := []TableSize{size("", "", tx.Tables().Stats(t))}
	recovery := list[0].Bytes
	for _, ix := range tx.Tables().Indexes(t) {
		kind, stats := GlobalIndex, tx.Tables().IndexStats(t, ix)
		if ix.Local {
			kind = LocalIndex
			recovery += stats.Bytes
		}
		list = append(list, size(ix.Name, kind, stats))
	}
	for _, ix := range tx.Vectors().Indexes(t) {
		list = append(list, size(ix.Name, VectorIndex, tx.Vectors().Stats(t, ix)))
	}
	if _, _, ok := tx.Recovery().Window(t); ok {
		list[0].RecoveryBytes = recovery
	}
	return list
}

// BackupBytes returns the bytes of the backups that users have made, with their local indexes, by
// the name of their table, which may be deleted. Those of different access keys and regions are
// added up.
func (i Inspector) BackupBytes() map[string]int64 {
	sums := map[string]int64{}
	for _, store := range i.service.Namespaces.AllStores() {
		store.View(func(tx *storage.Tx) error {
			for _, b := range tx.Backups().All() {
				if tables.BackupOf(b).Type == tables.UserBackup {
					sums[b.Table().Name] += b.Stats().Bytes + b.LocalBytes()
				}
			}
			return nil
		})
	}
	return sums
}
