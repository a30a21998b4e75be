package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

func describeTableReplicaAutoScaling(c *call, in *api.DescribeTableReplicaAutoScalingInput) (*api.DescribeTableReplicaAutoScalingOutput, error) {
	name, err := c.tableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeTableReplicaAutoScalingOutput)
	return out, c.inGroup(name, nil, func(g *replicaGroup) error {
		if _, _, err := c.knownTable(g.local.tx, name); err != nil {
			return errNotScaled(name)
		}
		out.TableAutoScalingDescription = g.describeScaling()
		return nil
	})
}

func describeTableReplicaAutoScalingTargets(in *api.DescribeTableReplicaAutoScalingInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.TableName)})
}
