package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func describeBackup(c *call, in *api.DescribeBackupInput) (*api.DescribeBackupOutput, error) {
	out := new(api.DescribeBackupOutput)
	return out, c.store.View(func(tx *storage.Tx) error {
		b, _, err := c.knownBackup(tx, *in.BackupArn)
		if err != nil {
			return err
		}
		out.BackupDescription = tables.DescribeBackup(c.Owner, b, c.now())
		return nil
	})
}

func describeBackupTargets(in *api.DescribeBackupInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.BackupArn)})
}
