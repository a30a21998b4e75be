package storage

import (
	"encoding/binary"
	"slices"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Durable says where what a store holds is kept beyond the process.
type Durable struct {
	Journal journal.Journal
	Codec   Codec
	Space   uint32 // tells the stores of a journal apart
	Name    string // what the store is, for whoever loads it
}

// Codec turns Settings into text, which outlives the program, and back. Encode must not fail.
type Codec interface {
	Encode(Settings) []byte
	Decode([]byte) (Settings, error)
}

// durability is how a store keeps its journal. A nil one does nothing. The
// store's lock guards it.
//
// Each Update that commits something is one batch: the items it wrote, the
// changes of streams, and anew and as a whole the definitions of the tables and
// streams that it touched. It is appended under the lock, so that batches come in the order of
// commits, and waited for after that. So View and Update return when all that they may have seen is durable:
// nothing that a caller was told is lost later.
type durability struct {
	Durable
	batch   journal.Batch // of the Update that runs
	ticket  uint64        // of the last batch
	named   bool          // the journal knows the store
	begun   bool          // the store had contents, of which the journal does not know yet
	kept    []string      // what was kept beside those: keys, each followed by its value
	tables  []*Table      // that the Update touched
	streams []*Stream
	shards  map[*Stream][]uint64 // that the journal has
}

func newDurability(d Durable) *durability {
	return &durability{Durable: d, shards: map[*Stream][]uint64{}}
}

// NewDurable returns an empty store that keeps what it holds in a journal.
func NewDurable(o Options, d Durable) *Store {
	s := New(o)
	s.durable = newDurability(d)
	return s
}

// Kinds of buckets; they are loaded in this order.
const (
	kindSchema  = 'a' // the store's name and state, tables, streams
	kindChanges = 'c' // of a shard, by Seq
	kindItems   = 'i' // of a table, by key
	kindKept    = 'k' // what Keep keeps
)

// Keys in the bucket of kindSchema; those of tables and streams go on with their number.
const (
	keyName   = "name"
	keyState  = "state"
	keyTable  = "t"
	keyStream = "s"
)

// bucket names a bucket of the store.
func (d *durability) bucket(kind byte, number uint64) string {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 13), d.Space)
	return string(binary.BigEndian.AppendUint64(append(b, kind), number))
}

