package emulator

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// checkStrongWrite returns an error if a set writes to a global table with strong consistency in a
// commit of one region.
func (s *writeSet) checkStrongWrite(c *call, tx *storage.Tx) error {
	for i := range s.tables {
		if !tables.SettingsOf(tx, s.tables[i].table).Global.IsStrong() {
			continue
		}
		switch {
		case s.onFailure == cancelAll:
			return errStrongActions
		case !c.writes.settled:
			return errUnsettled
		}
	}
	return nil
}

// checkNotStrong returns an error if one of the tables of a transaction is a global one with strong
// consistency.
func checkNotStrong(tx *storage.Tx, list []batchTable) error {
	for i := range list {
		if tables.SettingsOf(tx, list[i].table).Global.IsStrong() {
			return errStrongActions
		}
	}
	return nil
}

// commitStrong runs a set of which a table is a global one with strong consistency.
func (s *writeSet) commitStrong(c *call) error {
	name := s.tables[0].name
	for i := range s.tables {
		if c.globalTable(s.tables[i].name).Strong {
			name = s.tables[i].name
		}
	}
	return c.service.strong.commit(c, name, s.run)
}

// checkStrongRead returns errUnsettled if a read has to wait for the writes of other regions.
func (c *call) checkStrongRead(tx *storage.Tx, t *storage.Table, consistent bool) error {
	if !consistent || c.writes.settled || !tables.SettingsOf(tx, t).Global.IsStrong() {
		return nil
	}
	c.writes.table = strings.Clone(t.Name)
	return errUnsettled
}

// errStrongActions refuses a transaction with a global table with strong consistency.
var errStrongActions = apierr.Invalid("Transactional operations are not supported for global tables with multi-Region strong consistency")
