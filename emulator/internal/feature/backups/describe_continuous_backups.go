package backups

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeContinuousBackups(c *serve.Call,
	in *api.DescribeContinuousBackupsInput) (*api.DescribeContinuousBackupsOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeContinuousBackupsOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		t, changing := c.Changing(tx, name)
		if err := changing.Refuse(states.DescribeBackups); err != nil {
			return err
		}
		out.ContinuousBackupsDescription = describeContinuousBackupsOf(c, tx, t)
		if slices.Contains(changing.Beside(), states.EnablesBackups) { // service facts S.7
			out.ContinuousBackupsDescription.ContinuousBackupsStatus = api.Ref(
				api.ContinuousBackupsStatus("DISABLED"))
		}
		return nil
	})
}

func DescribeContinuousBackupsTargets(in *api.DescribeContinuousBackupsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
