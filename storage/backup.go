package storage

import (
	"slices"
	"strings"
)

// Backup is a table as it was at one moment: its key schema, items and indexes. It never changes.
// The handle is valid within the View or Update that returned it.
type Backup struct {
	ID       string   // unique in the store
	Settings Settings // of the backup, not of its table

	table *Table // belongs to no store, so that nothing writes to it; its number is the backup's
}

// fork returns a copy of the backup for another store. The caller holds the lock of b's store.
func (b *Backup) fork() *Backup {
	f := *b
	f.table = b.table.copyFor(nil)
	f.table.number = b.table.number
	return &f
}

// CreateBackup backs up a table. The ID must be free. The time does not depend on the amount of
// data, unless the store has a journal, which gets all items.
func (tx *Tx) CreateBackup(t *Table, id string, settings Settings) *Backup {
	tx.mustWrite()
	tx.mustHave(t)
	if tx.Backup(id) != nil {
		panic("storage: there is a backup " + id + " already")
	}
	s := tx.store
	b := &Backup{ID: id, Settings: settings, table: t.copyFor(nil)}
	s.numbers++
	b.table.number = s.numbers
	before := s.backups
	at, _ := slices.BinarySearchFunc(before, id, (*Backup).compareID)
	s.backups = slices.Insert(slices.Clone(before), at, b)
	s.durable.touchBackup(b)
	tx.logUndo(func() { s.backups = before })
	return b
}

func (b *Backup) compareID(id string) int { return strings.Compare(b.ID, id) }

// DropBackup removes a backup.
func (tx *Tx) DropBackup(b *Backup) {
	tx.mustWrite()
	s := tx.store
	before := s.backups
	s.backups = slices.DeleteFunc(slices.Clone(before),
		func(other *Backup) bool { return other == b })
	s.durable.touchBackup(b)
	tx.logUndo(func() { s.backups = before })
}

// Backups returns all backups in the order of their IDs. The caller must not modify the slice.
func (tx *Tx) Backups() []*Backup { return tx.store.backups }

// Backup returns a backup by ID, or nil.
func (tx *Tx) Backup(id string) *Backup {
	at, found := slices.BinarySearchFunc(tx.store.backups, id, (*Backup).compareID)
	if !found {
		return nil
	}
	return tx.store.backups[at]
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

// RestoreBackup creates a table with the items and indexes of a backup. The time does not depend on
// the amount of data, unless the store has a journal, which gets all items. The backup may be of
// another store, whose lock the caller holds by UpdateAll.
func (tx *Tx) RestoreBackup(b *Backup, spec TableSpec) *Table {
	tx.mustWrite()
	return tx.addCopy(b.table.copyFor(tx.store), spec)
}

// addCopy adds a copy of a table to the store.
func (tx *Tx) addCopy(t *Table, spec TableSpec) *Table {
	s := tx.store
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
	tx.logTable(t, func() {
		delete(s.tables, t.Name)
		t.store = nil
	})
	s.durable.touchItems(t)
	return t
}
