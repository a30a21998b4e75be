package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

func describeGlobalTable(c *call, in *api.DescribeGlobalTableInput) (*api.DescribeGlobalTableOutput, error) {
	if err := checkGlobalName(in.GlobalTableName); err != nil {
		return nil, err
	}
	out := new(api.DescribeGlobalTableOutput)
	return out, c.inGroup(string(*in.GlobalTableName), nil, func(g *replicaGroup) error {
		global, err := g.legacy()
		if err != nil {
			return err
		}
		out.GlobalTableDescription = g.describeLegacy(global)
		return nil
	})
}

func describeGlobalTableTargets(in *api.DescribeGlobalTableInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.GlobalTableName)})
}
