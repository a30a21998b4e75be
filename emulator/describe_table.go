package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func describeTable(c *call, in *api.DescribeTableInput) (*api.DescribeTableOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeTableOutput)
	return out, c.store.View(func(tx *storage.Tx) error {
		t, s, err := c.knownTable(tx, name)
		if err != nil {
			return err
		}
		now := c.now()
		if s.State.At(now) == tables.Deleting {
			out.Table = tables.DescribeDeleted(c.Owner, tx, t, s, now)
		} else {
			out.Table = tables.Describe(c.Owner, tx, t, s, now)
		}
		return nil
	})
}

func describeTableTargets(in *api.DescribeTableInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
