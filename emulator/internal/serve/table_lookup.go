package serve

import (
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// ErrNotFound is the answer of data operations about a missing table.
var ErrNotFound = &apierr.Error{
	Type: apierr.ResourceNotFound, Message: "Requested resource not found",
}

// Changing returns the table with a name, which may be nil, and what is changing of it.
func (c *Call) Changing(tx *storage.Tx, name string) (*storage.Table, *states.Changing) {
	delays := c.Delays()
	x := &states.Changing{
		Table: name, Now: c.Now(), Create: delays.Create, Delete: delays.Delete,
		Quotas: c.Service.Quotas, Region: c.Region, Resource: c.TableARN(name),
	}
	t := tx.Table(name)
	if t != nil {
		x.Settings, x.Created = tables.SettingsOf(tx, t), t.Created
	}
	return t, x
}

// TableFor returns the table with a name, and its settings, for a request. The error is that of the
// request if there is no such table, or if what is changing of it refuses the request.
func (c *Call) TableFor(tx *storage.Tx, name string, asked states.Request) (*storage.Table,
	*tables.Settings, error) {
	t, x := c.Changing(tx, name)
	if err := x.Refuse(asked); err != nil {
		return nil, nil, err
	}
	return t, x.Settings, nil
}

// TableInPhase is TableFor without the changes beside which a table is ACTIVE. The operation judges
// those later.
func (c *Call) TableInPhase(tx *storage.Tx, name string, asked states.Request) (*storage.Table,
	*tables.Settings, error) {
	t, x := c.Changing(tx, name)
	if err := x.RefusePhase(asked); err != nil {
		return nil, nil, err
	}
	return t, x.Settings, nil
}

// KnownTable returns the table with a name, in whatever state it is.
func (c *Call) KnownTable(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	return c.TableInPhase(tx, name, states.Describe)
}

// ActiveTable returns the table that a data operation is for. A table that is being created or
// deleted is not found, as with the service; one that is being updated stays available (API
// Reference, TableDescription, TableStatus).
func (c *Call) ActiveTable(tx *storage.Tx, name string) (*storage.Table, error) {
	t := tx.Table(name)
	if t == nil {
		return nil, ErrNotFound
	}
	if tables.SettingsOf(tx, t).State.Status == "" { // nothing that needs the clock
		return t, nil
	}
	if _, x := c.Changing(tx, name); x.RefusePhase(states.Items) != nil {
		return nil, ErrNotFound
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
	is := tables.SettingsOf(tx, t).Index(name)
	if is == nil || is.State.Status == "" {
		return ix, nil
	}
	err := c.refuseIndex(states.IndexPhase(is, c.Now()), states.ReadIndex, t, name)
	if err != nil {
		return nil, err
	}
	return ix, nil
}

// refuseIndex returns the error of a request on an index in a phase, or nil.
func (c *Call) refuseIndex(phase tables.Change, asked states.Request, t *storage.Table,
	name string) error {
	x := states.Changing{Table: t.Name}
	return x.Error(phase, asked, "{index}", name)
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
			c.Policy.Forget(name)
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
	err := c.refuseIndex(states.VectorPhase(is, c.Now()), states.SearchIndex, t, name)
	if err != nil {
		return nil, err
	}
	return ix, nil
}
