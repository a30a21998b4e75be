package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
)

// UpdateGlobalTableSettings changes the settings of the replicas of a global table of version
// 2017.11.29: those of writes in all replicas, those of reads replica by replica.
func UpdateGlobalTableSettings(c *serve.Call,
	in *api.UpdateGlobalTableSettingsInput) (*api.UpdateGlobalTableSettingsOutput, error) {
	if err := checkGlobalName(in.GlobalTableName); err != nil { // it says what the group is
		return nil, err
	}
	out := &api.UpdateGlobalTableSettingsOutput{GlobalTableName: in.GlobalTableName}
	return out, inGroup(c, string(*in.GlobalTableName), nil, func(g *ReplicaGroup) error {
		if err := orderOfGlobalSettings.Judge(globalSettings{g, in}); err != nil {
			return err
		}
		for _, m := range g.replicas() {
			if err := m.updateSettings(g, in); err != nil {
				return err
			}
		}
		out.ReplicaSettings = describeSettings(g)
		return nil
	})
}

// globalSettings is a request for other settings of a global table.
type globalSettings struct {
	group *ReplicaGroup
	in    *api.UpdateGlobalTableSettingsInput
}

// orderOfGlobalSettings orders the checks of UpdateGlobalTableSettings on the global table, after
// its name. For each replica orderOfReplicaSettings follows.
var orderOfGlobalSettings = serve.Order[globalSettings]{
	serve.Step("the global table", "DDB-GLOBALTABLE-004", func(x globalSettings) error {
		if _, err := x.group.legacy(); err != nil {
			return errNoGlobalSettings(x.group.name)
		}
		return nil
	}),
	serve.Step("regions", "", globalSettings.checkRegions),
}

// checkRegions returns an error if the request names a region without a replica.
func (x globalSettings) checkRegions() error {
	global, err := x.group.legacy()
	if err != nil {
		return err
	}
	for i := range x.in.ReplicaSettingsUpdate {
		if region := *x.in.ReplicaSettingsUpdate[i].RegionName; global.Replica(region) == nil {
			return &apierr.Error{
				Type: apierr.ReplicaNotFound,
				Message: "Replica not found: Replica in region '" + region +
					"' is not part of global table '" + x.group.name + "'.",
			}
		}
	}
	return nil
}

func UpdateGlobalTableSettingsTargets(in *api.UpdateGlobalTableSettingsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.GlobalTableName)})
}

// settingsUpdate has the part of a request that is about one replica.
type settingsUpdate struct {
	in      *api.UpdateGlobalTableSettingsInput
	replica *api.ReplicaSettingsUpdate // nil: nothing but what it says about all
}

// updateSettings updates one replica.
func (m *GroupMember) updateSettings(g *ReplicaGroup,
	in *api.UpdateGlobalTableSettingsInput) error {
	u := settingsUpdate{in: in}
	for i := range in.ReplicaSettingsUpdate {
		if *in.ReplicaSettingsUpdate[i].RegionName == m.Region {
			u.replica = &in.ReplicaSettingsUpdate[i]
		}
	}
	t, s := m.table(g.name)
	x := &replicaSettings{settingsUpdate: u, group: g, member: m, settings: s}
	if err := orderOfReplicaSettings.Judge(x); err != nil {
		return err
	}
	s = x.settings
	if u.replica != nil && u.replica.ReplicaTableClass != nil {
		s.Class = tables.TableClass{
			Class: *api.Clone(u.replica.ReplicaTableClass), Changed: m.Now(),
		}
	}
	m.Tx.Tables().SetSettings(t, s)
	return nil
}

// replicaSettings is a settingsUpdate in progress. Its steps judge, and change in the same order.
type replicaSettings struct {
	settingsUpdate
	group    *ReplicaGroup
	member   *GroupMember
	settings *tables.Settings // the settings before, and then after the update of the table
	update   *api.UpdateTableInput
}

// orderOfReplicaSettings orders the checks of UpdateGlobalTableSettings on each replica.
var orderOfReplicaSettings = serve.Order[*replicaSettings]{
	serve.Step("units", "", func(x *replicaSettings) (err error) {
		x.update, err = x.throughput(x.settings)
		return err
	}),
	serve.Step("indexes", "", func(x *replicaSettings) error { return x.checkIndexes(x.settings) }),
	serve.Step("the state, and what UpdateTable judges", "", func(x *replicaSettings) error {
		if kindsOf(x.update) == (updateKinds{}) {
			return nil
		}
		_, err := x.member.updateTable(x.group, x.update)
		return err
	}),
	serve.Step("auto scaling", "", func(x *replicaSettings) error {
		t, _ := x.member.table(x.group.name)
		x.settings = tables.SettingsOf(x.member.Tx, t).Clone()
		return x.scale(x.member, x.settings)
	}),
}

