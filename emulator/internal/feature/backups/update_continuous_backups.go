package backups

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
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
		t, changing := c.Changing(tx, name)
		if err := changing.Refuse(states.Recovery); err != nil {
			return err
		}
		_, _, was := tx.Recovery().Window(t)
		if enabled {
			tx.Recovery().Enable(t, time.Duration(days)*Day)
		} else {
			tx.Recovery().Disable(t)
		}
		if changing.Phase() == states.DeletesSeen && enabled != was {
			changeDeleted(c, tx, t, changing.Settings, enabled)
		}
		out.ContinuousBackupsDescription = describeContinuousBackupsOf(c, tx, t)
		return nil
	})
}

// changeDeleted makes or drops the system backup of a table that is being deleted, whose recovery
// was enabled or disabled at the last moment (ack-api-quirks, DDB-TABLE-088 and -453).
func changeDeleted(c *serve.Call, tx *storage.Tx, t *storage.Table, s *tables.Settings, on bool) {
	if on {
		control.BackUpDeleted(c, tx, t, s)
	} else {
		control.DropDeleted(tx, t)
	}
}

// orderOfRecovery orders the checks of UpdateContinuousBackups that come before those of the table
// and its state. orderOfBackup has the latter.
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
