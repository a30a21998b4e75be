package storage

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Mended lists what Mend has to change in a journal.
type Mended struct {
	Names   *BucketNames
	Changes []string // one sentence each
}

// Mend loads a journal and adds to a batch the changes that Load needs: it deletes entries that
// nothing refers to, and counts the lost state of a store again. The batch stays empty if nothing
// has to change.
func Mend(o Options, j journal.Journal, c Codec, changes *journal.Batch) (*Mended, error) {
	m := &mending{loading: loading{options: o, codec: c, spaces: map[uint32]*loadedStore{}},
		changes: changes,
		highest: map[uint32]*counters{}, refused: map[string]int{},
		Mended: Mended{Names: NewBucketNames()}}
	if err := j.Load(m.entry); err != nil {
		return nil, err
	}
	for _, bucket := range slices.Sorted(maps.Keys(m.refused)) {
		m.note("%s: %d entries belong to nothing that is left, so they are removed",
			m.Names.Of([]byte(bucket)), m.refused[bucket])
	}
	for _, space := range slices.Sorted(maps.Keys(m.spaces)) {
		if m.highest[space] == nil {
			continue // nothing of the store is left
		}
		m.name(space)
		m.streams(space, m.spaces[space])
		m.outboxes(space, m.spaces[space])
		m.state(space, m.spaces[space])
	}
	return &m.Mended, nil
}

// mending is the state of a Mend.
type mending struct {
	loading
	Mended
	changes *journal.Batch
	highest map[uint32]*counters // the highest numbers in the entries of each store
	refused map[string]int       // how many entries of each bucket are deleted
}

func (m *mending) note(format string, args ...any) {
	m.Changes = append(m.Changes, fmt.Sprintf(format, args...))
}

// entry takes an entry, or deletes it.
func (m *mending) entry(bucket, key, value []byte) error {
	m.Names.Entry(bucket, key, value)
	if err := m.loading.entry(bucket, key, value); err != nil {
		m.changes.Delete(string(bucket), string(key))
		m.refused[string(bucket)]++
		return nil
	}
	space := binary.BigEndian.Uint32(bucket)
	c := m.highest[space]
	if c == nil {
		c = new(counters)
		m.highest[space] = c
	}
	switch {
	case bucket[4] == kindChanges, bucket[4] == kindUndo, bucket[4] == kindUnsent,
		bucket[4] == kindOutgoing:
		c.seq = max(c.seq, binary.BigEndian.Uint64(key))
	case bucket[4] == kindSchema && len(key) == 9 &&
		(key[0] == keyTable[0] || key[0] == keyBackup[0] || key[0] == keyOutbox[0]):
		c.numbers = max(c.numbers, binary.BigEndian.Uint64(key[1:]))
	}
	return nil
}

// name gives a new name to a store whose name is lost, so that its tables can be reached.
func (m *mending) name(space uint32) {
	if _, known := m.Names.stores[space]; known {
		return
	}
	d := durability{Durable: Durable{Space: space}}
	name := fmt.Sprintf("LOST%d/us-east-1", space)
	m.changes.Put(d.bucket(kindSchema, 0), keyName, name)
	m.Names.stores[space] = name
	m.note("the name of an access key is lost: its tables are now those of %s",
		m.Names.store(space))
}

// streams deletes streams whose table is lost.
func (m *mending) streams(space uint32, s *loadedStore) {
	d := durability{Durable: Durable{Space: space}}
	for _, n := range slices.Sorted(maps.Keys(s.streams)) {
		stream := s.streams[n]
		for _, sh := range stream.shards {
			c := m.highest[space]
			c.shards, c.seq = max(c.shards, sh.Number), max(c.seq, sh.First, sh.Last)
		}
		t := s.Store.tables[stream.Table]
		if !stream.ended.IsZero() || t != nil && t.ID == stream.TableID && len(stream.open) > 0 {
			continue
		}
		m.changes.Delete(d.bucket(kindSchema, 0), keyStream+number(n))
		for _, sh := range stream.shards {
			m.changes.Drop(d.bucket(kindChanges, sh.Number))
		}
		m.note("the stream %s of table %s: the table is lost, so the stream is removed",
			stream.Label, stream.Table)
	}
}

// outboxes closes outboxes whose table is lost: what they have can still be passed on.
func (m *mending) outboxes(space uint32, s *loadedStore) {
	d := durability{Durable: Durable{Space: space}}
	for _, n := range slices.Sorted(maps.Keys(s.outboxes)) {
		o := s.outboxes[n]
		if t := s.Store.tables[o.Table]; o.closed || t != nil && t.ID == o.TableID {
			continue
		}
		m.changes.Put(d.bucket(kindSchema, 0), keyOutbox+number(n),
			mustJSON(outboxRecord{o.Table, o.TableID, recordKey(o.Key), o.Label, true}))
		m.note("the outbox %s of table %s: the table is lost, so the outbox gets no more changes",
			o.Label, o.Table)
	}
}

// state counts the state of a store again if it is lost, or older than the entries.
func (m *mending) state(space uint32, s *loadedStore) {
	c := m.highest[space]
	if s.state && s.Store.seq >= c.seq && s.Store.shards >= c.shards &&
		s.Store.numbers >= c.numbers {
		return
	}
	counted := &Store{counters: counters{max(s.Store.seq, c.seq), max(s.Store.shards, c.shards),
		max(s.Store.numbers, c.numbers)}}
	d := durability{Durable: Durable{Space: space}}
	m.changes.Put(d.bucket(kindSchema, 0), keyState, encodeState(counted))
	m.note("the counters of %s were counted again from what is left", m.Names.store(space))
}
