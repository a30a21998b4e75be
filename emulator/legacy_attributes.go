package emulator

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// The attributes of items in global tables of version 2017.11.29 (Developer Guide, "Global tables:
// How it works").
const (
	repDeleting     = "aws:rep:deleting"
	repUpdateTime   = "aws:rep:updatetime"
	repUpdateRegion = "aws:rep:updateregion"
)

// stamp adds the attributes that a global table of version 2017.11.29 gives items to those that have
// been written: by a second write, with a record of its own in the stream and throughput of its own,
// which is not part of the answer (Developer Guide, "DynamoDB global tables versions"). Other
// replicas get the item with the attributes only. Expired items are deleted in this replica alone.
func (s *writeSet) stamp(c *call, tx *storage.Tx) {
	if s.expiry {
		tx.Withhold()
		return
	}
	tx.Separate()
	for i := range s.writes {
		w := &s.writes[i]
		t := s.tables[w.table].table
		if s.failed(i) || w.new == "" || w.new == w.old || !tables.SettingsOf(tx, t).Global.IsLegacy() {
			continue
		}
		stamped := stamped(w.old, w.new, c.Region, c.now())
		if stamped == w.new {
			continue // the client wrote these attributes
		}
		if c.emulator.throughput != nil && !s.loading {
			c.emulator.throughput.Charge(tx, c.now(), writeDemands(tx, t, w.key, w.new, stamped, 1)...)
		}
		tx.Put(t, w.key, stamped)
	}
}

// stamped returns an item with the attributes of a write in a region. old is the item before.
func stamped(old, it item.Item, region string, now time.Time) item.Item {
	micros := max(now.UnixMilli()*1000+1, updateMicros(old)+1)                      // known examples end with 001
	seconds, _ := item.ParseDecimal(fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)) // it is a number
	return it.With(
		item.Attribute{Name: repDeleting, Value: item.Boolean(false)},
		item.Attribute{Name: repUpdateRegion, Value: item.String(region)},
		item.Attribute{Name: repUpdateTime, Value: item.Number(seconds)})
}

// updateMicros returns the time of the last write of an item, in microseconds, or 0 if it has none.
func updateMicros(it item.Item) int64 {
	if it == "" {
		return 0
	}
	seconds, err := strconv.ParseFloat(it.Get(repUpdateTime).Num(), 64)
	if err != nil || seconds < 0 || seconds > 1e10 {
		return 0 // there is none, or a client wrote it
	}
	return int64(math.Round(seconds * 1e6))
}

// flagDeleted is the first of the two phases in which a replica deletes items that were deleted in
// another one: it sets their attribute for that. The second phase deletes them.
func (l *link) flagDeleted(tx *storage.Tx, t *storage.Table, batch []*storage.Outgoing) {
	for _, out := range batch {
		old := tx.Get(t, out.Key)
		if out.Item == "" && old != "" && tx.Wins(t, out) && (l.forced || l.to.transactions().conflict(t, out.Key) == nil) {
			tx.Put(t, out.Key, old.With(item.Attribute{Name: repDeleting, Value: item.Boolean(true)}))
		}
	}
	tx.Separate()
}
