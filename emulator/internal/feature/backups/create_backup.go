package backups

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func CreateBackup(c *serve.Call, in *api.CreateBackupInput) (*api.CreateBackupOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.CreateBackupOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		t, s, err := tableToBackUp(c, tx, name)
		if err != nil {
			return err
		}
		if control.BeingBackedUp(c, tx, t) {
			return errBackupInUse
		}
		now := c.Now()
		made := &tables.Backup{
			Name: strings.Clone(string(*in.BackupName)), Type: tables.UserBackup, Table: s,
		}
		made.State = tables.Transition{Status: tables.Creating, Until: now.Add(c.Delays().Create)}
		out.BackupDetails = tables.BackupDetails(c.Owner, control.BackUp(c, tx, t, made),
			now.Add(-1))
		return nil
	})
}

func CreateBackupTargets(in *api.CreateBackupInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
