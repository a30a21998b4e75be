package storage

import (
	"encoding/binary"
	"slices"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Durable says where a store keeps its contents.
type Durable struct {
	Journal journal.Journal
	Codec   Codec
	Space   uint32 // distinguishes the stores of a journal
	Name    string // names the store for whoever loads it
}

// Codec encodes Settings for the journal, which outlives the program. Encode must not fail.
type Codec interface {
	Encode(Settings) []byte
	Decode([]byte) (Settings, error)
}

// durability writes a store's commits to its journal. The methods of a nil *durability do nothing.
// The store's lock guards it.
//
// An Update that commits something appends one batch: the items that it wrote, the changes for
// streams, and the whole definitions of the tables and streams that it touched. It appends under
// the lock, so that the batches have the order of the commits. Both View and Update wait for the
// journal without the lock, so that a caller never learns of a commit that could still be lost.
type durability struct {
	Durable
	batch    journal.Batch // the operations of the current Update
	ticket   uint64        // the ticket of the last batch
	named    bool          // the journal has the store's name
	begun    bool          // the journal has nothing yet of a store that is not empty
	kept     []string      // the values to keep if begun, each behind its key
	tables   []*Table      // the tables whose definitions the current Update changed
	filled   []*Table      // the tables that the current Update created with items
	backups  []*Backup     // the backups that the current Update created or dropped
	streams  []*Stream
	outboxes []*Outbox
	shards   map[*Stream][]uint64 // the shards that the journal has

	gathered *journal.Batch // nil, or what takes the batch instead of the journal
}

func newDurability(d Durable) *durability {
	return &durability{Durable: d, shards: map[*Stream][]uint64{}}
}

// newDurable returns an empty store with a journal.
func newDurable(o Options, d Durable) *Store {
	s := New(o)
	s.durable = newDurability(d)
	return s
}

// The kinds of buckets, in the order in which a journal loads them.
const (
	// the store's name and counters, and the definitions of tables, backups, streams and outboxes
	kindSchema  = 'a'
	kindChanges = 'c' // the changes of a shard, by Seq
	kindItems   = 'i' // the items of a table or backup, by key
	kindKept    = 'k' // the values of Tx.Keep
	kindUnsent  = 'o' // the changes in an outbox, by Seq
	kindUndo    = 'u' // the changes of a table that a recovery undoes, by Seq

	kindVersions = 'v' // the versions of the items of a replica, by key
	kindOutgoing = 'w' // the changes of a replica that a peer does not have yet, by Seq and peer
)

// The keys in a bucket of kindSchema. The number follows keyTable, keyBackup, keyStream and
// keyOutbox.
const (
	keyName   = "name"
	keyState  = "state"
	keyTable  = "t"
	keyBackup = "b"
	keyStream = "s"
	keyOutbox = "o"
)

// bucket returns the name of a bucket of the store.
func (d *durability) bucket(kind byte, number uint64) string {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 13), d.Space)
	return string(binary.BigEndian.AppendUint64(append(b, kind), number))
}

func number(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// touch records that the current Update changed the definition of a table.
func (d *durability) touch(t *Table) {
	if d != nil && !slices.Contains(d.tables, t) {
		d.tables = append(d.tables, t)
	}
}

// touchItems notes that the Update created a table with items.
func (d *durability) touchItems(t *Table) {
	if d != nil {
		d.filled = append(d.filled, t)
	}
}

// touchBackup is touch for a backup.
func (d *durability) touchBackup(b *Backup) {
	if d != nil && !slices.Contains(d.backups, b) {
		d.backups = append(d.backups, b)
	}
}

// touchStream is touch for a stream.
func (d *durability) touchStream(s *Stream) {
	if d != nil && !slices.Contains(d.streams, s) {
		d.streams = append(d.streams, s)
	}
}

// touchOutbox is touch for an outbox.
func (d *durability) touchOutbox(o *Outbox) {
	if d != nil && !slices.Contains(d.outboxes, o) {
		d.outboxes = append(d.outboxes, o)
	}
}

// failed returns the error for which nothing can be committed, or nil.
func (d *durability) failed() error {
	if d == nil {
		return nil
	}
	return d.Journal.Err()
}

// reset forgets the current Update.
func (d *durability) reset() {
	if d == nil {
		return
	}
	d.batch.Reset()
	clear(d.tables)
	clear(d.filled)
	clear(d.backups)
	clear(d.streams)
	clear(d.outboxes)
	d.tables, d.filled, d.backups, d.streams =
		d.tables[:0], d.filled[:0], d.backups[:0], d.streams[:0]
	d.outboxes = d.outboxes[:0]
}

// settle waits until the batch with a ticket is durable. It returns err, or the journal's error if
// it has one.
func (d *durability) settle(ticket uint64, err error) error {
	if d == nil {
		return err
	}
	if failed := d.Journal.Wait(ticket); failed != nil {
		return failed
	}
	return err
}

// at returns the ticket of the last commit.
func (d *durability) at() uint64 {
	if d == nil {
		return 0
	}
	return d.ticket
}

// commit appends the writes of a Tx, whose changes are numbered already.
func (d *durability) commit(tx *Tx) {
	if d == nil {
		return
	}
	for _, t := range d.filled {
		if t.store != nil {
			d.items(t)
		}
	}
	for i := range tx.log {
		r := &tx.log[i]
		if r.undo != nil || r.table.store == nil { // a change of the schema, or of a dropped table
			continue
		}
		d.item(r.table, r.key, r.new)
	}
	for _, t := range d.tables {
		d.table(t)
	}
	for _, b := range d.backups {
		d.backup(tx.store, b)
	}
	for _, s := range d.streams {
		d.stream(tx.store, s)
	}
	for _, o := range d.outboxes {
		d.outbox(tx.store, o)
	}
	if !d.batch.Empty() {
		d.append(tx.store)
	}
}

// append adds the store's counters to the batch and appends it to the journal.
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
	if d.gathered != nil {
		d.gathered.Append(&d.batch)
		return
	}
	d.ticket = d.Journal.Append(&d.batch)
}

