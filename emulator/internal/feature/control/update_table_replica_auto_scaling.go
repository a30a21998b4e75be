package control

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// UpdateTableReplicaAutoScaling changes auto scaling settings: those of writes for all replicas,
// those of reads replica by replica. A table that is not replicated has them too, because a
// provisioned table needs them before it gets a replica.
func UpdateTableReplicaAutoScaling(c *serve.Call,
	in *api.UpdateTableReplicaAutoScalingInput) (*api.UpdateTableReplicaAutoScalingOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	if err := checkScalingPolicies(in); err != nil {
		return nil, err
	}
	out := new(api.UpdateTableReplicaAutoScalingOutput)
	return out, inGroup(c, name, nil, func(g *ReplicaGroup) error {
		if _, _, err := c.KnownTable(g.Local.Tx, name); err != nil {
			return errNotScaled(name)
		}
		_, s, err := c.IdleTable(g.Local.Tx, name)
		if err != nil {
			return err
		}
		if s.Billing.OnDemandMode() {
			if err := g.checkOnDemandScaling(in); err != nil {
				return err
			}
		}
		for i := range in.ReplicaUpdates {
			// ack-api-quirks, DDB-TABLE-446
			if region := *in.ReplicaUpdates[i].RegionName; g.replica(region) == nil {
				return &apierr.Error{Type: apierr.ResourceNotFound,
					Message: "Failed to update settings for global table with name: ‘" + name +
						"’ because a replica does not exist in regions: ‘[" + region + "]’."}
			}
		}
		if err := g.checkReplication(); err != nil {
			return err
		}
		for _, m := range g.replicas() {
			if err := m.scale(name, in); err != nil {
				return err
			}
		}
		out.TableAutoScalingDescription = g.describeScaling()
		return nil
	})
}

