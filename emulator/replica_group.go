package emulator

import (
	"errors"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// replicaGroup is a table with its replicas in other regions during one commit that all of them
// share. A table that is no replica is a group of its own.
type replicaGroup struct {
	name    string
	local   *groupMember
	members []*groupMember // the local one included, sorted by region
}

// groupMember is the table of a group in one region.
type groupMember struct {
	*call // like the request's, in the region
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

// member returns the member in a region.
func (g *replicaGroup) member(region string) *groupMember {
	for _, m := range g.members {
		if m.Region == region {
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
		if m != g.local && s.Global.Replica(m.Region) != nil {
			others = append(others, m)
		}
	}
	return others
}

var (
	errGroupChanged = errors.New("the table has other replicas now")
	errUndelivered  = errors.New("changes of the replica are not delivered yet")
)

// inGroup calls f with a table and its replicas, and with the further regions, in a commit that they
// share. If f returns errUndelivered, inGroup delivers all changes and tries again.
func (c *call) inGroup(name string, further []string, f func(*replicaGroup) error) error {
	for {
		regions := c.groupRegions(name, further)
		err := c.tryInGroup(name, regions, func(g *replicaGroup) error {
			if !slices.Equal(regions, regionsOf(g.local.tx, c.Region, name, further)) {
				return errGroupChanged
			}
			return f(g)
		})
		switch err {
		case errGroupChanged:
		case errUndelivered:
			c.emulator.deliverAll(name, c, regions)
		default:
			return err
		}
	}
}

func (c *call) groupRegions(name string, further []string) (regions []string) {
	c.store.View(func(tx *storage.Tx) error { // which cannot fail
		regions = regionsOf(tx, c.Region, name, further)
		return nil
	})
	return regions
}

// regionsOf returns the regions of a table's replicas and others, sorted.
func regionsOf(tx *storage.Tx, local, name string, further []string) []string {
	regions := append([]string{local}, further...)
	if t := tx.Table(name); t != nil {
		regions = append(regions, tables.SettingsOf(tx, t).Global.Regions()...)
	}
	slices.Sort(regions)
	return slices.Compact(regions)
}

func (c *call) tryInGroup(name string, regions []string, f func(*replicaGroup) error) error {
	g := &replicaGroup{name: name}
	stores := make([]*storage.Store, len(regions))
	for i, region := range regions {
		m := &groupMember{call: c}
		if region != c.Region {
			m.data = c.emulator.namespaces.borrowOf(c.emulator.owner(c.accessKey), region)
			defer m.data.giveBack()
			m.call = c.in(region, m.data)
		} else {
			g.local = m
		}
		g.members, stores[i] = append(g.members, m), m.store
	}
	n := &c.emulator.namespaces
	n.several.Lock()
	defer n.several.Unlock()
	return storage.UpdateAll(stores, func(txs []*storage.Tx) error {
		for i, tx := range txs {
			g.members[i].tx = tx
		}
		return f(g)
	})
}

// in returns the call as it would be in another region, with the data there.
func (c *call) in(region string, data *accountData) *call {
	there := *c
	there.Region, there.store, there.transactions, there.account = region, data.store, data.transactions(), data
	there.watch = nil // replication is not judged
	return &there
}

// deliverAll delivers all changes of the replicas of a table, whatever the lag and the faults.
func (e *Emulator) deliverAll(name string, c *call, regions []string) {
	e.replication.mu.Lock()
	defer e.replication.mu.Unlock()
	for _, from := range regions {
		for _, to := range regions {
			if from == to {
				continue
			}
			e.deliverBetween(c, name, from, to, true)
		}
	}
}

// deliverBetween delivers the changes of a table from one region of the caller to another. The
// caller holds the lock of the replication.
func (e *Emulator) deliverBetween(c *call, name, from, to string, forced bool) {
	peer := c.Owner
	peer.Region = to
	l := &link{emulator: e, table: name, peer: replicaName(peer), forced: forced}
	l.from = e.namespaces.borrowOf(e.owner(c.accessKey), from)
	defer l.from.giveBack()
	l.to = e.namespaces.borrowOf(e.owner(c.accessKey), to)
	defer l.to.giveBack()
	l.deliver()
}

// setGlobal gives all members that are replicas the same global table, and makes each the peer of
// the others. with is the member that a new replica is a copy of, and its region, if there is one.
func (g *replicaGroup) setGlobal(global *tables.GlobalTable, now time.Time) {
	for _, m := range g.members {
		t, s := m.table(g.name)
		if t == nil || s.State.Status == tables.Deleting {
			continue
		}
		s = s.Clone()
		if s.Global = nil; global.Replica(m.Region) != nil {
			s.Global = global.Clone()
		}
		m.tx.SetSettings(t, s.Settle(now))
		if peers := m.peers(global); len(peers) > 0 {
			m.tx.SetReplica(t, replicaName(m.Owner), peers)
		} else if m.tx.ReplicaName(t) != "" {
			m.tx.SetReplica(t, "", nil)
		}
	}
}

// peers returns the names of the other replicas of a global table, or nil if the member is none.
func (m *groupMember) peers(global *tables.GlobalTable) (peers []string) {
	if global.Replica(m.Region) == nil {
		return nil
	}
	for _, region := range global.Regions() {
		if region != m.Region {
			peer := m.Owner
			peer.Region = region
			peers = append(peers, replicaName(peer))
		}
	}
	return peers
}

// delivered reports whether no change of a member waits for another one.
func (m *groupMember) delivered(name string) bool {
	t, _ := m.table(name)
	if t == nil || m.tx.ReplicaName(t) == "" {
		return true
	}
	_, quiet := m.tx.Quiet(t)
	return quiet
}
