package backups

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeContinuousBackups(c *serve.Call, in *api.DescribeContinuousBackupsInput) (*api.DescribeContinuousBackupsOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeContinuousBackupsOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		t, _, err := c.KnownTable(tx, name)
		if err != nil {
			return ErrTableNotFound(name)
		}
		out.ContinuousBackupsDescription = describeContinuousBackupsOf(c, tx, t)
		return nil
	})
}

func DescribeContinuousBackupsTargets(in *api.DescribeContinuousBackupsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
