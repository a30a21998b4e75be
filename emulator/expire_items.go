package emulator

import (
	"maps"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// expireBatch is how many items one Update deletes: others wait for it.
const expireBatch = 100

// expireEvery is how often a Server has expired items deleted, unless a held Clock does.
const expireEvery = time.Second

// ExpireItems deletes, at once, all items that have expired by the clock, in the tables that have
// TTL enabled, and returns how many. Those that the policy keeps for good stay, and those whose
// time is more than five years in the past stay, as with the service (Developer Guide, "Using time
// to live (TTL) in DynamoDB"). A Server calls it every second, and a held Clock whenever it is
// moved; where there is neither, items stay until somebody does. Until then reads show them.
func (e *Emulator) ExpireItems() (deleted int) {
	all := e.service.namespaces.keyed()
	for _, key := range slices.Sorted(maps.Keys(all)) { // of replicas, the first region deletes
		deleted += e.expireIn(all[key])
	}
	return deleted
}

// expireIn deletes the expired items of one account and region.
func (e *Emulator) expireIn(h *accountData) (deleted int) {
	c := &call{service: e.service, store: h.store, transactions: h.transactions(), account: h}
	now := e.service.clock()
	var names []string
	err := h.store.View(func(tx *storage.Tx) error {
		for _, name := range tx.TableNames() {
			if expires(tx, tx.Table(name), now) && !e.service.guard.keepsExpired(name) {
				names = append(names, name)
			}
		}
		return nil
	})
	for _, name := range names {
		at := storage.Expiring{At: now.AddDate(-5, 0, 0).Unix()}
		for more := true; more && err == nil; {
			err = h.store.Update(func(tx *storage.Tx) (err error) {
				var n int
				n, more, err = c.expireSome(tx, name, &at, now)
				deleted += n
				return err
			})
		}
	}
	return deleted
}

// expires reports whether a table deletes expired items.
func expires(tx *storage.Tx, t *storage.Table, now time.Time) bool {
	if t == nil {
		return false
	}
	s := tables.SettingsOf(tx, t)
	state := s.State.At(now)
	return (state == tables.Active || state == tables.Updating) && s.TTL.Status(now) == "ENABLED"
}

// expireSome deletes a batch of a table's items that come after at, which it
// moves on. An item of an open transaction stays for the next time.
func (c *call) expireSome(tx *storage.Tx, name string, at *storage.Expiring, now time.Time) (deleted int, more bool, err error) {
	t := tx.Table(name)
	if !expires(tx, t, now) {
		return 0, false, nil
	}
	batch := tx.Expiring(t, *at, now.Unix(), expireBatch)
	s := newWriteSet(len(batch), leaveUnprocessed)
	defer s.free()
	s.nameTable(name, metering.Usage{})
	s.expiry = true
	for i, x := range batch {
		s.writes[i].change = expiration{of: x.Key}
		*at = x
	}
	if err := s.run(c, tx); err != nil {
		return 0, false, err
	}
	for i := range s.writes {
		if !s.writes[i].left {
			deleted++
		}
	}
	return deleted, len(batch) == expireBatch, nil
}

// expiration is the change that removes an item which has expired. No policy looks at it.
type expiration struct {
	deletion
	of storage.Key
}

func (e expiration) key(*call, *storage.Tx, *storage.Table) (storage.Key, error) { return e.of, nil }

// expireUntil calls ExpireItems, and that of delegates, every now and then until done is closed.
func (e *Emulator) expireUntil(done <-chan struct{}) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			e.ExpireItems()
			e.Replicate()
			e.expireInDelegates()
		case <-done:
			return
		}
	}
}

// all returns the data of all namespaces.
func (n *namespaces) all() []*accountData {
	n.mu.RLock()
	defer n.mu.RUnlock()
	all := make([]*accountData, 0, len(n.stores))
	for _, h := range n.stores {
		all = append(all, h)
	}
	return all
}
