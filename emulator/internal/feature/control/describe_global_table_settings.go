package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

func DescribeGlobalTableSettings(c *serve.Call,
	in *api.DescribeGlobalTableSettingsInput) (*api.DescribeGlobalTableSettingsOutput, error) {
	if err := checkGlobalName(in.GlobalTableName); err != nil {
		return nil, err
	}
	out := &api.DescribeGlobalTableSettingsOutput{GlobalTableName: in.GlobalTableName}
	return out, inGroup(c, string(*in.GlobalTableName), nil, func(g *ReplicaGroup) error {
		if _, err := g.legacy(); err != nil {
			return errNoGlobalSettings(g.name)
		}
		out.ReplicaSettings = describeSettings(g)
		return nil
	})
}

func DescribeGlobalTableSettingsTargets(in *api.DescribeGlobalTableSettingsInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.GlobalTableName)})
}

// describeSettings describes the settings of all replicas.
func describeSettings(g *ReplicaGroup) (list []api.ReplicaSettingsDescription) {
	for _, m := range g.replicas() {
		list = append(list, settingsOfReplica(m, g.name))
	}
	return list
}

func settingsOfReplica(m *GroupMember, name string) api.ReplicaSettingsDescription {
	t, s := m.table(name)
	table := tables.Describe(m.Owner, m.Tx, t, s, m.Now())
	d := api.ReplicaSettingsDescription{
		RegionName:                           api.Ref(m.Region),
		ReplicaStatus:                        api.Ref(api.ReplicaStatus(s.State.At(m.Now()))),
		ReplicaBillingModeSummary:            table.BillingModeSummary,
		ReplicaProvisionedReadCapacityUnits:  table.ProvisionedThroughput.ReadCapacityUnits,
		ReplicaProvisionedWriteCapacityUnits: table.ProvisionedThroughput.WriteCapacityUnits,
		ReplicaTableClassSummary:             table.TableClassSummary,
	}
	d.ReplicaProvisionedReadCapacityAutoScalingSettings,
		d.ReplicaProvisionedWriteCapacityAutoScalingSettings = s.DescribeScaling("")
	for _, ix := range table.GlobalSecondaryIndexes {
		read, write := s.DescribeScaling(string(*ix.IndexName))
		d.ReplicaGlobalSecondaryIndexSettings = append(d.ReplicaGlobalSecondaryIndexSettings,
			api.ReplicaGlobalSecondaryIndexSettingsDescription{
				IndexName: ix.IndexName, IndexStatus: ix.IndexStatus,
				ProvisionedReadCapacityUnits: api.Ref(
					api.PositiveLongObject(*ix.ProvisionedThroughput.ReadCapacityUnits)),
				ProvisionedWriteCapacityUnits: api.Ref(
					api.PositiveLongObject(*ix.ProvisionedThroughput.WriteCapacityUnits)),
				ProvisionedReadCapacityAutoScalingSettings:  read,
				ProvisionedWriteCapacityAutoScalingSettings: write})
	}
	return d
}
