package serve

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// ErrNotFound is the answer of data operations about a missing table.
var ErrNotFound = &apierr.Error{
	Type: apierr.ResourceNotFound, Message: "Requested resource not found",
}

// ActiveTable returns the table that a data operation is for. A table that is
// being created or deleted is not found, as with the service; one that is being
// updated stays available (API Reference, TableDescription, TableStatus).
func (c *Call) ActiveTable(tx *storage.Tx, name string) (*storage.Table, error) {
	t := tx.Table(name)
	if t == nil {
		return nil, ErrNotFound
	}
	if s := tables.SettingsOf(tx, t); s.State.Status != "" {
		switch s.State.At(c.Now()) {
		case tables.Active, tables.Updating:
		default:
			return nil, ErrNotFound
		}
	}
	return t, nil
}

// ActiveIndex returns the index that Query or Scan reads.
func (c *Call) ActiveIndex(tx *storage.Tx, t *storage.Table, name string) (*storage.Index, error) {
	ix := tx.Tables().Index(t, name)
	if ix == nil && tx.Vectors().Index(t, name) != nil {
		return nil, errVectorIndex(c.Operation.Name)
	}
	if ix == nil {
		return nil, errNoSuchIndex(name)
	}
	if s := tables.SettingsOf(tx, t).Index(name); s != nil && s.State.Status == tables.Creating &&
		s.State.At(c.Now()) == tables.Creating {
		return nil, apierr.Invalid("Cannot read from backfilling global secondary index: %s", name)
	}
	return ix, nil
}

// errVectorIndex returns the error of reading a vector index as others (service facts V.5.1).
func errVectorIndex(operation string) error {
	if operation == "Query" {
		return apierr.Invalid("Query operation not supported on this index type.")
	}
	return apierr.Invalid("Scan operation not supported on this index type")
}

func errNoSuchIndex(name string) error {
	return apierr.Invalid("The table does not have the specified index: %s", name)
}

// KnownTable returns the table that a control operation is for, in whatever
// state it is.
func (c *Call) KnownTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	if t := tx.Table(name); t != nil {
		if s := tables.SettingsOf(tx, t); s.State.At(c.Now()) != "" {
			return t, s, nil
		}
	}
	return nil, nil, errUnknownTable(name)
}

// CreatedTable returns the table that a control operation is for. One that is being created is not
// found (ack-api-quirks, DDB-TABLE-234).
func (c *Call) CreatedTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.KnownTable(tx, name)
	if err == nil && s.State.At(c.Now()) == tables.Creating {
		err = errUnknownTable(name)
	}
	return t, s, err
}

// BornTable returns the table of a control operation that does not find one in the first part of
// its creation (ack-api-quirks, DDB-TABLE-115 and -234).
func (c *Call) BornTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.KnownTable(tx, name)
	if err == nil && c.Newborn(s) {
		err = errUnknownTable(name)
	}
	return t, s, err
}

// Newborn reports whether a table is in the first half of its creation (service facts S.7), or is
// being restored (ack-api-quirks, DDB-TABLE-217).
func (c *Call) Newborn(s *tables.Settings) bool {
	now := c.Now()
	return s.Restoring(now) || s.State.At(now) == tables.Creating &&
		now.Before(s.State.Until.Add(-c.Delays().Create/2))
}

// WholeTable returns the table of a control operation that finds all tables but those that are
// being restored (ack-api-quirks, DDB-TABLE-217).
func (c *Call) WholeTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.KnownTable(tx, name)
	if err == nil && s.Restoring(c.Now()) {
		err = errUnknownTable(name)
	}
	return t, s, err
}

// errUnknownTable returns the error of control operations for a missing table.
func errUnknownTable(name string) error {
	return &apierr.Error{
		Type:    apierr.ResourceNotFound,
		Message: "Requested resource not found: Table: " + name + " not found",
	}
}

// IdleTable returns the table that a control operation wants to change, which
// only one may do at a time.
func (c *Call) IdleTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.KnownTable(tx, name)
	if err != nil {
		return nil, nil, err
	}
	return t, s, tables.Busy(name, s.State.At(c.Now()))
}

// DropGone removes a table whose deletion is over, to free its name, and all
// others, to free their memory: no one else will come by.
func (c *Call) DropGone(tx *storage.Tx, name string) {
	names := []string{name}
	if c.Delays().Delete > 0 {
		names = tx.Tables().Names()
	}
	for _, name := range names {
		if t := tx.Table(name); t != nil && tables.SettingsOf(tx, t).State.At(c.Now()) == "" {
			tx.Tables().Drop(t)
			c.Watch.Forget(name)
		}
	}
}

// ActiveVector returns the vector index that SearchVectors searches. While an index is being
// provisioned, the search endpoint does not know it (Developer Guide, "Troubleshooting vector
// indexes").
func (c *Call) ActiveVector(tx *storage.Tx, t *storage.Table, name string) (*storage.VectorIndex,
	error) {
	ix := tx.Vectors().Index(t, name)
	if ix == nil {
		return nil, errNoSuchIndex(name)
	}
	is := tables.SettingsOf(tx, t).Vector(name)
	if is == nil || is.State.Status == "" {
		return ix, nil
	}
	switch now := c.Now(); {
	case is.State.At(now) == tables.Active:
		return ix, nil
	case now.Before(is.Backfill):
		return nil, errNoSuchIndex(name)
	}
	return nil, apierr.Invalid("Cannot search backfilling vector index: %s", name)
}
