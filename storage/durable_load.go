package storage

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// Loaded is a store that Load has read from a journal.
type Loaded struct {
	Store *Store
	Name  string
	Space uint32
	Kept  map[string]string // the values that Tx.Keep has kept
}

// Load reads all stores from a journal, sorted by their spaces. The stores write their further
// commits to the same journal.
func Load(o Options, j journal.Journal, c Codec) ([]*Loaded, error) {
	l := &loading{options: o, journal: j, codec: c, spaces: map[uint32]*loadedStore{}}
	if err := j.Load(l.entry); err != nil {
		return nil, err
	}
	var stores []*Loaded
	for _, space := range slices.Sorted(maps.Keys(l.spaces)) {
		s := l.spaces[space]
		if err := s.complete(); err != nil {
			return nil, fmt.Errorf("the stored parts of %q contradict each other: %w", s.Name, err)
		}
		stores = append(stores, &s.Loaded)
	}
	return stores, nil
}

// loading is the state of a Load.
type loading struct {
	options Options
	journal journal.Journal
	codec   Codec
	spaces  map[uint32]*loadedStore
}

// loadedStore is a store while it is being loaded.
type loadedStore struct {
	Loaded
	tables   map[uint64]*Table // also those of backups
	streams  map[uint64]*Stream
	outboxes map[uint64]*Outbox
	shards   map[uint64]*Shard
	state    bool         // the counters were loaded
	scratch  item.Scratch // memory for the item that is being loaded
}

const bucketLen = 4 + 1 + 8

// entry takes an entry of the journal. The definitions of a store come before its changes and
// items.
func (l *loading) entry(bucket, key, value []byte) error {
	if len(bucket) != bucketLen {
		return errors.New("not a bucket of a store")
	}
	space := binary.BigEndian.Uint32(bucket)
	s := l.spaces[space]
	if s == nil {
		s = l.store(space)
	}
	switch number := binary.BigEndian.Uint64(bucket[5:]); bucket[4] {
	case kindSchema:
		return s.definition(string(key), value)
	case kindChanges:
		return s.change(number, key, value)
	case kindItems:
		return s.item(number, key, value)
	case kindKept:
		s.Kept[string(key)] = string(value)
		return nil
	case kindUnsent:
		return s.unsent(number, key, value)
	case kindUndo:
		return s.undoable(number, key, value)
	case kindVersions:
		return s.version(number, key, value)
	case kindOutgoing:
		return s.outgoing(number, key, value)
	}
	return errors.New("not a bucket of a store")
}

func (l *loading) store(space uint32) *loadedStore {
	store := newDurable(l.options, Durable{Journal: l.journal, Codec: l.codec, Space: space})
	store.durable.named = true
	s := &loadedStore{Loaded: Loaded{Store: store, Space: space, Kept: map[string]string{}},
		tables: map[uint64]*Table{}, streams: map[uint64]*Stream{}, shards: map[uint64]*Shard{},
		outboxes: map[uint64]*Outbox{}}
	l.spaces[space] = s
	return s
}

func (s *loadedStore) definition(key string, value []byte) error {
	switch {
	case key == keyName:
		s.Name, s.Store.durable.Name = string(value), string(value)
		return nil
	case key == keyState:
		s.state = true
		return decodeState(s.Store, value)
	case len(key) == 9 && key[:1] == keyTable:
		return s.table(binary.BigEndian.Uint64([]byte(key[1:])), value)
	case len(key) == 9 && key[:1] == keyBackup:
		return s.backup(binary.BigEndian.Uint64([]byte(key[1:])), value)
	case len(key) == 9 && key[:1] == keyStream:
		return s.stream(binary.BigEndian.Uint64([]byte(key[1:])), value)
	case len(key) == 9 && key[:1] == keyOutbox:
		return s.outbox(binary.BigEndian.Uint64([]byte(key[1:])), value)
	}
	return errors.New("not a definition")
}

// parseRecord reads a record. It rejects unknown fields, because they are of a later version and
// must not get lost.
func parseRecord(text []byte, record any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(record)
}

