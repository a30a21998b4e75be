package items

import (
	"math"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Only tables with local indexes have collections whose size is tracked and limited (Developer
// Guide, "Item collections in local secondary indexes").

// hasCollections reports whether the table has local indexes.
func hasCollections(tx *storage.Tx, t *storage.Table) bool {
	for _, ix := range tx.Tables().Indexes(t) {
		if ix.Local {
			return true
		}
	}
	return false
}

// exceedsWithEntry reports whether an item and its entry in one of the local
// indexes together exceed the limit on items (Developer Guide, "Constraints",
// "Item size for tables with local secondary indexes").
func exceedsWithEntry(tx *storage.Tx, t *storage.Table, it item.Item, limit int) bool {
	if 2*it.Size() <= limit { // an entry is never larger than its item
		return false
	}
	for _, e := range tx.Effects(t, "", it) {
		if e.Index.Local && it.Size()+e.New > limit {
			return true
		}
	}
	return false
}

// errCollectionSize refuses writes that grow a collection over the limit. Writes that shrink it are
// allowed.
var errCollectionSize = &apierr.Error{
	Type: apierr.CollectionTooLarge, Message: "Collection size exceeded.",
}

// collectionMetrics returns the ItemCollectionMetrics of a write, or nil for a table without local
// indexes. keyed has the key attributes of the item. The estimate is in whole gigabytes (API
// Reference, ItemCollectionMetrics, SizeEstimateRangeGB).
func collectionMetrics(tx *storage.Tx, t *storage.Table,
	keyed item.Item) *api.ItemCollectionMetrics {
	if !hasCollections(tx, t) {
		return nil
	}
	floor := math.Floor(float64(tx.CollectionBytes(t, keyed)) / (1 << 30))
	return &api.ItemCollectionMetrics{
		ItemCollectionKey:   keyed.Only(t.Key.Hash[0].Name).JSON(),
		SizeEstimateRangeGB: []float64{floor, floor + 1},
	}
}
