package emulator

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func createBackup(c *call, in *api.CreateBackupInput) (*api.CreateBackupOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.CreateBackupOutput)
	return out, c.store.Update(func(tx *storage.Tx) error {
		t, s, err := c.tableToBackUp(tx, name)
		if err != nil {
			return err
		}
		if c.beingBackedUp(tx, t) {
			return errBackupInUse
		}
		now := c.now()
		made := &tables.Backup{Name: strings.Clone(string(*in.BackupName)), Type: tables.UserBackup, Table: s}
		made.State = tables.Transition{Status: tables.Creating, Until: now.Add(c.delays().create)}
		out.BackupDetails = tables.BackupDetails(c.Owner, c.backUp(tx, t, made), now.Add(-1))
		return nil
	})
}

func createBackupTargets(in *api.CreateBackupInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
