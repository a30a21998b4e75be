package tables

import (
	"cmp"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// Versions of global tables (Developer Guide, "DynamoDB global tables versions").
const (
	CurrentGlobal = "2019.11.21"
	LegacyGlobal  = "2017.11.29"
)

// GlobalTable is what each replica knows of its global table. All replicas have the same, and an
// update of one changes it in all of them in one commit.
type GlobalTable struct {
	Version  string
	Strong   bool      // multi-Region strong consistency (MRSC)
	Replicas []Replica // in the order of their creation; those being deleted included
	Witness  Witness
	Created  time.Time
}

// Replica is a member of a global table.
type Replica struct {
	Region      string     // no two replicas are in the same one
	Account     string     // of a multi-account global table, where each replica has another one; "" otherwise
	State       Transition // CREATING, UPDATING or DELETING
	Sourced     time.Time  // when a replica was last created from this one; zero: never
	Key         string     // the KMS key that was given for the replica; "" for none
	Read        *int64     // ProvisionedThroughputOverride; nil for none
	MaxRead     *int64     // OnDemandThroughputOverride; nil for none
	Class       TableClass // TableClassOverride; empty for none
	Indexes     []ReplicaIndex
	Unprotected bool   // against disassociation
	Denied      Denial // nobody replicates to and from it
}

// Denial is the time in which the resource-based policy of a replica does not allow replication.
type Denial struct {
	From  time.Time // zero: it allows replication
	Until time.Time // zero: it has not been changed
}

// At reports whether a point in time is in the denial.
func (d Denial) At(now time.Time) bool {
	return !d.From.IsZero() && !now.Before(d.From) && (d.Until.IsZero() || now.Before(d.Until))
}

// Change returns the denial after a change of the policy, or of the replicas, at a point in time.
func (d Denial) Change(allowed bool, at time.Time) Denial {
	switch {
	case allowed && !d.From.IsZero() && d.Until.IsZero():
		d.Until = at
	case !allowed && (d.From.IsZero() || !d.Until.IsZero()):
		d = Denial{From: at}
	}
	return d
}

// mostDenied is how long a replica can be denied replication before it becomes a table of its own
// (Developer Guide, "DynamoDB global tables security").
const mostDenied = 20 * time.Hour

// separated reports whether a replica has been denied replication for too long.
func (d Denial) separated(now time.Time) bool {
	return d.At(now) && now.After(d.From.Add(mostDenied))
}

// ReplicaIndex has the overrides of a global index of a replica.
type ReplicaIndex struct {
	Name          string
	Read, MaxRead *int64
}

// Witness is the witness of a global table with strong consistency. Region is "" if there is none.
type Witness struct {
	Region string
	State  Transition
}

// Clone returns a copy that may be modified. It returns nil for nil.
func (g *GlobalTable) Clone() *GlobalTable {
	if g == nil {
		return nil
	}
	c := *g
	c.Replicas = slices.Clone(g.Replicas)
	for i := range c.Replicas {
		c.Replicas[i].Indexes = slices.Clone(c.Replicas[i].Indexes)
	}
	return &c
}

// Replica returns the replica in a region that is not being deleted, or nil.
func (g *GlobalTable) Replica(region string) *Replica {
	if g == nil {
		return nil
	}
	for i := range g.Replicas {
		if r := &g.Replicas[i]; r.Region == region && r.State.Status != Deleting {
			return r
		}
	}
	return nil
}

// Of returns the replica of an owner that is not being deleted, or nil.
func (g *GlobalTable) Of(o arn.Owner) *Replica {
	if r := g.Replica(o.Region); r != nil && (r.Account == "" || r.Account == o.Account) {
		return r
	}
	return nil
}

// Owners returns the owners of the replicas that are not being deleted. of is one of them.
func (g *GlobalTable) Owners(of arn.Owner) (owners []arn.Owner) {
	for _, region := range g.Regions() {
		owners = append(owners, g.Replica(region).owner(of))
	}
	return owners
}

// owner returns the owner of a replica. of is the owner of the same or of another replica.
func (r *Replica) owner(of arn.Owner) arn.Owner {
	return arn.Owner{Account: cmp.Or(r.Account, of.Account), Region: r.Region}
}

// SeveralAccounts reports whether this is a multi-account global table. A nil one is none.
func (g *GlobalTable) SeveralAccounts() bool {
	return g != nil && len(g.Replicas) > 0 && g.Replicas[0].Account != ""
}

// DeniedBetween reports whether a replica in one of two regions is denied replication.
func (g *GlobalTable) DeniedBetween(now time.Time, one, other string) bool {
	return g != nil && slices.ContainsFunc(g.Replicas, func(r Replica) bool {
		return (r.Region == one || r.Region == other) && r.Denied.At(now)
	})
}

// Separated returns the regions of the replicas that have been denied replication for too long.
func (g *GlobalTable) Separated(now time.Time) (regions []string) {
	for _, region := range g.Regions() {
		if !g.Strong && g.Replica(region).Denied.separated(now) {
			regions = append(regions, region)
		}
	}
	return regions
}

// Regions returns the regions with a replica that is not being deleted.
func (g *GlobalTable) Regions() (regions []string) {
	if g == nil {
		return nil
	}
	for _, r := range g.Replicas {
		if r.State.Status != Deleting {
			regions = append(regions, r.Region)
		}
	}
	return regions
}

// Leave returns the global table without the replica in a region. If there is a delay, the replica
// is shown as being deleted for that long.
func (g *GlobalTable) Leave(region string, now time.Time, delay time.Duration) *GlobalTable {
	g = g.Clone()
	g.Replica(region).State = Transition{Status: Deleting, Until: now.Add(delay)}
	return g
}

// IsLegacy reports whether the global table is of version 2017.11.29. A nil one is not.
func (g *GlobalTable) IsLegacy() bool { return g != nil && g.Version == LegacyGlobal }

// IsStrong reports whether the global table has strong consistency. A nil one has not.
func (g *GlobalTable) IsStrong() bool { return g != nil && g.Strong }

// settle returns the global table without the transitions that have passed. It returns nil once
// there is only one replica, which is then a table like any other.
func (g *GlobalTable) settle(now time.Time) *GlobalTable {
	if g = g.Clone(); g == nil {
		return nil
	}
	g.Replicas = slices.DeleteFunc(g.Replicas, func(r Replica) bool { return r.State.At(now) == "" })
	for i := range g.Replicas {
		g.Replicas[i].State = g.Replicas[i].State.Settled(now)
		if denied := &g.Replicas[i].Denied; !denied.Until.IsZero() && !now.Before(denied.Until) {
			*denied = Denial{}
		}
	}
	if g.Witness.State.At(now) == "" {
		g.Witness = Witness{}
	}
	g.Witness.State = g.Witness.State.Settled(now)
	if len(g.Replicas) < 2 && g.Witness.Region == "" && g.Version == CurrentGlobal {
		return nil
	}
	return g
}

// describeGlobalTable adds the global table to the description of its replica in the owner's region.
func describeGlobalTable(o arn.Owner, d *api.TableDescription, s *Settings, now time.Time) {
	g := s.Global.settle(now)
	if s.Replicates != "" {
		d.GlobalTableSettingsReplicationMode = api.Ref(s.Replicates)
	}
	if g == nil || g.Version != CurrentGlobal {
		return
	}
	for i := range g.Replicas {
		r := &g.Replicas[i]
		if r.Region != o.Region {
			d.Replicas = append(d.Replicas, r.describe(o, d, s, now))
			continue
		}
		if !g.Strong {
			d.DisassociationProtectionEnabled = api.Ref(!r.Unprotected)
		}
		d.TableStatus = api.Ref(api.TableStatus(r.status(string(*d.TableStatus), now)))
	}
	d.GlobalTableVersion = api.Ref(g.Version)
	d.GlobalTableSettingsReplicationMode = api.Ref(g.settingsReplication())
	d.MultiRegionConsistency = api.Ref(g.consistency())
	if w := &g.Witness; w.Region != "" {
		d.GlobalTableWitnesses = []api.GlobalTableWitnessDescription{{RegionName: api.Ref(w.Region), WitnessStatus: api.Ref(api.WitnessStatus(w.State.At(now)))}}
	}
}

// NotAuthorized is the state of a replica whose resource-based policy does not allow replication.
const NotAuthorized = "REPLICATION_NOT_AUTHORIZED"

// status returns the state of a replica whose table is otherwise in a state.
func (r *Replica) status(otherwise string, now time.Time) string {
	if otherwise == Active && r.Denied.At(now) {
		return NotAuthorized
	}
	return otherwise
}

// Modes of the replication of settings.
const (
	ReplicatesSettings = api.GlobalTableSettingsReplicationMode("ENABLED")
	OverridesSettings  = api.GlobalTableSettingsReplicationMode("ENABLED_WITH_OVERRIDES")
)

// settingsReplication returns the mode of a global table (API Reference, CreateTable,
// GlobalTableSettingsReplicationMode).
func (g *GlobalTable) settingsReplication() api.GlobalTableSettingsReplicationMode {
	if g.SeveralAccounts() {
		return ReplicatesSettings
	}
	return OverridesSettings
}

func (g *GlobalTable) consistency() api.MultiRegionConsistency {
	if g.Strong {
		return "STRONG"
	}
	return "EVENTUAL"
}

func (r *Replica) describe(o arn.Owner, of *api.TableDescription, s *Settings, now time.Time) api.ReplicaDescription {
	d := api.ReplicaDescription{
		RegionName:                         api.Ref(r.Region),
		ReplicaStatus:                      api.Ref(api.ReplicaStatus(r.status(r.State.At(now), now))),
		ReplicaArn:                         api.Ref(r.owner(o).TableARN(string(*of.TableName))),
		WarmThroughput:                     describeWarm(s, now),
		GlobalTableSettingsReplicationMode: api.Ref(s.Global.settingsReplication()),
	}
	if r.Key != "" {
		d.KMSMasterKeyId = api.Ref(r.Key)
	}
	if r.Read != nil {
		d.ProvisionedThroughputOverride = &api.ProvisionedThroughputOverride{ReadCapacityUnits: api.Ref(api.PositiveLongObject(*r.Read))}
	}
	if r.MaxRead != nil {
		d.OnDemandThroughputOverride = &api.OnDemandThroughputOverride{MaxReadRequestUnits: api.Ref(*r.MaxRead)}
	}
	class := r.Class
	if class.Class == "" {
		class = s.Class
	}
	if class.Class != "" {
		d.ReplicaTableClassSummary = &api.TableClassSummary{TableClass: api.Ref(class.Class), LastUpdateDateTime: Timestamp(class.Changed)}
	}
	for i := range s.Indexes {
		if is := &s.Indexes[i]; is.Gone == nil {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, r.describeIndex(s, is, now))
		}
	}
	return d
}

