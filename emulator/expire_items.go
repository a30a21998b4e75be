package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// expireBatch is how many items one Update deletes: others wait for it.
const expireBatch = 100

// expireIn deletes the expired items of one account and region.
func (s *service) expireIn(h *accountData) (deleted int) {
	c := &call{service: s, store: h.store, account: h}
	now := s.clock()
	var names []string
	err := h.store.View(func(tx *storage.Tx) error {
		for _, name := range tx.TableNames() {
			if expires(tx, tx.Table(name), now) && !s.guard.keepsExpired(name) {
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
