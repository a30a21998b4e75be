package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

func describeGlobalTableSettings(c *call, in *api.DescribeGlobalTableSettingsInput) (*api.DescribeGlobalTableSettingsOutput, error) {
	if err := checkGlobalName(in.GlobalTableName); err != nil {
		return nil, err
	}
	out := &api.DescribeGlobalTableSettingsOutput{GlobalTableName: in.GlobalTableName}
	return out, c.inGroup(string(*in.GlobalTableName), nil, func(g *replicaGroup) error {
		if _, err := g.legacy(); err != nil {
			return err
		}
		out.ReplicaSettings = g.describeSettings()
		return nil
	})
}

func describeGlobalTableSettingsTargets(in *api.DescribeGlobalTableSettingsInput, ts *targets) {
	ts.add(target{table: arn.TableCalled(in.GlobalTableName)})
}

// describeSettings describes the settings of all replicas.
func (g *replicaGroup) describeSettings() (list []api.ReplicaSettingsDescription) {
	for _, m := range g.replicas() {
		list = append(list, m.describeSettings(g.name))
	}
	return list
}

func (m *groupMember) describeSettings(name string) api.ReplicaSettingsDescription {
	t, s := m.table(name)
	table := tables.Describe(m.Owner, m.tx, t, s, m.now())
	d := api.ReplicaSettingsDescription{
		RegionName:                           api.Ref(m.Region),
		ReplicaStatus:                        api.Ref(api.ReplicaStatus(s.State.At(m.now()))),
		ReplicaBillingModeSummary:            table.BillingModeSummary,
		ReplicaProvisionedReadCapacityUnits:  table.ProvisionedThroughput.ReadCapacityUnits,
		ReplicaProvisionedWriteCapacityUnits: table.ProvisionedThroughput.WriteCapacityUnits,
		ReplicaTableClassSummary:             table.TableClassSummary,
	}
	d.ReplicaProvisionedReadCapacityAutoScalingSettings, d.ReplicaProvisionedWriteCapacityAutoScalingSettings = s.DescribeScaling("")
	for _, ix := range table.GlobalSecondaryIndexes {
		read, write := s.DescribeScaling(string(*ix.IndexName))
		d.ReplicaGlobalSecondaryIndexSettings = append(d.ReplicaGlobalSecondaryIndexSettings, api.ReplicaGlobalSecondaryIndexSettingsDescription{
			IndexName: ix.IndexName, IndexStatus: ix.IndexStatus,
			ProvisionedReadCapacityUnits:               api.Ref(api.PositiveLongObject(*ix.ProvisionedThroughput.ReadCapacityUnits)),
			ProvisionedWriteCapacityUnits:              api.Ref(api.PositiveLongObject(*ix.ProvisionedThroughput.WriteCapacityUnits)),
			ProvisionedReadCapacityAutoScalingSettings: read, ProvisionedWriteCapacityAutoScalingSettings: write})
	}
	return d
}
