package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// maxDelivery is the most changes that one Update of a replica applies.
const maxDelivery = 100

// backlogMemory is about how many bytes of changes wait for a peer before changes of the same item
// are combined.
const backlogMemory = 64 << 20

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
