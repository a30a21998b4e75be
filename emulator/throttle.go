package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/storage"
)

// checkThroughput fails if a table has no throughput for the write of a key. It comes before
// anything else is looked at; what the write of the item and its index entries takes is known
// later.
func (s *writeSet) checkThroughput(c *call, tx *storage.Tx, t *storage.Table, k storage.Key) error {
	if c.service.throughput == nil || s.expiry || s.loading {
		return nil
	}
	return c.checkThroughput(tx, metering.Demand{Table: t, Write: true, Keyed: true, Hash: k.Hash})
}

// reserve takes the throughput for a write, whose new item is known, before it is made. The
// actions of a transaction are charged together.
func (s *writeSet) reserve(c *call, tx *storage.Tx, w *itemWrite, t *storage.Table) error {
	if c.service.throughput == nil || s.expiry || s.loading || s.onFailure == cancelAll {
		return nil
	}
	return c.reserve(tx, writeDemands(tx, t, w.key, w.old, w.new, 1)...)
}

// chargeTogether takes the throughput for all actions of a transaction, which are made, or cancels
// it if one has none. A transaction that is only being prepared is charged later.
func (s *writeSet) chargeTogether(c *call, tx *storage.Tx) error {
	if c.service.throughput == nil || s.onFailure != cancelAll {
		return nil
	}
	var all []metering.Demand
	for i := range s.writes {
		w := &s.writes[i]
		demands := writeDemands(tx, s.tables[w.table].table, w.key, w.old, w.new, metering.TransactTimes)
		if err := s.reasons.Add(i, c.checkThroughput(tx, demands...)); err != nil {
			return err
		}
		all = append(all, demands...)
	}
	if err := s.reasons.Canceled(); err != nil || s.hold == preparing {
		return err
	}
	c.charge(tx, all...)
	return nil
}

// chargeRefused charges for a single write that its condition refuses: as much as a write of the
// item that is there (Developer Guide, "Capacity unit consumption for write operations").
func (s *writeSet) chargeRefused(c *call, tx *storage.Tx, w *itemWrite, err error) {
	if s.loading || !refusedByCondition(err) {
		return
	}
	t := &s.tables[w.table]
	if c.service.throughput != nil {
		c.charge(tx, metering.Demand{Table: t.table, Write: true, Keyed: true, Hash: w.key.Hash, Units: metering.WriteUnits(w.old.Size())})
	}
	if t.used.Counting() {
		w.recordRefused(c, &t.used, t.table, s.shared)
	}
}

// checkGet fails if a table has no throughput for the read of a key.
func (c *call) checkGet(tx *storage.Tx, t *storage.Table, k storage.Key) error {
	if c.service.throughput == nil {
		return nil
	}
	return c.checkThroughput(tx, metering.Demand{Table: t, Keyed: true, Hash: k.Hash})
}

// chargeGet takes the throughput for the read of an item.
func (c *call) chargeGet(tx *storage.Tx, t *storage.Table, k storage.Key, units float64) {
	if c.service.throughput != nil {
		c.charge(tx, metering.Demand{Table: t, Keyed: true, Hash: k.Hash, Units: units})
	}
}

// checkThroughput fails if the source of a read has no throughput.
func (r *rangeRead) checkThroughput(c *call, tx *storage.Tx, rng storage.Range) error {
	if c.service.throughput == nil {
		return nil
	}
	return c.checkThroughput(tx, r.demand(rng))
}

// charge takes the throughput for what a read has used of its source.
func (r *rangeRead) charge(c *call, tx *storage.Tx, rng storage.Range) {
	if c.service.throughput != nil {
		c.charge(tx, r.demand(rng))
		r.units = 0
	}
}

// demand is what a read has used of its source: the table with its local indexes, or a global
// index. A range within one partition key uses that of the partition.
func (r *rangeRead) demand(rng storage.Range) metering.Demand {
	d := metering.Demand{Table: r.source.Table, Units: r.units}
	if ix := r.source.Index; ix != nil && !ix.Local {
		d.Index = ix
	}
	if !rng.HiOpen && rng.Lo.Hash == rng.Hi.Hash {
		d.Keyed, d.Hash = true, rng.Lo.Hash
	}
	return d
}

// checkThroughput fails if demands would exceed a limit of throughput, of which there are some.
func (c *call) checkThroughput(tx *storage.Tx, demands ...metering.Demand) error {
	return c.exceeding(c.service.throughput.Check(tx, c.now(), demands...))
}

// reserve takes the throughput that demands use, or fails if one would exceed a limit.
func (c *call) reserve(tx *storage.Tx, demands ...metering.Demand) error {
	return c.exceeding(c.service.throughput.Reserve(tx, c.now(), demands...))
}

// charge takes the throughput that demands use, which have been checked.
func (c *call) charge(tx *storage.Tx, demands ...metering.Demand) {
	c.service.throughput.Charge(tx, c.now(), demands...)
}

// exceeding is the error of exceeding a limit, nil if it is nil.
func (c *call) exceeding(over *apierr.Exceeded) error {
	if over == nil {
		return nil
	}
	return c.throttled(*over)
}

// recordRefused counts the capacity that a write consumes although its condition fails. Errors have no
// ConsumedCapacity, so only observers see these units, unless the usage is shared with writes that
// succeed.
func (w *itemWrite) recordRefused(c *call, u *metering.Usage, t *storage.Table, shared bool) {
	if !shared {
		if c.event == nil {
			return
		}
		u = &metering.Usage{Recorder: c.event.Apart()}
	}
	units := u.AddTable(metering.WriteUnits(w.old.Size()))
	if u.Recorder == nil {
		return
	}
	keyed := w.old
	if keyed == "" {
		keyed = w.keyed
	}
	u.Recorder.Write(t, keyed, keyed, units)
	if !shared {
		u.Recorder.Charge(*u, (*api.TableArn)(&t.Name))
	}
}
