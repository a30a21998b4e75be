package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

func DescribeGlobalTable(c *serve.Call,
	in *api.DescribeGlobalTableInput) (*api.DescribeGlobalTableOutput, error) {
	if err := checkGlobalName(in.GlobalTableName); err != nil {
		return nil, err
	}
	out := new(api.DescribeGlobalTableOutput)
	return out, inGroup(c, string(*in.GlobalTableName), nil, func(g *ReplicaGroup) error {
		global, err := g.legacy()
		if err != nil {
			return err
		}
		out.GlobalTableDescription = g.describeLegacy(global)
		return nil
	})
}

func DescribeGlobalTableTargets(in *api.DescribeGlobalTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.GlobalTableName)})
}
