package backups

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DeleteBackup(c *serve.Call, in *api.DeleteBackupInput) (*api.DeleteBackupOutput, error) {
	out := new(api.DeleteBackupOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		b, s, err := knownBackup(c, tx, *in.BackupArn)
		if err != nil {
			return err
		}
		switch arn := tables.BackupARN(c.Owner, b); {
		case s.Type == tables.SystemBackup:
			return errSystemBackup(arn, s)
		case s.InProgress(c.Now()):
			return errBackupInUse
		case beingRestored(c, tx, arn):
			return errBackupUsed("Backup is being used to restore table: ", arn)
		}
		out.BackupDescription = tables.DescribeDeletedBackup(c.Owner, b, c.Now())
		out.BackupDescription.BackupDetails.BackupArn = in.BackupArn // as in DescribeBackup
		tx.Backups().Drop(b)
		return nil
	})
}

func DeleteBackupTargets(in *api.DeleteBackupInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.BackupArn)})
}
