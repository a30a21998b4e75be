package emulator

import (
	"maps"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
)

// expireEvery is how often a Server has expired items deleted, unless a held Clock does.
const expireEvery = time.Second

// ExpireItems deletes, at once, all items that have expired by the clock, in the tables that have
// TTL enabled, and returns how many. Those that the policy keeps for good stay, and those whose
// time is more than five years in the past stay, as with the service (Developer Guide, "Using time
// to live (TTL) in DynamoDB"). A Server calls it every second, and a held Clock whenever it is
// moved; where there is neither, items stay until somebody does. Until then reads show them.
//
// It also gives back what nobody can reach any more: deleted tables, their streams after a day and
// their backups after 35 days.
func (e *Emulator) ExpireItems() (deleted int) {
	all := e.service.Namespaces.Keyed()
	// the first region deletes the items of replicas
	for _, key := range slices.Sorted(maps.Keys(all)) {
		deleted += items.ExpireIn(e.service, all[key])
		control.ForgetOld(e.service, key, all[key])
	}
	return deleted
}

// expireUntil calls ExpireItems, and that of delegates, every now and then until done is closed.
func (e *Emulator) expireUntil(done <-chan struct{}) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			e.inBackground("expiry", func() { e.ExpireItems() })
			e.inBackground("replication", func() { e.Replicate() })
			e.inBackground("expiry of delegates", e.delegates.expire)
		case <-done:
			return
		}
	}
}

// inBackground does work. A panic in it is logged and does not end the process.
func (e *Emulator) inBackground(what string, work func()) {
	_ = e.service.Recovering(what, func() error { work(); return nil })
}