func (r *Replica) describeIndex(s *Settings, is *IndexSettings, now time.Time) api.ReplicaGlobalSecondaryIndexDescription {
	d := api.ReplicaGlobalSecondaryIndexDescription{
		IndexName:      api.Ref(api.IndexName(is.Name)),
		WarmThroughput: describeIndexWarm(s, is, is.State.At(now), now),
	}
	if ix := r.index(is.Name); ix != nil && ix.Read != nil {
		d.ProvisionedThroughputOverride = &api.ProvisionedThroughputOverride{ReadCapacityUnits: api.Ref(api.PositiveLongObject(*ix.Read))}
	}
	if ix := r.index(is.Name); ix != nil && ix.MaxRead != nil {
		d.OnDemandThroughputOverride = &api.OnDemandThroughputOverride{MaxReadRequestUnits: api.Ref(*ix.MaxRead)}
	}
	return d
}

// index returns the overrides of an index, or nil.
func (r *Replica) index(name string) *ReplicaIndex {
	for i := range r.Indexes {
		if r.Indexes[i].Name == name {
			return &r.Indexes[i]
		}
	}
	return nil
}

// ReplicaSpec has the overrides in a request that creates or updates a replica.
type ReplicaSpec struct {
	Region      string
	Key         *string
	Provisioned *api.ProvisionedThroughputOverride
	OnDemand    *api.OnDemandThroughputOverride
	Class       *api.TableClass
	Indexes     []api.ReplicaGlobalSecondaryIndex
}

