package metering

import (
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// Developer Guide, "Burst capacity": "up to 5 minutes (300 seconds) of unused read
// and write capacity"; "Designing partition keys": 3000 read and 1000 write units.
const (
	usualBurst           = 300 * time.Second
	usualPartitionReads  = 3000
	usualPartitionWrites = 1000
)

// Limits are the limits that a meter enforces: see WithThroughput.
type Limits struct {
	Burst                           time.Duration
	PartitionReads, PartitionWrites float64
}

// Meter enforces limits of throughput.
type Meter struct {
	burst  float64 // seconds
	reads  float64 // units of a partition, a second; 0: no limit
	writes float64

	mu      sync.Mutex
	buckets map[bucketKey]*bucket
}

// bucketKey identifies a limit.
type bucketKey struct {
	table     string // its id
	index     string // "": the table
	write     bool
	partition bool // it is of the partition key with a hash
	hash      uint64
}

// bucket holds the units that are left of a limit. A missing bucket is full.
type bucket struct {
	units    float64 // negative after a use of more than there was
	at       time.Time
	rate     float64 // a second
	capacity float64
}

// maxBuckets limits the number of buckets. Each partition key in use has one.
const maxBuckets = 1 << 16

// NewMeter returns a meter whose limits are all unused.
func NewMeter(t Limits) *Meter {
	m := &Meter{
		burst: usualBurst.Seconds(), reads: usualPartitionReads, writes: usualPartitionWrites,
		buckets: map[bucketKey]*bucket{},
	}
	if t.Burst != 0 {
		m.burst = max(t.Burst, 0).Seconds()
	}
	if t.PartitionReads != 0 {
		m.reads = max(t.PartitionReads, 0)
	}
	if t.PartitionWrites != 0 {
		m.writes = max(t.PartitionWrites, 0)
	}
	return m
}

// Demand is a use of the throughput of a table or a global index.
type Demand struct {
	Table *storage.Table
	Index *storage.Index // nil: the table
	Write bool
	Keyed bool   // it is of one partition key
	Hash  uint64 // the hash of the partition key
	Units float64
}

// limitOf returns the rate of a table or global index and the kind of its limit. The rate is 0 if
// there is no limit.
func limitOf(tx *storage.Tx, d *Demand, now time.Time) (rate float64, limit string, onDemand bool) {
	s := tables.SettingsOf(tx, d.Table)
	onDemand = s.Billing.OnDemandMode()
	c, state := &s.Capacity, s.State
	if d.Index != nil {
		ix := s.Index(d.Index.Name)
		if ix == nil {
			return 0, "", onDemand
		}
		c, state = &ix.Capacity, ix.State
	}
	most := c.OnDemand.Units
	limit = fault.OnDemandLimit
	if !onDemand {
		most, limit = &c.Provisioned.Units, fault.ProvisionedLimit
		if before := c.Provisioned.Before; before != nil && state.At(now) == tables.Updating {
			most = before
		}
	}
	switch {
	case most == nil:
	case d.Write:
		rate = float64(most.Write)
	default:
		rate = float64(most.Read)
	}
	return max(rate, 0), limit, onDemand
}

// use is a bucket of a demand and the units that the demand takes from it.
type use struct {
	bucket *bucket
	units  float64
}

// find appends the buckets of a demand and returns the limit of one that is empty. The caller holds
// m.mu.
func (m *Meter) find(tx *storage.Tx, now time.Time, uses []use, d *Demand) (_ []use,
	over *apierr.Exceeded) {
	rate, limit, onDemand := limitOf(tx, d, now)
	x := apierr.Exceeded{Table: d.Table.Name, Write: d.Write, Limit: limit, OnDemand: onDemand}
	key := bucketKey{table: d.Table.ID, write: d.Write}
	if d.Index != nil {
		x.Index, key.index = d.Index.Name, d.Index.Name
	}
	if rate > 0 {
		seconds := 1.0
		if limit == fault.ProvisionedLimit {
			seconds = max(m.burst, 1)
		}
		b := m.bucket(key, d.Table.Created, now, rate, rate*seconds)
		if b.units <= 0 {
			exceeded := x
			over = &exceeded
		}
		uses = append(uses, use{b, d.Units})
	}
	rate = m.reads
	if d.Write {
		rate = m.writes
	}
	if d.Keyed && rate > 0 {
		key.partition, key.hash = true, d.Hash
		b := m.bucket(key, d.Table.Created, now, rate, rate)
		if b.units <= 0 && over == nil {
			x.Limit = fault.KeyRangeLimit
			over = &x
		}
		uses = append(uses, use{b, d.Units})
	}
	return uses, over
}

// bucket returns a bucket, filled up to now. The caller holds m.mu.
func (m *Meter) bucket(key bucketKey, created, now time.Time, rate, capacity float64) *bucket {
	b := m.buckets[key]
	if b == nil {
		if len(m.buckets) >= maxBuckets {
			m.sweep(now)
		}
		b = &bucket{units: rate, at: created}
		m.buckets[key] = b
	}
	b.rate, b.capacity = rate, capacity
	b.fill(now)
	return b
}

// fill adds the units that have accrued since the last fill.
func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at); passed > 0 {
		b.units += passed.Seconds() * b.rate
	}
	b.units, b.at = min(b.units, b.capacity), now
}

// sweep makes room. It drops full buckets, which are equal to missing ones. If too many remain, it
// drops all.
func (m *Meter) sweep(now time.Time) {
	for key, b := range m.buckets {
		if b.fill(now); b.units >= b.capacity {
			delete(m.buckets, key)
		}
	}
	if len(m.buckets) > maxBuckets/2 {
		clear(m.buckets)
	}
}

// Check returns the limit that one of the demands would exceed, or nil.
func (m *Meter) Check(tx *storage.Tx, now time.Time, demands ...Demand) *apierr.Exceeded {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, over := m.findAll(tx, now, demands)
	return over
}

// Reserve takes the units of all demands from their buckets. If one of them would exceed a limit,
// it returns the limit and takes nothing.
func (m *Meter) Reserve(tx *storage.Tx, now time.Time, demands ...Demand) *apierr.Exceeded {
	m.mu.Lock()
	defer m.mu.Unlock()
	uses, over := m.findAll(tx, now, demands)
	if over == nil {
		takeOut(uses)
	}
	return over
}

// Charge takes the units of the demands from their buckets, even if a bucket is empty.
func (m *Meter) Charge(tx *storage.Tx, now time.Time, demands ...Demand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	uses, _ := m.findAll(tx, now, demands)
	takeOut(uses)
}

// findAll returns the buckets of demands, and the first limit that a demand exceeds. The caller
// holds m.mu.
func (m *Meter) findAll(tx *storage.Tx, now time.Time, demands []Demand) (uses []use,
	first *apierr.Exceeded) {
	for i := range demands {
		var over *apierr.Exceeded
		if uses, over = m.find(tx, now, uses, &demands[i]); first == nil {
			first = over
		}
	}
	return uses, first
}

// takeOut takes units from buckets. The caller holds the meter's lock.
func takeOut(uses []use) {
	for i := range uses {
		uses[i].bucket.units -= uses[i].units
	}
}
