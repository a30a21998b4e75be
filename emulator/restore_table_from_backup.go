package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func restoreTableFromBackup(c *call, in *api.RestoreTableFromBackupInput) (*api.RestoreTableFromBackupOutput, error) {
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
	return out, c.restoreFrom(string(*in.BackupArn), r, func(source *groupMember, tx *storage.Tx) error {
		b, s, err := source.knownBackup(source.tx, *in.BackupArn)
		if err != nil {
			return err
		}
		if s.InProgress(c.now()) {
			return errBackupInUse
		}
		if err := c.checkTarget(tx, r.Target); err != nil {
			return err
		}
		arn := tables.BackupARN(source.Owner, b)
		if source.beingRestored(source.tx, arn) || c.beingRestored(tx, arn) {
			return errBackupUsed("Backup is being used to restore another table: ", arn)
		}
		from := &tables.RestoreSource{Key: b.Table().Key, Indexes: b.Schemas(), Vectors: b.VectorSchemas(), Settings: s.Table}
		what := tables.Restored{Backup: arn, Source: source.TableARN(b.Table().Name), At: s.Created}
		out.TableDescription, err = c.restore(tx, r, from, what, func(spec storage.TableSpec) *storage.Table {
			return tx.RestoreBackup(b, spec)
		})
		return err
	})
}

func restoreTableFromBackupTargets(in *api.RestoreTableFromBackupInput, ts *targets) {
	ts.addAs(target{table: arn.TableCalled(in.BackupArn)}, false)
	ts.add(target{table: arn.TableCalled(in.TargetTableName)})
}