func (s *loadedStore) table(number uint64, value []byte) error {
	var r tableRecord
	if err := parseRecord(value, &r); err != nil {
		return err
	}
	settings, err := s.Store.durable.Codec.Decode(r.Settings)
	if err != nil {
		return err
	}
	if s.Store.tables[r.Name] != nil {
		return fmt.Errorf("there are two tables %s", r.Name)
	}
	t, err := s.define(number, &r)
	if err != nil {
		return err
	}
	t.store, t.settings = s.Store, settings
	s.tables[number], s.Store.tables[r.Name] = t, t
	return nil
}

// define makes a table from its record. The table belongs to no store.
func (s *loadedStore) define(number uint64, r *tableRecord) (*Table, error) {
	key, err := r.Key.schema()
	if err != nil {
		return nil, err
	}
	t := newTable(s.Store, r.Name, r.ID, key, nil)
	t.store, t.number, t.Created = nil, number, r.Created.Time()
	for _, ix := range r.Indexes {
		schema, err := ix.Schema()
		if err != nil {
			return nil, err
		}
		t.addIndex(schema)
	}
	for _, ix := range r.Vectors {
		schema, err := ix.Schema()
		if err != nil {
			return nil, err
		}
		t.addVector(schema)
	}
	if r.Expiry != "" {
		t.expiry = newExpiry(r.Expiry)
	}
	if r.Recovery != nil {
		t.recovery = &undoLog{life: r.Recovery.Life, from: r.Recovery.From.Time()}
	}
	if r.Replica != nil {
		s.Store.replicas.Store(true)
		t.replica = newReplica(r.Replica.Name, r.Replica.Peers)
		t.replica.floor = r.Replica.Floor
	}
	return t, nil
}

func (s *loadedStore) undoable(table uint64, key, value []byte) error {
	t := s.tables[table]
	if t == nil || t.recovery == nil || len(key) != 8 {
		return fmt.Errorf("there is no table %d whose changes are kept", table)
	}
	l, err := decodeChange(binary.BigEndian.Uint64(key), value)
	if err != nil {
		return err
	}
	t.recovery.keep(s.Store, &l) // the next change enforces the limit, in the journal too
	return nil
}

func (s *loadedStore) backup(number uint64, value []byte) error {
	var r backupRecord
	if err := parseRecord(value, &r); err != nil {
		return err
	}
	settings, err := s.Store.durable.Codec.Decode(r.Settings)
	if err != nil {
		return err
	}
	at, known := slices.BinarySearchFunc(s.Store.backups, r.ID, (*Backup).compareID)
	if known {
		return fmt.Errorf("there are two backups %s", r.ID)
	}
	t, err := s.define(number, &r.Table)
	if err != nil {
		return err
	}
	s.tables[number] = t
	s.Store.backups = slices.Insert(s.Store.backups, at, &Backup{r.ID, settings, t})
	return nil
}

func (s *loadedStore) stream(number uint64, value []byte) error {
	var r streamRecord
	if err := parseRecord(value, &r); err != nil {
		return err
	}
	key, err := r.Key.schema()
	if err != nil {
		return err
	}
	stream := &Stream{Table: r.Table, TableID: r.TableID, Key: key, Label: r.Label, View: r.View,
		Created: r.Created.Time(),
		number:  number, keyNames: key.names(nil), ended: r.Ended.Time()}
	var numbers []uint64
	for _, sh := range r.Shards {
		shard := &Shard{Number: sh.Number, Parent: sh.Parent, First: sh.First, Last: sh.Last,
			Begun: sh.Begun.Time(), ended: sh.Ended.Time(), changes: changeLog{dropped: sh.Dropped}}
		s.shards[sh.Number] = shard
		stream.shards = append(stream.shards, shard)
		numbers = append(numbers, sh.Number)
	}
	for _, open := range r.Open {
		if s.shards[open] == nil {
			return fmt.Errorf("there is no shard %d", open)
		}
		stream.open = append(stream.open, s.shards[open])
	}
	s.streams[number] = stream
	s.Store.durable.shards[stream] = numbers
	return nil
}

func (s *loadedStore) outbox(number uint64, value []byte) error {
	var r outboxRecord
	if err := parseRecord(value, &r); err != nil {
		return err
	}
	key, err := r.Key.schema()
	if err != nil {
		return err
	}
	s.outboxes[number] = &Outbox{Table: r.Table, TableID: r.TableID, Key: key, Label: r.Label,
		number: number, keyNames: key.names(nil), closed: r.Closed}
	return nil
}

