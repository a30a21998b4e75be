package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// States of tables and indexes (API Reference, TableDescription, TableStatus;
// GlobalSecondaryIndexDescription, IndexStatus).
const (
	creating = "CREATING"
	updating = "UPDATING"
	deleting = "DELETING"
	active   = "ACTIVE"
)

// transition is a state that a table or index is in until a point in time. What
// comes then is ACTIVE, or after DELETING nothing at all. No one waits for that
// point: states are worked out from the clock whenever they are asked for. The
// zero transition has passed.
type transition struct {
	status string
	until  time.Time
}

// at returns the state at a point in time, "" once deleted.
func (t transition) at(now time.Time) string {
	switch {
	case t.status == "":
		return active
	case now.Before(t.until):
		return t.status
	case t.status == deleting:
		return ""
	}
	return active
}

// settled returns t, or no transition if it has passed.
func (t transition) settled(now time.Time) transition {
	if t.at(now) == active {
		return transition{}
	}
	return t
}

// errNotFound is what data operations say of a table that is not there.
var errNotFound = &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found"}

// activeTable returns the table that a data operation is for. A table that is
// being created or deleted is not found, as with the service; one that is being
// updated stays available (API Reference, TableDescription, TableStatus).
func (c *call) activeTable(tx *storage.Tx, name string) (*storage.Table, error) {
	t := tx.Table(name)
	if t == nil {
		return nil, errNotFound
	}
	if s := settingsOf(tx, t); s.state.status != "" {
		switch s.state.at(c.now()) {
		case active, updating:
		default:
			return nil, errNotFound
		}
	}
	return t, nil
}

// activeIndex returns the index that Query or Scan reads.
func (c *call) activeIndex(tx *storage.Tx, t *storage.Table, name string) (*storage.Index, error) {
	ix := tx.Index(t, name)
	if ix == nil {
		return nil, apierr.Invalid("The table does not have the specified index: %s", name)
	}
	if s := settingsOf(tx, t).index(name); s != nil && s.state.status == creating && s.state.at(c.now()) == creating {
		return nil, apierr.Invalid("Cannot read from backfilling global secondary index: %s", name)
	}
	return ix, nil
}

// knownTable returns the table that a control operation is for, in whatever
// state it is.
func (c *call) knownTable(tx *storage.Tx, name string) (*storage.Table, *tableSettings, error) {
	if t := tx.Table(name); t != nil {
		if s := settingsOf(tx, t); s.state.at(c.now()) != "" {
			return t, s, nil
		}
	}
	return nil, nil, &apierr.Error{Type: apierr.ResourceNotFound, Message: "Requested resource not found: Table: " + name + " not found"}
}

// idleTable returns the table that a control operation wants to change, which
// only one may do at a time.
func (c *call) idleTable(tx *storage.Tx, name string) (*storage.Table, *tableSettings, error) {
	t, s, err := c.knownTable(tx, name)
	if err != nil {
		return nil, nil, err
	}
	return t, s, busy(name, s.state.at(c.now()))
}

// busy is the error of changing a table that is in a state, nil if it is ACTIVE.
func busy(name, status string) error {
	doing := map[string]string{creating: "created", updating: "updated", deleting: "deleted"}[status]
	if doing == "" {
		return nil
	}
	return &apierr.Error{Type: apierr.ResourceInUse, Message: "Attempt to change a resource which is still in use: Table is being " + doing + ": " + name}
}

// dropGone removes a table whose deletion is over, to free its name, and all
// others, to free their memory: no one else will come by.
func (c *call) dropGone(tx *storage.Tx, name string) {
	names := []string{name}
	if c.delays().delete > 0 {
		names = tx.TableNames()
	}
	for _, name := range names {
		if t := tx.Table(name); t != nil && settingsOf(tx, t).state.at(c.now()) == "" {
			tx.DropTable(t)
			c.watch.forget(name)
		}
	}
}
