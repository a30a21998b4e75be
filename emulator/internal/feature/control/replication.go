package control

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Replicator delivers the changes of replicas to their peers in other regions. A commit leaves its
// changes in the backlogs of its replica (storage.Outgoing). Whoever made the commit then delivers
// what is due, before it gets its answer: without a lag and faults all replicas are equal again by
// then. What is not due stays in the backlog until the clock, a fault or the next write brings it
// up.
type Replicator struct {
	service   *serve.Service
	clockHeld bool // somebody replicates whenever the clock is moved

	mu    sync.Mutex // held by who delivers, so that the changes of an item stay in their order
	timer *time.Timer
	due   time.Time // the moment at which timer fires

	// changes that the process found at its start, or whose arrival panicked, and has not delivered
	// since. True: the next attempt at them counts.
	found map[work]bool

	KeptDeleted int // how many versions of removed items a replica keeps before it forgets some
}

// AddReplicator adds the replicator of a service.
func AddReplicator(s *serve.Service, clockHeld bool) *Replicator {
	r := &Replicator{service: s, clockHeld: clockHeld, KeptDeleted: standardKeptDeleted}
	s.Storage.Replicate = r.replicate
	s.Replicator = r
	return r
}

// standardKeptDeleted is the usual KeptDeleted. A version takes about 100 bytes.
const standardKeptDeleted = 10_000

// replicate delivers what is due after a commit. The caller holds no locks.
func (r *Replicator) replicate(s *storage.Store, tables []string) {
	key, a := r.service.Namespaces.Showing(s)
	if a == nil {
		return // Restore has replaced the store
	}
	for _, table := range tables {
		r.deliver(key, a, table)
	}
}

// ReplicateAll delivers the changes of all replicas that are due and that no fault holds back.
func (r *Replicator) ReplicateAll() (delivered int) {
	all := r.service.Namespaces.Keyed()
	maps.DeleteFunc(all, func(_ string, a *serve.Account) bool { return !a.Store.HasReplicas() })
	for _, key := range slices.Sorted(maps.Keys(all)) {
		for _, known := range r.replicasIn(all[key]) {
			if known.separated {
				r.separate(key, all[key], known)
			}
			delivered += r.deliver(key, all[key], known.table)
		}
	}
	return delivered
}

// knownReplica is a replica that replicasIn has found.
type knownReplica struct {
	table, name string
	separated   bool // a replica of its global table has been denied replication for too long
}

// replicasIn returns the replicas of an account and region.
func (r *Replicator) replicasIn(a *serve.Account) (replicas []knownReplica) {
	now := r.service.Clock()
	a.Store.View(func(tx *storage.Tx) error { // this cannot fail
		for _, table := range tx.Tables().Names() {
			t := tx.Table(table)
			if name := tx.Replicas().Name(t); name != "" {
				replicas = append(replicas,
					knownReplica{table, name,
						tables.SettingsOf(tx, t).Global.Separated(now) != nil})
			}
		}
		return nil
	})
	return replicas
}

// deliver delivers the changes of a table that are due to all its peers.
func (r *Replicator) deliver(key string, from *serve.Account, table string) (delivered int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var peers []string
	from.Store.View(func(tx *storage.Tx) error { // this cannot fail
		if t := tx.Table(table); t != nil {
			peers = tx.Replicas().Peers(t)
		}
		return nil
	})
	for _, peer := range peers {
		if to := r.service.Namespaces.Peer(key, peer); to != nil {
			delivered += r.run(r.link(table, from, to, peer), from)
		}
	}
	r.forgetVersions(key, from, table, peers)
	return delivered
}

// link returns the way of a table's changes to the replica of a peer. The caller holds the lock of
// the replication.
func (r *Replicator) link(table string, from, to *serve.Account, peer string) *replication.Link {
	terms := replication.Terms{
		Now:  r.service.Clock,
		Lag:  r.service.ReplicationLag,
		Wait: func(due time.Time) { r.wake(due) },
		SetAside: func(t *storage.Table) bool {
			return serve.AttemptsOf(from).Over(changesFor(t.ID, peer))
		},
		TakeUp: func(id string) error { return r.takeUp(work{from, changesFor(id, peer)}) },
		GotOn: func(tx *storage.Tx, t *storage.Table) {
			r.gotOn(tx, work{from, changesFor(t.ID, peer)})
		},
		Busy: func(t *storage.Table, k storage.Key) bool { return to.Busy(t, k) },
		Applied: func(tx *storage.Tx, t *storage.Table, old item.Item, out *storage.Outgoing,
			writes int) {
			if r.service.Throughput != nil { // replication uses it whether some is left or not
				r.service.Throughput.Charge(tx, r.service.Clock(),
					metering.WriteDemands(tx, t, out.Key, old, out.Item, float64(writes))...)
			}
			if old == "" && out.Item != "" {
				r.service.Policy.Arrived(to.PartitionCount().State, table, out.Item)
			}
		},
	}
	if active := r.service.Faults.Active.Load(); active != nil {
		terms.Injectors = active.Injectors
	}
	return &replication.Link{Table: table, From: from.Store, To: to.Store, Peer: peer, Terms: terms}
}

// forgetVersions makes all replicas of a table forget the versions of their items if many of those
// are of removed items and all replicas are equal. Nobody asks for these versions any more: every
// later write is newer. The caller holds the lock of the replication.
func (r *Replicator) forgetVersions(key string, from *serve.Account, table string, peers []string) {
	full := false
	from.Store.View(func(tx *storage.Tx) error { // this cannot fail
		if t := tx.Table(table); t != nil && tx.Replicas().Name(t) != "" {
			deleted, quiet := tx.Replicas().Quiet(t)
			full = quiet && deleted > r.KeptDeleted
		}
		return nil
	})
	if !full {
		return
	}
	stores := map[string]*storage.Store{key: from.Store}
	for _, peer := range peers {
		to := r.service.Namespaces.Peer(key, peer)
		if to == nil {
			return
		}
		stores[peer] = to.Store
	}
	var list []*storage.Store
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		list = append(list, stores[name])
	}
	if !r.service.Namespaces.Several.TryLock() {
		return // its holder may wait for the lock of the replication: next time
	}
	defer r.service.Namespaces.Several.Unlock()
	// an error is that of the next Update too
	storage.UpdateAll(list, func(txs []*storage.Tx) error {
		storage.ForgetVersions(txs, table)
		return nil
	})
}

// wake delivers again when a change becomes due, if the clock does not do it.
func (r *Replicator) wake(due time.Time) {
	if r.clockHeld || r.timer != nil && !due.Before(r.due) && r.due.After(r.service.Clock()) {
		return
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	r.due = due
	r.timer = time.AfterFunc(due.Sub(r.service.Clock()), func() {
		_ = r.service.Recovering("replication", func() error { r.ReplicateAll(); return nil })
	})
}
