package emulator

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/storage"
)

// tableSettings is what a table remembers besides its key, its indexes' schemas
// and its items: the emulator's part of a table, kept by storage as its
// Settings. It is never modified: a change makes a clone, changes that, and sets it.
// None of its strings is a part of a request.
type tableSettings struct {
	definitions []api.AttributeDefinition
	billing     billing
	capacity    capacity
	indexes     []indexSettings // of the global indexes, those being deleted included
	stream      streamSettings
	ttl         timeToLive
	encryption  encryption
	class       tableClass
	tags        []api.Tag
	protected   bool // DeletionProtectionEnabled
	state       transition
}

// indexSettings is what a global index remembers besides its schema.
type indexSettings struct {
	name     string
	capacity capacity
	state    transition
	online   bool      // created by UpdateTable, and therefore backfilled
	backfill time.Time // when that began

	// Once it is being deleted the index is no longer in storage; what is left of it is this.
	gone  *storage.IndexSchema
	stats storage.Stats
}

// billing is a table's capacity mode.
type billing struct {
	mode     api.BillingMode
	onDemand time.Time // when PAY_PER_REQUEST was last set; zero: never
	pending  bool      // it is being set
}

// capacity is the throughput of a table or global index.
type capacity struct {
	provisioned provisioned
	onDemand    onDemand
	warm        warm
}

// provisioned is the provisioned throughput; zero with PAY_PER_REQUEST.
type provisioned struct {
	units        units
	before       *units // while the table or index is being updated, what there was before
	lastIncrease time.Time
	lastDecrease time.Time
	decreases    int64 // on the UTC day of the last decrease
}

// units are read and write units, per second.
type units struct{ read, write int64 }

// onDemand is the maximum throughput of a PAY_PER_REQUEST table; nil if it was never given.
type onDemand struct{ *units }

// noMaximum stands for no maximum in an onDemand (API Reference, OnDemandThroughput).
const noMaximum = -1

// warm is the warm throughput asked for; zero: what there is by itself.
type warm struct {
	units  units
	before units // what is described until the state passes
	state  transition
}

// streamSettings is a table's stream. A stream that is disabled keeps its label.
type streamSettings struct {
	enabled bool
	view    api.StreamViewType
	label   string // "" if there never was a stream
}

// encryption is server-side encryption with a KMS key; without one, DynamoDB's own key is used.
type encryption struct {
	key    string // ARN; "" for DynamoDB's own
	before string // the key that there was until the state passes
	state  transition
}

// tableClass is the class of a table, if it was ever given.
type tableClass struct {
	class   api.TableClass
	changed time.Time
}

// noSettings are those of a table that was not made by CreateTable.
var noSettings = &tableSettings{}

// settingsOf returns a table's settings, which are not to be modified.
func settingsOf(tx *storage.Tx, t *storage.Table) *tableSettings {
	if s, ok := tx.Settings(t).(*tableSettings); ok {
		return s
	}
	return noSettings
}

// clone returns a copy that may be modified.
func (s *tableSettings) clone() *tableSettings {
	c := *s
	c.definitions = slices.Clone(s.definitions)
	c.indexes = slices.Clone(s.indexes)
	c.tags = slices.Clone(s.tags)
	return &c
}

// index returns the settings of a global index that is not being deleted, or nil.
func (s *tableSettings) index(name string) *indexSettings {
	for i := range s.indexes {
		if ix := &s.indexes[i]; ix.name == name && ix.gone == nil {
			return ix
		}
	}
	return nil
}

// onDemandMode reports whether the table is PAY_PER_REQUEST.
func (b billing) onDemandMode() bool { return b.mode == payPerRequest }

const (
	payPerRequest   = "PAY_PER_REQUEST"
	provisionedMode = "PROVISIONED"
)

// settle returns settings in which the transitions that have passed are
// forgotten, which keeps activeTable from asking the clock.
func (s *tableSettings) settle(now time.Time) *tableSettings {
	s = s.clone()
	s.state = s.state.settled(now)
	s.capacity.warm.state = s.capacity.warm.state.settled(now)
	if s.state.at(now) == active {
		s.capacity.provisioned.before = nil
		s.billing.pending = false
	}
	s.encryption.state = s.encryption.state.settled(now)
	s.indexes = slices.DeleteFunc(s.indexes, func(ix indexSettings) bool { return ix.state.at(now) == "" })
	for i := range s.indexes {
		ix := &s.indexes[i]
		ix.state = ix.state.settled(now)
		ix.capacity.warm.state = ix.capacity.warm.state.settled(now)
		if ix.state.at(now) == active {
			ix.capacity.provisioned.before = nil
		}
	}
	return s
}