// Set sets the given overrides of a replica, and keeps the others. s are the settings of the
// replica's table, which Set changes as well.
func (r *Replica) Set(spec *ReplicaSpec, s *Settings, now time.Time) error {
	if err := spec.check(s); err != nil {
		return err
	}
	if spec.Provisioned != nil && spec.Provisioned.ReadCapacityUnits != nil {
		r.Read = api.Ref(int64(*spec.Provisioned.ReadCapacityUnits))
	}
	if spec.OnDemand != nil && spec.OnDemand.MaxReadRequestUnits != nil {
		r.MaxRead = api.Ref(*spec.OnDemand.MaxReadRequestUnits)
	}
	if spec.Class != nil {
		r.Class = TableClass{Class: *api.Clone(spec.Class), Changed: now}
	}
	for i := range spec.Indexes {
		r.setIndex(&spec.Indexes[i])
	}
	r.Override(s)
	return nil
}

func (r *Replica) setIndex(in *api.ReplicaGlobalSecondaryIndex) {
	ix := r.index(string(*in.IndexName))
	if ix == nil {
		r.Indexes = append(r.Indexes, ReplicaIndex{Name: string(*api.Clone(in.IndexName))})
		ix = &r.Indexes[len(r.Indexes)-1]
	}
	if in.ProvisionedThroughputOverride != nil && in.ProvisionedThroughputOverride.ReadCapacityUnits != nil {
		ix.Read = api.Ref(int64(*in.ProvisionedThroughputOverride.ReadCapacityUnits))
	}
	if in.OnDemandThroughputOverride != nil && in.OnDemandThroughputOverride.MaxReadRequestUnits != nil {
		ix.MaxRead = api.Ref(*in.OnDemandThroughputOverride.MaxReadRequestUnits)
	}
}

