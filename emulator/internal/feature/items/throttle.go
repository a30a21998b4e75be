package items

import (
	"cmp"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// checkThroughput fails if a table has no throughput for the write of a key. It comes before
// anything else is looked at; what the write of the item and its index entries takes is known
// later.
func (s *writeSet) checkThroughput(c *serve.Call, tx *storage.Tx, t *storage.Table,
	k storage.Key) error {
	if c.Service.Throughput == nil || s.expiry || s.Loading {
		return nil
	}
	return checkThroughput(c, tx, metering.Demand{Table: t, Write: true, Keyed: true, Hash: k.Hash})
}

// reserve takes the throughput for a write, whose new item is known, before it is made. The
// actions of a transaction are charged together.
func (s *writeSet) reserve(c *serve.Call, tx *storage.Tx, w *ItemWrite, t *storage.Table) error {
	if c.Service.Throughput == nil || s.expiry || s.Loading || s.onFailure == cancelAll {
		return nil
	}
	return reserve(c, tx, metering.WriteDemands(tx, t, w.Key, w.Old, w.New, 1)...)
}

// chargeTogether takes the throughput for all actions of a transaction, which are made, or cancels
// it if one has none. A transaction that is only being prepared is charged later.
func (s *writeSet) chargeTogether(c *serve.Call, tx *storage.Tx) error {
	if c.Service.Throughput == nil || s.onFailure != cancelAll {
		return nil
	}
	var all []metering.Demand
	for i := range s.Writes {
		w := &s.Writes[i]
		demands := metering.WriteDemands(tx, s.Tables[w.table].Table, w.Key, w.Old, w.New,
			metering.TransactTimes)
		if err := s.Reasons.Add(i, checkThroughput(c, tx, demands...)); err != nil {
			return err
		}
		all = append(all, demands...)
	}
	if err := s.Reasons.Canceled(); err != nil || s.hold == preparing {
		return err
	}
	charge(c, tx, all...)
	return nil
}

// chargeRefused charges for a single write that its condition refuses: as much as a write of the
// item that is there (Developer Guide, "Capacity unit consumption for write operations").
func (s *writeSet) chargeRefused(c *serve.Call, tx *storage.Tx, w *ItemWrite, err error) {
	if s.Loading || !RefusedByCondition(err) {
		return
	}
	t := &s.Tables[w.table]
	if c.Service.Throughput != nil {
		charge(c, tx,
			metering.Demand{
				Table: t.Table, Write: true, Keyed: true, Hash: w.Key.Hash,
				Units: metering.WriteUnits(tx.Vectors().WrittenSize(t.Table, w.Old)),
			})
	}
	if t.Used.Counting() {
		w.recordRefused(c, tx, &t.Used, t.Table, s.Shared)
	}
}

// checkGetThroughput fails if a table has no throughput for the read of a key.
func checkGetThroughput(c *serve.Call, tx *storage.Tx, t *storage.Table, k storage.Key) error {
	if c.Service.Throughput == nil {
		return nil
	}
	return checkThroughput(c, tx, metering.Demand{Table: t, Keyed: true, Hash: k.Hash})
}

// chargeGet takes the throughput for the read of an item.
func chargeGet(c *serve.Call, tx *storage.Tx, t *storage.Table, k storage.Key, units float64) {
	if c.Service.Throughput != nil {
		charge(c, tx, metering.Demand{Table: t, Keyed: true, Hash: k.Hash, Units: units})
	}
}

// CheckThroughput fails if the source of a read has no throughput.
func (r *RangeRead) CheckThroughput(c *serve.Call, tx *storage.Tx, rng storage.Range) error {
	if c.Service.Throughput == nil {
		return nil
	}
	return checkThroughput(c, tx, r.demand(rng))
}

// Charge takes the throughput for what a read has used of its source.
func (r *RangeRead) Charge(c *serve.Call, tx *storage.Tx, rng storage.Range) {
	if c.Service.Throughput != nil {
		charge(c, tx, r.demand(rng))
		r.units = 0
	}
}

// demand returns the units that a read has used of its source: the table with its local indexes, or
// a global index. A range within one partition key uses units of that partition.
func (r *RangeRead) demand(rng storage.Range) metering.Demand {
	d := metering.Demand{Table: r.Source.Table, Units: r.units}
	if ix := r.Source.Index; ix != nil && !ix.Local {
		d.Index = ix
	}
	if ofOneKey(&rng) {
		d.Keyed, d.Hash = true, rng.Lo.Hash
	}
	return d
}

// ofOneKey reports whether a range is within one partition key.
func ofOneKey(rng *storage.Range) bool { return !rng.HiOpen && rng.Lo.Hash == rng.Hi.Hash }

// checkThroughput fails if demands would exceed a limit of throughput. The service has some.
func checkThroughput(c *serve.Call, tx *storage.Tx, demands ...metering.Demand) error {
	return exceeding(c, c.Service.Throughput.Check(tx, c.Now(), demands...))
}

// reserve takes the throughput that demands use, or fails if one would exceed a limit.
func reserve(c *serve.Call, tx *storage.Tx, demands ...metering.Demand) error {
	return exceeding(c, c.Service.Throughput.Reserve(tx, c.Now(), demands...))
}

// charge takes the throughput that demands use, which have been checked.
func charge(c *serve.Call, tx *storage.Tx, demands ...metering.Demand) {
	c.Service.Throughput.Charge(tx, c.Now(), demands...)
}

// exceeding is the error of exceeding a limit, nil if it is nil.
func exceeding(c *serve.Call, over *apierr.Exceeded) error {
	if over == nil {
		return nil
	}
	return c.Throttled(*over)
}

// recordRefused counts the capacity that a write consumes although its condition fails. Errors have
// no ConsumedCapacity, so only observers see these units, unless the usage is shared with writes
// that succeed.
func (w *ItemWrite) recordRefused(c *serve.Call, tx *storage.Tx, u *metering.Usage,
	t *storage.Table, shared bool) {
	if !shared {
		if c.Event == nil {
			return
		}
		u = &metering.Usage{Recorder: c.Event.Apart()}
	}
	units := u.AddRefused(metering.WriteUnits(tx.Vectors().WrittenSize(t, w.Old)))
	if u.Recorder == nil {
		return
	}
	keyed := cmp.Or(w.Old, w.key())
	u.Recorder.Write(t, keyed, keyed, keyed, units)
	if !shared {
		u.Recorder.Charge(*u, (*api.TableArn)(&t.Name))
	}
}
