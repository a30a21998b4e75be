package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

func updateContinuousBackups(c *call, in *api.UpdateContinuousBackupsInput) (*api.UpdateContinuousBackupsOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	spec := in.PointInTimeRecoverySpecification
	enabled := *spec.PointInTimeRecoveryEnabled
	if !enabled && spec.RecoveryPeriodInDays != nil {
		// ack-api-quirks, DDB-TABLE-084, a probe of the service.
		return nil, apierr.Invalid("Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
	}
	days := int64(recoveryPeriod)
	if spec.RecoveryPeriodInDays != nil {
		days = int64(*spec.RecoveryPeriodInDays)
	}
	out := new(api.UpdateContinuousBackupsOutput)
	return out, c.store.Update(func(tx *storage.Tx) error {
		t, _, err := c.tableToBackUp(tx, name)
		if err != nil {
			return err
		}
		if enabled {
			tx.EnableRecovery(t, time.Duration(days)*day)
		} else {
			tx.DisableRecovery(t)
		}
		out.ContinuousBackupsDescription = c.describeContinuousBackupsOf(tx, t)
		return nil
	})
}

func updateContinuousBackupsTargets(in *api.UpdateContinuousBackupsInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
