package emulator

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// replication delivers the changes of replicas to their peers in other regions. A commit leaves its
// changes in the backlogs of its replica (storage.Outgoing). Whoever made the commit then delivers
// what is due, before it gets its answer: without a lag and faults all replicas are equal again by
// then. What is not due stays in the backlog until the clock, a fault or the next write brings it up.
type replication struct {
	mu    sync.Mutex // held by who delivers, so that the changes of an item stay in their order
	timer *time.Timer
	due   time.Time // of timer

	keptDeleted int // how many versions of removed items a replica keeps before it forgets some
}

// standardKeptDeleted is the usual keptDeleted. A version takes about 100 bytes.
const standardKeptDeleted = 10_000

// WithReplicationLag sets how long replicas of a global table take to get each other's changes,
// measured on the clock. The default is 0: the answer to a write then comes after all replicas have
// it. Global tables with strong consistency have no lag.
func WithReplicationLag(d time.Duration) Option {
	return func(s *settings) { s.replicationLag = max(0, d) }
}

// regionOf returns the region in the name of a replica.
func regionOf(replica string) string {
	region, _, _ := strings.Cut(replica, "/")
	return region
}

// maxDelivery is the most changes that one Update of a replica applies.
const maxDelivery = 100

// backlogMemory is about how many bytes of changes wait for a peer before changes of the same item
// are combined.
const backlogMemory = 64 << 20

// replicaName returns the name of the replica of a table in storage. Names order like regions.
func replicaName(o arn.Owner) string { return o.Region + "/" + o.Account }

// replicate delivers what is due after a commit. The caller holds no locks.
func (e *Emulator) replicate(s *storage.Store, tables []string) {
	key, a := e.namespaces.showing(s)
	if a == nil {
		return // Restore has replaced the store
	}
	for _, table := range tables {
		e.deliver(key, a, table)
	}
}

