package control

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
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
	if err := checkScaling(name, in); err != nil {
		return nil, err
	}
	out := new(api.UpdateTableReplicaAutoScalingOutput)
	return out, inGroup(c, name, nil, func(g *ReplicaGroup) error {
		if err := orderOfScaling.Judge(&scalingRequest{call: c, group: g, in: in}); err != nil {
			return err
		}
		// as it was before: ack-api-quirks, DDB-TABLE-192 and 238
		out.TableAutoScalingDescription = describeScaling(g)
		for _, m := range g.replicas() {
			if err := m.scale(name, in); err != nil {
				return err
			}
		}
		return nil
	})
}

func UpdateTableReplicaAutoScalingTargets(in *api.UpdateTableReplicaAutoScalingInput,
	ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// checkScaling checks that settings are complete, unless they switch auto scaling off (service
// facts T.22).
func checkScaling(table string, in *api.UpdateTableReplicaAutoScalingInput) error {
	const failed = "Failed to update settings for global table with name"
	for _, up := range scalingUpdates(in) {
		if up == nil {
			continue
		}
		given, missing := scalingParameters(up)
		switch off := api.IsTrue(up.AutoScalingDisabled); {
		case off && given != nil:
			return apierr.Invalid("%s ‘%s’: Parameters %s must be left blank when disabling auto scaling.",
				failed, table, strings.Join(given, ", "))
		case !off && missing != nil:
			return apierr.Invalid(
				"%s: ‘%s’: Parameters %s are required unless auto scaling is being disabled.",
				failed, table, strings.Join(missing, ", "))
		}
	}
	return nil
}

// scalingParameters returns the parameters of settings in the order of the service's errors.
func scalingParameters(up *api.AutoScalingSettingsUpdate) (given, missing []string) {
	for _, p := range []struct {
		name  string
		given bool
	}{
		{"'MaximumUnits'", up.MaximumUnits != nil},
		{"'ScalingPolicyUpdate'", up.ScalingPolicyUpdate != nil},
		{"'MinimumUnits'", up.MinimumUnits != nil},
	} {
		if p.given {
			given = append(given, p.name)
		} else {
			missing = append(missing, p.name)
		}
	}
	return given, missing
}

// scalingRequest is a request for settings of auto scaling.
type scalingRequest struct {
	call     *serve.Call
	group    *ReplicaGroup
	in       *api.UpdateTableReplicaAutoScalingInput
	settings *tables.Settings
}

// orderOfScaling orders the checks of UpdateTableReplicaAutoScaling on the table and its replicas.
// They follow the checks on the settings alone.
var orderOfScaling = serve.Order[*scalingRequest]{
	serve.Step("the table and its state", "T.22, DDB-TABLE-187",
		func(x *scalingRequest) (err error) {
			_, x.settings, err = x.call.TableInPhase(x.group.Local.Tx, x.group.name, states.Scale)
			return err
		}),
	serve.Step("the capacity mode", "DDB-TABLE-190", func(x *scalingRequest) error {
		if x.settings.Billing.OnDemandMode() {
			return checkOnDemandScaling(x.group, x.in)
		}
		return nil
	}),
	serve.Step("regions", "DDB-TABLE-253, DDB-TABLE-255", func(x *scalingRequest) error {
		return checkScaledRegions(x.group, x.in)
	}),
	serve.Step("bounds", "", func(x *scalingRequest) error { return checkBounds(x.call, x.in) }),
	serve.Step("policies of replicas", "",
		func(x *scalingRequest) error { return x.group.checkReplication() }),
}

// checkScaledRegions checks that settings are for replicas, once for each (ack-api-quirks,
// DDB-TABLE-253, 255 and 446).
func checkScaledRegions(g *ReplicaGroup, in *api.UpdateTableReplicaAutoScalingInput) error {
	failed := "Failed to update settings for global table with name: ‘" + g.name + "’ because "
	var seen []string
	for i := range in.ReplicaUpdates {
		up := &in.ReplicaUpdates[i]
		region := *up.RegionName
		switch {
		case g.replica(region) == nil:
			return &apierr.Error{Type: apierr.ResourceNotFound,
				Message: failed + "a replica does not exist in regions: ‘[" + region + "]’."}
		case slices.Contains(seen, region):
			return apierr.Invalid("%sthe regions: ‘[%s]’ were specified more than once.", failed, region)
		case up.ReplicaProvisionedReadCapacityAutoScalingUpdate == nil &&
			up.ReplicaGlobalSecondaryIndexUpdates == nil:
			return apierr.Invalid(
				"%sat least one update parameter must be specified for region: ‘%s’.", failed, region)
		}
		seen = append(seen, region)
	}
	if in.ProvisionedWriteCapacityAutoScalingUpdate == nil &&
		in.GlobalSecondaryIndexUpdates == nil && in.ReplicaUpdates == nil {
		return apierr.Invalid("%sat least one update parameter must be specified.", failed)
	}
	return nil
}

// checkBounds checks numbers as Application Auto Scaling does, whose errors the service passes on
// (ack-api-quirks, DDB-TABLE-253).
func checkBounds(c *serve.Call, in *api.UpdateTableReplicaAutoScalingInput) error {
	const lowest, highest = 10.0, 90.0
	refuse := func(format string, args ...any) error {
		return apierr.Invalid("%s (Service: AWSApplicationAutoScaling; Status Code: 400; "+
			"Error Code: ValidationException; Request ID: %s; Proxy: null)",
			fmt.Sprintf(format, args...), c.NewTableID())
	}
	writes := scalingOfWrites(in)
	for i, up := range append(writes, scalingOfReads(in)...) {
		if up == nil || up.ScalingPolicyUpdate == nil {
			continue
		}
		if *up.MinimumUnits > *up.MaximumUnits {
			return refuse("Maximum capacity cannot be less than minimum capacity")
		}
		metric := "DynamoDBReadCapacityUtilization"
		if i < len(writes) {
			metric = "DynamoDBWriteCapacityUtilization"
		}
		target := *up.ScalingPolicyUpdate.TargetTrackingScalingPolicyConfiguration.TargetValue
		if target < lowest || target > highest {
			return refuse("For predefined metric type %s, target value must be between '10.0' "+
				"and '90.0', but was '%s'.", metric, decimal(target))
		}
	}
	return nil
}

// decimal formats a number as Java does those of the service's range.
func decimal(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// scalingUpdates returns all settings of a request. Some may be nil.
func scalingUpdates(in *api.UpdateTableReplicaAutoScalingInput) []*api.AutoScalingSettingsUpdate {
	writes, reads := scalingOfWrites(in), scalingOfReads(in)
	return append(writes, reads...)
}

func scalingOfWrites(
	in *api.UpdateTableReplicaAutoScalingInput) (all []*api.AutoScalingSettingsUpdate) {
	all = append(all, in.ProvisionedWriteCapacityAutoScalingUpdate)
	for i := range in.GlobalSecondaryIndexUpdates {
		all = append(all,
			in.GlobalSecondaryIndexUpdates[i].ProvisionedWriteCapacityAutoScalingUpdate)
	}
	return all
}

func scalingOfReads(
	in *api.UpdateTableReplicaAutoScalingInput) (all []*api.AutoScalingSettingsUpdate) {
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

// checkOnDemandScaling refuses all settings for tables on demand but that auto scaling is off
// (ack-api-quirks, DDB-TABLE-190, a probe of the service for tables; the names for indexes are not
// seen).
func checkOnDemandScaling(g *ReplicaGroup,
	in *api.UpdateTableReplicaAutoScalingInput) error {
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

// scale changes the auto scaling settings of one replica.
func (m *GroupMember) scale(name string, in *api.UpdateTableReplicaAutoScalingInput) error {
	t, s := m.table(name)
	s = s.Clone()
	if err := s.Scale(m.Owner, name, "", true, in.ProvisionedWriteCapacityAutoScalingUpdate); err != nil {
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
		if err := s.Scale(m.Owner, name, "", false,
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
	if name == nil || s.Index(string(*name)) == nil ||
		s.Index(string(*name)).State.At(m.Now()) == tables.Creating { // DDB-TABLE-323
		return m.errNotScaledIndex(table, string(api.Deref(name)), writes)
	}
	return s.Scale(m.Owner, table, s.Index(string(*name)).Name, writes, in)
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
func describeScaling(g *ReplicaGroup) *api.TableAutoScalingDescription {
	_, s := g.Local.table(g.name)
	d := &api.TableAutoScalingDescription{
		TableName:   api.Ref(api.TableName(g.name)),
		TableStatus: api.Ref(api.TableStatus(s.State.At(g.Local.Now()))),
	}
	for _, m := range g.replicas() {
		d.Replicas = append(d.Replicas, scalingOfReplica(m, g.name))
	}
	slices.SortFunc(d.Replicas, func(a, b api.ReplicaAutoScalingDescription) int {
		return strings.Compare(*a.RegionName, *b.RegionName)
	})
	return d
}

func scalingOfReplica(m *GroupMember, name string) api.ReplicaAutoScalingDescription {
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
		if is.Gone != nil || is.State.At(m.Now()) == tables.Creating { // DDB-TABLE-323
			continue
		}
		read, write := s.DescribeScaling(is.Name)
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes,
			api.ReplicaGlobalSecondaryIndexAutoScalingDescription{
				IndexName:   api.Ref(api.IndexName(is.Name)),
				IndexStatus: api.Ref(api.IndexStatus(is.State.At(m.Now()))),
				ProvisionedReadCapacityAutoScalingSettings:  read,
				ProvisionedWriteCapacityAutoScalingSettings: write})
	}
	return d
}
