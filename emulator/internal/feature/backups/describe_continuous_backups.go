package backups

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
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
		t, s, err := c.KnownTable(tx, name)
		// A table is not found in the first half of its creation. After that, its continuous
		// backups are DISABLED until some time after it is ACTIVE (service facts S.7 and S.9).
		if err != nil || s.State.At(c.Now()) == tables.Deleting || c.Newborn(s) {
			return ErrTableNotFound(name)
		}
		out.ContinuousBackupsDescription = describeContinuousBackupsOf(c, tx, t)
		if enablesBackups(c, t, s) {
			out.ContinuousBackupsDescription.ContinuousBackupsStatus = api.Ref(
				api.ContinuousBackupsStatus("DISABLED"))
		}
		return nil
	})
}

func DescribeContinuousBackupsTargets(in *api.DescribeContinuousBackupsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