// check checks overrides against the settings of the table.
func (spec *ReplicaSpec) check(s *Settings) error {
	if spec.Provisioned != nil && s.Billing.OnDemandMode() {
		return apierr.BadParameter("ProvisionedThroughputOverride cannot be specified when BillingMode is PAY_PER_REQUEST")
	}
	if spec.OnDemand != nil && !s.Billing.OnDemandMode() {
		return apierr.BadParameter("OnDemandThroughputOverride cannot be specified when BillingMode is PROVISIONED")
	}
	if spec.OnDemand != nil && spec.OnDemand.MaxReadRequestUnits != nil {
		if n := *spec.OnDemand.MaxReadRequestUnits; n < noMaximum || n == 0 {
			return apierr.BadParameter("Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range")
		}
	}
	for i := range spec.Indexes {
		if name := string(*spec.Indexes[i].IndexName); s.Index(name) == nil {
			return apierr.BadParameter("Index %s does not exist in the table", name)
		}
	}
	return nil
}

// Override puts the overrides of a replica in the place of the settings that its table shares with
// the other replicas.
func (r *Replica) Override(s *Settings) {
	s.Capacity.override(s.Billing.Mode, r.Read, r.MaxRead)
	for _, ix := range r.Indexes {
		if is := s.Index(ix.Name); is != nil {
			is.Capacity.override(s.Billing.Mode, ix.Read, ix.MaxRead)
		}
	}
	if r.Class.Class != "" {
		s.Class = r.Class
	}
}

func (c *Capacity) override(mode api.BillingMode, read, maxRead *int64) {
	if read != nil && mode != PayPerRequest {
		c.Provisioned.Units.Read = *read
	}
	if maxRead != nil && mode == PayPerRequest {
		c.OnDemand.Set(&api.OnDemandThroughput{MaxReadRequestUnits: maxRead})
	}
}

