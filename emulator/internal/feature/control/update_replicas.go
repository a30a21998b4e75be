package control

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// The texts of errors of ReplicaUpdates. Those without a source have not been seen.
var (
	// ack-api-quirks, DDB-TABLE-223, -265 and -442, probes of the service.
	errLocalReplica = apierr.Invalid(
		"Cannot add or delete the local region through ReplicaUpdates. " +
			"Use CreateTable, DeleteTable, or UpdateTable as required.")
	errReplicaActions = apierr.Invalid(
		"There are no actions specified in the Replica Update Action of the request.")
	errReplicaAction = apierr.Invalid(
		"Update table operation with more than one type of replica actions not allowed.")
	errManyReplicas = apierr.Invalid(
		"Update table operation with more than one create or delete replica actions not allowed")
	errReplicaStream = apierr.BadParameter(
		"Disabling Stream is not allowed for a Global Table replica.")
	// ack-api-quirks, DDB-TABLE-457, a probe of the service: an update without a region or an
	// action.
	errParameters = apierr.Invalid("One or more parameter values were invalid")
	// go-to-k/cdkd, issue 1442.
	errReplicaSource = apierr.Invalid(
		"Replica cannot be deleted because it has acted as a source region for new replica(s) " +
			"being added to the table in the last 24 hours.")
	errDisassociate = apierr.BadParameter(
		"Disassociate must be the only replica update in the request")
	errProtection = apierr.BadParameter(
		"DisassociationProtectionEnabled modification must be the only operation in the request")
	errStrongTTL = apierr.Invalid(
		"Time To Live is not supported for global tables with multi-Region strong consistency")
	errLegacyReplica = apierr.BadParameter(
		"ReplicaUpdates is not supported for global tables of version 2017.11.29")
	errNoReplica = apierr.BadParameter("Table is not a replica of a global table")
	// hashicorp/terraform-provider-aws, issue 17422 and pull request 29102.
	errReplicaKey = apierr.BadParameter("KMSMasterKeyId must be specified for each replica.")
	// ack-api-quirks, DDB-TABLE-313, a probe of the service.
	errReplicaKeyType = apierr.BadParameter(
		"All replica keys must either be Customer Managed CMK or AWS Managed CMK.")
)

// errUnsupported refuses what is not there: to accept and forget it would be worse.
func errUnsupported(what string) error { return apierr.BadParameter("%s is not supported", what) }

// errReplicaExists returns the error of a replica whose region has the table already (quotes
// included, ack-api-quirks, DDB-TABLE-223).
func errReplicaExists(table string) error {
	return apierr.Invalid(
		"Failed to create a the new replica of table with name: ‘%s’ because one or more replicas already existed as tables.", table)
}

// errReplicaRegion returns the error of a region that cannot have replicas. The order of the
// regions in the service's text is not known.
func errReplicaRegion(o arn.Owner, region string) error {
	return apierr.Invalid(
		"Region %s is not supported. The latest version of global tables are only supported in the following regions: [%s]",
		region, strings.Join(o.Peers(), ", "))
}

// errNotReplica returns the error of a region that has no replica of a table (service facts T.13).
func errNotReplica(region string) error {
	return apierr.Invalid(
		"Update global table operation failed because one or more replicas were not part of the global table. "+
			"Please retry the request without these replicas: [%s].", region)
}

// replicaActions returns the actions of ReplicaUpdates, or the error of those that do not go
// together.
func replicaActions(in *api.UpdateTableInput) ([]replication.ReplicaAction, error) {
	var actions []replication.ReplicaAction
	for i := range in.ReplicaUpdates {
		if create := in.ReplicaUpdates[i].Create; create != nil && create.RegionName == nil {
			return nil, errParameters
		}
		of := replication.ActionsOf(&in.ReplicaUpdates[i])
		if len(of) == 1 && of[0].Kind == "update" && overridesNothing(&of[0].Spec) {
			return nil, errReplicaActions
		}
		switch len(of) {
		case 0:
			return nil, errReplicaActions
		case 1:
			actions = append(actions, of[0])
		default:
			return nil, errReplicaAction
		}
	}
	disassociates := slices.ContainsFunc(actions,
		func(a replication.ReplicaAction) bool { return a.Kind == "disassociate" })
	if disassociates && len(actions) > 1 {
		return nil, errDisassociate
	}
	return actions, nil
}