// Replicate delivers the changes of all replicas that are due by the clock and that no fault holds
// back. It returns how many. A Server calls it every second, a held Clock whenever it is moved, and
// every write for its own changes.
func (e *Emulator) Replicate() (delivered int) {
	all := e.namespaces.keyed()
	maps.DeleteFunc(all, func(_ string, a *accountData) bool { return !a.store.HasReplicas() })
	for _, key := range slices.Sorted(maps.Keys(all)) {
		for _, r := range e.replicasIn(all[key]) {
			if r.separated {
				e.separate(key, all[key], r)
			}
			delivered += e.deliver(key, all[key], r.table)
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
func (e *Emulator) replicasIn(a *accountData) (replicas []knownReplica) {
	now := e.clock()
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

// separate makes tables of their own of all replicas that have been denied replication for too long.
// key is that of the namespace of one replica of their global table.
func (e *Emulator) separate(key string, a *accountData, r knownReplica) {
	region, account, _ := strings.Cut(r.name, "/")
	accessKey, _, _ := strings.Cut(key, "/")
	c := &call{emulator: e, store: a.store, transactions: a.transactions(), account: a, accessKey: accessKey,
		Owner: arn.Owner{Account: account, Region: region}}
	c.inGroup(r.table, nil, func(g *replicaGroup) error { // an error is that of the next Update too
		_, s := g.local.table(r.table)
		if s == nil {
			return nil
		}
		global := s.Global
		for _, region := range s.Global.Separated(c.now()) {
			global = global.Leave(region, c.now(), 0)
		}
		if global != s.Global {
			g.setGlobal(global, c.now())
		}
		return nil
	})
}

// showing returns the key and the data of the namespace that shows a store, or nil if none does.
func (n *namespaces) showing(s *storage.Store) (key string, a *accountData) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for key, a := range n.stores {
		if a.store == s {
			return key, a
		}
	}
	return "", nil
}

// keyed returns the data of all namespaces by their keys.
func (n *namespaces) keyed() map[string]*accountData {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return maps.Clone(n.stores)
}

// deliver delivers the changes of a table that are due to all its peers.
func (e *Emulator) deliver(key string, from *accountData, table string) (delivered int) {
	e.replication.mu.Lock()
	defer e.replication.mu.Unlock()
	var peers []string
	from.store.View(func(tx *storage.Tx) error { // which cannot fail
		if t := tx.Table(table); t != nil {
			peers = tx.Peers(t)
		}
		return nil
	})
	for _, peer := range peers {
		l := &link{emulator: e, from: from, to: e.namespaces.peer(key, peer), table: table, peer: peer}
		if l.to != nil {
			delivered += l.deliver()
		}
	}
	e.forgetVersions(key, from, table, peers)
	return delivered
}

// forgetVersions makes all replicas of a table forget the versions of their items if many of those
// are of removed items and all replicas are equal. Nobody asks for these versions any more: every
// later write is newer. The caller holds the lock of the replication.
func (e *Emulator) forgetVersions(key string, from *accountData, table string, peers []string) {
	full := false
	from.store.View(func(tx *storage.Tx) error { // which cannot fail
		if t := tx.Table(table); t != nil && tx.ReplicaName(t) != "" {
			deleted, quiet := tx.Quiet(t)
			full = quiet && deleted > e.replication.keptDeleted
		}
		return nil
	})
	if !full {
		return
	}
	stores := map[string]*storage.Store{key: from.store}
	for _, peer := range peers {
		to := e.namespaces.peer(key, peer)
		if to == nil {
			return
		}
		stores[peer] = to.store
	}
	var list []*storage.Store
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		list = append(list, stores[name])
	}
	if !e.namespaces.several.TryLock() {
		return // who has it may wait for the lock of the replication: next time
	}
	defer e.namespaces.several.Unlock()
	storage.UpdateAll(list, func(txs []*storage.Tx) error { // an error is that of the next Update too
		storage.ForgetVersions(txs, table)
		return nil
	})
}

// peer returns the data in the namespace of a peer, or nil if there are none. key is that of the
// namespace of the replica itself.
func (n *namespaces) peer(key, peer string) *accountData {
	owner, _, _ := strings.Cut(key, "/")
	region, account, _ := strings.Cut(peer, "/")
	if n.emulator.iam != nil {
		owner = account
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.stores[owner+"/"+region]
}

// link is the way of a table's changes from a replica to a peer.
type link struct {
	emulator *Emulator
	from, to *accountData
	table    string
	peer     string
	forced   bool // neither the lag nor faults nor open transactions hold back a change
	strong   bool // neither the lag nor a delay does
}

// deliver delivers the changes that are due. The caller holds the lock of the replication.
func (l *link) deliver() (delivered int) {
	held := map[storage.Key]bool{}
	for {
		batch := l.batch(held)
		if len(batch) == 0 {
			return delivered
		}
		arrived, err := l.apply(batch, held)
		if err != nil {
			return delivered // the journal failed: all later requests fail too
		}
		if len(arrived) == 0 {
			continue
		}
		err = l.from.store.Update(func(tx *storage.Tx) error {
			if t := tx.Table(l.table); t != nil && slices.Contains(tx.Peers(t), l.peer) {
				tx.Delivered(t, l.peer, arrived)
			}
			return nil
		})
		if err != nil {
			return delivered
		}
		delivered += len(arrived)
	}
}

// batch returns the next changes to deliver, each of another item. Items in held wait, and batch
// adds those that a fault holds back.
func (l *link) batch(held map[storage.Key]bool) (batch []*storage.Outgoing) {
	e := l.emulator
	now := e.clock()
	faults := l.faults()
	in, full := map[storage.Key]bool{}, false
	l.from.store.View(func(tx *storage.Tx) error { // which cannot fail
		t := tx.Table(l.table)
		if t == nil {
			return nil
		}
		full = tx.OutgoingBytes(t, l.peer) > backlogMemory
		global := tables.SettingsOf(tx, t).Global
		if l.strong = global.IsStrong(); global.DeniedBetween(now, regionOf(tx.ReplicaName(t)), regionOf(l.peer)) {
			return nil
		}
		tx.Outgoing(t, l.peer, func(out *storage.Outgoing) bool {
			if held[out.Key] {
				return true
			}
			if in[out.Key] || len(batch) == maxDelivery {
				return false
			}
			due, free := faults.due(out, e.replicationLag)
			switch {
			case l.forced, free && (l.strong || !now.Before(due)):
				in[out.Key] = true
				batch = append(batch, out)
			case free:
				e.replication.wake(e, due)
				held[out.Key] = true
				return len(faults.injectors) > 0 // all later ones are due later
			default:
				held[out.Key] = true
			}
			return true
		})
		return nil
	})
	if len(batch) == 0 && full {
		l.combine()
	}
	return batch
}

// combine combines the changes that wait, because they take too much memory.
func (l *link) combine() {
	l.from.store.Update(func(tx *storage.Tx) error { // an error is that of the next Update too
		if t := tx.Table(l.table); t != nil && slices.Contains(tx.Peers(t), l.peer) {
			tx.Combine(t, l.peer)
		}
		return nil
	})
}

// apply applies a batch to the peer. It returns the changes that need not be delivered again. An
// item of an open transaction waits, and apply adds it to held.
func (l *link) apply(batch []*storage.Outgoing, held map[storage.Key]bool) (arrived []*storage.Outgoing, err error) {
	err = l.to.store.Update(func(tx *storage.Tx) error {
		t := tx.Table(l.table)
		if t == nil || tx.ReplicaName(t) != l.peer {
			arrived = batch // the replica is gone
			return nil
		}
		if tables.SettingsOf(tx, t).Global.IsLegacy() {
			l.flagDeleted(tx, t, batch)
		}
		for _, out := range batch {
			if !l.forced && l.to.transactions().conflict(t, out.Key) != nil {
				held[out.Key] = true
				continue
			}
			arrived = append(arrived, out)
			old := tx.Get(t, out.Key)
			if tx.Arrive(t, out) {
				l.account(tx, t, old, out)
			}
		}
		return nil
	})
	return arrived, err
}

// account counts a change that the peer has applied: its throughput, which replication uses whether
// there is some or not, and for the policy.
func (l *link) account(tx *storage.Tx, t *storage.Table, old item.Item, out *storage.Outgoing) {
	e := l.emulator
	if e.throughput != nil {
		times := 1.0
		if (old == "" || out.Item == "") && tables.SettingsOf(tx, t).Global.IsLegacy() {
			times = 2 // Developer Guide, "DynamoDB global tables versions"
		}
		e.throughput.Charge(tx, e.clock(), writeDemands(tx, t, out.Key, old, out.Item, times)...)
	}
	if old == "" && out.Item != "" {
		e.guard.arrived(l.to, l.table, out.Item)
	}
}

// wake delivers again when a change becomes due, if the clock does not do it.
func (r *replication) wake(e *Emulator, due time.Time) {
	if e.held != nil || r.timer != nil && !due.Before(r.due) && r.due.After(e.clock()) {
		return
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	r.due = due
	r.timer = time.AfterFunc(due.Sub(e.clock()), func() { e.Replicate() })
}
