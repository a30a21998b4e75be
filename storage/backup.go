package storage

import (
	"slices"
	"strings"
)

// Backup is a table as it was at one moment: its key schema, items and indexes. It never changes.
// The handle is valid within the View or Update that returned it.
type Backup struct {
	ID       string   // unique in the store
	Settings Settings // the backup's own, not its table's

	table *Table // belongs to no store, so that nothing writes to it; its number is the backup's
}

// fork returns a copy of the backup for another store. The caller holds the lock of b's store.
func (b *Backup) fork() *Backup {
	f := *b
	f.table = b.table.copyFor(nil)
	f.table.number = b.table.number
	return &f
}

// Backups is the part of a Tx that is about backups; see Tx.Backups.
type Backups struct{ tx *Tx }

// Create backs up a table. The ID must be free. The time does not depend on the amount of
// data, unless the store has a journal, which gets all items.
func (bs Backups) Create(t *Table, id string, settings Settings) *Backup {
	bs.tx.mustWrite()
	bs.tx.mustHave(t)
	if bs.ByID(id) != nil {
		panic("storage: there is a backup " + id + " already")
	}
	s := bs.tx.store
	b := &Backup{ID: id, Settings: settings, table: t.copyFor(nil)}
	s.numbers++
	b.table.number = s.numbers
	before := s.backups
	at, _ := slices.BinarySearchFunc(before, id, (*Backup).compareID)
	s.backups = slices.Insert(slices.Clone(before), at, b)
	s.durable.touchBackup(b)
	bs.tx.logUndo(func() { s.backups = before })
	return b
}

func (b *Backup) compareID(id string) int { return strings.Compare(b.ID, id) }

// Drop removes a backup.
func (bs Backups) Drop(b *Backup) {
	bs.tx.mustWrite()
	s := bs.tx.store
	before := s.backups
	s.backups = slices.DeleteFunc(slices.Clone(before),
		func(other *Backup) bool { return other == b })
	s.durable.touchBackup(b)
	bs.tx.logUndo(func() { s.backups = before })
}

// All returns all backups in the order of their IDs. The caller must not modify the slice.
func (bs Backups) All() []*Backup { return bs.tx.store.backups }

// ByID returns a backup by ID, or nil.
func (bs Backups) ByID(id string) *Backup {
	at, found := slices.BinarySearchFunc(bs.tx.store.backups, id, (*Backup).compareID)
	if !found {
		return nil
	}
	return bs.tx.store.backups[at]
}

// Table returns the table as it was. Only its exported fields may be used.
func (b *Backup) Table() *Table { return b.table }

// Stats returns how much the table holds.
func (b *Backup) Stats() Stats {
	return Stats{Items: int64(b.table.tree.Len()), Bytes: b.table.bytes}
}

// LocalBytes returns how many bytes the local indexes of the table hold.
func (b *Backup) LocalBytes() (bytes int64) {
	for _, ix := range b.table.indexes {
		if ix.Local {
			bytes += ix.bytes
		}
	}
	return bytes
}

// Schemas returns the schemas of the table's indexes, in the order of their creation.
func (b *Backup) Schemas() []IndexSchema {
	var schemas []IndexSchema
	for _, ix := range b.table.indexes {
		schemas = append(schemas, ix.IndexSchema)
	}
	return schemas
}

// TableSpec describes a table that is created with items. The name must be free.
type TableSpec struct {
	Name, ID string
	Settings Settings
	Without  []string // the names of the indexes to leave out
}

// Restore creates a table with the items and indexes of a backup. The time does not depend on
// the amount of data, unless the store has a journal, which gets all items. The backup may be of
// another store, whose lock the caller holds by UpdateAll.
func (bs Backups) Restore(b *Backup, spec TableSpec) *Table {
	bs.tx.mustWrite()
	return bs.tx.Tables().addCopy(b.table.copyFor(bs.tx.store), spec)
}

// addCopy adds a copy of a table to the store.
func (ts Tables) addCopy(t *Table, spec TableSpec) *Table {
	s := ts.tx.store
	if s.tables[spec.Name] != nil {
		panic("storage: there is a table " + spec.Name + " already")
	}
	for _, ix := range t.indexes {
		if slices.Contains(spec.Without, ix.Name) {
			t.dropIndex(ix)
		}
	}
	t.dropVectors(spec.Without)
	t.Name, t.ID, t.Created, t.settings = spec.Name, spec.ID, s.now(), spec.Settings
	s.numbers++
	t.number = s.numbers
	s.tables[t.Name] = t
	ts.tx.logTable(t, func() {
		delete(s.tables, t.Name)
		t.store = nil
	})
	s.durable.touchItems(t)
	return t
}
