package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// describeContinuousBackups answers what is true of a new table: "continuous
// backups are ENABLED on all tables at table creation", point-in-time recovery
// is not (API Reference, DescribeContinuousBackups).
func describeContinuousBackups(c *call, in *api.DescribeContinuousBackupsInput) (*api.DescribeContinuousBackupsOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	err = c.store.View(func(tx *storage.Tx) error {
		if _, _, err := c.knownTable(tx, name); err != nil {
			return &apierr.Error{Type: apierr.TableNotFound, Message: "Table not found: " + name}
		}
		return nil
	})
	return &api.DescribeContinuousBackupsOutput{ContinuousBackupsDescription: &api.ContinuousBackupsDescription{
		ContinuousBackupsStatus: new(api.ContinuousBackupsStatus("ENABLED")),
		PointInTimeRecoveryDescription: &api.PointInTimeRecoveryDescription{
			PointInTimeRecoveryStatus: new(api.PointInTimeRecoveryStatus("DISABLED")),
		},
	}}, err
}

func describeContinuousBackupsTargets(in *api.DescribeContinuousBackupsInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}
