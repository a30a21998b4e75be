package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func deleteBackup(c *call, in *api.DeleteBackupInput) (*api.DeleteBackupOutput, error) {
	out := new(api.DeleteBackupOutput)
	return out, c.store.Update(func(tx *storage.Tx) error {
		b, s, err := c.knownBackup(tx, *in.BackupArn)
		if err != nil {
			return err
		}
		switch arn := tables.BackupARN(c.Owner, b); {
		case s.Type == tables.SystemBackup:
			return errSystemBackup(arn, s)
		case s.InProgress(c.now()):
			return errBackupInUse
		case c.beingRestored(tx, arn):
			return errBackupUsed("Backup is being used to restore table: ", arn)
		}
		out.BackupDescription = tables.DescribeDeletedBackup(c.Owner, b, c.now())
		tx.DropBackup(b)
		return nil
	})
}

func deleteBackupTargets(in *api.DeleteBackupInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.BackupArn)})
}
