package backups

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
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
	if err := checkRestore(r); err != nil {
		return nil, err
	}
	out := new(api.RestoreTableFromBackupOutput)
	return out, restoreFrom(c, string(*in.BackupArn),
		r, func(source *control.GroupMember, tx *storage.Tx) error {
			b, s, err := knownBackup(source.Call, source.Tx, *in.BackupArn)
			if err != nil {
				return err
			}
			if s.InProgress(c.Now()) {
				return errBackupInUse
			}
			if err := checkTarget(c, tx, r.Target); err != nil {
				return err
			}
			arn := tables.BackupARN(source.Owner, b)
			if beingRestored(source.Call, source.Tx, arn) || beingRestored(c, tx, arn) {
				return errBackupUsed("Backup is being used to restore another table: ", arn)
			}
			from := &tables.RestoreSource{
				Key: b.Table().Key, Indexes: b.Schemas(), Vectors: b.VectorSchemas(),
				Settings: s.Table,
			}
			what := tables.Restored{
				Backup: arn, Source: source.TableARN(b.Table().Name), At: s.Created,
			}
			out.TableDescription, err = restore(c, tx, r, from,
				what, func(spec storage.TableSpec) *storage.Table {
					return tx.Backups().Restore(b, spec)
				})
			return err
		})
}

func RestoreTableFromBackupTargets(in *api.RestoreTableFromBackupInput, ts *serve.Targets) {
	ts.AddAs(serve.Target{Table: arn.TableCalled(in.BackupArn)}, false)
	ts.Add(serve.Target{Table: arn.TableCalled(in.TargetTableName)})
}