// change adds a change to a shard.
func (d *durability) change(sh *Shard, l *logged) {
	if d != nil {
		d.batch.Put(d.bucket(kindChanges, sh.Number), number(l.seq), encodeChange(l))
	}
}

// dropChanges deletes the changes in the oldest chunk of a shard.
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

// unsent adds a change to an outbox.
func (d *durability) unsent(o *Outbox, l *logged) {
	if d != nil {
		d.batch.Put(d.bucket(kindUnsent, o.number), number(l.seq), encodeChange(l))
	}
}

// sent deletes the changes of an outbox up to a Seq.
func (d *durability) sent(o *Outbox, seq uint64) {
	if d == nil {
		return
	}
	bucket := d.bucket(kindUnsent, o.number)
	o.log.scan(o.sent+1, func(l *logged) bool {
		if l.seq <= seq {
			d.batch.Delete(bucket, number(l.seq))
		}
		return l.seq < seq
	})
}

// undoable adds a change for a recovery.
func (d *durability) undoable(t *Table, l *logged) {
	if d != nil {
		d.batch.Put(d.bucket(kindUndo, t.number), number(l.seq), encodeChange(l))
	}
}

// dropUndoable drops a chunk of the changes for a recovery.
func (d *durability) dropUndoable(t *Table, c *chunk) {
	if d == nil {
		return
	}
	d.touch(t)
	bucket := d.bucket(kindUndo, t.number)
	for r := c.reader(); r.next(); {
		d.batch.Delete(bucket, number(r.seq))
	}
}

// dropRecovery drops all of a table's changes for a recovery.
func (d *durability) dropRecovery(t *Table) {
	if d != nil {
		d.batch.Drop(d.bucket(kindUndo, t.number))
	}
}

// Keep has the journal keep a value under a key, as one of the Update's writes. The store's user
// can remember something of its own that way. Load returns it in Loaded.Kept. Without a journal
// Keep does nothing.
func (tx *Tx) Keep(key, value string) {
	tx.mustWrite()
	tx.store.touched = true
	if d := tx.store.durable; d != nil {
		d.batch.Put(d.bucket(kindKept, 0), key, value)
	}
}

// Forget deletes a value that Keep has kept.
func (tx *Tx) Forget(key string) {
	tx.mustWrite()
	if d := tx.store.durable; d != nil {
		d.batch.Delete(d.bucket(kindKept, 0), key)
	}
}

// KeepFromNow gives a journal to a store that has none and is not in use yet. The first commit
// writes all that the store holds, together with the values that kept passes to keep. Nothing is
// written before that.
func (s *Store) KeepFromNow(d Durable, kept func(keep func(key, value string))) {
	s.durable = newDurability(d)
	kept(func(key, value string) { s.durable.kept = append(s.durable.kept, key, value) })
	s.durable.begun = len(s.tables) > 0 || len(s.backups) > 0 || len(s.streams) > 0 ||
		len(s.durable.kept) > 0
}

// Supersede replaces old stores by fresh ones in a journal, in one batch. The fresh stores are kept
// as they are now, with the values that kept passes to keep. They must not be in use yet. The old
// stores are no longer durable, nor are Updates of them that still run. If Supersede fails, which
// is an error of the journal, none of the stores may be used.
func Supersede(j journal.Journal, old, fresh []*Store, as []Durable,
	kept func(i int, keep func(key, value string))) error {
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

// drop adds to a batch the deletion of everything that the journal has of a store.
func (d *durability) drop(s *Store, b *journal.Batch) {
	for _, t := range s.tables {
		b.Drop(d.bucket(kindItems, t.number))
		if t.recovery != nil {
			b.Drop(d.bucket(kindUndo, t.number))
		}
		if t.replica != nil {
			b.Drop(d.bucket(kindVersions, t.number))
			b.Drop(d.bucket(kindOutgoing, t.number))
		}
	}
	for _, backup := range s.backups {
		b.Drop(d.bucket(kindItems, backup.table.number))
	}
	for _, shards := range d.shards {
		for _, n := range shards {
			b.Drop(d.bucket(kindChanges, n))
		}
	}
	for _, o := range s.outboxes {
		b.Drop(d.bucket(kindUnsent, o.number))
	}
	b.Drop(d.bucket(kindKept, 0))
	b.Drop(d.bucket(kindSchema, 0))
}

// everything adds all that a store holds.
func (d *durability) everything(s *Store) {
	for _, t := range s.tables {
		d.table(t)
		d.items(t)
		if t.recovery != nil {
			t.recovery.log.scan(0, func(l *logged) bool {
				d.undoable(t, l)
				return true
			})
		}
		if t.replica != nil {
			d.replica(t)
		}
	}
	for _, b := range s.backups {
		d.backup(s, b)
	}
	for _, o := range s.outboxes {
		d.outbox(s, o)
		o.log.scan(o.sent+1, func(l *logged) bool {
			d.unsent(o, l)
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
