package emulator

import (
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
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
		stamped := replication.Stamped(w.old, w.new, c.Region, c.now())
		if stamped == w.new {
			continue // the client wrote these attributes
		}
		if c.service.throughput != nil && !s.loading {
			c.service.throughput.Charge(tx, c.now(), writeDemands(tx, t, w.key, w.new, stamped, 1)...)
		}
		tx.Put(t, w.key, stamped)
	}
}
