package emulator

import (
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxSystemBackups limits the number of backups of deleted tables in an account. Beyond it the
// oldest are dropped early. The same happens when all of them together exceed the memory for
// recovery.
const maxSystemBackups = 1000

// backUp makes a backup of a table.
func (c *call) backUp(tx *storage.Tx, t *storage.Table, b *tables.Backup) *storage.Backup {
	b.Created = c.now()
	id := c.newBackupID(b.Created)
	for tx.Backup(id) != nil {
		id = c.newBackupID(b.Created)
	}
	made := tx.CreateBackup(t, id, b)
	c.dropOldBackups(tx)
	return made
}

// newBackupID returns an ID in the service's form: milliseconds, and 8 random hexadecimal digits.
func (c *call) newBackupID(now time.Time) string {
	return fmt.Sprintf("%014d-%s", now.UnixMilli(), c.newTableID()[:8])
}

// dropOldBackups drops the backups of deleted tables that have expired. It also drops the oldest if
// they are too many or too large together, but keeps the latest.
func (c *call) dropOldBackups(tx *storage.Tx) {
	count, bytes := 0, int64(0)
	all := tx.Backups()
	for i := len(all) - 1; i >= 0; i-- { // the latest first
		s := tables.BackupOf(all[i])
		if s.Type != tables.SystemBackup {
			continue
		}
		count++
		bytes += all[i].Stats().Bytes
		limit := c.service.storage.RecoveryMemory
		tooMany := count > maxSystemBackups || limit > 0 && bytes > limit
		if s.Expired(c.now()) || tooMany && count > 1 {
			tx.DropBackup(all[i])
		}
	}
}

// beingBackedUp reports whether a backup of a table is being made.
func (c *call) beingBackedUp(tx *storage.Tx, t *storage.Table) bool {
	for _, b := range tx.Backups() {
		if b.Table().ID == t.ID && tables.BackupOf(b).InProgress(c.now()) {
			return true
		}
	}
	return false
}