// overridesNothing reports whether an update has no override, but names indexes (ack-api-quirks,
// DDB-TABLE-252).
func overridesNothing(spec *tables.ReplicaSpec) bool {
	if spec.Key != nil || spec.Provisioned != nil || spec.OnDemand != nil || spec.Class != nil {
		return false
	}
	return !slices.ContainsFunc(spec.Indexes, func(ix api.ReplicaGlobalSecondaryIndex) bool {
		return ix.ProvisionedThroughputOverride != nil || ix.OnDemandThroughputOverride != nil
	})
}

// replicaRegions returns the regions that a request names, each once.
func replicaRegions(in *api.UpdateTableInput) (regions []string) {
	seen := map[string]bool{}
	for i := range in.ReplicaUpdates {
		for _, a := range replication.ActionsOf(&in.ReplicaUpdates[i]) {
			if !seen[a.Spec.Region] {
				seen[a.Spec.Region] = true
				regions = append(regions, a.Spec.Region)
			}
		}
	}
	return regions
}

// checkReplicaUpdates applies the rules that come before those of the table.
func checkReplicaUpdates(c *serve.Call, name string, in *api.UpdateTableInput) error {
	if in.DisassociationProtectionEnabled != nil &&
		kindsOf(in) != (updateKinds{disassociation: true}) {
		return errProtection
	}
	actions, err := replicaActions(in)
	if err != nil {
		return err
	}
	for _, a := range actions {
		local := a.Spec.Region == c.Region
		switch {
		case !c.CanReplicate(name, a.Spec.Region):
			return errReplicaRegion(c.Owner, a.Spec.Region)
		case a.Kind == "disassociate" && !local:
			return apierr.BadParameter("A replica can only be disassociated in its own region")
		case a.Kind != "disassociate" && local:
			return errLocalReplica
		}
	}
	if len(actions) > 0 && c.Service.Shared {
		return errUnsupported("ReplicaUpdates with tables that all regions share")
	}
	return nil
}

// replicaUpdate changes the replicas of a table.
type replicaUpdate struct{ *tableUpdate }

// replicas makes the changes of ReplicaUpdates.
func (u replicaUpdate) replicas() error {
	actions, err := replicaActions(u.in)
	if err != nil || !kindsOf(u.in).replicas {
		return err
	}
	if err := u.strengthen(actions); err != nil {
		return err
	}
	if err := u.weaken(actions); err != nil {
		return err
	}
	// one that is asked for twice is made once: ack-api-quirks, DDB-TABLE-224
	if len(actions) == 2 && reflect.DeepEqual(actions[0], actions[1]) {
		actions = actions[:1]
	}
	if len(actions) > 1 && !u.settings.Global.IsStrong() {
		return errManyReplicas
	}
	for i := range actions {
		a := &actions[i]
		if err := u.replica(a); err != nil {
			return err
		}
	}
	return nil
}

func (u replicaUpdate) replica(a *replication.ReplicaAction) error {
	if u.settings.Global.IsLegacy() {
		return errLegacyReplica
	}
	if u.settings.Global.SeveralAccounts() && a.Kind != "disassociate" {
		return errSeveralAccountsOf
	}
	switch a.Kind {
	case "create":
		return u.createReplica(&a.Spec)
	case "update":
		return u.updateReplica(&a.Spec)
	case "delete":
		return u.deleteReplica(a.Spec.Region)
	}
	return u.disassociate()
}

// createReplica adds a replica that is a copy of the local one.
func (u replicaUpdate) createReplica(spec *tables.ReplicaSpec) error {
	m := u.group.Member(u.call.In(spec.Region))
	m.DropGone(m.Tx, u.group.name)
	if m.Tx.Table(u.group.name) != nil {
		return errReplicaExists(u.group.name)
	}
	if err := u.checkReplicaKey(spec); err != nil {
		return err
	}
	if err := u.startReplication(); err != nil {
		return err
	}
	created := tables.Replica{Region: spec.Region}
	if spec.Key != nil {
		created.Key = tables.EncryptionWith(m.Owner, *spec.Key).Key
	}
	settings := u.settings.ForReplica(m.Owner, spec, u.now)
	if err := created.Set(spec, settings, u.now); err != nil {
		return err
	}
	return u.addReplica(m, u.global(), created, settings)
}

