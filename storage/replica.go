package storage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Version says when and where an item was last written. Of two versions of an item the greater one
// wins, so that replicas that have seen the same changes hold the same items.
type Version struct {
	// nanoseconds since 1970; each write of the replica to the item has a greater one
	Time    int64
	Replica string // the replica that wrote the item
}

// Compare returns -1 if v is less than other, 0 if they are equal, and 1 otherwise. Equal times
// order by the names of the replicas.
func (v Version) Compare(other Version) int {
	return cmp.Or(cmp.Compare(v.Time, other.Time), cmp.Compare(v.Replica, other.Replica))
}

// Outgoing is a change of a replica that another replica does not have yet.
type Outgoing struct {
	Seq     uint64 // the number of the change
	Key     Key
	Item    item.Item // "" if the change removed the item
	Keys    item.Item // the key attributes
	Version Version
	At      time.Time // the time of the change
}

// replica makes a table one of the replicas of a global table. It has the version of each item that
// was written since, and for each peer the changes that the peer does not have yet. A commit adds
// to both, so that forks and the journal hold a table, its versions and its changes of one moment.
type replica struct {
	name     string
	versions sorted[versioned]
	backlogs []*backlog // sorted by the peers' names
	floor    int64      // no less than the time of a version that was dropped
	deleted  int        // how many versions are of removed items
}

// versioned is the version of an item.
type versioned struct {
	key     Key
	version Version
	deleted bool // the item was removed
}

// backlog has the changes that wait for a peer, in the order of their Seqs.
type backlog struct {
	peer  string
	log   sorted[*Outgoing]
	bytes int64
}

func (v versioned) less(other versioned) bool { return v.key.less(other.key) }

func newReplica(name string, peers []string) *replica {
	r := &replica{name: name, versions: newSorted(versioned.less)}
	for _, peer := range slices.Sorted(slices.Values(peers)) {
		r.backlogs = append(r.backlogs, newBacklog(peer))
	}
	return r
}

func newBacklog(peer string) *backlog {
	return &backlog{
		peer: peer, log: newSorted(func(a, b *Outgoing) bool { return a.Seq < b.Seq }),
	}
}

// fork returns a copy in a time that does not depend on the amount of data.
func (r *replica) fork() *replica {
	if r == nil {
		return nil
	}
	f := *r
	f.versions = r.versions.Copy()
	f.backlogs = make([]*backlog, len(r.backlogs))
	for i, o := range r.backlogs {
		f.backlogs[i] = o.fork()
	}
	return &f
}

func (o *backlog) fork() *backlog { return &backlog{o.peer, o.log.Copy(), o.bytes} }

// backlog returns the backlog for a peer, or nil.
func (r *replica) backlog(peer string) *backlog {
	at, found := slices.BinarySearchFunc(r.backlogs, peer,
		func(o *backlog, peer string) int { return cmp.Compare(o.peer, peer) })
	if !found {
		return nil
	}
	return r.backlogs[at]
}

// of returns the version of an item. An item without one was there before the table became a
// replica, or its version was dropped.
func (r *replica) of(k Key) Version {
	v, _ := r.versions.Get(versioned{key: k})
	return v.version
}

// next returns the version of a write to an item at a time.
func (r *replica) next(k Key, now time.Time) Version {
	v, known := r.versions.Get(versioned{key: k})
	least := r.floor
	if known {
		least = v.version.Time
	}
	return Version{max(now.UnixNano(), least+1), r.name}
}

// set sets the version of an item.
func (r *replica) set(t *Table, v versioned) {
	before, _ := r.versions.Set(v)
	if before.deleted {
		r.deleted--
	}
	if v.deleted {
		r.deleted++
	}
	t.store.durable.version(t, v)
}

// add gives the change of an item its version. It adds the change to all backlogs unless it is
// local.
func (r *replica) add(s *Store, c *Change, local bool) {
	image := c.New
	if image == "" {
		image = c.Old
	}
	k := Key{c.key.Hash, strings.Clone(c.key.Text)}
	v := r.next(k, c.Time)
	r.set(c.Table, versioned{k, v, c.New == ""})
	if len(r.backlogs) == 0 || local {
		return
	}
	out := &Outgoing{
		Seq: c.Seq, Key: k, Item: item.Item(strings.Clone(string(c.New))),
		Keys: image.Only(c.Table.keyNames...), Version: v, At: c.Time,
	}
	for _, o := range r.backlogs {
		o.add(out)
		s.durable.outgoing(c.Table, o.peer, out)
	}
}

func (o *backlog) add(out *Outgoing) {
	o.log.Set(out)
	o.bytes += out.size()
}

