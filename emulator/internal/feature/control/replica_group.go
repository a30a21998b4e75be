package control

import (
	"errors"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// ReplicaGroup is a table with its replicas in other regions during one commit that all of them
// share. A table that is no replica is a group of its own.
type ReplicaGroup struct {
	name    string
	Local   *GroupMember
	members []*GroupMember // the local one included, in the order of the names of replicas
}

// GroupMember is the table of a group in one account and region.
type GroupMember struct {
	*serve.Call // a call like the request's, in the account and region
	data        *serve.Account
	Tx          *storage.Tx
}

// table returns the member's table and its settings, or nil if it has no such table.
func (m *GroupMember) table(name string) (*storage.Table, *tables.Settings) {
	t := tables.Seen(m.Tx, name, m.Now())
	if t == nil {
		return nil, nil
	}
	return t, tables.SettingsOf(m.Tx, t)
}

// Member returns the member that belongs to an owner.
func (g *ReplicaGroup) Member(o arn.Owner) *GroupMember {
	for _, m := range g.members {
		if m.Owner == o {
			return m
		}
	}
	return nil
}

// others returns the members that are replicas with the local one.
func (g *ReplicaGroup) others() (others []*GroupMember) {
	_, s := g.Local.table(g.name)
	if s == nil {
		return nil
	}
	for _, m := range g.members {
		if m != g.Local && s.Global.Of(m.Owner) != nil {
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
func inGroup(c *serve.Call, name string, further []arn.Owner, f func(*ReplicaGroup) error) error {
	for {
		owners := c.GroupOwners(name, further)
		err := TryInGroup(c, name, owners, func(g *ReplicaGroup) error {
			if !slices.Equal(owners, c.OwnersOf(g.Local.Tx, name, further)) {
				return errGroupChanged
			}
			return f(g)
		})
		switch err {
		case errGroupChanged:
		case errUndelivered:
			c.Service.Replicator.DeliverAll(c, name, owners)
		default:
			return err
		}
	}
}

func TryInGroup(c *serve.Call, name string, owners []arn.Owner, f func(*ReplicaGroup) error) error {
	g := &ReplicaGroup{name: name}
	stores := make([]*storage.Store, len(owners))
	for i, o := range owners {
		m := &GroupMember{Call: c}
		if o != c.Owner {
			m.data = c.BorrowOf(o)
			defer m.data.GiveBack()
			m.Call = c.As(o, m.data)
		} else {
			g.Local = m
		}
		g.members, stores[i] = append(g.members, m), m.Store
	}
	n := &c.Service.Namespaces
	n.Several.Lock()
	defer n.Several.Unlock()
	return storage.UpdateAll(stores, func(txs []*storage.Tx) error {
		for i, tx := range txs {
			g.members[i].Tx = tx
		}
		return f(g)
	})
}

// DeliverAll delivers all changes of the replicas of a table, whatever the lag and the faults.
func (r *Replicator) DeliverAll(c *serve.Call, name string, owners []arn.Owner) {
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
func (r *Replicator) deliverBetween(c *serve.Call, name string, from, to arn.Owner, forced bool) {
	sender := c.BorrowOf(from)
	defer sender.GiveBack()
	receiver := c.BorrowOf(to)
	defer receiver.GiveBack()
	l := r.link(name, sender, receiver, replication.Name(to))
	l.Forced = forced
	r.run(l, sender)
}

// setGlobal gives all members that are replicas the same global table, and makes each the peer of
// the others. with is the member that a new replica is a copy of, and its region, if there is one.
func (g *ReplicaGroup) setGlobal(global *tables.GlobalTable, now time.Time) {
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
		m.Tx.Tables().SetSettings(t, s.Settle(now))
		peers := m.peers(global)
		forgetAttempts(m.Call, m.Tx, t, peers)
		if len(peers) > 0 {
			m.Tx.Replicas().Set(t, replication.Name(m.Owner), peers)
		} else if m.Tx.Replicas().Name(t) != "" {
			m.Tx.Replicas().Set(t, "", nil)
		}
	}
}

// peers returns the names of the other replicas of a global table, or nil if the member is not one
// of its replicas.
func (m *GroupMember) peers(global *tables.GlobalTable) (peers []string) {
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
func (m *GroupMember) delivered(name string) bool {
	t, s := m.table(name)
	if t == nil {
		return true
	}
	return !slices.ContainsFunc(m.Tx.Replicas().Peers(t), func(peer string) bool {
		return m.Tx.Replicas().OutgoingBytes(t, peer) > 0 && !setAside(m, t, peer) &&
			!s.Global.DeniedBetween(m.Now(), m.Region, replication.OwnerOf(peer).Region)
	})
}

// replicas returns the local member and the others that are replicas.
func (g *ReplicaGroup) replicas() []*GroupMember {
	return append([]*GroupMember{g.Local}, g.others()...)
}

// replica returns the replica in a region, or nil.
func (g *ReplicaGroup) replica(region string) *GroupMember {
	for _, m := range g.replicas() {
		if m.Region == region {
			return m
		}
	}
	return nil
}
