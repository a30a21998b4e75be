package control

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// ForgetOld gives back what the account of a key (see Namespaces.Keyed) holds and nobody can reach
// any more: tables whose deletion is over, streams that have ended too long ago, backups of deleted
// tables that have expired. Later requests of the account would do it too, but there may be none.
func ForgetOld(s *serve.Service, key string, a *serve.Account) {
	old := false
	a.Store.View(func(tx *storage.Tx) error { // this cannot fail
		old = tx.Streams().HoldOld() || holdsGone(s, tx) ||
			slices.ContainsFunc(tx.Backups().All(),
				func(b *storage.Backup) bool { return tables.BackupOf(b).Expired(s.Clock()) })
		return nil
	})
	if !old {
		return
	}
	owner, region, _ := strings.Cut(key, "/")
	borrowed := s.Namespaces.BorrowOf(owner, region) // its partition keys are counted
	defer borrowed.GiveBack()
	if borrowed != a {
		return // another one has taken its place
	}
	c := &serve.Call{Service: s, Store: a.Store, Data: a}
	a.Store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		for _, name := range tx.Tables().Names() {
			if isGone(s, tx, name) {
				c.DropGone(tx, name)
				if count := a.PartitionCount().State; count != nil {
					count.Forget(name)
				}
			}
		}
		dropOldBackups(c, tx)
		tx.Streams().ForgetOld()
		return nil
	})
}

// holdsGone reports whether there is a table whose deletion is over.
func holdsGone(s *serve.Service, tx *storage.Tx) bool {
	return s.Delays.Delete > 0 && slices.ContainsFunc(tx.Tables().Names(),
		func(name string) bool { return isGone(s, tx, name) })
}

// isGone reports whether the deletion of a table is over.
func isGone(s *serve.Service, tx *storage.Tx, name string) bool {
	t := tx.Table(name)
	return t != nil && tables.SettingsOf(tx, t).State.At(s.Clock()) == ""
}
