package backups

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// The quotas of requests a second (API Reference, CreateBackup, ListBackups and
// RestoreTableFromBackup).
const (
	backupsPerSecond  = 50
	listsPerSecond    = 5
	restoresPerSecond = 10
)

// errBackupInUse is the error of a backup that something else is happening to: as that of a second
// backup of a table at a time.
var errBackupInUse = new(states.Changing).Error(states.BacksUp, states.Backup)

// errBackupUsed returns the error of a backup that a table is being restored from: one table at a
// time (ack-api-quirks, DDB-BACKUP-010, a probe of the service).
func errBackupUsed(what, arn string) error {
	return &apierr.Error{Type: apierr.BackupInUse, Message: what + arn}
}

// errSystemBackup returns the error of the deletion of a system backup (ack-api-quirks,
// DDB-BACKUP-015, a probe of the service that does not show the form of the time).
func errSystemBackup(arn string, s *tables.Backup) error {
	return apierr.Invalid(
		"Invalid Request: User is not allowed to delete the system backup with arn %s. It will automatically expire on %s",
		arn, s.Expires().UTC().Format("2006-01-02T15:04:05.000Z"))
}

// ErrTableNotFound returns the error of operations on backups for a missing table.
func ErrTableNotFound(name string) error {
	return &apierr.Error{Type: apierr.TableNotFound, Message: "Table not found: " + name}
}

// knownBackup returns the backup with an ARN.
func knownBackup(c *serve.Call, tx *storage.Tx, arn api.BackupArn) (*storage.Backup, *tables.Backup,
	error) {
	table, id, region, err := parseBackupARN(c, string(arn))
	switch {
	case err != nil:
		return nil, nil, err
	case !c.HasPeer(region) && region != c.Region:
		return nil, nil, errBackupARN
	}
	if b := tx.Backups().ByID(id); b != nil && b.Table().Name == table &&
		!tables.BackupOf(b).Expired(c.Now()) {
		return b, tables.BackupOf(b), nil
	}
	return nil, nil, &apierr.Error{
		Type: apierr.BackupNotFound, Message: "Backup not found: " + string(arn),
	}
}

// Errors of ARNs of backups (ack-api-quirks, DDB-BACKUP-012, probes of the service, which finds its
// own region's backup whatever region the ARN has).
var (
	errNoBackupARN = apierr.Invalid("Invalid Backup ARN")
	errBackupARN   = apierr.Invalid("Invalid Request: BackupArn is not valid")
)

// parseBackupARN returns the name of the table, the ID and the region in the ARN of a backup of the
// caller's account.
func parseBackupARN(c *serve.Call, text string) (table, id, region string, err error) {
	// arn:partition:dynamodb:region:account:table/name/backup/id
	part := strings.SplitN(text, ":", 6)
	if len(part) < 6 || part[0] != "arn" {
		return "", "", "", errNoBackupARN
	}
	path := strings.Split(part[5], "/")
	switch {
	case len(path) != 4 || path[0] != "table" || path[2] != "backup":
		return "", "", "", errNoBackupARN
	case part[1] != c.Partition() || part[2] != "dynamodb" || !serve.ValidName(path[1]) ||
		!serve.ValidAccount(part[4]):
		return "", "", "", errBackupARN
	case part[4] != c.Account, part[3] == "":
		return "", "", "", c.AccessDenied(text)
	}
	return path[1], path[3], part[3], nil
}
