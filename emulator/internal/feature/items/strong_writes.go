package items

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// checkStrongWrite returns an error if a set writes to a global table with strong consistency in a
// commit of one region.
func (s *writeSet) checkStrongWrite(c *serve.Call, tx *storage.Tx) error {
	for i := range s.Tables {
		if !tables.SettingsOf(tx, s.Tables[i].Table).Global.IsStrong() {
			continue
		}
		switch {
		case s.onFailure == cancelAll:
			return errStrongActions
		case !c.Writes.Settled:
			return serve.ErrUnsettled
		}
	}
	return nil
}

// checkNotStrong returns an error if one of the tables of a transaction is a global one with strong
// consistency.
func checkNotStrong(tx *storage.Tx, list []batchTable) error {
	for i := range list {
		if tables.SettingsOf(tx, list[i].Table).Global.IsStrong() {
			return errStrongActions
		}
	}
	return nil
}

// commitStrong runs a set that writes to a global table with strong consistency.
func (s *writeSet) commitStrong(c *serve.Call) error {
	name := s.Tables[0].name
	for i := range s.Tables {
		if c.GlobalTable(s.Tables[i].name).Strong {
			name = s.Tables[i].name
		}
	}
	return c.Service.Replicator.Commit(c, name, s.Run)
}

// checkStrongRead returns ErrUnsettled if a read has to wait for the writes of other regions.
func checkStrongRead(c *serve.Call, tx *storage.Tx, t *storage.Table, consistent bool) error {
	if !consistent || c.Writes.Settled || !tables.SettingsOf(tx, t).Global.IsStrong() {
		return nil
	}
	c.Writes.Table = strings.Clone(t.Name)
	return serve.ErrUnsettled
}

// errStrongActions refuses a transaction with a global table with strong consistency.
var errStrongActions = apierr.Invalid(
	"Transactional operations are not supported for global tables with multi-Region strong consistency")
