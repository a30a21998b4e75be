package backups

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func CreateBackup(c *serve.Call, in *api.CreateBackupInput) (*api.CreateBackupOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	if err := c.CheckRate("CreateBackup", backupsPerSecond); err != nil {
		return nil, err
	}
	out := new(api.CreateBackupOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		x := &backupRequest{call: c, tx: tx, name: name}
		if err := orderOfBackup.Judge(x); err != nil {
			return err
		}
		t, s := x.table, x.settings
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

// backupRequest is a request for a backup of a table.
type backupRequest struct {
	call     *serve.Call
	tx       *storage.Tx
	name     string // the table's name
	table    *storage.Table
	settings *tables.Settings
}

// orderOfBackup lists what CreateBackup judges.
var orderOfBackup = serve.Order[*backupRequest]{
	serve.Step("the table and its state", "DDB-BACKUP-001, DDB-TABLE-115",
		func(x *backupRequest) (err error) {
			x.table, x.settings, err = x.call.TableFor(x.tx, x.name, states.Backup)
			return err
		}),
	serve.Step("another backup in progress", "", func(x *backupRequest) error {
		if control.BeingBackedUp(x.call, x.tx, x.table) {
			return errBackupInUse
		}
		return nil
	}),
}

func CreateBackupTargets(in *api.CreateBackupInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