// checkReplicaKey checks the KMS key of a new replica: all replicas have keys of one type
// (ack-api-quirks, DDB-TABLE-295 and 313, probes of the service; that of a table with a key of AWS
// shows the error of an update only).
func (u replicaUpdate) checkReplicaKey(spec *tables.ReplicaSpec) error {
	ours := u.settings.Encryption.CustomerManaged()
	switch {
	case ours != (spec.Key != nil):
		return errReplicaKey
	case ours && !tables.EncryptionWith(u.call.In(spec.Region), *spec.Key).CustomerManaged():
		return errReplicaKeyType
	}
	return errKeyRegion(u.call, " for region "+spec.Region, api.Deref(spec.Key), spec.Region)
}

// addReplica adds a replica to a global table, whose table it makes as a copy of the local one. The
// policies of all replicas have to allow replication (Developer Guide, "DynamoDB resource-based
// policy considerations").
func (u replicaUpdate) addReplica(m *GroupMember, global *tables.GlobalTable,
	created tables.Replica, settings *tables.Settings) error {
	created.State = u.passing(tables.Creating)
	source := global.Replica(u.call.Region)
	source.Sourced, source.Key = u.now, u.settings.Encryption.CustomerKey()
	created.Source = u.call.Region
	global.Replicas = append(global.Replicas, created)
	u.copyTo(m, settings)
	u.connect(global)
	for _, other := range u.group.others() {
		if other != m {
			u.relay(other, m)
		}
	}
	return u.group.checkReplication()
}

// copyTo creates the table of a new replica.
func (u replicaUpdate) copyTo(m *GroupMember, settings *tables.Settings) {
	settings.State = u.passing(tables.Creating)
	spec := storage.TableSpec{Name: u.table.Name, ID: u.call.NewTableID(), Settings: settings}
	t := m.Tx.Replicas().CopyTable(u.table, spec)
	stream := settings.Clone()
	tables.StartStream(m.Tx, t, &stream.Stream, u.now)
	m.Tx.Tables().SetSettings(t, stream.Settle(u.now))
	m.data.RecountKeys(m.Service.Policy, m.Tx)
}

// relay makes a replica send to a new one what the local one, which the new one is a copy of, does
// not have yet.
func (u replicaUpdate) relay(other, created *GroupMember) {
	t, _ := other.table(u.group.name)
	other.Tx.Replicas().
		CopyBacklog(t, replication.Name(u.call.Owner), replication.Name(created.Owner))
}

// startReplication checks that the local table can be copied, and enables the stream that
// replication with eventual consistency needs.
func (u replicaUpdate) startReplication() error {
	if u.group.Local.Data.Loads(u.group.name) {
		_, changing := u.call.Changing(u.tx, u.group.name)
		return changing.Error(states.BulkPuts, states.Replicas)
	}
	if err := u.settings.CheckScaled(); err != nil {
		return err
	}
	if u.settings.Global.IsStrong() {
		return nil
	}
	if u.settings.EnableReplication(u.now) {
		tables.StartStream(u.tx, u.table, &u.settings.Stream, u.now)
	}
	return nil
}

// global returns a copy of the table's global table, or a new one.
func (u replicaUpdate) global() *tables.GlobalTable {
	if g := u.settings.Global.Clone(); g != nil {
		return g
	}
	return &tables.GlobalTable{
		Version: tables.CurrentGlobal, Created: u.now,
		Replicas: []tables.Replica{{Region: u.call.Region, Source: u.call.Region}},
	}
}

// connect sets the global table of all replicas.
func (u replicaUpdate) connect(global *tables.GlobalTable) {
	u.tx.Tables().SetSettings(u.table, u.settings)
	u.group.setGlobal(global, u.now)
	u.settings = u.settings.Clone()
	if u.settings.Global = nil; global.Replica(u.call.Region) != nil {
		u.settings.Global = global.Clone()
	}
}

// updateReplica changes the overrides of a replica.
func (u replicaUpdate) updateReplica(spec *tables.ReplicaSpec) error {
	global := u.settings.Global.Clone()
	r := global.Replica(spec.Region)
	if r == nil {
		return errNotReplica(spec.Region)
	}
	if spec.Key != nil {
		return errReplicaKey
	}
	if spec.Provisioned == nil && spec.OnDemand == nil && spec.Class == nil && spec.Indexes == nil {
		return errReplicaActions
	}
	m := u.group.Member(u.call.In(spec.Region))
	t, s := m.table(u.group.name)
	_, changing := m.Changing(m.Tx, u.group.name)
	// a change of a replica is refused in the same states as UpdateTableReplicaAutoScaling
	if err := changing.RefusePhase(states.Scale); err != nil {
		return err
	}
	s = s.Clone()
	if err := r.Set(spec, s, u.now); err != nil {
		return err
	}
	r.Inherit(u.settings)
	r.State = u.passing(tables.Updating)
	s.State = u.passing(tables.Updating)
	m.Tx.Tables().SetSettings(t, s)
	u.connect(global)
	return nil
}