func number(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// touch notes that the Update changed the definition of a table.
func (d *durability) touch(t *Table) {
	if d != nil && !slices.Contains(d.tables, t) {
		d.tables = append(d.tables, t)
	}
}

// touchStream is touch for a stream.
func (d *durability) touchStream(s *Stream) {
	if d != nil && !slices.Contains(d.streams, s) {
		d.streams = append(d.streams, s)
	}
}

// failed is the error for which nothing can be committed, or nil.
func (d *durability) failed() error {
	if d == nil {
		return nil
	}
	return d.Journal.Err()
}

// reset forgets what the Update did.
func (d *durability) reset() {
	if d == nil {
		return
	}
	d.batch.Reset()
	clear(d.tables)
	clear(d.streams)
	d.tables, d.streams = d.tables[:0], d.streams[:0]
}

// settle waits until what has a ticket is durable. err is what the caller is told otherwise.
func (d *durability) settle(ticket uint64, err error) error {
	if d == nil {
		return err
	}
	if failed := d.Journal.Wait(ticket); failed != nil {
		return failed
	}
	return err
}

// at is the ticket of what is committed so far.
func (d *durability) at() uint64 {
	if d == nil {
		return 0
	}
	return d.ticket
}

// commit appends what the Tx, which is numbered, did.
func (d *durability) commit(tx *Tx) {
	if d == nil {
		return
	}
	for i := range tx.log {
		r := &tx.log[i]
		if r.undo != nil || r.table.store == nil { // a change of the schema; an item of a table that is dropped
			continue
		}
		d.item(r.table, r.key, r.new)
	}
	for _, t := range d.tables {
		d.table(t)
	}
	for _, s := range d.streams {
		d.stream(tx.store, s)
	}
	if !d.batch.Empty() {
		d.append(tx.store)
	}
}

// append completes the batch and appends it.
func (d *durability) append(s *Store) {
	schema := d.bucket(kindSchema, 0)
	if d.begun {
		d.everything(s)
		for i := 0; i < len(d.kept); i += 2 {
			d.batch.Put(d.bucket(kindKept, 0), d.kept[i], d.kept[i+1])
		}
		d.begun, d.kept = false, nil
	}
	if !d.named {
		d.batch.Put(schema, keyName, d.Name)
		d.named = true
	}
	d.batch.Put(schema, keyState, encodeState(s))
	d.ticket = d.Journal.Append(&d.batch)
}

// change adds a change to a shard.
func (d *durability) change(sh *Shard, l *logged) {
	if d != nil {
		d.batch.Put(d.bucket(kindChanges, sh.Number), number(l.seq), encodeChange(l))
	}
}

// dropChanges drops the oldest chunk of a shard.
func (d *durability) dropChanges(s *Stream, sh *Shard) {
	if d == nil {
		return
	}
	d.touchStream(s)
	bucket := d.bucket(kindChanges, sh.Number)
	r := sh.changes.chunks[0].reader()
	for r.next() {
		d.batch.Delete(bucket, number(r.seq))
	}
}

// Keep has the journal keep a value by a key, as one of the Update's writes, for
// what the store's user has to remember beside it; it comes back as Loaded.Kept. Without a journal it does nothing.
func (tx *Tx) Keep(key, value string) {
	tx.mustWrite()
	tx.store.touched = true
	if d := tx.store.durable; d != nil {
		d.batch.Put(d.bucket(kindKept, 0), key, value)
	}
}

// Forget is the end of Keep.
func (tx *Tx) Forget(key string) {
	tx.mustWrite()
	if d := tx.store.durable; d != nil {
		d.batch.Delete(d.bucket(kindKept, 0), key)
	}
}

// KeepFromNow has a journal keep the store, which has none and is not in use yet. Until the first
// commit nothing is written; then all that the store holds is, with what kept says is kept beside it.
func (s *Store) KeepFromNow(d Durable, kept func(keep func(key, value string))) {
	s.durable = newDurability(d)
	kept(func(key, value string) { s.durable.kept = append(s.durable.kept, key, value) })
	s.durable.begun = len(s.tables) > 0 || len(s.streams) > 0 || len(s.durable.kept) > 0
}

// Supersede has the journal keep other stores instead of the old ones, all at once: those of fresh, as
// they are now, with nothing kept beside them but what kept returns. The old stores, and Updates of
// them that still run, are no longer durable. Fresh stores must not be in use yet. On an error, which
// is the journal's, neither are the old ones usable any more, nor the fresh ones yet.
func Supersede(j journal.Journal, old []*Store, fresh []*Store, as []Durable, kept func(i int, keep func(key, value string))) error {
	var b journal.Batch
	for _, s := range old {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.durable != nil {
			s.durable.drop(s, &b)
		}
	}
	for i, s := range fresh {
		d := newDurability(as[i])
		s.durable = d
		d.everything(s)
		kept(i, func(key, value string) { d.batch.Put(d.bucket(kindKept, 0), key, value) })
		d.batch.Put(d.bucket(kindSchema, 0), keyName, d.Name)
		d.batch.Put(d.bucket(kindSchema, 0), keyState, encodeState(s))
		d.named = true
		b.Append(&d.batch)
		d.reset()
	}
	ticket := j.Append(&b)
	for _, s := range old {
		s.durable = nil
	}
	for _, s := range fresh {
		s.durable.ticket = ticket
	}
	return j.Wait(ticket)
}

// drop has everything that is kept of a store removed.
func (d *durability) drop(s *Store, b *journal.Batch) {
	for _, t := range s.tables {
		b.Drop(d.bucket(kindItems, t.number))
	}
	for _, shards := range d.shards {
		for _, n := range shards {
			b.Drop(d.bucket(kindChanges, n))
		}
	}
	b.Drop(d.bucket(kindKept, 0))
	b.Drop(d.bucket(kindSchema, 0))
}

// everything adds all that a store holds.
func (d *durability) everything(s *Store) {
	for _, t := range s.tables {
		d.table(t)
		t.tree.Scan(func(e entry) bool {
			d.item(t, e.key, e.item)
			return true
		})
	}
	for _, stream := range s.streams {
		d.stream(s, stream)
		for _, sh := range stream.shards {
			sh.changes.scan(0, func(l *logged) bool {
				d.change(sh, l)
				return true
			})
		}
	}
}
