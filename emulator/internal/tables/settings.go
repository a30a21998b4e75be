package tables

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
)

// Settings holds the data of a table besides its key, the schemas of its indexes and its items.
// Storage keeps it as its storage.Settings. Settings are never modified: a change makes a Clone,
// changes that, and sets it. None of the strings is part of a request.
type Settings struct {
	Definitions []api.AttributeDefinition
	Billing     Billing
	Capacity    Capacity
	Indexes     []IndexSettings  // of the global indexes, those being deleted included
	Vectors     []VectorSettings // as Indexes
	Stream      streamSettings
	Kinesis     Destinations
	Insights    Insights
	TTL         TimeToLive
	Encryption  encryption
	Class       TableClass
	Tags        []api.Tag
	Policies    []ResourcePolicy // resource-based
	Protected   bool             // DeletionProtectionEnabled
	Restored    *Restored
	Scaling     []Scaling
	Global      *GlobalTable                           // nil: the table is no replica
	Replicates  api.GlobalTableSettingsReplicationMode // whether replicas in other accounts may get the settings; "" if it was never given
	State       Transition
}

// IndexSettings holds the data of a global index besides its schema.
type IndexSettings struct {
	Name     string
	Capacity Capacity
	State    Transition
	Online   bool      // created by UpdateTable, and therefore backfilled
	Backfill time.Time // when that began
	Insights Insights

	// The schema of an index that is being deleted and is no longer in storage.
	Gone  *storage.IndexSchema
	Stats storage.Stats
}

// Billing is a table's capacity mode.
type Billing struct {
	Mode     api.BillingMode
	OnDemand time.Time // when PAY_PER_REQUEST was last set; zero: never
	Pending  bool      // it is being set
}

// Capacity is the throughput of a table or global index.
type Capacity struct {
	Provisioned provisioned
	OnDemand    OnDemand
	Warm        warm
}

// provisioned is the provisioned throughput; zero with PAY_PER_REQUEST.
type provisioned struct {
	Units        Units
	Before       *Units // while the table or index is being updated, what there was before
	lastIncrease time.Time
	lastDecrease time.Time
	decreases    int64 // on the UTC day of the last decrease
}

// Units are read and write units, per second.
type Units struct{ Read, Write int64 }

// OnDemand is the maximum throughput of a PAY_PER_REQUEST table; nil if it was never given.
type OnDemand struct{ *Units }

// noMaximum means no maximum in an OnDemand (API Reference, OnDemandThroughput).
const noMaximum = -1

// warm is the requested warm throughput. Zero means the default of the table or index.
type warm struct {
	units  Units
	Before Units // shown until the state passes
	State  Transition
}

// streamSettings is a table's stream. A stream that is disabled keeps its label.
type streamSettings struct {
	Enabled bool
	view    api.StreamViewType
	label   string // "" if there never was a stream
}

// encryption is server-side encryption with a KMS key; without one, DynamoDB's own key is used.
type encryption struct {
	Key    string // ARN; "" for DynamoDB's own
	Before string // the old key, shown until the state passes
	State  Transition
}

// TableClass is the class of a table, empty if it was never given.
type TableClass struct {
	Class   api.TableClass
	Changed time.Time
}

// NoSettings are the settings of a table that CreateTable did not make.
var NoSettings = &Settings{}

// SettingsOf returns a table's settings. The caller must not modify them.
func SettingsOf(tx *storage.Tx, t *storage.Table) *Settings { return settingsIn(tx.Settings(t)) }

// settingsIn returns the Settings that storage keeps for a table, or NoSettings.
func settingsIn(kept storage.Settings) *Settings {
	if kept == nil {
		return NoSettings
	}
	return kept.(*Settings)
}

// Clone returns a copy that may be modified.
func (s *Settings) Clone() *Settings {
	c := *s
	c.Definitions = slices.Clone(s.Definitions)
	c.Indexes = slices.Clone(s.Indexes)
	c.Vectors = slices.Clone(s.Vectors)
	c.Kinesis = slices.Clone(s.Kinesis)
	c.Tags = slices.Clone(s.Tags)
	c.Scaling = slices.Clone(s.Scaling)
	c.Global = s.Global.Clone()
	c.Policies = slices.Clone(s.Policies)
	return &c
}

// Index returns the settings of a global index that is not being deleted, or nil.
func (s *Settings) Index(name string) *IndexSettings {
	for i := range s.Indexes {
		if ix := &s.Indexes[i]; ix.Name == name && ix.Gone == nil {
			return ix
		}
	}
	return nil
}

// OnDemandMode reports whether the table is PAY_PER_REQUEST.
func (b Billing) OnDemandMode() bool { return b.Mode == PayPerRequest }

const (
	PayPerRequest   = "PAY_PER_REQUEST"
	ProvisionedMode = "PROVISIONED"
)

// Settle returns settings without the transitions that have passed, so that requests need not read
// the clock.
func (s *Settings) Settle(now time.Time) *Settings {
	s = s.Clone()
	s.State = s.State.Settled(now)
	s.Capacity.Warm.State = s.Capacity.Warm.State.Settled(now)
	if s.State.At(now) == Active {
		s.Capacity.Provisioned.Before = nil
		s.Billing.Pending = false
	}
	s.Encryption.State = s.Encryption.State.Settled(now)
	s.Global = s.Global.settle(now)
	s.Indexes = slices.DeleteFunc(s.Indexes, func(ix IndexSettings) bool { return ix.State.At(now) == "" })
	for i := range s.Indexes {
		ix := &s.Indexes[i]
		ix.State = ix.State.Settled(now)
		ix.Capacity.Warm.State = ix.Capacity.Warm.State.Settled(now)
		if ix.State.At(now) == Active {
			ix.Capacity.Provisioned.Before = nil
		}
	}
	s.settleVectors(now)
	return s
}
