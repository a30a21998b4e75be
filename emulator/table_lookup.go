package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// errNotFound is the answer of data operations about a missing table.
var errNotFound = &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found"}

// activeTable returns the table that a data operation is for. A table that is
// being created or deleted is not found, as with the service; one that is being
// updated stays available (API Reference, TableDescription, TableStatus).
func (c *call) activeTable(tx *storage.Tx, name string) (*storage.Table, error) {
	t := tx.Table(name)
	if t == nil {
		return nil, errNotFound
	}
	if s := tables.SettingsOf(tx, t); s.State.Status != "" {
		switch s.State.At(c.now()) {
		case tables.Active, tables.Updating:
		default:
			return nil, errNotFound
		}
	}
	return t, nil
}

// activeIndex returns the index that Query or Scan reads.
func (c *call) activeIndex(tx *storage.Tx, t *storage.Table, name string) (*storage.Index, error) {
	ix := tx.Index(t, name)
	if ix == nil && tx.VectorIndex(t, name) != nil {
		return nil, apierr.Invalid("%s operation not supported on this index type.", c.operation.Name)
	}
	if ix == nil {
		return nil, errNoSuchIndex(name)
	}
	if s := tables.SettingsOf(tx, t).Index(name); s != nil && s.State.Status == tables.Creating && s.State.At(c.now()) == tables.Creating {
		return nil, apierr.Invalid("Cannot read from backfilling global secondary index: %s", name)
	}
	return ix, nil
}

func errNoSuchIndex(name string) error {
	return apierr.Invalid("The table does not have the specified index: %s", name)
}

// knownTable returns the table that a control operation is for, in whatever
// state it is.
func (c *call) knownTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	if t := tx.Table(name); t != nil {
		if s := tables.SettingsOf(tx, t); s.State.At(c.now()) != "" {
			return t, s, nil
		}
	}
	return nil, nil, errUnknownTable(name)
}

// createdTable returns the table that a control operation is for. One that is being created is not
// found (ack-api-quirks, DDB-TABLE-234).
func (c *call) createdTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.knownTable(tx, name)
	if err == nil && s.State.At(c.now()) == tables.Creating {
		err = errUnknownTable(name)
	}
	return t, s, err
}

// errUnknownTable returns the error of control operations for a missing table.
func errUnknownTable(name string) error {
	return &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found: Table: " + name + " not found"}
}

// idleTable returns the table that a control operation wants to change, which
// only one may do at a time.
func (c *call) idleTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.knownTable(tx, name)
	if err != nil {
		return nil, nil, err
	}
	return t, s, tables.Busy(name, s.State.At(c.now()))
}

// dropGone removes a table whose deletion is over, to free its name, and all
// others, to free their memory: no one else will come by.
func (c *call) dropGone(tx *storage.Tx, name string) {
	names := []string{name}
	if c.delays().delete > 0 {
		names = tx.TableNames()
	}
	for _, name := range names {
		if t := tx.Table(name); t != nil && tables.SettingsOf(tx, t).State.At(c.now()) == "" {
			tx.DropTable(t)
			c.watch.forget(name)
		}
	}
}

// activeVector returns the vector index that SearchVectors searches. While an index is being
// provisioned, the search endpoint does not know it (Developer Guide, "Troubleshooting vector
// indexes").
func (c *call) activeVector(tx *storage.Tx, t *storage.Table, name string) (*storage.VectorIndex, error) {
	ix := tx.VectorIndex(t, name)
	if ix == nil {
		return nil, errNoSuchIndex(name)
	}
	is := tables.SettingsOf(tx, t).Vector(name)
	if is == nil || is.State.Status == "" {
		return ix, nil
	}
	switch now := c.now(); {
	case is.State.At(now) == tables.Active:
		return ix, nil
	case now.Before(is.Backfill):
		return nil, errNoSuchIndex(name)
	}
	return nil, apierr.Invalid("Cannot search backfilling vector index: %s", name)
}
