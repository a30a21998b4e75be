package emulator

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// replicator delivers the changes of replicas to their peers in other regions. A commit leaves its
// changes in the backlogs of its replica (storage.Outgoing). Whoever made the commit then delivers
// what is due, before it gets its answer: without a lag and faults all replicas are equal again by
// then. What is not due stays in the backlog until the clock, a fault or the next write brings it up.
type replicator struct {
	service   *service
	clockHeld bool // somebody replicates whenever the clock is moved

	mu    sync.Mutex // held by who delivers, so that the changes of an item stay in their order
	timer *time.Timer
	due   time.Time // of timer

	keptDeleted int // how many versions of removed items a replica keeps before it forgets some
}

// addReplicator adds the replicator of a service.
func addReplicator(s *service, clockHeld bool) *replicator {
	r := &replicator{service: s, clockHeld: clockHeld, keptDeleted: standardKeptDeleted}
	s.parts[replicatorPart] = r
	s.storage.Replicate = r.replicate
	s.strong = r
	return r
}

// replicator returns the service's.
func (s *service) replicator() *replicator { return s.parts[replicatorPart].(*replicator) }

// standardKeptDeleted is the usual keptDeleted. A version takes about 100 bytes.
const standardKeptDeleted = 10_000

// replicate delivers what is due after a commit. The caller holds no locks.
func (r *replicator) replicate(s *storage.Store, tables []string) {
	key, a := r.service.namespaces.showing(s)
	if a == nil {
		return // Restore has replaced the store
	}
	for _, table := range tables {
		r.deliver(key, a, table)
	}
}

// replicateAll delivers the changes of all replicas that are due and that no fault holds back.
func (r *replicator) replicateAll() (delivered int) {
	all := r.service.namespaces.keyed()
	maps.DeleteFunc(all, func(_ string, a *accountData) bool { return !a.store.HasReplicas() })
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
func (r *replicator) replicasIn(a *accountData) (replicas []knownReplica) {
	now := r.service.clock()
	a.store.View(func(tx *storage.Tx) error { // which cannot fail
		for _, table := range tx.TableNames() {
			t := tx.Table(table)
			if name := tx.ReplicaName(t); name != "" {
				replicas = append(replicas, knownReplica{table, name, tables.SettingsOf(tx, t).Global.Separated(now) != nil})
			}
		}
		return nil
	})
	return replicas
}

// deliver delivers the changes of a table that are due to all its peers.
func (r *replicator) deliver(key string, from *accountData, table string) (delivered int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var peers []string
	from.store.View(func(tx *storage.Tx) error { // which cannot fail
		if t := tx.Table(table); t != nil {
			peers = tx.Peers(t)
		}
		return nil
	})
	for _, peer := range peers {
		if to := r.service.namespaces.peer(key, peer); to != nil {
			delivered += r.link(table, from, to, peer).Deliver()
		}
	}
	r.forgetVersions(key, from, table, peers)
	return delivered
}

// link returns the way of a table's changes to the replica of a peer. The caller holds the lock of
// the replication.
func (r *replicator) link(table string, from, to *accountData, peer string) *replication.Link {
	terms := replication.Terms{
		Now:  r.service.clock,
		Lag:  r.service.replicationLag,
		Wait: func(due time.Time) { r.wake(due) },
		Busy: func(t *storage.Table, k storage.Key) bool { return to.busy(t, k) },
		Applied: func(tx *storage.Tx, t *storage.Table, old item.Item, out *storage.Outgoing, writes int) {
			if r.service.throughput != nil { // which replication uses whether there is some or not
				r.service.throughput.Charge(tx, r.service.clock(), writeDemands(tx, t, out.Key, old, out.Item, float64(writes))...)
			}
			if old == "" && out.Item != "" {
				r.service.guard.arrived(to.partitionCount().State, table, out.Item)
			}
		},
	}
	if active := r.service.faults.active.Load(); active != nil {
		terms.Injectors = active.injectors
	}
	return &replication.Link{Table: table, From: from.store, To: to.store, Peer: peer, Terms: terms}
}

// forgetVersions makes all replicas of a table forget the versions of their items if many of those
// are of removed items and all replicas are equal. Nobody asks for these versions any more: every
// later write is newer. The caller holds the lock of the replication.
func (r *replicator) forgetVersions(key string, from *accountData, table string, peers []string) {
	full := false
	from.store.View(func(tx *storage.Tx) error { // which cannot fail
		if t := tx.Table(table); t != nil && tx.ReplicaName(t) != "" {
			deleted, quiet := tx.Quiet(t)
			full = quiet && deleted > r.keptDeleted
		}
		return nil
	})
	if !full {
		return
	}
	stores := map[string]*storage.Store{key: from.store}
	for _, peer := range peers {
		to := r.service.namespaces.peer(key, peer)
		if to == nil {
			return
		}
		stores[peer] = to.store
	}
	var list []*storage.Store
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		list = append(list, stores[name])
	}
	if !r.service.namespaces.several.TryLock() {
		return // who has it may wait for the lock of the replication: next time
	}
	defer r.service.namespaces.several.Unlock()
	storage.UpdateAll(list, func(txs []*storage.Tx) error { // an error is that of the next Update too
		storage.ForgetVersions(txs, table)
		return nil
	})
}

// wake delivers again when a change becomes due, if the clock does not do it.
func (r *replicator) wake(due time.Time) {
	if r.clockHeld || r.timer != nil && !due.Before(r.due) && r.due.After(r.service.clock()) {
		return
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	r.due = due
	r.timer = time.AfterFunc(due.Sub(r.service.clock()), func() { r.replicateAll() })
}
