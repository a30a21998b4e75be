package replication

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The attributes of items in global tables of version 2017.11.29 (Developer Guide, "Global tables:
// How it works").
const (
	deleting     = "aws:rep:deleting"
	updateTime   = "aws:rep:updatetime"
	updateRegion = "aws:rep:updateregion"
)

// Stamped returns an item of a global table of version 2017.11.29 with the attributes of a write in
// a region. old is the item before.
func Stamped(old, it item.Item, region string, now time.Time) item.Item {
	// known examples end with 001
	micros := max(now.UnixMilli()*1000+1, updateMicros(old)+1)
	// it is a number
	seconds, _ := item.ParseDecimal(fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6))
	return it.With(
		item.Attribute{Name: deleting, Value: item.Boolean(false)},
		item.Attribute{Name: updateRegion, Value: item.String(region)},
		item.Attribute{Name: updateTime, Value: item.Number(seconds)})
}

// updateMicros returns the time of the last write of an item, in microseconds, or 0 if it has none.
func updateMicros(it item.Item) int64 {
	if it == "" {
		return 0
	}
	seconds, err := strconv.ParseFloat(it.Get(updateTime).Num(), 64)
	if err != nil || seconds < 0 || seconds > 1e10 {
		return 0 // the attribute is missing, or a client wrote it
	}
	return int64(math.Round(seconds * 1e6))
}

// flagDeleted sets aws:rep:deleting in the items that a batch deletes. A replica of this version
// deletes in two writes, each with a record in its stream: this is the first one.
func flagDeleted(tx *storage.Tx, t *storage.Table, batch []*storage.Outgoing) {
	for _, out := range batch {
		old := tx.Get(t, out.Key)
		if out.Item == "" && old != "" && tx.Replicas().Wins(t, out) {
			tx.Put(t, out.Key, old.With(item.Attribute{Name: deleting, Value: item.Boolean(true)}))
		}
	}
	tx.Separate()
}
