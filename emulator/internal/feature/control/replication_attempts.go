package control

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// work names the changes of a replica for a peer, as an account's Attempts count them.
type work struct {
	account *serve.Account
	key     string
}

// changesPrefix begins the keys of changes for a peer. Those of jobs begin with others.
const changesPrefix = "replication/"

// changesFor returns the key of the changes of a table for a peer.
func changesFor(tableID, peer string) string { return changesPrefix + tableID + "/" + peer }

// Resume notes the changes that wait in a journal for the peers of an account's replicas. It
// forgets the attempts at those of replicas and peers that are not there any more.
func (r *Replicator) Resume(a *serve.Account) {
	there := map[string]bool{}
	a.Store.View(func(tx *storage.Tx) error { // this cannot fail
		for _, name := range tx.Tables().Names() {
			t := tx.Table(name)
			for _, peer := range tx.Replicas().Peers(t) {
				if tx.Replicas().OutgoingBytes(t, peer) > 0 {
					there[changesFor(t.ID, peer)] = true
				}
			}
		}
		return nil
	})
	s := serve.AttemptsOf(a)
	if len(there) == 0 && s.Disposable(r.service.Clock()) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for key := range there {
		if s.Over(key) {
			r.service.Logger.Error(serve.OverText("the changes for a replica"),
				slog.String("changes", key))
			continue
		}
		r.suspect(work{a, key})
	}
	a.Store.Update(func(tx *storage.Tx) error { // a journal that fails says so to the next request
		s.Only(tx,
			func(key string) bool { return there[key] || !strings.HasPrefix(key, changesPrefix) })
		return nil
	})
}

// suspect notes changes that may end the process. The caller holds r.mu.
func (r *Replicator) suspect(w work) {
	if r.found == nil {
		r.found = map[work]bool{}
	}
	r.found[w] = true
}

// takeUp keeps that the process takes up changes that it found at its start: once, however often
// they wait on. The caller holds r.mu.
func (r *Replicator) takeUp(w work) error {
	if !r.found[w] {
		return nil
	}
	r.found[w] = false
	return w.account.Store.Update(func(tx *storage.Tx) error {
		serve.AttemptsOf(w.account).Begin(tx, w.key)
		return nil
	})
}

// Close keeps that the process has outlived the changes that it took up and that wait on.
func (r *Replicator) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w, counts := range r.found {
		if !counts {
			w.account.Store.Update(func(tx *storage.Tx) error { // a journal that fails has said so
				r.gotOn(tx, w)
				return nil
			})
		}
	}
}

// gotOn notes that the process has outlived the arrival of changes. The caller holds r.mu.
func (r *Replicator) gotOn(tx *storage.Tx, w work) {
	if _, found := r.found[w]; found {
		delete(r.found, w)
		serve.AttemptsOf(w.account).GotOn(tx, w.key)
	}
}

// run delivers changes of an account's table, for everybody who delivers some. A panic in the
// delivery counts as the end of a process: it neither ends the process, nor keeps the changes of
// others, nor fails the request that delivers. The caller holds r.mu.
func (r *Replicator) run(l *replication.Link, from *serve.Account) (delivered int) {
	if r.service.Recovering("the replication of "+l.Table+" to "+l.Peer, func() error {
		delivered = l.Deliver()
		return nil
	}) != nil {
		from.Store.View(func(tx *storage.Tx) error { // this cannot fail
			if t := tx.Table(l.Table); t != nil {
				r.suspect(work{from, changesFor(t.ID, l.Peer)})
			}
			return nil
		})
	}
	return delivered
}

// forgetAttempts forgets the attempts at the changes of a table for the peers that it has no more.
func forgetAttempts(c *serve.Call, tx *storage.Tx, t *storage.Table, peers []string) {
	for _, peer := range tx.Replicas().Peers(t) {
		if !slices.Contains(peers, peer) {
			serve.AttemptsOf(c.Data).GotOn(tx, changesFor(t.ID, peer))
		}
	}
}

// setAside reports whether a member's changes for a peer are left alone.
func setAside(m *GroupMember, t *storage.Table, peer string) bool {
	return serve.AttemptsOf(m.Data).Over(changesFor(t.ID, peer))
}

// describeSetAside says in the description of a table which replicas do not get its changes. The
// service has no state for it: that of a replica whose creation failed is the nearest.
func describeSetAside(c *serve.Call, tx *storage.Tx, t *storage.Table, d *api.TableDescription) {
	s := serve.AttemptsOf(c.Data)
	for _, peer := range tx.Replicas().Peers(t) {
		if !s.Over(changesFor(t.ID, peer)) {
			continue
		}
		for i := range d.Replicas {
			r := &d.Replicas[i]
			if *r.RegionName == replication.OwnerOf(peer).Region {
				r.ReplicaStatus = api.Ref(api.ReplicaStatus("CREATION_FAILED"))
				r.ReplicaStatusDescription = api.Ref(
					serve.OverText("the changes for the replica"))
			}
		}
	}
}
