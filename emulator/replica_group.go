package emulator

import (
	"errors"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// replicaGroup is a table with its replicas in other regions during one commit that all of them
// share. A table that is no replica is a group of its own.
type replicaGroup struct {
	name    string
	local   *groupMember
	members []*groupMember // the local one included, in the order of the names of replicas
}

// groupMember is the table of a group in one account and region.
type groupMember struct {
	*call // like the request's, in the account and region
	data  *accountData
	tx    *storage.Tx
}

// table returns the member's table and its settings, or nil if there is none.
func (m *groupMember) table(name string) (*storage.Table, *tables.Settings) {
	t := m.tx.Table(name)
	if t == nil {
		return nil, nil
	}
	s := tables.SettingsOf(m.tx, t)
	if s.State.At(m.now()) == "" {
		return nil, nil
	}
	return t, s
}

// member returns the member that belongs to an owner.
func (g *replicaGroup) member(o arn.Owner) *groupMember {
	for _, m := range g.members {
		if m.Owner == o {
			return m
		}
	}
	return nil
}

// others returns the members that are replicas with the local one.
func (g *replicaGroup) others() (others []*groupMember) {
	_, s := g.local.table(g.name)
	if s == nil {
		return nil
	}
	for _, m := range g.members {
		if m != g.local && s.Global.Of(m.Owner) != nil {
			others = append(others, m)
		}
	}
	return others
}

var (
	errGroupChanged = errors.New("the table has other replicas now")
	errUndelivered  = errors.New("changes of the replica are not delivered yet")
)

// inGroup calls f with a table and its replicas, and with the further owners, in a commit that they
// share. If f returns errUndelivered, inGroup delivers all changes and tries again.
func (c *call) inGroup(name string, further []arn.Owner, f func(*replicaGroup) error) error {
	for {
		owners := c.groupOwners(name, further)
		err := c.tryInGroup(name, owners, func(g *replicaGroup) error {
			if !slices.Equal(owners, c.ownersOf(g.local.tx, name, further)) {
				return errGroupChanged
			}
			return f(g)
		})
		switch err {
		case errGroupChanged:
		case errUndelivered:
			c.service.replicator().deliverAll(name, c, owners)
		default:
			return err
		}
	}
}

func (c *call) tryInGroup(name string, owners []arn.Owner, f func(*replicaGroup) error) error {
	g := &replicaGroup{name: name}
	stores := make([]*storage.Store, len(owners))
	for i, o := range owners {
		m := &groupMember{call: c}
		if o != c.Owner {
			m.data = c.borrowOf(o)
			defer m.data.giveBack()
			m.call = c.in(o, m.data)
		} else {
			g.local = m
		}
		g.members, stores[i] = append(g.members, m), m.store
	}
	n := &c.service.namespaces
	n.several.Lock()
	defer n.several.Unlock()
	return storage.UpdateAll(stores, func(txs []*storage.Tx) error {
		for i, tx := range txs {
			g.members[i].tx = tx
		}
		return f(g)
	})
}

// deliverAll delivers all changes of the replicas of a table, whatever the lag and the faults.
func (r *replicator) deliverAll(name string, c *call, owners []arn.Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, from := range owners {
		for _, to := range owners {
			if from == to {
				continue
			}
			r.deliverBetween(c, name, from, to, true)
		}
	}
}

// deliverBetween delivers the changes of a table from one replica to another. The caller holds the
// lock of the replication.
func (r *replicator) deliverBetween(c *call, name string, from, to arn.Owner, forced bool) {
	sender := c.borrowOf(from)
	defer sender.giveBack()
	receiver := c.borrowOf(to)
	defer receiver.giveBack()
	l := r.link(name, sender, receiver, replication.Name(to))
	l.Forced = forced
	l.Deliver()
}

// setGlobal gives all members that are replicas the same global table, and makes each the peer of
// the others. with is the member that a new replica is a copy of, and its region, if there is one.
func (g *replicaGroup) setGlobal(global *tables.GlobalTable, now time.Time) {
	g.reauthorize(global, now)
	for _, m := range g.members {
		t, s := m.table(g.name)
		if t == nil || s.State.Status == tables.Deleting {
			continue
		}
		s = s.Clone()
		if s.Global = nil; global.Of(m.Owner) != nil {
			s.Global = global.Clone()
		}
		m.tx.SetSettings(t, s.Settle(now))
		if peers := m.peers(global); len(peers) > 0 {
			m.tx.SetReplica(t, replication.Name(m.Owner), peers)
		} else if m.tx.ReplicaName(t) != "" {
			m.tx.SetReplica(t, "", nil)
		}
	}
}

// peers returns the names of the other replicas of a global table, or nil if the member is none.
func (m *groupMember) peers(global *tables.GlobalTable) (peers []string) {
	if global.Of(m.Owner) == nil {
		return nil
	}
	for _, o := range global.Owners(m.Owner) {
		if o != m.Owner {
			peers = append(peers, replication.Name(o))
		}
	}
	return peers
}

// delivered reports whether no change of a member waits for another one that it can be sent to.
func (m *groupMember) delivered(name string) bool {
	t, s := m.table(name)
	if t == nil {
		return true
	}
	return !slices.ContainsFunc(m.tx.Peers(t), func(peer string) bool {
		return m.tx.OutgoingBytes(t, peer) > 0 && !s.Global.DeniedBetween(m.now(), m.Region, replication.OwnerOf(peer).Region)
	})
}
