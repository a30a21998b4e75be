package emulator

import (
	"fmt"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// maxSystemBackups bounds how many backups of deleted tables an account has. Beyond it the oldest
// go early, as they do when all of them together are larger than the memory for recovery.
const maxSystemBackups = 1000

// errBackupInUse has the words of the API Reference, BackupInUseException.
var errBackupInUse = &apierr.Error{Type: apierr.BackupInUse,
	Message: "There is another ongoing conflicting backup control plane operation on the table. " +
		"The backup is either being created, deleted or restored to a table."}

// errTableNotFound is what the operations on backups say of a table that is not there.
func errTableNotFound(name string) error {
	return &apierr.Error{Type: apierr.TableNotFound, Message: "Table not found: " + name}
}

// tableToBackUp returns the table that an operation on its backups is for. Backups are enabled when
// the table has been created (aws-amplify/amplify-backend, issue 1654).
func (c *call) tableToBackUp(tx *storage.Tx, name string) (*storage.Table, *tables.Settings, error) {
	t, s, err := c.knownTable(tx, name)
	if err != nil {
		return nil, nil, errTableNotFound(name)
	}
	switch s.State.At(c.now()) {
	case tables.Creating:
		return nil, nil, &apierr.Error{Type: apierr.BackupsUnavailable,
			Message: "Backups are being enabled for the table: " + name + ". Please retry later"}
	case tables.Deleting:
		return nil, nil, errTableNotFound(name)
	}
	return t, s, nil
}

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

// newBackupID makes an ID of the service's form: milliseconds, and 8 random digits.
func (c *call) newBackupID(now time.Time) string {
	return fmt.Sprintf("%014d-%s", now.UnixMilli(), c.newTableID()[:8])
}

// dropOldBackups drops the backups of deleted tables that have expired, or are too many or too
// large together, but for the latest.
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
		limit := c.emulator.storage.RecoveryMemory
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

// knownBackup returns the backup with an ARN.
func (c *call) knownBackup(tx *storage.Tx, arn api.BackupArn) (*storage.Backup, *tables.Backup, error) {
	table, id, err := c.parseBackupARN(string(arn))
	if err != nil {
		return nil, nil, err
	}
	if b := tx.Backup(id); b != nil && b.Table().Name == table && !tables.BackupOf(b).Expired(c.now()) {
		return b, tables.BackupOf(b), nil
	}
	return nil, nil, &apierr.Error{Type: apierr.BackupNotFound, Message: "Backup not found: " + string(arn)}
}

// parseBackupARN returns the name of the table and the ID in the ARN of a backup of the caller's.
func (c *call) parseBackupARN(arn string) (table, id string, err error) {
	const infix = "/backup/"
	at := strings.Index(arn, infix)
	if at < 0 || strings.Contains(arn[at+len(infix):], "/") {
		return "", "", apierr.Invalid("Invalid BackupArn: Invalid ResourceArn provided as input %s", arn)
	}
	table, err = c.tableOfARN(arn[:at])
	return table, arn[at+len(infix):], err
}
