package control

import (
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

func UpdateTable(c *serve.Call, in *api.UpdateTableInput) (*api.UpdateTableOutput, error) {
	name, err := c.TableName(*in.TableName)
	if err != nil {
		return nil, err
	}
	in = withoutEmpty(in)
	if err := orderOfUpdate.Judge(in); err != nil {
		return nil, err
	}
	if err := checkReplicaUpdates(c, name, in); err != nil {
		return nil, err
	}
	out := new(api.UpdateTableOutput)
	return out, inGroup(c, name,
		c.InRegions(replicaRegions(in)), func(g *ReplicaGroup) (err error) {
			out.TableDescription, err = g.Local.updateTable(g, in)
			if err != nil {
				return err
			}
			return g.synchronize(in)
		})
}

// updateTable updates the table of one member of a group.
func (m *GroupMember) updateTable(g *ReplicaGroup, in *api.UpdateTableInput) (*api.TableDescription,
	error) {
	c, tx, now := m.Call, m.Tx, m.Now()
	t, changing := c.Changing(tx, g.name)
	if err := changing.Error(changing.Phase(), states.Describe); err != nil {
		return nil, err
	}
	s, busy := changing.Settings, changingTable{changing, t}
	if busy.keepsProvisioned(in) {
		return asOnDemand(tables.Describe(c.Owner, tx, t, s, now)), nil
	}
	if err := busy.checkUpdate(in); err != nil {
		return nil, err
	}
	u := &tableUpdate{
		call: c, tx: tx, table: t, in: in, now: now, delay: c.Delays().Update,
		settings: s.Settle(now), group: g,
	}
	if err := u.run(); err != nil {
		return nil, err
	}
	d := tables.Describe(c.Owner, tx, t, u.settings, now.Add(-1))
	if in.ReplicaUpdates != nil {
		showOldReplicas(d, tables.Describe(c.Owner, tx, t, s, now))
	}
	showCleared(d, in)
	// the answer is ACTIVE in all states: ack-api-quirks, DDB-TABLE-450 and -462
	if in.SSESpecification != nil {
		d.TableStatus = api.Ref(api.TableStatus(tables.Active))
	}
	if u.changesNothing(s) { // the answer is UPDATING, but nothing lasts: service facts S.8
		u.settings.State, u.settings.Changing = s.State, s.Changing
	}
	tx.Tables().SetSettings(t, u.settings.Settle(now))
	return d, nil
}

// asOnDemand describes a table as if it became PAY_PER_REQUEST (ack-api-quirks, DDB-TABLE-452).
func asOnDemand(d *api.TableDescription) *api.TableDescription {
	if d.BillingModeSummary != nil {
		d.BillingModeSummary.BillingMode = api.Ref(api.BillingMode(tables.PayPerRequest))
	}
	if p := d.ProvisionedThroughput; p != nil {
		p.ReadCapacityUnits = api.Ref(api.NonNegativeLongObject(0))
		p.WriteCapacityUnits = api.Ref(api.NonNegativeLongObject(0))
	}
	return d
}

// showOldReplicas makes an answer to ReplicaUpdates show the replicas and witnesses of before. Only
// DescribeTable shows the change (service facts T.14; ack-api-quirks, DDB-TABLE-204, 226, 250, 261,
// 294 and 422).
func showOldReplicas(d, before *api.TableDescription) {
	d.Replicas, d.GlobalTableWitnesses = before.Replicas, before.GlobalTableWitnesses
	if d.Replicas == nil {
		d.Replicas = []api.ReplicaDescription{}
	}
}

// showCleared adds the maxima that a request removes to its answer, as -1. Only DescribeTable
// leaves them out (ack-api-quirks, DDB-TABLE-182).
func showCleared(d *api.TableDescription, in *api.UpdateTableInput) {
	const none = -1
	o := in.OnDemandThroughput
	if o == nil {
		return
	}
	shown := api.OnDemandThroughput{}
	if d.OnDemandThroughput != nil {
		shown = *d.OnDemandThroughput
	}
	if api.Deref(o.MaxReadRequestUnits) == none {
		shown.MaxReadRequestUnits = api.Ref(int64(none))
	}
	if api.Deref(o.MaxWriteRequestUnits) == none {
		shown.MaxWriteRequestUnits = api.Ref(int64(none))
	}
	if shown != (api.OnDemandThroughput{}) {
		d.OnDemandThroughput = &shown
	}
}

func UpdateTableTargets(in *api.UpdateTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// withoutEmpty leaves throughput without units out of a request that has other updates, as the
// service does (ack-api-quirks, DDB-TABLE-457).
func withoutEmpty(in *api.UpdateTableInput) *api.UpdateTableInput {
	out := *in
	if w := in.WarmThroughput; w != nil && *w == (api.WarmThroughput{}) {
		out.WarmThroughput = nil
	}
	if o := in.OnDemandThroughput; o != nil && *o == (api.OnDemandThroughput{}) {
		out.OnDemandThroughput = nil
	}
	if kindsOf(&out) == (updateKinds{}) {
		return in
	}
	return &out
}

// orderOfUpdate orders the checks of UpdateTable that need no table. stepsOfUpdate has the rest.
var orderOfUpdate = serve.Order[*api.UpdateTableInput]{
	serve.Step("warm throughput of indexes", "", func(in *api.UpdateTableInput) error {
		return checkWarmUpdates(in.GlobalSecondaryIndexUpdates)
	}),
	serve.Step("updates that do not go together", "T.2, T.3, DDB-TABLE-174, DDB-TABLE-224, DDB-TABLE-382",
		checkCombination),
	serve.Step("an empty list of index updates", "T.1", checkIndexUpdatesGiven),
	serve.Step("the class", "T.4",
		func(in *api.UpdateTableInput) error { return checkClass(in.TableClass) }),
	serve.Step("the mode of replication", "DDB-TABLE-048", checkReplicationMode),
	serve.Step("provisioned units", "", checkUpdatedUnits),
	serve.Step("updates of indexes", "", func(in *api.UpdateTableInput) error {
		return checkIndexUpdates(in.GlobalSecondaryIndexUpdates)
	}),
	serve.Step("updates of vector indexes", "V.1.11", checkVectorUpdates),
	serve.Step("the stream", "", func(in *api.UpdateTableInput) error {
		return tables.CheckStream(in.StreamSpecification, tables.UpdateNeedsView,
			tables.UpdateRefusesView)
	}),
	serve.Step("encryption", "", func(in *api.UpdateTableInput) error {
		return tables.CheckEncryption(in.SSESpecification, "sSESpecification")
	}),
}

func checkIndexUpdatesGiven(in *api.UpdateTableInput) error {
	switch {
	case in.GlobalSecondaryIndexUpdates != nil && len(in.GlobalSecondaryIndexUpdates) == 0:
		return apierr.BadParameter("List of GlobalSecondaryIndexUpdates is empty")
	case in.VectorIndexUpdates != nil && len(in.VectorIndexUpdates) == 0: // inferred
		return apierr.BadParameter("List of VectorIndexUpdates is empty")
	}
	return nil
}

func checkReplicationMode(in *api.UpdateTableInput) error {
	if mode := in.GlobalTableSettingsReplicationMode; mode != nil &&
		*mode == tables.OverridesSettings {
		return errSettingsOverrides
	}
	return nil
}

func checkUpdatedUnits(in *api.UpdateTableInput) error {
	if err := tables.CheckUnits(in.ProvisionedThroughput, ""); err != nil {
		return err
	}
	if api.Deref(in.BillingMode) == tables.PayPerRequest && in.ProvisionedThroughput != nil {
		return tables.ErrUnitsWithMode
	}
	return nil
}

// updateKinds holds the kinds of updates that a request asks for.
type updateKinds struct {
	iops, warm, stream, indexes, encryption, protection, class bool
	replicas, disassociation, settings                         bool
}

func kindsOf(in *api.UpdateTableInput) updateKinds {
	return updateKinds{
		iops: in.BillingMode != nil || in.ProvisionedThroughput != nil ||
			in.OnDemandThroughput != nil,
		warm:       in.WarmThroughput != nil,
		stream:     in.StreamSpecification != nil,
		indexes:    len(in.GlobalSecondaryIndexUpdates) > 0 || len(in.VectorIndexUpdates) > 0,
		encryption: in.SSESpecification != nil,
		protection: in.DeletionProtectionEnabled != nil,
		class:      in.TableClass != nil,

		replicas: in.ReplicaUpdates != nil || in.MultiRegionConsistency != nil ||
			replication.UpdatesWitness(in),
		disassociation: in.DisassociationProtectionEnabled != nil,
		settings:       in.GlobalTableSettingsReplicationMode != nil,
	}
}

// checkCombination checks that the request has an update, and does not combine updates that a
// request may only make alone. (The messages and their order are known from probes of the service:
// ack-api-quirks, DDB-TABLE-174, -382 and -442.)
func checkCombination(in *api.UpdateTableInput) error {
	kinds := kindsOf(in)
	if kinds == (updateKinds{}) || onlyConsistency(in) {
		consistency := "MultiRegionConsistency, "
		if in.MultiRegionConsistency != nil { // the list leaves a given one out: service facts T.2
			consistency = ""
		}
		return apierr.Invalid(
			"At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "+
				"SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, %s"+
				"DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required",
			consistency)
	}
	alone := updateKinds{replicas: true}
	if (in.MultiRegionConsistency != nil || replication.UpdatesWitness(in)) && kinds != alone {
		// ack-api-quirks, DDB-TABLE-257
		return apierr.Invalid(
			"Requests that modify replicas or witnesses must not also modify other fields")
	}
	if err := kinds.checkAlone(); err != nil {
		return err
	}
	return kinds.checkThroughput(in)
}

// checkAlone refuses what a request may only ask for alone together with anything else.
func (kinds updateKinds) checkAlone() error {
	switch {
	case kinds.replicas && kinds != (updateKinds{replicas: true}): // DDB-TABLE-224
		return apierr.BadParameter("Replica modification must be the only operation in the request")
	case kinds.encryption && kinds != (updateKinds{encryption: true}):
		return apierr.BadParameter(
			"Server-Side Encryption modification must be the only operation in the request")
	case kinds.class && kinds != (updateKinds{class: true}): // service facts T.3
		return apierr.BadParameter(
			"TableClass modification must be the only operation in the request")
	case kinds.protection && kinds != (updateKinds{protection: true}):
		return apierr.BadParameter(
			"DeletionProtection modification must be the only operation in the request")
	}
	return nil
}

// checkThroughput refuses updates of throughput, streams and indexes that a request may not
// combine.
func (kinds updateKinds) checkThroughput(in *api.UpdateTableInput) error {
	online := updatesOnline(in)
	iops := in.ProvisionedThroughput != nil
	switch {
	case in.OnDemandThroughput != nil && (kinds.stream || kinds.warm):
		return apierr.BadParameter(
			"OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")
	case kinds.warm && online:
		return apierr.BadParameter(
			"Create global secondary index cannot be specified when updating WarmThroughput")
	case kinds.warm && (kinds.iops || kinds.stream):
		return apierr.BadParameter("WarmThroughput must be the only operation in the request")
	case kinds.stream && iops:
		return apierr.BadParameter("You cannot modify stream status while updating table IOPS")
	case online && iops && in.BillingMode == nil:
		return apierr.BadParameter("You cannot create or delete index while updating table IOPS")
	case online && kinds.stream:
		return apierr.BadParameter("You cannot create or delete index while changing stream status")
	}
	return nil
}

// onlyConsistency reports whether MultiRegionConsistency is the only update of a request. By itself
// it does not count as an update (service facts T.2).
func onlyConsistency(in *api.UpdateTableInput) bool {
	without := *in
	without.MultiRegionConsistency, without.GlobalTableWitnessUpdates = nil, nil
	return kindsOf(in) != (updateKinds{}) && kindsOf(&without) == (updateKinds{})
}

// checkClass checks the class of a table, which the model of UpdateTable leaves open (service facts
// T.4).
func checkClass(class *api.TableClass) error {
	if class == nil || *class == "STANDARD" || *class == "STANDARD_INFREQUENT_ACCESS" {
		return nil
	}
	return apierr.Invalid("Invalid table-class parameter provided. " +
		"Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].")
}

// updatesOnline reports whether a request creates or deletes an index.
func updatesOnline(in *api.UpdateTableInput) bool {
	return len(in.VectorIndexUpdates) > 0 || slices.ContainsFunc(in.GlobalSecondaryIndexUpdates,
		func(up api.GlobalSecondaryIndexUpdate) bool { return up.Update == nil })
}

// tableUpdate is an UpdateTable in progress. Each step applies one kind of change to settings.
type tableUpdate struct {
	call     *serve.Call
	tx       *storage.Tx
	table    *storage.Table
	in       *api.UpdateTableInput
	now      time.Time
	delay    time.Duration
	settings *tables.Settings // a clone that becomes the table's settings
	group    *ReplicaGroup
}

// stepsOfUpdate returns the steps of UpdateTable that need the table. It judges and makes changes
// in the same order.
func stepsOfUpdate() serve.Order[*tableUpdate] {
	indexes := func(u *tableUpdate) indexUpdate { return indexUpdate{u} }
	replicas := func(u *tableUpdate) replicaUpdate { return replicaUpdate{u} }
	return serve.Order[*tableUpdate]{
		serve.Step("definitions of attributes", "V.1.6, V.1.7",
			func(u *tableUpdate) error { return indexes(u).checkDefinitions() }),
		serve.Step("the capacity mode", "V.1.2", (*tableUpdate).billing),
		serve.Step("indexes", "", func(u *tableUpdate) error { return indexes(u).indexes() }),
		serve.Step("vector indexes", "V.1.11",
			func(u *tableUpdate) error { return vectorUpdate{indexes(u)}.vectors() }),
		serve.Step("provisioned units", "", (*tableUpdate).provisioned),
		serve.Step("maxima", "", (*tableUpdate).onDemand),
		serve.Step("warm throughput", "DDB-TABLE-459", (*tableUpdate).warm),
		serve.Step("the stream", "DDB-TABLE-222", (*tableUpdate).stream),
		serve.Step("encryption, its quota before its key", "T.8", (*tableUpdate).encryption),
		serve.Step("the mode of replication", "",
			func(u *tableUpdate) error { return replicas(u).settingsReplication() }),
		serve.Step("replicas", "DDB-TABLE-224, DDB-TABLE-257",
			func(u *tableUpdate) error { return replicas(u).replicas() }),
		serve.Step("protection from disassociation", "",
			func(u *tableUpdate) error { return replicas(u).protect() }),
		serve.Step("quotas of maxima and of warm throughput", "", (*tableUpdate).maxima),
		serve.Step("the class and its quota", "T.7", (*tableUpdate).changeClass),
		serve.Step("protection", "DDB-TABLE-057", (*tableUpdate).protection),
	}
}

// run takes the steps.
func (u *tableUpdate) run() error {
	if err := stepsOfUpdate().Judge(u); err != nil {
		return err
	}
	change := changeOf(u.in, u.settings.Global != nil)
	if states.KeepsUpdating(change) {
		u.settings.State, u.settings.Changing = u.passing(tables.Updating), change
	}
	return nil
}

// changesNothing reports whether a request gives a table the class or the capacity mode that it
// has.
func (u *tableUpdate) changesNothing(before *tables.Settings) bool {
	switch kinds := kindsOf(u.in); kinds {
	case updateKinds{class: true}:
		return u.settings.Class.Class == before.Class.Class
	case updateKinds{iops: true}:
		return u.in.BillingMode != nil && u.in.ProvisionedThroughput == nil &&
			u.in.OnDemandThroughput == nil &&
			u.settings.Billing.Mode == before.Billing.Mode
	}
	return false
}

func warmOnly(up *api.UpdateGlobalSecondaryIndexAction) bool {
	return up.ProvisionedThroughput == nil && up.OnDemandThroughput == nil
}

// class returns the table's class, which is STANDARD if none was given.
func (u *tableUpdate) class() api.TableClass {
	if u.settings.Class.Class == "" {
		return "STANDARD"
	}
	return u.settings.Class.Class
}

// passing returns a state that ends with the update.
func (u *tableUpdate) passing(status string) tables.Transition {
	return tables.Transition{Status: status, Until: u.now.Add(u.delay)}
}

// billing switches the capacity mode and drops the settings of the old mode.
func (u *tableUpdate) billing() error {
	switch {
	case u.in.BillingMode == nil:
		return nil
	case *u.in.BillingMode == tables.ProvisionedMode && u.in.ProvisionedThroughput == nil:
		return apierr.BadParameter(
			"ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	case *u.in.BillingMode == u.settings.Billing.Mode:
		return nil
	}
	if *u.in.BillingMode == tables.PayPerRequest {
		u.settings.Billing = tables.Billing{
			Mode: tables.PayPerRequest, OnDemand: u.now, Pending: true,
		}
		u.settings.Capacity.Release()
		for i := range u.settings.Indexes {
			u.settings.Indexes[i].Capacity.ReleaseIndex(u.now)
		}
		return nil
	}
	if err := u.allProvisioned(); err != nil {
		return err
	}
	u.settings.Billing.Mode = tables.ProvisionedMode
	u.settings.Capacity.Provision()
	for i := range u.settings.Indexes {
		u.settings.Indexes[i].Capacity.Provision()
	}
	return nil
}

// provisioned changes the table's own throughput.
func (u *tableUpdate) provisioned() error {
	if u.in.ProvisionedThroughput == nil {
		return nil
	}
	if u.settings.Billing.OnDemandMode() {
		return tables.ErrNeitherUnits
	}
	return u.settings.Capacity.Change(tables.ProvisionedUnits(u.in.ProvisionedThroughput), u.now,
		"table")
}

func (u *tableUpdate) onDemand() error {
	if err := tables.CheckOtherOnDemand(u.in.OnDemandThroughput, u.settings.Billing.Mode,
		"table"); err != nil {
		return err
	}
	u.settings.Capacity.OnDemand.Set(u.in.OnDemandThroughput)
	return nil
}

func (u *tableUpdate) warm() error {
	return u.setWarm(&u.settings.Capacity, u.in.WarmThroughput, "table")
}

// setWarm raises the warm throughput of the table or of an index.
func (u *tableUpdate) setWarm(c *tables.Capacity, given *api.WarmThroughput, of string) error {
	if given == nil {
		return nil
	}
	if err := tables.CheckOtherWarm(given, c.WarmUnits(u.settings.Billing.Mode), of); err != nil {
		return err
	}
	// during a change Before stays as it was before that change: ack-api-quirks, DDB-TABLE-064 and
	// -459
	if c.Warm.State.At(u.now) != tables.Updating && !u.settings.Billing.Pending {
		c.Warm.Before = c.WarmUnits(u.settings.Billing.Mode)
	}
	c.Warm.State = u.passing(tables.Updating)
	c.Warm.Set(given)
	return nil
}

// maxima checks the maximum and warm throughput that the request gives.
func (u *tableUpdate) maxima() error {
	region := u.call.Region
	if err := tables.CheckMaxima(region, u.in.OnDemandThroughput, u.in.WarmThroughput,
		""); err != nil {
		return err
	}
	for _, up := range u.in.GlobalSecondaryIndexUpdates {
		var err error
		switch {
		case up.Create != nil:
			err = tables.CheckMaxima(region, up.Create.OnDemandThroughput,
				up.Create.WarmThroughput, string(*up.Create.IndexName))
		case up.Update != nil:
			err = tables.CheckMaxima(region, up.Update.OnDemandThroughput,
				up.Update.WarmThroughput, string(*up.Update.IndexName))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stream enables or disables the table's stream.
func (u *tableUpdate) stream() error {
	in := u.in.StreamSpecification
	switch {
	case in == nil:
		return nil
	case *in.StreamEnabled && u.settings.Stream.Enabled:
		return apierr.Invalid("Table already has an enabled stream: TableName: %s", u.table.Name)
	case !*in.StreamEnabled && u.settings.Global != nil && !u.settings.Global.Strong:
		return errReplicaStream
	case !*in.StreamEnabled && !u.settings.Stream.Enabled:
		return apierr.Invalid("Table has no stream to disable: TableName: %s", u.table.Name)
	case *in.StreamEnabled:
		u.settings.Stream, u.settings.StreamTags = tables.NewStream(in, u.now), nil
		tables.StartStream(u.tx, u.table, &u.settings.Stream, u.now)
	default:
		u.settings.Stream.Enabled = false
		u.tx.Streams().Disable(u.table)
	}
	return nil
}

func (u *tableUpdate) encryption() error {
	if u.in.SSESpecification == nil {
		return nil
	}
	if u.call.Service.Quotas { // quotas come before the key: service facts T.8
		if err := u.settings.Past.CheckEncryption(u.now); err != nil {
			return err
		}
	}
	if err := checkKeyRegion(u.call, u.in.SSESpecification); err != nil {
		return err
	}
	e := tables.NewEncryption(u.call.Owner, u.in.SSESpecification)
	if u.settings.Encryption.Repeats(e, u.in.SSESpecification) {
		if e.Key == "" {
			return apierr.BadParameter("Table is already encrypted by default")
		}
		return apierr.BadParameter(
			"Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key")
	}
	u.settings.Encryption.Encrypt(e, u.now, u.delay)
	if r := u.settings.Global.Replica(u.call.Region); r != nil { // other replicas describe the key
		global := u.settings.Global.Clone()
		global.Replica(u.call.Region).Key = e.CustomerKey()
		replicaUpdate{u}.connect(global)
	}
	if u.call.Service.Quotas {
		u.settings.Past.ChangeEncryption(u.now)
	}
	return nil
}

// changeClass changes the class of the table.
func (u *tableUpdate) changeClass() error {
	if u.in.TableClass == nil || *u.in.TableClass == u.class() {
		return nil
	}
	if u.call.Service.Quotas {
		if err := u.settings.Past.ChangeClass(u.now); err != nil {
			return err
		}
	}
	before := &tables.OldClass{Class: u.settings.Class.Class, Changed: u.settings.Class.Changed}
	u.settings.Class = tables.TableClass{
		Class: *api.Clone(u.in.TableClass), Changed: u.now, Before: before,
	}
	if u.settings.Global.Replica(u.call.Region) != nil { // the others describe it: DDB-TABLE-294
		global := u.settings.Global.Clone()
		global.Replica(u.call.Region).Class = tables.TableClass{
			Class: u.settings.Class.Class, Changed: u.now,
		}
		replicaUpdate{u}.connect(global)
	}
	return nil
}

// protection changes whether the table can be deleted. With quotas a request that comes too soon
// was refused before, also if it repeats the value (ack-api-quirks, DDB-TABLE-057).
func (u *tableUpdate) protection() error {
	if u.in.DeletionProtectionEnabled == nil {
		return nil
	}
	to := *u.in.DeletionProtectionEnabled
	if u.call.Service.Quotas {
		if to != u.settings.Protected {
			u.settings.Past.Protection = u.now
		}
	}
	u.settings.Protected = to
	return nil
}

// allProvisioned checks that a request that makes the table PROVISIONED gives throughput for every
// index.
func (u *tableUpdate) allProvisioned() error {
	var missing []string
	for i := range u.settings.Indexes {
		is := &u.settings.Indexes[i]
		if is.Gone != nil {
			continue
		}
		if !slices.ContainsFunc(
			u.in.GlobalSecondaryIndexUpdates, func(up api.GlobalSecondaryIndexUpdate) bool {
				return up.Update != nil && string(*up.Update.IndexName) == is.Name &&
					up.Update.ProvisionedThroughput != nil
			}) {
			missing = append(missing, is.Name)
		}
	}
	if len(missing) > 0 {
		return apierr.BadParameter("ProvisionedThroughput must be specified for index: %s",
			strings.Join(missing, ","))
	}
	return nil
}

// searchNames returns the attributes of the search schemas of the table's vector indexes.
func (u *tableUpdate) searchNames() (names []string) {
	for _, ix := range u.tx.Vectors().Indexes(u.table) {
		for _, a := range slices.Concat(ix.Hash, ix.Filters) {
			names = append(names, a.Name)
		}
	}
	return names
}
