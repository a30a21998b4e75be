package traffic

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator"
)

// meter is all that is charged: what requests consumed, and what is stored.
type meter struct {
	prices   *pricing.Prices
	declared []Pattern
	seconds  float64 // the length of the span
	months   float64 // how many spans a month has
	byPlace  map[place]*placeMeter
	places   []*placeMeter // sorted
	accesses map[accessKey]access
	writes   map[operationKey][]placedWrites
}

// placeMeter counts what is charged of a table or an index. Local indexes use the capacity of their
// table, and vector indexes have none.
type placeMeter struct {
	place
	kind                      emulator.IndexKind
	exists                    bool // the place is there at the end
	consumed                  Consumed
	mostRead, mostWritten     float64 // units in a minute
	stored, recovery, backups float64 // bytes
	streamReads               int64
	pool                      *pool // nil for none
}

// placedWrites is the write units of an operation in a place.
type placedWrites struct {
	place
	units float64
}

// meter returns what is charged of recorded traffic.
func (r *Recorder) meter(o *CostOptions) *meter {
	m := &meter{
		prices: &o.Prices, declared: o.Patterns, seconds: o.Span.Seconds(),
		months:  pricing.HoursPerMonth / o.Span.Hours(),
		byPlace: map[place]*placeMeter{}, accesses: map[accessKey]access{},
		writes: map[operationKey][]placedWrites{},
	}
	m.store(o)
	m.read(r)
	m.places = slices.SortedFunc(maps.Values(m.byPlace), func(a, b *placeMeter) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.index, b.index))
	})
	m.provision()
	return m
}

func (m *meter) at(p place) *placeMeter {
	if m.byPlace[p] == nil {
		m.byPlace[p] = &placeMeter{place: p}
	}
	return m.byPlace[p]
}

// store adds what is stored.
func (m *meter) store(o *CostOptions) {
	for i := range o.Tables {
		size := &o.Tables[i]
		p := m.at(place{size.Table, size.Index})
		p.kind, p.exists = size.Kind, true
		p.stored = float64(size.Bytes + size.Items*pricing.ItemOverhead)
		p.recovery = float64(size.RecoveryBytes)
	}
	for table, bytes := range o.BackupBytes {
		m.at(place{table, ""}).backups = float64(bytes)
	}
}

// read adds what a recorder has.
func (m *meter) read(r *Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, row := range r.capacity {
		p := place{k.table, k.index}
		m.at(p).consumed.add(Consumed{row.Read, row.Write, row.ReadBytes, row.WriteBytes})
		if row.Write > 0 {
			of := operationKey{k.operation, k.table}
			m.writes[of] = append(m.writes[of], placedWrites{p, row.Write})
		}
	}
	for p, row := range r.minutes {
		m.at(p).mostRead, m.at(p).mostWritten = row.mostRead, row.mostWritten
	}
	for k, row := range r.operations {
		if succeeded := row.succeeded(); k.operation == "GetRecords" && succeeded > 0 {
			m.at(place{k.table, ""}).streamReads += succeeded
		}
	}
	for k, row := range r.accesses {
		m.accesses[k] = *row
	}
}

// bills returns the bills in all table classes that have prices.
func (m *meter) bills(of func(*pricing.ClassPrices) Bill) Bills {
	b := Bills{Standard: of(&m.prices.ClassPrices)}
	if m.prices.InfrequentAccess != nil {
		other := of(m.prices.InfrequentAccess)
		b.InfrequentAccess = &other
	}
	return b
}

const gigabyte = 1 << 30

// requestBill returns the bill of requests.
func (m *meter) requestBill(class *pricing.ClassPrices, c Consumed, h held) Bill {
	modes := func(units, perMillion, capacity, peak, perHour float64) Modes {
		hours := pricing.HoursPerMonth * perHour
		return Modes{units * m.months / 1e6 * perMillion, capacity * hours, peak * hours}
	}
	b := Bill{
		Reads:  modes(c.ReadUnits, class.Read, h.read, h.peakRead, class.ReadHour),
		Writes: modes(c.WriteUnits, class.Write, h.write, h.peakWrite, class.WriteHour),
		Vectors: (c.ReadBytes*m.prices.VectorReads + c.WriteBytes*m.prices.VectorWrites) *
			m.months / gigabyte,
	}
	b.sum()
	return b
}