// throughput returns the update of the table's capacity mode and throughput.
func (u *settingsUpdate) throughput(s *tables.Settings) (*api.UpdateTableInput, error) {
	update := new(api.UpdateTableInput)
	if mode := u.in.GlobalTableBillingMode; mode != nil && *mode != s.Billing.Mode {
		update.BillingMode = mode
	}
	var read *api.PositiveLongObject
	if u.replica != nil {
		read = u.replica.ReplicaProvisionedReadCapacityUnits
	}
	var err error
	if update.ProvisionedThroughput, err = changedUnits(s.Capacity.Provisioned.Units, read,
		u.in.GlobalTableProvisionedWriteCapacityUnits); err != nil {
		return nil, err
	}
	for i := range s.Indexes {
		is := &s.Indexes[i]
		units, err := changedUnits(is.Capacity.Provisioned.Units, u.indexRead(is.Name),
			u.indexWrite(is.Name))
		if err != nil {
			return nil, err
		}
		if units != nil && is.Gone == nil {
			update.GlobalSecondaryIndexUpdates = append(update.GlobalSecondaryIndexUpdates,
				api.GlobalSecondaryIndexUpdate{
					Update: &api.UpdateGlobalSecondaryIndexAction{
						IndexName: api.Ref(api.IndexName(is.Name)), ProvisionedThroughput: units,
					}})
		}
	}
	return update, nil
}

// changedUnits returns the units of an update, or nil if nothing changes. A table that had no units
// needs both.
func changedUnits(had tables.Units, read,
	write *api.PositiveLongObject) (*api.ProvisionedThroughput, error) {
	units := had
	if read != nil {
		units.Read = int64(*read)
	}
	if write != nil {
		units.Write = int64(*write)
	}
	switch {
	case units == had:
		return nil, nil
	case units.Read == 0 || units.Write == 0:
		return nil, tables.ErrBothUnits
	}
	return &api.ProvisionedThroughput{
		ReadCapacityUnits:  api.Ref(api.PositiveLongObject(units.Read)),
		WriteCapacityUnits: api.Ref(api.PositiveLongObject(units.Write)),
	}, nil
}

func (u *settingsUpdate) indexWrite(name string) *api.PositiveLongObject {
	for _, ix := range u.in.GlobalTableGlobalSecondaryIndexSettingsUpdate {
		if string(*ix.IndexName) == name {
			return ix.ProvisionedWriteCapacityUnits
		}
	}
	return nil
}

func (u *settingsUpdate) indexRead(name string) *api.PositiveLongObject {
	if u.replica == nil {
		return nil
	}
	for _, ix := range u.replica.ReplicaGlobalSecondaryIndexSettingsUpdate {
		if string(*ix.IndexName) == name {
			return ix.ProvisionedReadCapacityUnits
		}
	}
	return nil
}

// checkIndexes returns an error if the request names an index that is not there.
func (u *settingsUpdate) checkIndexes(s *tables.Settings) error {
	var names []api.IndexName
	for _, ix := range u.in.GlobalTableGlobalSecondaryIndexSettingsUpdate {
		names = append(names, *ix.IndexName)
	}
	if u.replica != nil {
		for _, ix := range u.replica.ReplicaGlobalSecondaryIndexSettingsUpdate {
			names = append(names, *ix.IndexName)
		}
	}
	for _, name := range names {
		if s.Index(string(name)) == nil {
			return &apierr.Error{
				Type:    apierr.IndexNotFound,
				Message: "Index not found: Index with name: '" + string(name) + "' does not exist.",
			}
		}
	}
	return nil
}

// scale changes the auto scaling settings of the replica.
func (u *settingsUpdate) scale(m *GroupMember, s *tables.Settings) error {
	if err := s.Scale(m.Owner, string(*u.in.GlobalTableName), "", true,
		u.in.GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate); err != nil {
		return err
	}
	for _, ix := range u.in.GlobalTableGlobalSecondaryIndexSettingsUpdate {
		if err := m.scaleIndex(s, string(*u.in.GlobalTableName), ix.IndexName, true,
			ix.ProvisionedWriteCapacityAutoScalingSettingsUpdate); err != nil {
			return err
		}
	}
	if u.replica == nil {
		return nil
	}
	if err := s.Scale(m.Owner, string(*u.in.GlobalTableName), "", false,
		u.replica.ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate); err != nil {
		return err
	}
	for _, ix := range u.replica.ReplicaGlobalSecondaryIndexSettingsUpdate {
		if err := m.scaleIndex(s, string(*u.in.GlobalTableName), ix.IndexName, false,
			ix.ProvisionedReadCapacityAutoScalingSettingsUpdate); err != nil {
			return err
		}
	}
	return nil
}
