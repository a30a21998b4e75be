package metering

import (
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// WriteDemands are those of the replacement of old by new (either may be ""): for
// the item so many times, for the entries of indexes once.
func WriteDemands(tx *storage.Tx, t *storage.Table, k storage.Key, old, new item.Item,
	times float64) []Demand {
	units := WriteUnits(max(tx.Vectors().WrittenSize(t, old), tx.Vectors().WrittenSize(t, new)))
	demands := []Demand{{Table: t, Write: true, Keyed: true, Hash: k.Hash, Units: times * units}}
	for _, e := range tx.Effects(t, old, new) {
		units := IndexWriteUnits(e)
		if e.Index.Local {
			demands[0].Units += units
			continue
		}
		entry, isIn := e.Index.EntryKey(new)
		if !isIn {
			entry, _ = e.Index.EntryKey(old)
		}
		demands = append(demands,
			Demand{Table: t, Index: e.Index, Write: true, Keyed: true, Hash: entry.Hash,
				Units: units})
	}
	return demands
}
