package backups

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

func UpdateContinuousBackups(c *serve.Call,
	in *api.UpdateContinuousBackupsInput) (*api.UpdateContinuousBackupsOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	spec := in.PointInTimeRecoverySpecification
	enabled := *spec.PointInTimeRecoveryEnabled
	if err := orderOfRecovery.Judge(spec); err != nil {
		return nil, err
	}
	days := int64(recoveryPeriod)
	if spec.RecoveryPeriodInDays != nil {
		days = int64(*spec.RecoveryPeriodInDays)
	}
	out := new(api.UpdateContinuousBackupsOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		t, _, err := tableToBackUp(c, tx, name)
		if err != nil {
			return err
		}
		if enabled {
			tx.Recovery().Enable(t, time.Duration(days)*Day)
		} else {
			tx.Recovery().Disable(t)
		}
		out.ContinuousBackupsDescription = describeContinuousBackupsOf(c, tx, t)
		return nil
	})
}

// orderOfRecovery is what UpdateContinuousBackups judges before the table and its state, for which
// see orderOfBackup.
var orderOfRecovery = serve.Order[*api.PointInTimeRecoverySpecification]{
	serve.Step("a period without recovery", "DDB-TABLE-084",
		func(spec *api.PointInTimeRecoverySpecification) error {
			if !*spec.PointInTimeRecoveryEnabled && spec.RecoveryPeriodInDays != nil {
				return apierr.Invalid(
					"Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
			}
			return nil
		}),
}

func UpdateContinuousBackupsTargets(in *api.UpdateContinuousBackupsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