func UpdateTableReplicaAutoScalingTargets(in *api.UpdateTableReplicaAutoScalingInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// checkScalingPolicies checks that settings have a policy, unless they switch auto scaling off
// (service facts T.22).
func checkScalingPolicies(in *api.UpdateTableReplicaAutoScalingInput) error {
	for _, up := range scalingUpdates(in) {
		if up != nil && !api.IsTrue(up.AutoScalingDisabled) && up.ScalingPolicyUpdate == nil {
			return apierr.Invalid(
				"Parameters 'ScalingPolicyUpdate' are required unless auto scaling is being disabled")
		}
	}
	return nil
}

// scalingUpdates returns all settings of a request, some of which may be nil.
func scalingUpdates(in *api.UpdateTableReplicaAutoScalingInput) []*api.AutoScalingSettingsUpdate {
	all := []*api.AutoScalingSettingsUpdate{in.ProvisionedWriteCapacityAutoScalingUpdate}
	for i := range in.GlobalSecondaryIndexUpdates {
		all = append(all,
			in.GlobalSecondaryIndexUpdates[i].ProvisionedWriteCapacityAutoScalingUpdate)
	}
	for i := range in.ReplicaUpdates {
		up := &in.ReplicaUpdates[i]
		all = append(all, up.ReplicaProvisionedReadCapacityAutoScalingUpdate)
		for j := range up.ReplicaGlobalSecondaryIndexUpdates {
			all = append(all,
				up.ReplicaGlobalSecondaryIndexUpdates[j].ProvisionedReadCapacityAutoScalingUpdate)
		}
	}
	return all
}

// errNotScaled is the error of a table that does not exist (ack-api-quirks, DDB-TABLE-187).
func errNotScaled(name string) error {
	return &apierr.Error{
		Type:    apierr.ResourceNotFound,
		Message: "Global table with name: '" + name + "' does not exist.",
	}
}

// checkOnDemandScaling refuses all settings for tables on demand but that auto scaling is off
// (ack-api-quirks, DDB-TABLE-190, a probe of the service for tables; the names for indexes are not
// seen).
func (g *ReplicaGroup) checkOnDemandScaling(in *api.UpdateTableReplicaAutoScalingInput) error {
	var refused []string
	refuse := func(parameter string, up *api.AutoScalingSettingsUpdate) {
		if up != nil && !api.Deref(up.AutoScalingDisabled) {
			refused = append(refused, "'"+parameter+"AutoScalingSettingsUpdate'")
		}
	}
	refuse("GlobalTableProvisionedWriteCapacity", in.ProvisionedWriteCapacityAutoScalingUpdate)
	for i := range in.GlobalSecondaryIndexUpdates {
		refuse("ProvisionedWriteCapacity",
			in.GlobalSecondaryIndexUpdates[i].ProvisionedWriteCapacityAutoScalingUpdate)
	}
	for i := range in.ReplicaUpdates {
		refuse("ReplicaProvisionedReadCapacity",
			in.ReplicaUpdates[i].ReplicaProvisionedReadCapacityAutoScalingUpdate)
		for j := range in.ReplicaUpdates[i].ReplicaGlobalSecondaryIndexUpdates {
			refuse("ProvisionedReadCapacity",
				in.ReplicaUpdates[i].ReplicaGlobalSecondaryIndexUpdates[j].ProvisionedReadCapacityAutoScalingUpdate)
		}
	}
	if refused == nil {
		return nil
	}
	var regions []string
	for _, m := range g.replicas() {
		regions = append(regions, "'"+strings.ToUpper(m.Region)+"'")
	}
	slices.Sort(regions)
	return apierr.Invalid(
		"Failed to update global table with name ‘%s‘. Replicas %s BillingMode is PayPerRequest. "+
			"You must convert table's BillingMode to PROVISIONED to set parameters: %s.",
		g.name, strings.Join(regions, ", "), strings.Join(slices.Compact(refused), ", "))
}

// replicas returns the local member and the others that are replicas.
func (g *ReplicaGroup) replicas() []*GroupMember {
	return append([]*GroupMember{g.Local}, g.others()...)
}

// replica returns the replica in a region, or nil.
func (g *ReplicaGroup) replica(region string) *GroupMember {
	for _, m := range g.replicas() {
		if m.Region == region {
			return m
		}
	}
	return nil
}

// scale changes the auto scaling settings of one replica.
func (m *GroupMember) scale(name string, in *api.UpdateTableReplicaAutoScalingInput) error {
	t, s := m.table(name)
	s = s.Clone()
	if err := s.Scale(m.Owner, "", true, in.ProvisionedWriteCapacityAutoScalingUpdate); err != nil {
		return err
	}
	for _, up := range in.GlobalSecondaryIndexUpdates {
		if err := m.scaleIndex(s, name, up.IndexName, true,
			up.ProvisionedWriteCapacityAutoScalingUpdate); err != nil {
			return err
		}
	}
	for i := range in.ReplicaUpdates {
		up := &in.ReplicaUpdates[i]
		if *up.RegionName != m.Region {
			continue
		}
		if err := s.Scale(m.Owner, "", false,
			up.ReplicaProvisionedReadCapacityAutoScalingUpdate); err != nil {
			return err
		}
		for _, ix := range up.ReplicaGlobalSecondaryIndexUpdates {
			if err := m.scaleIndex(s, name, ix.IndexName, false,
				ix.ProvisionedReadCapacityAutoScalingUpdate); err != nil {
				return err
			}
		}
	}
	m.Tx.Tables().SetSettings(t, s)
	return nil
}

func (m *GroupMember) scaleIndex(s *tables.Settings, table string, name *api.IndexName, writes bool,
	in *api.AutoScalingSettingsUpdate) error {
	if name == nil || s.Index(string(*name)) == nil {
		return m.errNotScaledIndex(table, string(api.Deref(name)), writes)
	}
	return s.Scale(m.Owner, s.Index(string(*name)).Name, writes, in)
}

// errNotScaledIndex is the error of an index that does not exist in all replicas, for writes, or in
// one of them (ack-api-quirks, DDB-TABLE-446).
func (m *GroupMember) errNotScaledIndex(table, index string, writes bool) error {
	why := "the global secondary indexes with names: ‘[" + index + "]’ do not exist."
	if !writes {
		why = "a global secondary index with name: ‘" + index + "’ does not exist in region: ‘" +
			m.Region + "’."
	}
	return &apierr.Error{
		Type: apierr.ResourceNotFound,
		Message: "Failed to update settings for global table with name: ‘" +
			table + "’ because " + why,
	}
}

// describeScaling describes the auto scaling settings of all replicas.
func (g *ReplicaGroup) describeScaling() *api.TableAutoScalingDescription {
	_, s := g.Local.table(g.name)
	d := &api.TableAutoScalingDescription{
		TableName:   api.Ref(api.TableName(g.name)),
		TableStatus: api.Ref(api.TableStatus(s.State.At(g.Local.Now()))),
	}
	for _, m := range g.replicas() {
		d.Replicas = append(d.Replicas, m.describeScaling(g.name))
	}
	return d
}

func (m *GroupMember) describeScaling(name string) api.ReplicaAutoScalingDescription {
	_, s := m.table(name)
	status := s.State.At(m.Now())
	if r := s.Global.Replica(m.Region); r != nil {
		status = r.State.At(m.Now())
	}
	d := api.ReplicaAutoScalingDescription{
		RegionName: api.Ref(m.Region), ReplicaStatus: api.Ref(api.ReplicaStatus(status)),
	}
	d.ReplicaProvisionedReadCapacityAutoScalingSettings,
		d.ReplicaProvisionedWriteCapacityAutoScalingSettings = s.DescribeScaling("")
	for i := range s.Indexes {
		is := &s.Indexes[i]
		if is.Gone != nil {
			continue
		}
		read, write := s.DescribeScaling(is.Name)
		d.GlobalSecondaryIndexes = append(
			d.GlobalSecondaryIndexes, api.ReplicaGlobalSecondaryIndexAutoScalingDescription{
				IndexName:   api.Ref(api.IndexName(is.Name)),
				IndexStatus: api.Ref(api.IndexStatus(is.State.At(m.Now()))),
				ProvisionedReadCapacityAutoScalingSettings:  read,
				ProvisionedWriteCapacityAutoScalingSettings: write})
	}
	return d
}