// ForReplica returns the settings of a table that is created as a replica of the table with s. It
// shares with it what the Developer Guide, "How DynamoDB global tables work", "Settings", says is
// synchronized.
func (s *Settings) ForReplica(o arn.Owner, spec *ReplicaSpec, now time.Time) *Settings {
	c := s.Clone()
	c.Tags, c.Protected, c.Restored, c.State = nil, false, nil, Transition{}
	c.Policies, c.Kinesis, c.Insights = nil, nil, Insights{}
	if spec.Key != nil {
		c.Encryption = encryption{Key: keyARN(o, *spec.Key)}
	} else if c.Encryption.Key != "" {
		c.Encryption = encryption{Key: keyARN(o, managedKey)}
	}
	if c.Stream.Enabled {
		c.Stream = streamSettings{Enabled: true, view: s.Stream.view}
	}
	for i := range c.Indexes {
		c.Indexes[i].Gone, c.Indexes[i].Insights = nil, Insights{}
	}
	c.Vectors = slices.DeleteFunc(c.Vectors, func(ix VectorSettings) bool { return ix.Gone != nil })
	return c
}

// EnableReplication enables the stream that replication needs, unless it is enabled. It reports
// whether the stream has to be started.
func (s *Settings) EnableReplication(now time.Time) (start bool, err error) {
	switch {
	case !s.Stream.Enabled:
		s.Stream = streamSettings{Enabled: true, view: "NEW_AND_OLD_IMAGES", label: now.UTC().Format(labelForm)}
		return true, nil
	case s.Stream.view != "NEW_AND_OLD_IMAGES":
		return false, apierr.BadParameter("Table must have a stream with the view type NEW_AND_OLD_IMAGES to be replicated")
	}
	return false, nil
}

// HasBothImages reports whether the table has a stream with both images.
func (s *Settings) HasBothImages() bool {
	return s.Stream.Enabled && s.Stream.view == "NEW_AND_OLD_IMAGES"
}

// globalRecord is a GlobalTable in a record.
type globalRecord struct {
	Version  string
	Strong   bool `json:",omitempty"`
	Replicas []replicaRecord
	Witness  *witnessRecord `json:",omitempty"`
	Created  storage.Instant
}

type replicaRecord struct {
	Region        string
	Account       string `json:",omitempty"`
	State         transitionRecord
	Sourced       storage.Instant
	Key           string `json:",omitempty"`
	Read, MaxRead *int64 `json:",omitempty"`
	Class         classRecord
	Indexes       []ReplicaIndex `json:",omitempty"`
	Unprotected   bool           `json:",omitempty"`
	Denied        *denialRecord  `json:",omitempty"`
}

type denialRecord struct{ From, Until storage.Instant }

type witnessRecord struct {
	Region string
	State  transitionRecord
}

func recordGlobal(g *GlobalTable) *globalRecord {
	if g == nil {
		return nil
	}
	r := &globalRecord{Version: g.Version, Strong: g.Strong, Created: storage.InstantOf(g.Created)}
	for _, m := range g.Replicas {
		r.Replicas = append(r.Replicas, replicaRecord{m.Region, m.Account, recordTransition(m.State), storage.InstantOf(m.Sourced), m.Key, m.Read, m.MaxRead,
			classRecord{m.Class.Class, storage.InstantOf(m.Class.Changed)}, m.Indexes, m.Unprotected, recordDenial(m.Denied)})
	}
	if g.Witness.Region != "" {
		r.Witness = &witnessRecord{g.Witness.Region, recordTransition(g.Witness.State)}
	}
	return r
}

func recordDenial(d Denial) *denialRecord {
	if d.From.IsZero() {
		return nil
	}
	return &denialRecord{storage.InstantOf(d.From), storage.InstantOf(d.Until)}
}

func (r *denialRecord) denial() Denial {
	if r == nil {
		return Denial{}
	}
	return Denial{r.From.Time(), r.Until.Time()}
}

func (r *globalRecord) global() *GlobalTable {
	if r == nil {
		return nil
	}
	g := &GlobalTable{Version: r.Version, Strong: r.Strong, Created: r.Created.Time()}
	for _, m := range r.Replicas {
		g.Replicas = append(g.Replicas, Replica{m.Region, m.Account, m.State.transition(), m.Sourced.Time(), m.Key, m.Read, m.MaxRead,
			TableClass{m.Class.Class, m.Class.Changed.Time()}, m.Indexes, m.Unprotected, m.Denied.denial()})
	}
	if r.Witness != nil {
		g.Witness = Witness{r.Witness.Region, r.Witness.State.transition()}
	}
	return g
}
