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
		if err != nil || s.State.At(c.Now()) == tables.Deleting || newborn(c, s) {
			return ErrTableNotFound(name)
		}
		out.ContinuousBackupsDescription = describeContinuousBackupsOf(c, tx, t)
		if s.State.At(c.Now()) == tables.Creating {
			out.ContinuousBackupsDescription.ContinuousBackupsStatus = api.Ref(
				api.ContinuousBackupsStatus("DISABLED"))
		}
		return nil
	})
}

// newborn reports whether a table is in the first half of its creation, in which it is not found.
// After that, its continuous backups are DISABLED until it is ACTIVE (service facts S.7; those of a
// table that is being deleted are not found, S.9).
func newborn(c *serve.Call, s *tables.Settings) bool {
	now := c.Now()
	return s.State.At(now) == tables.Creating && now.Before(s.State.Until.Add(-c.Delays().Create/2))
}

func DescribeContinuousBackupsTargets(in *api.DescribeContinuousBackupsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
