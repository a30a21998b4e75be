package backups

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeBackup(c *serve.Call, in *api.DescribeBackupInput) (*api.DescribeBackupOutput, error) {
	out := new(api.DescribeBackupOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		b, _, err := knownBackup(c, tx, *in.BackupArn)
		if err != nil {
			return err
		}
		out.BackupDescription = tables.DescribeBackup(c.Owner, b, c.Now())
		// whatever its region: service facts T.25
		out.BackupDescription.BackupDetails.BackupArn = in.BackupArn
		return nil
	})
}

func DescribeBackupTargets(in *api.DescribeBackupInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.BackupArn)})
}
