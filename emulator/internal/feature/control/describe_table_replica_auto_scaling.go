package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
)

func DescribeTableReplicaAutoScaling(c *serve.Call,
	in *api.DescribeTableReplicaAutoScalingInput) (*api.DescribeTableReplicaAutoScalingOutput,
	error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := new(api.DescribeTableReplicaAutoScalingOutput)
	return out, inGroup(c, name, nil, func(g *ReplicaGroup) error {
		_, changing := c.Changing(g.Local.Tx, name)
		if changing.Phase() == states.Missing {
			return changing.Refuse(states.Scale)
		}
		out.TableAutoScalingDescription = describeScaling(g)
		return nil
	})
}

func DescribeTableReplicaAutoScalingTargets(in *api.DescribeTableReplicaAutoScalingInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
