package emulator

import (
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// Throughput says how limits of throughput are enforced: see WithThroughput. The
// zero Throughput is as the service does it.
type Throughput struct {
	// Burst is for how long the capacity that a provisioned table or global index
	// does not use is kept for later; 0 is 5 minutes, and negative is not at all.
	Burst time.Duration
	// PartitionReads and PartitionWrites are the units that the items with one
	// partition key, of a table or global index, have a second; 0 is 3000 and 1000,
	// and negative is no limit.
	PartitionReads, PartitionWrites float64
}

// WithThroughput has the service throttle requests that exceed the provisioned
// throughput of tables and global indexes, the OnDemandThroughput of tables and
// indexes that are PAY_PER_REQUEST, and what a partition can do. By default nothing
// is ever throttled.
//
// Each limit is a bucket that its units flow into, by the service's clock, and
// that holds a second's worth, or for provisioned throughput that of the burst,
// counted from the creation of the table. A request is let through as long as there
// is anything in the buckets of all that it uses; what it uses is then taken out,
// even if it is more. That goes for the bytes that are read and written as capacity
// units count them, twice for the items of transactions, for failed conditions, and
// for the global indexes that a write changes, which throttle it when they have no more.
//
// A batch leaves unprocessed what is throttled, and is throttled itself if that is
// everything. A transaction is canceled. A Fork has buckets of its own, in which
// nothing was used yet.
func WithThroughput(t Throughput) Option {
	return func(s *settings) { s.throughput = &t }
}

// Developer Guide, "Burst capacity": "up to 5 minutes (300 seconds) of unused read
// and write capacity"; "Designing partition keys": 3000 read and 1000 write units.
const (
	usualBurst           = 300 * time.Second
	usualPartitionReads  = 3000
	usualPartitionWrites = 1000
)

// meter enforces limits of throughput. A nil one enforces none.
type meter struct {
	burst  float64 // seconds
	reads  float64 // of a partition, a second; 0: no limit
	writes float64

	mu      sync.Mutex
	buckets map[bucketKey]*bucket
}

// bucketKey names a limit.
type bucketKey struct {
	table     string // its id
	index     string // "": the table
	write     bool
	partition bool // it is of the partition key with a hash
	hash      uint64
}

// bucket is what is left of a limit. One that is not there was never used.
type bucket struct {
	units    float64 // below 0 if a use was more than there was
	at       time.Time
	rate     float64 // a second
	capacity float64
}

// maxBuckets bounds how many buckets there are: one for each partition key in use.
const maxBuckets = 1 << 16

func newMeter(t *Throughput) *meter {
	if t == nil {
		return nil
	}
	m := &meter{burst: usualBurst.Seconds(), reads: usualPartitionReads, writes: usualPartitionWrites, buckets: map[bucketKey]*bucket{}}
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

// demand is a use of the throughput of a table or a global index.
type demand struct {
	table *storage.Table
	index *storage.Index // nil: the table
	write bool
	keyed bool   // it is of one partition key
	hash  uint64 // of the partition key
	units float64
}

// limitOf is the rate of a table or global index, and which limit it is; 0 if it has none.
func limitOf(tx *storage.Tx, d *demand, now time.Time) (rate float64, limit string, onDemand bool) {
	s := tables.SettingsOf(tx, d.table)
	onDemand = s.Billing.OnDemandMode()
	c, state := &s.Capacity, s.State
	if d.index != nil {
		ix := s.Index(d.index.Name)
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
	case d.write:
		rate = float64(most.Write)
	default:
		rate = float64(most.Read)
	}
	return max(rate, 0), limit, onDemand
}

// use is what a demand finds in one of its buckets.
type use struct {
	bucket *bucket
	units  float64
}

// find appends the buckets of a demand; the error is of one that is empty. m.mu is held.
func (m *meter) find(c *call, tx *storage.Tx, uses []use, d *demand) (_ []use, err error) {
	now := c.now()
	rate, limit, onDemand := limitOf(tx, d, now)
	x := apierr.Exceeded{Table: d.table.Name, Write: d.write, Limit: limit, OnDemand: onDemand}
	key := bucketKey{table: d.table.ID, write: d.write}
	if d.index != nil {
		x.Index, key.index = d.index.Name, d.index.Name
	}
	if rate > 0 {
		seconds := 1.0
		if limit == fault.ProvisionedLimit {
			seconds = max(m.burst, 1)
		}
		b := m.bucket(key, d.table.Created, now, rate, rate*seconds)
		if b.units <= 0 {
			err = c.throttled(x)
		}
		uses = append(uses, use{b, d.units})
	}
	rate = m.reads
	if d.write {
		rate = m.writes
	}
	if d.keyed && rate > 0 {
		key.partition, key.hash = true, d.hash
		b := m.bucket(key, d.table.Created, now, rate, rate)
		if b.units <= 0 && err == nil {
			x.Limit = fault.KeyRangeLimit
			err = c.throttled(x)
		}
		uses = append(uses, use{b, d.units})
	}
	return uses, err
}

// bucket returns a bucket as it is now. m.mu is held.
func (m *meter) bucket(key bucketKey, created, now time.Time, rate, capacity float64) *bucket {
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

// fill lets flow in what has come since the bucket was looked at last.
func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at); passed > 0 {
		b.units += passed.Seconds() * b.rate
	}
	b.units, b.at = min(b.units, b.capacity), now
}

// sweep makes room: what is full says no more than what is not there. If that is
// not enough, all are forgotten.
func (m *meter) sweep(now time.Time) {
	for key, b := range m.buckets {
		if b.fill(now); b.units >= b.capacity {
			delete(m.buckets, key)
		}
	}
	if len(m.buckets) > maxBuckets/2 {
		clear(m.buckets)
	}
}

// toll is what take does with demands.
type toll uint8

const (
	afford toll = iota // fail if a bucket of one of them is empty, and leave the buckets
	pay                // fail likewise, or take out what they use
	spend              // take out what they use: they were afforded
)

// take does a toll for demands. Nothing is enforced without WithThroughput.
func (c *call) take(tx *storage.Tx, what toll, demands ...demand) error {
	m := c.emulator.throughput
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var uses []use
	for i := range demands {
		var err error
		if uses, err = m.find(c, tx, uses, &demands[i]); err != nil && what != spend {
			return err
		}
	}
	for i := range uses {
		if what != afford {
			uses[i].bucket.units -= uses[i].units
		}
	}
	return nil
}
