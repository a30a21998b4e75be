package storage

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// replicaRecord is a replica without its versions and changes.
type replicaRecord struct {
	Name  string
	Peers []string
	Floor int64 `json:",omitempty"`
}

func (r *replica) record() *replicaRecord {
	if r == nil {
		return nil
	}
	record := &replicaRecord{Name: r.name, Floor: r.floor}
	for _, o := range r.backlogs {
		record.Peers = append(record.Peers, o.peer)
	}
	return record
}

// replica adds the versions of a replica and the changes for its peers.
func (d *durability) replica(t *Table) {
	if d == nil {
		return
	}
	d.touch(t)
	t.replica.versions.Scan(func(v versioned) bool {
		d.version(t, v)
		return true
	})
	for _, o := range t.replica.backlogs {
		o.log.Scan(func(out *Outgoing) bool {
			d.outgoing(t, o.peer, out)
			return true
		})
	}
}

// dropReplica drops what replica adds.
func (d *durability) dropReplica(t *Table) {
	if d != nil {
		d.batch.Drop(d.bucket(kindVersions, t.number))
		d.batch.Drop(d.bucket(kindOutgoing, t.number))
	}
}

func (d *durability) dropVersions(t *Table) {
	if d != nil {
		d.batch.Drop(d.bucket(kindVersions, t.number))
		d.touch(t)
	}
}

// version adds the version of an item:
//
//	8 bytes  its time
//	1 byte   1 if the item was removed, or else 0
//	         the name of the replica
func (d *durability) version(t *Table, v versioned) {
	if d == nil {
		return
	}
	d.batch.Put(d.bucket(kindVersions, t.number), number(v.key.Hash)+v.key.Text,
		encodeVersion(v.version, v.deleted)+v.version.Replica)
}

func encodeVersion(v Version, deleted bool) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(v.Time))
	if deleted {
		return string(append(b, 1))
	}
	return string(append(b, 0))
}

const versionHeader = 8 + 1

func decodeVersion(b []byte) (v Version, deleted bool, rest []byte, err error) {
	if len(b) < versionHeader {
		return v, false, nil, errors.New("not a version")
	}
	return Version{Time: int64(binary.BigEndian.Uint64(b))}, b[8] == 1, b[versionHeader:], nil
}

// outgoing adds a change for a peer, by its Seq and the name of the peer:
//
//	9 bytes   the version, as version has it
//	12 bytes  when the change was made: seconds since 1970, nanoseconds
//	2 bytes   the length of the name of the replica
//	          the name
//	          the JSON of the item or, if it was removed, of its key attributes
func (d *durability) outgoing(t *Table, peer string, out *Outgoing) {
	if d == nil {
		return
	}
	b := []byte(encodeVersion(out.Version, out.Item == ""))
	b = binary.BigEndian.AppendUint64(b, uint64(out.At.Unix()))
	b = binary.BigEndian.AppendUint32(b, uint32(out.At.Nanosecond()))
	b = binary.BigEndian.AppendUint16(b, uint16(len(out.Version.Replica)))
	b = append(b, out.Version.Replica...)
	image := out.Item
	if image == "" {
		image = out.Keys
	}
	d.batch.Put(d.bucket(kindOutgoing, t.number), number(out.Seq)+peer,
		string(append(b, image.JSON()...)))
}

const outgoingHeader = 8 + 4 + 2

// delivered deletes a change for a peer.
func (d *durability) delivered(t *Table, peer string, out *Outgoing) {
	if d != nil {
		d.batch.Delete(d.bucket(kindOutgoing, t.number), number(out.Seq)+peer)
	}
}

// intern returns the name of a replica, for which the peers' memory is used.
func (r *replica) intern(name string) string {
	if o := r.backlog(name); o != nil {
		return o.peer
	}
	if name == r.name {
		return r.name
	}
	return name
}

func decodeOutgoing(t *Table, value []byte) (*Outgoing, error) {
	v, deleted, b, err := decodeVersion(value)
	if err != nil || len(b) < outgoingHeader {
		return nil, errors.New("not a change for a replica")
	}
	at := time.Unix(int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint32(b[8:])))
	n := int(binary.BigEndian.Uint16(b[12:]))
	if b = b[outgoingHeader:]; len(b) < n {
		return nil, errors.New("not a change for a replica")
	}
	v.Replica = t.replica.intern(string(b[:n]))
	it, err := parseItem(b[n:], nil)
	if err != nil {
		return nil, err
	}
	k, ok := t.Key.Encode(it)
	if !ok {
		return nil, errors.New("a change for a replica has no key")
	}
	out := &Outgoing{Key: k, Version: v, At: at, Item: it, Keys: it.Only(t.keyNames...)}
	if deleted {
		out.Item = item.Item("")
	}
	return out, nil
}

// gathering joins the batches of several stores with the same journal.
type gathering struct {
	stores []*Store
	batch  journal.Batch
}

// newGathering makes the stores add their batches to one. The caller holds their locks.
func newGathering(stores []*Store) *gathering {
	g := &gathering{stores: stores}
	for _, s := range stores {
		if s.durable != nil {
			s.durable.gathered = &g.batch
		}
	}
	return g
}

// append appends the joined batch to the journal.
func (g *gathering) append() {
	var ticket uint64
	for _, s := range g.stores {
		d := s.durable
		if d == nil {
			continue
		}
		d.gathered = nil
		if ticket == 0 && !g.batch.Empty() {
			ticket = d.Journal.Append(&g.batch)
		}
		d.ticket = max(d.ticket, ticket)
	}
}
