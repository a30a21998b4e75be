package tables

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// Settings holds the data of a table besides its key, the schemas of its indexes and its items.
// Storage keeps it as its storage.Settings. Settings are never modified: a change makes a Clone,
// changes that, and sets it. None of the strings is part of a request.
type Settings struct {
	Definitions []api.AttributeDefinition
	Billing     Billing
	Capacity    Capacity
	Indexes     []IndexSettings  // global indexes, those being deleted included
	Vectors     []VectorSettings // vector indexes, those being deleted included
	Stream      streamSettings
	Kinesis     Destinations
	Insights    Insights
	TTL         TimeToLive
	Encryption  encryption
	Class       TableClass
	Tags        []api.Tag
	StreamTags  []api.Tag        // the tags of the latest stream
	Policies    []ResourcePolicy // resource-based
	Protected   bool             // DeletionProtectionEnabled
	Restored    *Restored
	Scaling     []Scaling
	Global      *GlobalTable // nil: the table is no replica
	// whether replicas in other accounts may get the settings; "" if it was never given
	Replicates api.GlobalTableSettingsReplicationMode
	State      Transition
	Changing   Change // the change of a table that is UPDATING
	Past       Past   // kept with quotas only
}

// IndexSettings holds the data of a global index besides its schema.
type IndexSettings struct {
	Name     string
	Capacity Capacity
	State    Transition
	Online   bool      // created by UpdateTable, and therefore backfilled
	Backfill time.Time // the beginning of the backfilling
	Insights Insights

	// The schema of an index that is being deleted and is no longer in storage.
	Gone  *storage.IndexSchema
	Stats storage.Stats
}

// noSettings are the settings of a table that CreateTable did not make.
var noSettings = &Settings{}

// SettingsOf returns a table's settings. The caller must not modify them.
func SettingsOf(tx *storage.Tx, t *storage.Table) *Settings {
	return settingsIn(tx.Tables().Settings(t))
}

// Seen returns a table that requests see at a time, or nil. A deleted table is kept for a while.
func Seen(tx *storage.Tx, name string, now time.Time) *storage.Table {
	t := tx.Table(name)
	if t == nil || SettingsOf(tx, t).State.At(now) == "" {
		return nil
	}
	return t
}

// settingsIn returns the Settings that storage keeps for a table, or noSettings.
func settingsIn(kept storage.Settings) *Settings {
	if kept == nil {
		return noSettings
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
	c.Tags, c.StreamTags = slices.Clone(s.Tags), slices.Clone(s.StreamTags)
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

// Settle returns settings without the transitions that have passed, so that requests need not read
// the clock.
func (s *Settings) Settle(now time.Time) *Settings {
	s = s.Clone()
	s.State = s.State.Settled(now)
	s.Capacity.Warm.State = s.Capacity.Warm.State.Settled(now)
	if s.State.At(now) == Active {
		s.Capacity.Provisioned.Before = nil
		s.Billing.Pending, s.Changing, s.Class.Before = false, "", nil
	}
	s.Encryption.State = s.Encryption.State.Settled(now)
	s.Global = s.Global.settle(now)
	s.Indexes = slices.DeleteFunc(s.Indexes,
		func(ix IndexSettings) bool { return ix.State.At(now) == "" })
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

// Vector returns the settings of a vector index that is not being deleted, or nil.
func (s *Settings) Vector(name string) *VectorSettings {
	for i := range s.Vectors {
		if ix := &s.Vectors[i]; ix.Name == name && ix.Gone == nil {
			return ix
		}
	}
	return nil
}

// settleVectors removes the transitions of vector indexes that have passed.
func (s *Settings) settleVectors(now time.Time) {
	s.Vectors = slices.DeleteFunc(s.Vectors,
		func(ix VectorSettings) bool { return ix.State.At(now) == "" })
	for i := range s.Vectors {
		if ix := &s.Vectors[i]; !ix.Arriving(now) {
			ix.State = ix.State.Settled(now)
		}
	}
}

// Restored records the source that a table was restored from. It never changes.
type Restored struct {
	Backup string // the ARN of the backup, "" if the table was restored to a point in time
	Source string // the ARN of the table
	At     time.Time
}

// From returns the ARN of what the table was restored from, "" for nothing.
func (r *Restored) From() string {
	switch {
	case r == nil:
		return ""
	case r.Backup == "": // the source is a table: inferred
		return r.Source
	}
	return r.Backup
}

// restoring reports whether the table is being restored.
func (s *Settings) restoring(now time.Time) bool {
	return s.Restored != nil && s.State.At(now) == Creating
}

// PolicyOf returns the policy of the table, or of the stream with a label. It is empty if there
// never was one.
func (s *Settings) PolicyOf(stream string) ResourcePolicy {
	for _, p := range s.Policies {
		if p.Stream == stream {
			return p
		}
	}
	return ResourcePolicy{Stream: stream}
}

// WithPolicy returns settings with a changed policy. It drops the policies of streams for which
// exists returns false.
func (s *Settings) WithPolicy(changed ResourcePolicy, exists func(stream string) bool) *Settings {
	s = s.Clone()
	s.Policies = slices.DeleteFunc(s.Policies, func(p ResourcePolicy) bool {
		return p.Stream == changed.Stream || p.Stream != "" && !exists(p.Stream)
	})
	s.Policies = append(s.Policies, changed)
	return s
}
