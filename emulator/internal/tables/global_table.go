package tables

import (
	"cmp"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// Versions of global tables (Developer Guide, "DynamoDB global tables versions").
const (
	CurrentGlobal = "2019.11.21"
	LegacyGlobal  = "2017.11.29"
)

// GlobalTable holds what each replica knows of its global table. All replicas have the same, and an
// update of one changes it in all of them in one commit.
type GlobalTable struct {
	Version  string
	Strong   bool      // multi-Region strong consistency (MRSC)
	Replicas []Replica // sorted by creation; those being deleted included
	Witness  Witness
	Created  time.Time
}

// Replica is a member of a global table.
type Replica struct {
	Region string // no two replicas are in the same one
	// its account in a multi-account global table, where each replica has another one; "" otherwise
	Account string
	State   Transition // CREATING, UPDATING or DELETING
	Sourced time.Time  // the last time that a replica was created from this one; zero: never
	// the region of the replica that it was created from, its own for the first one; "" in journals
	// of older versions
	Source      string
	Key         string     // the KMS key that was given for the replica; "" for none
	Read        *int64     // ProvisionedThroughputOverride; nil for none
	MaxRead     *int64     // OnDemandThroughputOverride; nil for none
	Class       TableClass // TableClassOverride; empty for none
	Indexes     []ReplicaIndex
	Unprotected bool   // disassociation is allowed
	Denied      Denial // nobody replicates to and from it
}

// sourceRest is how long a replica cannot be deleted after another one was created from it.
const sourceRest = 24 * time.Hour

// Sourcing reports whether a replica cannot be deleted because another one that is still there was
// created from it not long ago (ack-api-quirks, DDB-TABLE-266 and 267).
func (g *GlobalTable) Sourcing(r *Replica, now time.Time) bool {
	if !now.Before(r.Sourced.Add(sourceRest)) {
		return false
	}
	for i := range g.Replicas {
		other := &g.Replicas[i]
		if other.Region != r.Region && other.State.At(now) != "" &&
			(other.Source == r.Region || other.Source == "") {
			return true
		}
	}
	return false
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

// Witness is the witness of a global table with strong consistency. Region is "" without a witness.
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

// SeveralAccounts reports whether this is a multi-account global table. A nil GlobalTable is not.
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
	g.Replicas = slices.DeleteFunc(g.Replicas,
		func(r Replica) bool { return r.State.At(now) == "" })
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

// notAuthorized is the state of a replica whose resource-based policy does not allow replication.
const notAuthorized = "REPLICATION_NOT_AUTHORIZED"

// status returns the state of a replica whose table is otherwise in a state.
func (r *Replica) status(otherwise string, now time.Time) string {
	if otherwise == Active && r.Denied.At(now) {
		return notAuthorized
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

// index returns the overrides of an index, or nil.
func (r *Replica) index(name string) *ReplicaIndex {
	for i := range r.Indexes {
		if r.Indexes[i].Name == name {
			return &r.Indexes[i]
		}
	}
	return nil
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
	Source        string `json:",omitempty"`
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
		r.Replicas = append(r.Replicas,
			replicaRecord{m.Region, m.Account, recordTransition(m.State),
				storage.InstantOf(m.Sourced), m.Source, m.Key, m.Read, m.MaxRead,
				recordClass(m.Class), m.Indexes, m.Unprotected, recordDenial(m.Denied)})
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
		g.Replicas = append(g.Replicas,
			Replica{m.Region, m.Account, m.State.transition(), m.Sourced.Time(),
				m.Source, m.Key,
				m.Read, m.MaxRead,
				m.Class.class(), m.Indexes, m.Unprotected, m.Denied.denial()})
	}
	if r.Witness != nil {
		g.Witness = Witness{r.Witness.Region, r.Witness.State.transition()}
	}
	return g
}
