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

// applyMetered is apply with the limits of throughput: the table's before anything
// else is looked at, and those of the indexes, which follow from what is written,
// after. A failed condition costs what a write of the item would (Developer Guide,
// "Capacity unit consumption for write operations").
func (w *itemWrite) applyMetered(c *call, tx *storage.Tx, t *storage.Table, k storage.Key) error {
	d := demand{table: t, write: true, keyed: true, hash: k.Hash, units: writeUnits(w.old.Size())}
	if err := c.take(tx, afford, d); err != nil {
		return err
	}
	if err := w.apply(c, tx, t, k); err != nil {
		if refusedByCondition(err) {
			c.take(tx, spend, d)
		}
		return err
	}
	return c.take(tx, pay, writeDemands(tx, t, k, w.old, w.new, 1)...)
}

// affordWrite fails if a table has no throughput for the write of a key.
func (c *call) affordWrite(tx *storage.Tx, t *storage.Table, k storage.Key) error {
	if c.emulator.throughput == nil {
		return nil
	}
	return c.take(tx, afford, demand{table: t, write: true, keyed: true, hash: k.Hash})
}

// pay has a transaction that was made pay for its actions, or cancels it if there
// is not the throughput for all. One that is only being prepared pays later.
func (x *writeTransaction) pay(c *call, tx *storage.Tx, reasons *cancellation) error {
	if c.emulator.throughput == nil {
		return nil
	}
	var all []demand
	for i := range x.actions {
		a := &x.actions[i]
		demands := writeDemands(tx, x.tables[a.in].table, a.key, a.old, a.new, transactTimes)
		if err := reasons.add(i, c.take(tx, afford, demands...)); err != nil {
			return err
		}
		all = append(all, demands...)
	}
	if err := reasons.canceled(); err != nil {
		return err
	}
	if c.emulator.transactionHook != nil && !x.prepared {
		return nil
	}
	return c.take(tx, spend, all...)
}

// pay has a batch pay for a write, whose new item is known, before it is made.
func (b *batchWrite) pay(c *call, tx *storage.Tx, w *batchItem, new item.Item) error {
	if c.emulator.throughput == nil {
		return nil
	}
	return c.take(tx, pay, writeDemands(tx, b.tables[w.table].table, w.key, w.old, new, 1)...)
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
	d := demand{table: r.source.table, units: r.units}
	if ix := r.source.index; ix != nil && !ix.Local {
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
