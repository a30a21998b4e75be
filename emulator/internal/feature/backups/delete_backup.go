package backups

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DeleteBackup(c *serve.Call, in *api.DeleteBackupInput) (*api.DeleteBackupOutput, error) {
	out := new(api.DeleteBackupOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		// the backup is judged before its state: DDB-BACKUP-012
		b, s, err := knownBackup(c, tx, *in.BackupArn)
		if err != nil {
			return err
		}
		arn := tables.BackupARN(c.Owner, b)
		if err := orderOfBackupDeletion.Judge(backupDeletion{c, tx, arn, s}); err != nil {
			return err
		}
		out.BackupDescription = tables.DescribeDeletedBackup(c.Owner, b, c.Now())
		// the ARN is that of the request, as in DescribeBackup
		out.BackupDescription.BackupDetails.BackupArn = in.BackupArn
		tx.Backups().Drop(b)
		return nil
	})
}

// backupDeletion is a backup that is to be deleted.
type backupDeletion struct {
	call     *serve.Call
	tx       *storage.Tx
	arn      string
	settings *tables.Backup
}

// orderOfBackupDeletion lists what DeleteBackup judges of a backup that is there.
var orderOfBackupDeletion = serve.Order[backupDeletion]{
	serve.Step("who made it", "DDB-BACKUP-015", func(d backupDeletion) error {
		if d.settings.Type == tables.SystemBackup {
			return errSystemBackup(d.arn, d.settings)
		}
		return nil
	}),
	serve.Step("its state", "", func(d backupDeletion) error {
		if d.settings.InProgress(d.call.Now()) {
			return errBackupInUse
		}
		return nil
	}),
	serve.Step("a restore from it", "DDB-BACKUP-010", func(d backupDeletion) error {
		if beingRestored(d.call, d.tx, d.arn) {
			return errBackupUsed("Backup is being used to restore table: ", d.arn)
		}
		return nil
	}),
}

func DeleteBackupTargets(in *api.DeleteBackupInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.BackupArn)})
}
