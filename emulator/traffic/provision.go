package traffic

import (
	"math"

	"github.com/kugiri-db/kugiri/emulator"
)

// pool is the capacity of a table or a global index, with what uses it.
type pool struct {
	owner                              place
	read, write, mostRead, mostWritten float64
	ProvisionedCapacity
}

// provision gives places their capacity.
func (m *meter) provision() {
	for _, p := range m.places {
		if p.kind == "" && p.consumed.ReadBytes+p.consumed.WriteBytes > 0 {
			p.kind = emulator.VectorIndex // the index is gone by now
		}
		units := p.consumed.ReadUnits + p.consumed.WriteUnits
		switch {
		case p.kind == emulator.VectorIndex:
		case p.kind == emulator.LocalIndex:
			p.pool = m.at(place{p.table, ""}).pool // the table comes first
		case p.exists || units > 0:
			p.pool = &pool{owner: p.place}
		}
		if p.pool != nil {
			p.pool.add(p)
		}
	}
	for _, p := range m.places {
		if p.pool != nil && p.pool.owner == p.place {
			p.pool.provision(m.seconds, m.prices.Utilization)
		}
	}
}

// add adds the units of a place. The busiest minutes of a table and its local indexes count as one.
func (l *pool) add(p *placeMeter) {
	l.read += p.consumed.ReadUnits
	l.write += p.consumed.WriteUnits
	l.mostRead += p.mostRead
	l.mostWritten += p.mostWritten
}

// provision computes the capacity. A span of less than a minute has its peak in all of it.
func (l *pool) provision(seconds, utilization float64) {
	peak := min(seconds, 60)
	l.Read, l.Write = capacityUnits(l.read/seconds/utilization), capacityUnits(
		l.write/seconds/utilization)
	l.PeakRead = capacityUnits(max(l.mostRead/peak, l.read/seconds))
	l.PeakWrite = capacityUnits(max(l.mostWritten/peak, l.write/seconds))
}

// capacityUnits returns the capacity units for units per second: whole ones, at least one.
func capacityUnits(units float64) int64 {
	const rounding = 1e-9 // divisions may be off by it
	return max(1, int64(math.Ceil(units-rounding)))
}

// held is the capacity units that requests use of those that are provisioned.
type held struct{ read, write, peakRead, peakWrite float64 }

func (h *held) add(other held) {
	h.read += other.read
	h.write += other.write
	h.peakRead += other.peakRead
	h.peakWrite += other.peakWrite
}

// share returns the share of the capacity for the use of units. Capacity that nothing uses belongs
// to its owner.
func (l *pool) share(read, write float64, owner bool) held {
	part := func(units, all float64) float64 {
		switch {
		case all > 0:
			return units / all
		case owner:
			return 1
		}
		return 0
	}
	if l == nil {
		return held{}
	}
	reads, writes := part(read, l.read), part(write, l.write)
	return held{reads * float64(l.Read), writes * float64(l.Write), reads * float64(l.PeakRead),
		writes * float64(l.PeakWrite)}
}

// heldBy returns the capacity that an access uses: for its reads where it reads, and for its writes
// in the table and in the indexes.
func (m *meter) heldBy(k accessKey, a *access) held {
	var h held
	if p := m.byPlace[place{k.table, k.index}]; p != nil {
		h.add(p.pool.share(a.ReadUnits, 0, false))
	}
	if a.WriteUnits > 0 {
		for _, w := range m.writes[operationKey{k.operation, k.table}] {
			h.add(m.byPlace[w.place].pool.share(0, w.units, false))
		}
	}
	return h
}
