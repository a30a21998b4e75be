package replication

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// maxDelivery is the most changes that one Update of a replica applies.
const maxDelivery = 100

// backlogMemory is about how many bytes of changes wait for a peer before changes of the same item
// are combined.
const backlogMemory = 64 << 20

// Link delivers the changes of a table from one replica to one peer.
type Link struct {
	Table    string
	From, To *storage.Store
	Peer     string // the name of the replica in To
	Forced   bool   // deliver at once, whatever the lag, the faults and open transactions
	Terms

	tableID string // the ID of the table that the last batch is from
	strong  bool   // strongly consistent: changes are due at once, whatever the lag and delays
}

// Terms say what delays changes, and whom to tell of those that arrive. All functions must be set.
type Terms struct {
	Now       func() time.Time
	Lag       time.Duration
	Injectors []*fault.Injector   // the injectors of all faults
	Wait      func(due time.Time) // called for a change that is due later

	// Busy reports whether an open transaction has an item of the peer.
	Busy func(*storage.Table, storage.Key) bool
	// SetAside reports whether the changes of a table are left alone. A transaction calls it.
	SetAside func(*storage.Table) bool
	// TakeUp is called before the peer gets a change. GotOn is called in the transaction in which
	// the peer's changes are removed from those that wait.
	TakeUp func(tableID string) error
	GotOn  func(tx *storage.Tx, t *storage.Table)
	// Applied is called in the transaction in which the peer applies a change. old is the item
	// before, and writes the number of write requests that the service charges for it.
	Applied func(tx *storage.Tx, t *storage.Table, old item.Item, out *storage.Outgoing, writes int)
}

// Deliver delivers the changes that are due, and returns how many. It calls Wait with the times at
// which others are due. Two calls of Deliver must not overlap, also not those of different Links:
// the changes of an item stay in their order only then.
func (l *Link) Deliver() (delivered int) {
	held := map[storage.Key]bool{}
	for first := true; ; first = false {
		batch := l.batch(held)
		if len(batch) == 0 || first && l.TakeUp(l.tableID) != nil {
			return delivered
		}
		arrived, err := l.apply(batch, held)
		if err != nil {
			return delivered // the journal failed: all later requests fail too
		}
		if len(arrived) == 0 {
			continue
		}
		err = l.From.Update(func(tx *storage.Tx) error {
			if t := tx.Table(l.Table); t != nil && slices.Contains(tx.Replicas().Peers(t), l.Peer) {
				tx.Replicas().Delivered(t, l.Peer, arrived)
				l.GotOn(tx, t)
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
func (l *Link) batch(held map[storage.Key]bool) (batch []*storage.Outgoing) {
	full := false
	l.From.View(func(tx *storage.Tx) error { // this cannot fail
		t := tx.Table(l.Table)
		if t == nil {
			return nil
		}
		l.tableID = t.ID
		full = tx.Replicas().OutgoingBytes(t, l.Peer) > backlogMemory
		if l.SetAside(t) {
			return nil
		}
		global, from := tables.SettingsOf(tx, t).Global, OwnerOf(tx.Replicas().Name(t)).Region
		l.strong = global.IsStrong()
		if !global.DeniedBetween(l.Now(), from, OwnerOf(l.Peer).Region) {
			batch = l.due(tx, t, held, l.faults(from))
		}
		return nil
	})
	if len(batch) == 0 && full {
		l.combine()
	}
	return batch
}

// due returns the changes in a batch, and adds to held the items of those that are not due.
func (l *Link) due(tx *storage.Tx, t *storage.Table, held map[storage.Key]bool,
	faults linkFaults) (batch []*storage.Outgoing) {
	now, in := l.Now(), map[storage.Key]bool{}
	tx.Replicas().Outgoing(t, l.Peer, func(out *storage.Outgoing) bool {
		if held[out.Key] {
			return true
		}
		if in[out.Key] || len(batch) == maxDelivery {
			return false
		}
		due, free := faults.due(out, l.Lag)
		switch {
		case l.Forced, free && (l.strong || !now.Before(due)):
			in[out.Key] = true
			batch = append(batch, out)
		case free:
			l.Wait(due)
			held[out.Key] = true
			return len(faults.injectors) > 0 // all later ones are due later
		default:
			held[out.Key] = true
		}
		return true
	})
	return batch
}

// combine combines the changes that wait, because they take too much memory.
func (l *Link) combine() {
	l.From.Update(func(tx *storage.Tx) error { // an error is that of the next Update too
		if t := tx.Table(l.Table); t != nil && slices.Contains(tx.Replicas().Peers(t), l.Peer) {
			tx.Replicas().Combine(t, l.Peer)
		}
		return nil
	})
}

// apply applies a batch to the peer, and returns the changes that are done with. It adds items of
// open transactions to held: their changes wait.
func (l *Link) apply(batch []*storage.Outgoing,
	held map[storage.Key]bool) (arrived []*storage.Outgoing, err error) {
	err = l.To.Update(func(tx *storage.Tx) error {
		t := tx.Table(l.Table)
		if t == nil || tx.Replicas().Name(t) != l.Peer {
			arrived = batch // the replica is gone
			return nil
		}
		for _, out := range batch {
			if !l.Forced && l.Busy(t, out.Key) {
				held[out.Key] = true
			} else {
				arrived = append(arrived, out)
			}
		}
		legacy := tables.SettingsOf(tx, t).Global.IsLegacy()
		if legacy {
			flagDeleted(tx, t, arrived)
		}
		for _, out := range arrived {
			old := tx.Get(t, out.Key)
			if !tx.Replicas().Arrive(t, out) {
				continue
			}
			writes := 1
			if legacy && (old == "" || out.Item == "") {
				writes = 2 // Developer Guide, "DynamoDB global tables versions"
			}
			l.Applied(tx, t, old, out, writes)
		}
		return nil
	})
	return arrived, err
}
