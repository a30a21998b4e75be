package emulator

import (
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// writeDemands are those of the replacement of old by new (either may be ""): for
// the item so many times, for the entries of indexes once.
func writeDemands(tx *storage.Tx, t *storage.Table, k storage.Key, old, new item.Item, times float64) []demand {
	demands := []demand{{table: t, write: true, keyed: true, hash: k.Hash, units: times * writeUnits(max(old.Size(), new.Size()))}}
	for _, e := range tx.Effects(t, old, new) {
		units := indexWriteUnits(e)
		if e.Index.Local {
			demands[0].units += units
			continue
		}
		entry, isIn := e.Index.EntryKey(new)
		if !isIn {
			entry, _ = e.Index.EntryKey(old)
		}
		demands = append(demands, demand{table: t, index: e.Index, write: true, keyed: true, hash: entry.Hash, units: units})
	}
	return demands
}

// afford fails if a table has no throughput for the write of a key. It comes before anything
// else is looked at; what the write of the item and its index entries takes is known later.
func (s *writeSet) afford(c *call, tx *storage.Tx, t *storage.Table, k storage.Key) error {
	if c.emulator.throughput == nil || s.expiry {
		return nil
	}
	return c.take(tx, afford, demand{table: t, write: true, keyed: true, hash: k.Hash})
}

// charge takes the throughput for a write, whose new item is known, before it is made. The
// actions of a transaction are charged together.
func (s *writeSet) charge(c *call, tx *storage.Tx, w *itemWrite, t *storage.Table) error {
	if c.emulator.throughput == nil || s.expiry || s.onFailure == cancelAll {
		return nil
	}
	return c.take(tx, pay, writeDemands(tx, t, w.key, w.old, w.new, 1)...)
}

// chargeTogether takes the throughput for all actions of a transaction, which are made, or cancels
// it if one has none. A transaction that is only being prepared is charged later.
func (s *writeSet) chargeTogether(c *call, tx *storage.Tx) error {
	if c.emulator.throughput == nil || s.onFailure != cancelAll {
		return nil
	}
	var all []demand
	for i := range s.writes {
		w := &s.writes[i]
		demands := writeDemands(tx, s.tables[w.table].table, w.key, w.old, w.new, transactTimes)
		if err := s.reasons.Add(i, c.take(tx, afford, demands...)); err != nil {
			return err
		}
		all = append(all, demands...)
	}
	if err := s.reasons.Canceled(); err != nil || s.hold == preparing {
		return err
	}
	return c.take(tx, spend, all...)
}

// chargeRefused charges for a single write that its condition refuses: as much as a write of the
// item that is there (Developer Guide, "Capacity unit consumption for write operations").
func (s *writeSet) chargeRefused(c *call, tx *storage.Tx, w *itemWrite, err error) {
	if !refusedByCondition(err) {
		return
	}
	t := &s.tables[w.table]
	if c.emulator.throughput != nil {
		c.take(tx, spend, demand{table: t.table, write: true, keyed: true, hash: w.key.Hash, units: writeUnits(w.old.Size())})
	}
	if t.used.counting() {
		t.used.addRefused(t.table, w, s.shared)
	}
}

// takeGet does a toll for the read of an item.
func (c *call) takeGet(tx *storage.Tx, what toll, t *storage.Table, k storage.Key, units float64) error {
	if c.emulator.throughput == nil {
		return nil
	}
	return c.take(tx, what, demand{table: t, keyed: true, hash: k.Hash, units: units})
}

// take does a toll for what a read has used of its source: the table with its
// local indexes, or a global index. A range within one partition key uses that of the partition.
func (r *read) take(c *call, tx *storage.Tx, what toll, rng storage.Range) error {
	if c.emulator.throughput == nil {
		return nil
	}
	d := demand{table: r.source.Table, units: r.units}
	if ix := r.source.Index; ix != nil && !ix.Local {
		d.index = ix
	}
	if !rng.HiOpen && rng.Lo.Hash == rng.Hi.Hash {
		d.keyed, d.hash = true, rng.Lo.Hash
	}
	if what != afford {
		r.units = 0
	}
	return c.take(tx, what, d)
}