func (out *Outgoing) size() int64 {
	return int64(len(out.Item) + len(out.Keys) + len(out.Key.Text) + outgoingOverhead)
}

// outgoingOverhead is about what an Outgoing takes besides its texts.
const outgoingOverhead = 150

// Replicas is the part of a Tx that is about replicas and their peers; see Tx.Replicas.
type Replicas struct{ tx *Tx }

// Set makes a table a replica with a name and peers. Peers that it had keep the changes that
// wait for them. With the name "" the table is no longer a replica, and forgets all versions.
func (rs Replicas) Set(t *Table, name string, peers []string) {
	rs.tx.mustWrite()
	rs.tx.mustHave(t)
	before := t.replica
	rs.tx.logTable(t, func() { t.replica = before })
	rs.tx.atCommit = append(rs.tx.atCommit, rs.tx.store.countReplicas)
	if before != nil {
		rs.tx.store.durable.dropReplica(t)
	}
	if t.replica = nil; name == "" {
		return
	}
	t.replica = newReplica(name, peers)
	if before == nil {
		return
	}
	kept := before.fork()
	t.replica.versions, t.replica.floor, t.replica.deleted = kept.versions, kept.floor, kept.deleted
	for i, o := range t.replica.backlogs {
		if had := kept.backlog(o.peer); had != nil {
			t.replica.backlogs[i] = had
		}
	}
	rs.tx.store.durable.replica(t)
}

// countReplicas finds out what HasReplicas reports. The caller holds s.mu.
func (s *Store) countReplicas() {
	for _, t := range s.tables {
		if t.replica != nil {
			s.replicas.Store(true)
			return
		}
	}
	s.replicas.Store(false)
}

// Withhold keeps the changes of the Update from other replicas.
func (rs Replicas) Withhold() {
	rs.tx.mustWrite()
	rs.tx.local = true
}

// CopyBacklog adds the changes that wait for a peer to those for another peer.
func (rs Replicas) CopyBacklog(t *Table, from, to string) {
	rs.tx.mustWrite()
	rs.tx.mustHave(t)
	t.replica.backlog(from).log.Scan(func(out *Outgoing) bool {
		t.replica.backlog(to).add(out)
		rs.tx.store.durable.outgoing(t, to, out)
		return true
	})
}

// CopyTable creates a table with the items and indexes of a table of another store, whose lock the
// caller holds by UpdateAll. If that is a replica, the copy has the same versions, and Set
// has to give it its name and peers. The time does not depend on the amount of data, unless the
// store has a journal, which gets all items.
func (rs Replicas) CopyTable(from *Table, spec TableSpec) *Table {
	rs.tx.mustWrite()
	t := rs.tx.Tables().addCopy(from.copyFor(rs.tx.store), spec)
	if r := from.replica.fork(); r != nil {
		r.backlogs = nil
		t.replica = r
	}
	return t
}

// Name returns the name of a replica, or "" for a table that is not a replica.
func (rs Replicas) Name(t *Table) string {
	rs.tx.mustHave(t)
	if t.replica == nil {
		return ""
	}
	return t.replica.name
}

// Peers returns the names of a replica's peers, in their order.
func (rs Replicas) Peers(t *Table) (peers []string) {
	rs.tx.mustHave(t)
	if t.replica != nil {
		for _, o := range t.replica.backlogs {
			peers = append(peers, o.peer)
		}
	}
	return peers
}

// Outgoing calls f with the changes of a replica that a peer does not have yet, oldest first, until
// f returns false.
func (rs Replicas) Outgoing(t *Table, peer string, f func(*Outgoing) bool) {
	rs.tx.mustHave(t)
	if t.replica == nil {
		return
	}
	if o := t.replica.backlog(peer); o != nil {
		o.log.Scan(f)
	}
}

// Version returns the version of an item of a replica.
func (rs Replicas) Version(t *Table, k Key) Version {
	rs.tx.mustHave(t)
	return t.replica.of(k)
}

// Wins reports whether Arrive would apply a change.
func (rs Replicas) Wins(t *Table, out *Outgoing) bool {
	rs.tx.mustHave(t)
	return t.replica.of(out.Key).Compare(out.Version) < 0
}

// Arrive applies a change of another replica. It reports whether the change won over the item. An
// Update that calls Arrive must not write to replicas in another way, and must not pass two changes
// of an item.
func (rs Replicas) Arrive(t *Table, out *Outgoing) bool {
	rs.tx.mustWrite()
	rs.tx.mustHave(t)
	if !rs.Wins(t, out) {
		return false
	}
	rs.tx.arriving = true
	if out.Item == "" {
		rs.tx.Delete(t, out.Key)
	} else {
		rs.tx.Put(t, out.Key, out.Item)
	}
	rs.tx.atCommit = append(rs.tx.atCommit,
		func() { t.replica.set(t, versioned{out.Key, out.Version, out.Item == ""}) })
	return true
}

