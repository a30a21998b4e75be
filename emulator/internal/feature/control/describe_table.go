package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeTable(c *serve.Call, in *api.DescribeTableInput) (*api.DescribeTableOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeTableOutput)
	return out, c.Store.View(func(tx *storage.Tx) error {
		t, s, err := c.KnownTable(tx, name)
		if err != nil {
			return err
		}
		now := c.Now()
		if s.State.At(now) == tables.Deleting {
			out.Table = tables.DescribeDeleted(c.Owner, tx, t, s, now)
		} else {
			out.Table = tables.Describe(c.Owner, tx, t, s, now)
			describeSetAside(c, tx, t, out.Table)
		}
		if !c.Policy.Shown(tx).Counts(t.Name) {
			tables.HideCounts(out.Table)
		}
		return nil
	})
}

func DescribeTableTargets(in *api.DescribeTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