func (s *loadedStore) unsent(outbox uint64, key, value []byte) error {
	o := s.outboxes[outbox]
	if o == nil || len(key) != 8 {
		return fmt.Errorf("there is no outbox %d", outbox)
	}
	l, err := decodeChange(binary.BigEndian.Uint64(key), value)
	if err != nil {
		return err
	}
	o.keep(s.Store, &l) // the next change enforces the limit, in the journal too
	return nil
}

func (s *loadedStore) change(shard uint64, key, value []byte) error {
	sh := s.shards[shard]
	if sh == nil || len(key) != 8 {
		return fmt.Errorf("there is no shard %d", shard)
	}
	l, err := decodeChange(binary.BigEndian.Uint64(key), value)
	if err != nil {
		return err
	}
	if n := len(sh.changes.chunks); n > 0 && l.seq <= sh.changes.chunks[n-1].last {
		return fmt.Errorf("changes of the shard %d are not in their order", shard)
	}
	s.Store.logChange(&sh.changes, &l) // the next change enforces the limit, in the journal too
	return nil
}

func (s *loadedStore) item(table uint64, key, value []byte) error {
	t := s.tables[table]
	if t == nil {
		return fmt.Errorf("there is no table %d", table)
	}
	s.scratch.Reset()
	it, err := parseItem(value, &s.scratch)
	if err != nil {
		return err
	}
	k, ok := t.Key.Encode(it)
	if !ok || number(k.Hash)+k.Text != string(key) {
		return errors.New("the item is not at its key")
	}
	t.write(&entry{k, it}, true, nil)
	return nil
}

// version loads the version of an item.
func (s *loadedStore) version(table uint64, key, value []byte) error {
	t := s.tables[table]
	if t == nil || t.replica == nil || len(key) < 8 {
		return fmt.Errorf("there is no replica %d", table)
	}
	v, deleted, name, err := decodeVersion(value)
	if err != nil {
		return err
	}
	v.Replica = t.replica.intern(string(name))
	t.replica.versions.Set(
		versioned{Key{binary.BigEndian.Uint64(key), string(key[8:])}, v, deleted})
	if deleted {
		t.replica.deleted++
	}
	return nil
}

// outgoing loads a change for a peer.
func (s *loadedStore) outgoing(table uint64, key, value []byte) error {
	t := s.tables[table]
	if t == nil || t.replica == nil || len(key) < 8 {
		return fmt.Errorf("there is no replica %d", table)
	}
	o := t.replica.backlog(string(key[8:]))
	if o == nil {
		return fmt.Errorf("the replica %d has no peer %q", table, key[8:])
	}
	out, err := decodeOutgoing(t, value)
	if err != nil {
		return err
	}
	out.Seq = binary.BigEndian.Uint64(key)
	o.add(out)
	return nil
}

// connectOutboxes connects outboxes with their tables.
func (s *loadedStore) connectOutboxes() error {
	for _, number := range slices.Sorted(maps.Keys(s.outboxes)) {
		o := s.outboxes[number]
		s.Store.outboxes = append(s.Store.outboxes, o)
		if o.closed {
			continue
		}
		t := s.Store.tables[o.Table]
		if t == nil || t.ID != o.TableID {
			return fmt.Errorf("the outbox %s of table %s has no table", o.Label, o.Table)
		}
		t.outboxes = append(t.outboxes, o)
	}
	return nil
}

// complete connects streams and outboxes with their tables and checks the counters.
func (s *loadedStore) complete() error {
	if !s.state {
		return errors.New("its state is missing")
	}
	for _, number := range slices.Sorted(maps.Keys(s.streams)) {
		stream := s.streams[number]
		s.Store.streams = append(s.Store.streams, stream)
		if !stream.ended.IsZero() {
			continue
		}
		t := s.Store.tables[stream.Table]
		if t == nil || t.stream != nil || t.ID != stream.TableID || len(stream.open) == 0 {
			return fmt.Errorf("the stream %s of table %s has no table", stream.Label, stream.Table)
		}
		t.stream = stream
	}
	if err := s.connectOutboxes(); err != nil {
		return err
	}
	for _, sh := range s.shards {
		if sh.Number > s.Store.shards || sh.First > s.Store.seq {
			return fmt.Errorf("the shard %d is newer than the store", sh.Number)
		}
	}
	return nil
}
