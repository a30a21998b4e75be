package traffic

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator"
)

// CostOptions say how recorded traffic is priced.
type CostOptions struct {
	// Span is how long the traffic took, or the time that it stands for: a month repeats it.
	Span time.Duration
	// Prices are those of pricing.List if they have no currency.
	Prices pricing.Prices
	// Tables and BackupBytes say what is stored, as the methods Emulator.TableSizes and
	// Emulator.BackupBytes return it. Without them nothing is stored.
	Tables      []emulator.TableSize
	BackupBytes map[string]int64
	// SavedReads are the read units, by table, that cached answers of an accelerator did not
	// consume.
	SavedReads map[string]float64
	// Patterns take the place of those that the recorder declares, unless they are nil.
	Patterns []Pattern
}

// Cost says what recorded traffic costs, with all that is stored at its end. Its lists are sorted,
// and never nil. encoding/json can encode it.
type Cost struct {
	Prices   pricing.Prices `json:"prices"`
	Seconds  float64        `json:"seconds"`  // CostOptions.Span
	Recorded Totals         `json:"recorded"` // the totals of the span
	Month    Bills          `json:"month"`    // bills of 730 hours
	Tables   []TableCost    `json:"tables"`   // tables and indexes, sorted by name
	Patterns []PatternCost  `json:"patterns"` // the most expensive on demand first
	Unpriced []string       `json:"unpriced"` // what is used, but has no price
	// Saved says what cached answers of an accelerator did not cost, by table, sorted by name. It
	// leaves out what the nodes of the accelerator cost.
	Saved []SavedReads `json:"saved,omitempty"`
}

// SavedReads says what cached answers for a table did not cost.
type SavedReads struct {
	Table     string  `json:"table"`
	ReadUnits float64 `json:"readUnits"` // units of the span
	Month     float64 `json:"month"`     // a month's price on demand, in the class Standard
}

// Modes are the cost in each capacity mode.
type Modes struct {
	OnDemand float64 `json:"onDemand"`
	// Provisioned is the cost of capacity that auto scaling holds at the utilization of the prices.
	Provisioned float64 `json:"provisioned"`
	// Peak is the cost of the least constant capacity that serves the minute with the most units.
	Peak float64 `json:"provisionedPeak"`
}

// Totals are the cost in each table class.
type Totals struct {
	Standard         Modes  `json:"standard"`
	InfrequentAccess *Modes `json:"infrequentAccess,omitempty"` // nil if it has no prices
}

// Bills are the cost of a month in each table class.
type Bills struct {
	Standard         Bill  `json:"standard"`
	InfrequentAccess *Bill `json:"infrequentAccess,omitempty"` // nil if it has no prices
}

// Bill is the cost of a month in a table class. All but Reads and Writes cost the same in each
// capacity mode.
type Bill struct {
	Reads    Modes   `json:"reads"`
	Writes   Modes   `json:"writes"`
	Vectors  float64 `json:"vectors"` // bytes that requests read and write of vector indexes
	Storage  float64 `json:"storage"`
	Streams  float64 `json:"streams"`
	Recovery float64 `json:"recovery"` // point-in-time
	Backups  float64 `json:"backups"`
	Total    Modes   `json:"total"`
}

// TableCost says what a table or an index costs. A table does not include its indexes.
type TableCost struct {
	Table string `json:"table"`
	Index string `json:"index,omitempty"`
	// Kind is the kind of an index, and "" for a table and an index that is gone.
	Kind emulator.IndexKind `json:"kind,omitempty"`
	Consumed
	StreamReads int64   `json:"streamReads"` // GetRecords
	StoredBytes float64 `json:"storedBytes"` // bytes, with pricing.ItemOverhead for each item
	// Capacity is nil for local indexes, which use that of their table, and for vector indexes,
	// which have none.
	Capacity *ProvisionedCapacity `json:"capacity,omitempty"`
	Month    Bills                `json:"month"`
}

// ProvisionedCapacity is the capacity units that a table or an index needs.
type ProvisionedCapacity struct {
	Read      int64 `json:"read"` // units with auto scaling
	Write     int64 `json:"write"`
	PeakRead  int64 `json:"peakRead"` // units for the minute with the most
	PeakWrite int64 `json:"peakWrite"`
}

// PatternCost says what the requests of an access pattern cost, with all indexes that they write.
// Of provisioned capacity it is the pattern's share of what is used.
type PatternCost struct {
	// Name is that of the declared pattern, or "": then the other members say what the requests
	// have in common. A request that several patterns match belongs to the first.
	Name         string `json:"name,omitempty"`
	Operation    string `json:"operation,omitempty"` // "" for a declared pattern of any
	Table        string `json:"table"`
	Index        string `json:"index,omitempty"`
	KeyCondition string `json:"keyCondition,omitempty"`
	Requests     int64  `json:"requests"`
	Consumed
	Month Bills `json:"month"`
}

var errNoSpan = errors.New(
	"the traffic took no time: say how long it took, or what time it stands for")

// Cost returns what the recorded traffic costs, at list prices and without the free tier. Units are
// those that the service meters, so strongly consistent and transactional requests count as often
// as they are charged. Left out are replicated writes, deletions by TTL, exports and imports,
// restores, records to Kinesis, contributor insights, and the transfer of data.
func (r *Recorder) Cost(o CostOptions) (*Cost, error) {
	if o.Span <= 0 {
		return nil, errNoSpan
	}
	if err := CheckPatterns(o.Patterns); err != nil {
		return nil, err
	}
	if o.Prices.Currency == "" {
		o.Prices = pricing.List()
	}
	if o.Patterns == nil {
		o.Patterns = r.declared
	}
	m := r.meter(&o)
	c := &Cost{
		Prices: o.Prices, Seconds: o.Span.Seconds(), Tables: m.tables(), Patterns: m.patterns(),
		Unpriced: m.unpriced(),
	}
	c.Month = m.bills(func(class *pricing.ClassPrices) (total Bill) {
		for _, p := range m.places {
			b := m.placeBill(p, class)
			total.add(&b)
		}
		return total
	})
	part := o.Span.Hours() / pricing.HoursPerMonth
	for _, table := range slices.Sorted(maps.Keys(o.SavedReads)) {
		if units := o.SavedReads[table]; units > 0 {
			c.Saved = append(c.Saved,
				SavedReads{table, units, units / 1e6 * o.Prices.Read / part})
		}
	}
	c.Recorded.Standard = c.Month.Standard.Total.times(part)
	if ia := c.Month.InfrequentAccess; ia != nil {
		recorded := ia.Total.times(part)
		c.Recorded.InfrequentAccess = &recorded
	}
	return c, nil
}

func (m Modes) times(n float64) Modes {
	return Modes{m.OnDemand * n, m.Provisioned * n, m.Peak * n}
}

func (m *Modes) add(other Modes) {
	m.OnDemand += other.OnDemand
	m.Provisioned += other.Provisioned
	m.Peak += other.Peak
}

// add adds another bill of the same class.
func (b *Bill) add(other *Bill) {
	b.Reads.add(other.Reads)
	b.Writes.add(other.Writes)
	b.Vectors += other.Vectors
	b.Storage += other.Storage
	b.Streams += other.Streams
	b.Recovery += other.Recovery
	b.Backups += other.Backups
	b.Total.add(other.Total)
}

// sum sets the total.
func (b *Bill) sum() {
	same := b.Vectors + b.Storage + b.Streams + b.Recovery + b.Backups
	b.Total = Modes{same, same, same}
	b.Total.add(b.Reads)
	b.Total.add(b.Writes)
}