// placeBill returns the bill of a place.
func (m *meter) placeBill(p *placeMeter, class *pricing.ClassPrices) Bill {
	owner := p.pool != nil && p.pool.owner == p.place
	b := m.requestBill(class, p.consumed,
		p.pool.share(p.consumed.ReadUnits, p.consumed.WriteUnits, owner))
	b.Storage = p.stored / gigabyte * class.Storage
	b.Streams = float64(p.streamReads) * m.months / 1e6 * m.prices.StreamReads
	b.Recovery = p.recovery / gigabyte * m.prices.Recovery
	b.Backups = p.backups / gigabyte * m.prices.Backups
	b.sum()
	return b
}

// tables returns what each place costs.
func (m *meter) tables() []TableCost {
	list := make([]TableCost, 0, len(m.places))
	for _, p := range m.places {
		t := TableCost{
			Table: p.table, Index: p.index, Kind: p.kind, Consumed: p.consumed,
			StreamReads: p.streamReads, StoredBytes: p.stored,
			Month: m.bills(func(class *pricing.ClassPrices) Bill { return m.placeBill(p, class) }),
		}
		if p.pool != nil && p.pool.owner == p.place {
			t.Capacity = &p.pool.ProvisionedCapacity
		}
		list = append(list, t)
	}
	return list
}

// patterns returns what each access pattern costs: those that are declared, and the other accesses.
func (m *meter) patterns() []PatternCost {
	list := make([]PatternCost, 0, len(m.declared)+len(m.accesses))
	for _, p := range m.declared {
		list = append(list,
			PatternCost{
				Name: p.Name, Operation: p.Operation, Table: p.Table, Index: p.Index,
				KeyCondition: p.Key,
			})
	}
	capacity := make([]held, len(list), cap(list))
	for k, a := range m.accesses {
		if a.requests == 0 && a.Consumed == (Consumed{}) {
			continue
		}
		i := m.patternOf(k)
		if i < 0 {
			i = len(list)
			list = append(list,
				PatternCost{
					Operation: k.operation, Table: k.table, Index: k.index,
					KeyCondition: k.condition,
				})
			capacity = append(capacity, held{})
		}
		list[i].Requests += a.requests
		list[i].add(a.Consumed)
		capacity[i].add(m.heldBy(k, &a))
	}
	for i := range list {
		list[i].Month = m.bills(
			func(class *pricing.ClassPrices) Bill {
				return m.requestBill(class, list[i].Consumed, capacity[i])
			})
	}
	slices.SortFunc(list, comparePatterns)
	return list
}

// patternOf returns the number of the declared pattern that an access follows, or -1.
func (m *meter) patternOf(k accessKey) int {
	a := &Access{Operation: k.operation, Table: k.table, Index: k.index, KeyCondition: k.condition}
	return slices.IndexFunc(m.declared, func(p Pattern) bool { return p.matches(a) })
}

func comparePatterns(a, b PatternCost) int {
	return cmp.Or(cmp.Compare(b.Month.Standard.Total.OnDemand, a.Month.Standard.Total.OnDemand),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index),
		cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.KeyCondition, b.KeyCondition))
}

// unpriced returns what is used, but has no price.
func (m *meter) unpriced() []string {
	var all placeMeter
	for _, p := range m.places {
		all.consumed.add(p.consumed)
		all.streamReads += p.streamReads
		all.recovery += p.recovery
		all.backups += p.backups
	}
	list := []string{}
	for _, one := range []struct {
		what, price string
		used, has   float64
	}{
		{"GetRecords of streams", "streamReads", float64(all.streamReads), m.prices.StreamReads},
		{"point-in-time recovery", "recoveryGBMonths", all.recovery, m.prices.Recovery},
		{"backups", "backupGBMonths", all.backups, m.prices.Backups},
		{"reads of vector indexes", "vectorSearchGB", all.consumed.ReadBytes, m.prices.VectorReads},
		{"writes of vector indexes", "vectorWriteRequestGB", all.consumed.WriteBytes,
			m.prices.VectorWrites},
	} {
		if one.used > 0 && one.has == 0 {
			list = append(list, one.what+": the prices have no "+one.price)
		}
	}
	return list
}
