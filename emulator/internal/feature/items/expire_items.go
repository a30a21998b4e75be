package items

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// expireBatch is how many items one Update deletes: others wait for it.
const expireBatch = 100

// ExpireIn deletes the expired items of one account and region, except those whose time is more
// than five years past (Developer Guide, "Using time to live (TTL) in DynamoDB"). After an error it
// stops, and leaves the rest to the next call.
func ExpireIn(s *serve.Service, h *serve.Account) (deleted int) {
	c := &serve.Call{Service: s, Store: h.Store, Data: h}
	now := s.Clock()
	var names []string
	err := h.Store.View(func(tx *storage.Tx) error {
		for _, name := range tx.Tables().Names() {
			if Expires(tx, tx.Table(name), now) && !s.Policy.KeepsExpired(name) {
				names = append(names, name)
			}
		}
		return nil
	})
	oldest := storage.Expiring{At: now.AddDate(-5, 0, 0).Unix()}
	for _, name := range names {
		at := oldest
		for more := true; more && err == nil; {
			err = h.Store.Update(func(tx *storage.Tx) (err error) {
				var n int
				n, more, err = expireSome(c, tx, name, &at, now)
				deleted += n
				return err
			})
		}
	}
	return deleted
}

// Expires reports whether a table deletes expired items.
func Expires(tx *storage.Tx, t *storage.Table, now time.Time) bool {
	if t == nil {
		return false
	}
	s := tables.SettingsOf(tx, t)
	state := s.State.At(now)
	return (state == tables.Active || state == tables.Updating) && s.TTL.Status(now) == "ENABLED"
}

// expireSome deletes a batch of a table's items that come after at, which it
// moves on. An item of an open transaction stays for the next time.
func expireSome(c *serve.Call, tx *storage.Tx, name string, at *storage.Expiring,
	now time.Time) (deleted int, more bool, err error) {
	t := tx.Table(name)
	if !Expires(tx, t, now) {
		return 0, false, nil
	}
	batch := tx.Expiring(t, *at, now.Unix(), expireBatch)
	s := newWriteSet(len(batch), leaveUnprocessed)
	defer s.Free()
	s.nameTable(name, metering.Usage{})
	s.expiry = true
	for i, x := range batch {
		s.Writes[i].Change = expiration{of: x.Key}
		*at = x
	}
	if err := s.Run(c, tx); err != nil {
		return 0, false, err
	}
	for i := range s.Writes {
		if !s.Writes[i].left {
			deleted++
		}
	}
	return deleted, len(batch) == expireBatch, nil
}

// expiration is the change that removes an item which has expired. No policy looks at it.
type expiration struct {
	Deletion
	of storage.Key
}

func (e expiration) Key(*serve.Call, *storage.Tx, *storage.Table) (storage.Key, error) {
	return e.of, nil
}