// Delivered removes changes from those that a peer does not have yet.
func (rs Replicas) Delivered(t *Table, peer string, sent []*Outgoing) {
	rs.tx.mustWrite()
	rs.tx.mustHave(t)
	rs.tx.atCommit = append(rs.tx.atCommit, func() {
		o := t.replica.backlog(peer)
		for _, out := range sent {
			if _, was := o.log.Delete(out); was {
				o.bytes -= out.size()
				rs.tx.store.durable.delivered(t, peer, out)
			}
		}
	})
}

// OutgoingBytes returns about how many bytes the changes for a peer take.
func (rs Replicas) OutgoingBytes(t *Table, peer string) int64 {
	rs.tx.mustHave(t)
	if t.replica == nil || t.replica.backlog(peer) == nil {
		return 0
	}
	return t.replica.backlog(peer).bytes
}

// Combine removes, from the changes that a peer does not have yet, those that a later change of the
// same item replaces. (Developer Guide, "How DynamoDB global tables work", "DynamoDB Streams":
// replication may combine several changes.)
func (rs Replicas) Combine(t *Table, peer string) {
	o := t.replica.backlog(peer)
	last := map[Key]bool{}
	var replaced []*Outgoing
	o.log.Reverse(func(out *Outgoing) bool {
		if last[out.Key] {
			replaced = append(replaced, out)
		}
		last[out.Key] = true
		return true
	})
	rs.Delivered(t, peer, replaced)
}

// Quiet reports how many versions of removed items a replica keeps, and whether no change waits for
// a peer.
func (rs Replicas) Quiet(t *Table) (deleted int, quiet bool) {
	rs.tx.mustHave(t)
	for _, o := range t.replica.backlogs {
		if o.log.Len() > 0 {
			return t.replica.deleted, false
		}
	}
	return t.replica.deleted, true
}

// ForgetVersions makes all replicas of a table forget the versions of their items, unless a change
// still waits for one of them. Later writes get greater versions than those that are forgotten.
func ForgetVersions(txs []*Tx, table string) {
	floor := int64(0)
	for _, tx := range txs {
		t := tx.Table(table)
		if t == nil || t.replica == nil {
			return
		}
		if _, quiet := tx.Replicas().Quiet(t); !quiet {
			return
		}
		floor = max(floor, t.replica.latest())
	}
	for _, tx := range txs {
		tx.mustWrite()
		t := tx.Table(table)
		tx.atCommit = append(tx.atCommit, func() { t.replica.forget(t, floor) })
	}
}

// latest returns the greatest time of a version that the replica has or has forgotten.
func (r *replica) latest() int64 {
	latest := r.floor
	r.versions.Scan(func(v versioned) bool {
		latest = max(latest, v.version.Time)
		return true
	})
	return latest
}

func (r *replica) forget(t *Table, floor int64) {
	r.versions, r.floor, r.deleted = newSorted(versioned.less), floor, 0
	t.store.durable.dropVersions(t)
}

// UpdateAll runs fn with a Tx of each store and commits all of their writes, or none of them. The
// journal gets the writes in one batch. Concurrent calls, also of ForkAll, must name the same
// stores in the same order.
func UpdateAll(stores []*Store, fn func([]*Tx) error) error {
	ends, err := updateAll(stores, fn)
	for i := range ends {
		err = ends[i].durable.settle(ends[i].ticket, err)
	}
	if err != nil {
		return err
	}
	for i, s := range stores {
		if ends[i].outgoing != nil && s.replicate != nil {
			s.replicate(s, ends[i].outgoing)
		}
	}
	return nil
}

// txEnd holds the work that remains for a store after an Update, and needs no lock of the store.
type txEnd struct {
	durable  *durability
	ticket   uint64
	outgoing []string
}

// updateAll is UpdateAll without what remains to do.
func updateAll(stores []*Store, fn func([]*Tx) error) (ends []txEnd, err error) {
	txs := make([]*Tx, len(stores))
	for i, s := range stores {
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.durable.failed(); err != nil {
			return nil, err
		}
		txs[i] = s.begin()
		defer txs[i].end()
	}
	if err = fn(txs); err == nil {
		gathered := newGathering(stores)
		for _, tx := range txs {
			tx.commit()
		}
		gathered.append()
	}
	for i, s := range stores {
		ends = append(ends, txEnd{s.durable, s.durable.at(), txs[i].outgoing})
	}
	return ends, err
}
