package items

import (
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// stamp adds the attributes that a global table of version 2017.11.29 gives items to those that
// have been written: by a second write, with a record of its own in the stream and throughput of
// its own, which is not part of the answer (Developer Guide, "DynamoDB global tables versions").
// Other replicas get the item with the attributes only. Expired items are deleted in this replica
// alone.
func (s *writeSet) stamp(c *serve.Call, tx *storage.Tx) {
	if s.expiry {
		tx.Replicas().Withhold()
		return
	}
	tx.Separate()
	for i := range s.Writes {
		w := &s.Writes[i]
		t := s.Tables[w.table].Table
		if s.Failed(i) || w.New == "" || w.New == w.Old ||
			!tables.SettingsOf(tx, t).Global.IsLegacy() {
			continue
		}
		stamped := replication.Stamped(w.Old, w.New, c.Region, c.Now())
		if stamped == w.New {
			continue // the client wrote these attributes
		}
		if c.Service.Throughput != nil && !s.Loading {
			c.Service.Throughput.Charge(tx, c.Now(),
				metering.WriteDemands(tx, t, w.Key, w.New, stamped, 1)...)
		}
		tx.Put(t, w.Key, stamped)
	}
}
