package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

func describeContinuousBackups(c *call, in *api.DescribeContinuousBackupsInput) (*api.DescribeContinuousBackupsOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeContinuousBackupsOutput)
	return out, c.store.View(func(tx *storage.Tx) error {
		t, _, err := c.knownTable(tx, name)
		if err != nil {
			return errTableNotFound(name)
		}
		out.ContinuousBackupsDescription = c.describeContinuousBackupsOf(tx, t)
		return nil
	})
}

func describeContinuousBackupsTargets(in *api.DescribeContinuousBackupsInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