// deleteReplica deletes the table of another replica.
func (u replicaUpdate) deleteReplica(region string) error {
	r := u.settings.Global.Replica(region)
	if r == nil {
		return errNotReplica(region)
	}
	m := u.group.Member(u.call.In(region))
	t, s := m.table(u.group.name)
	if err := deletable(m.Call, m.Tx, t, s); err != nil {
		return err
	}
	if u.settings.Global.Sourcing(r, u.now) {
		return errReplicaSource
	}
	if err := u.group.checkReplication(); err != nil {
		return err
	}
	if !m.delivered(u.group.name) {
		return errUndelivered
	}
	u.connect(u.settings.Global.Leave(region, u.now, u.call.Delays().Delete))
	deleteMember(m.Call, m.Tx, t)
	return nil
}

// leaving is a replica of a table that DeleteTable deletes in its own region.
type leaving struct {
	group   *ReplicaGroup
	global  *tables.GlobalTable
	replica *tables.Replica
	now     time.Time
}

// orderOfLeaving orders the checks of DeleteTable on a replica, after orderOfDelete.
var orderOfLeaving = serve.Order[leaving]{
	serve.Step("strong consistency", "", func(l leaving) error {
		if l.global.Strong {
			return errStrongDelete
		}
		return nil
	}),
	serve.Step("replicas that were copied from it", "DDB-TABLE-266, DDB-TABLE-267",
		func(l leaving) error {
			if l.global.Sourcing(l.replica, l.now) {
				return errReplicaSource
			}
			return nil
		}),
	serve.Step("changes that others do not have yet", "", func(l leaving) error {
		if !l.group.Local.delivered(l.group.name) {
			return errUndelivered
		}
		return nil
	}),
}

// leave takes the local replica, which is being deleted, out of its global table. s are its
// settings.
func (g *ReplicaGroup) leave(s *tables.Settings, now time.Time) error {
	c := g.Local.Call
	r := s.Global.Replica(c.Region)
	if r == nil || len(s.Global.Regions()) < 2 {
		return nil
	}
	if err := orderOfLeaving.Judge(leaving{g, s.Global, r, now}); err != nil {
		return err
	}
	g.setGlobal(s.Global.Leave(c.Region, now, c.Delays().Delete), now)
	return nil
}

// deleteMember deletes the table of a replica that has left its global table.
func deleteMember(c *serve.Call, tx *storage.Tx, t *storage.Table) {
	s := tables.SettingsOf(tx, t)
	backUpDeleted(c, tx, t, s)
	s = s.Clone()
	s.Global, s.State = nil, tables.Transition{
		Status: tables.Deleting, Until: c.Now().Add(c.Delays().Delete),
	}
	tx.Tables().SetSettings(t, s)
	tx.Streams().Disable(t)
	c.DropGone(tx, t.Name)
}

// disassociate makes the local replica a table of its own (Developer Guide, "Disassociating a
// global table replica").
func (u replicaUpdate) disassociate() error {
	r := u.settings.Global.Replica(u.call.Region)
	switch {
	case r == nil || u.settings.Global.Version != tables.CurrentGlobal:
		return errNoReplica
	case u.settings.Global.Strong:
		return apierr.BadParameter(
			"Disassociate is not supported for global tables with multi-Region strong consistency")
	case !r.Unprotected:
		return apierr.Invalid(
			"Replica cannot be disassociated as it is currently protected against disassociation. Disable disassociation protection first.")
	}
	for _, m := range u.group.members {
		if !m.delivered(u.group.name) {
			return errUndelivered
		}
	}
	u.connect(u.settings.Global.Leave(u.call.Region, u.now, 0))
	return nil
}

// protect enables or disables the disassociation protection of the local replica.
func (u replicaUpdate) protect() error {
	on := u.in.DisassociationProtectionEnabled
	if on == nil {
		return nil
	}
	global := u.settings.Global.Clone()
	r := global.Replica(u.call.Region)
	if r == nil || global.Strong {
		return errNoReplica
	}
	r.Unprotected = !*on
	u.connect(global)
	return nil
}
