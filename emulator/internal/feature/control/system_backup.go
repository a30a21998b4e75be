package control

import (
	"fmt"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxSystemBackups limits the number of backups of deleted tables in an account. Beyond it the
// oldest are dropped early. The same happens when all of them together exceed the memory for
// recovery.
const maxSystemBackups = 1000

// BackUp makes a backup of a table.
func BackUp(c *serve.Call, tx *storage.Tx, t *storage.Table, b *tables.Backup) *storage.Backup {
	b.Created = c.Now()
	id := backupID(c, b, b.Created)
	for at := b.Created; tx.Backups().ByID(id) != nil; id = backupID(c, b, at) {
		at = at.Add(time.Millisecond)
	}
	made := tx.Backups().Create(t, id, b)
	dropOldBackups(c, tx)
	return made
}

// backupID returns an ID for a backup. That of a system backup has no random digits (service facts
// T.26).
func backupID(c *serve.Call, b *tables.Backup, at time.Time) string {
	if b.Type == tables.SystemBackup {
		return fmt.Sprintf("%014d-00000000", at.UnixMilli())
	}
	return NewBackupID(c, at)
}

// NewBackupID returns an ID in the service's form: milliseconds, and 8 random hexadecimal digits.
func NewBackupID(c *serve.Call, now time.Time) string {
	return fmt.Sprintf("%014d-%s", now.UnixMilli(), c.NewTableID()[:8])
}

// dropOldBackups drops the backups of deleted tables that have expired. It also drops the oldest if
// they are too many or too large together, but keeps the latest.
func dropOldBackups(c *serve.Call, tx *storage.Tx) {
	count, bytes := 0, int64(0)
	all := tx.Backups().All()
	for i := len(all) - 1; i >= 0; i-- { // the latest first
		s := tables.BackupOf(all[i])
		if s.Type != tables.SystemBackup {
			continue
		}
		count++
		bytes += all[i].Stats().Bytes
		limit := c.Service.Storage.RecoveryMemory
		tooMany := count > maxSystemBackups || limit > 0 && bytes > limit
		if s.Expired(c.Now()) || tooMany && count > 1 {
			tx.Backups().Drop(all[i])
		}
	}
}

// BeingBackedUp reports whether a backup of a table is being made.
func BeingBackedUp(c *serve.Call, tx *storage.Tx, t *storage.Table) bool {
	for _, b := range tx.Backups().All() {
		if b.Table().ID == t.ID && tables.BackupOf(b).InProgress(c.Now()) {
			return true
		}
	}
	return false
}
