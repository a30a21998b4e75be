package backups

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func RestoreTableFromBackup(c *serve.Call,
	in *api.RestoreTableFromBackupInput) (*api.RestoreTableFromBackupOutput, error) {
	r := &tables.Restore{
		Target:      string(*in.TargetTableName),
		Billing:     in.BillingModeOverride,
		Provisioned: in.ProvisionedThroughputOverride,
		OnDemand:    in.OnDemandThroughputOverride,
		Global:      in.GlobalSecondaryIndexOverride,
		Local:       in.LocalSecondaryIndexOverride,
		Vectors:     in.VectorIndexOverride,
		Encryption:  in.SSESpecificationOverride,
	}
	if err := orderOfRestore.Judge(r); err != nil {
		return nil, err
	}
	if err := c.CheckRate("RestoreTableFromBackup", restoresPerSecond); err != nil {
		return nil, err
	}
	out := new(api.RestoreTableFromBackupOutput)
	return out, restoreFrom(c, string(*in.BackupArn),
		r, func(source *control.GroupMember, tx *storage.Tx) error {
			x := &backupRestore{target: restoreTarget{c, tx, r.Target}, source: source,
				named: *in.BackupArn}
			if err := orderOfBackupRestore.Judge(x); err != nil {
				return err
			}
			b, s := x.backup, x.settings
			from := &tables.RestoreSource{
				Key: b.Table().Key, Indexes: b.Schemas(), Vectors: b.VectorSchemas(),
				Settings: s.Table,
			}
			what := tables.Restored{
				Backup: tables.BackupARN(source.Owner, b),
				Source: source.TableARN(b.Table().Name), At: s.Created,
			}
			var err error
			out.TableDescription, err = restore(c, tx, r, from,
				what, func(spec storage.TableSpec) *storage.Table {
					return tx.Backups().Restore(b, spec)
				})
			return err
		})
}

// backupRestore is a restore from a backup.
type backupRestore struct {
	target   restoreTarget
	source   *control.GroupMember
	named    api.BackupArn
	backup   *storage.Backup
	settings *tables.Backup
}

// orderOfBackupRestore lists what RestoreTableFromBackup judges of the backup and of the target.
var orderOfBackupRestore = serve.Order[*backupRestore]{
	serve.Step("the backup", "DDB-BACKUP-012", func(x *backupRestore) (err error) {
		x.backup, x.settings, err = knownBackup(x.source.Call, x.source.Tx, x.named)
		return err
	}),
	serve.Step("its state", "", func(x *backupRestore) error {
		if x.settings.InProgress(x.target.call.Now()) {
			return errBackupInUse
		}
		return nil
	}),
	serve.Step("the target", "DDB-TABLE-219",
		func(x *backupRestore) error { return orderOfTarget.Judge(x.target) }),
	serve.Step("another restore from the backup", "DDB-BACKUP-010", func(x *backupRestore) error {
		arn := tables.BackupARN(x.source.Owner, x.backup)
		if beingRestored(x.source.Call, x.source.Tx, arn) ||
			beingRestored(x.target.call, x.target.tx, arn) {
			return errBackupUsed("Backup is being used to restore another table: ", arn)
		}
		return nil
	}),
}

func RestoreTableFromBackupTargets(in *api.RestoreTableFromBackupInput, ts *serve.Targets) {
	ts.AddAs(serve.Target{Table: arn.TableCalled(in.BackupArn)}, false)
	ts.Add(serve.Target{Table: arn.TableCalled(in.TargetTableName)})
}
