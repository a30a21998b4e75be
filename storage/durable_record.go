package storage

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// A journal keeps definitions as JSON with the field names below. A name must never change its
// meaning. A new field gets a new name, and is zero in records that were written before.

// Instant is a time in a record: the seconds since 1970, and nanoseconds. Unlike that of a
// time.Time, its JSON can hold any time.
type Instant [2]int64

// InstantOf returns a time as an Instant.
func InstantOf(t time.Time) Instant { return Instant{t.Unix(), int64(t.Nanosecond())} }

// Time returns the time in the local time zone, or the zero time.
func (i Instant) Time() time.Time {
	t := time.Unix(i[0], i[1])
	if t.IsZero() {
		return time.Time{}
	}
	return t
}

// tableRecord is the definition of a table.
type tableRecord struct {
	Name     string
	ID       string
	Created  Instant
	Key      keyRecord
	Indexes  []IndexRecord
	Expiry   string // the attribute; "" if items do not expire
	Settings json.RawMessage
	Recovery *recoveryRecord `json:",omitempty"`
	Vectors  []VectorRecord  `json:",omitempty"`
	Replica  *replicaRecord  `json:",omitempty"`
}

// recoveryRecord is a recovery without its changes.
type recoveryRecord struct {
	Life time.Duration // nanoseconds
	From Instant
}

// backupRecord is the definition of a backup and of its table.
type backupRecord struct {
	ID       string
	Settings json.RawMessage
	Table    tableRecord // the table without its settings
}

// outboxRecord is an outbox without its changes.
type outboxRecord struct {
	Table   string
	TableID string
	Key     keyRecord
	Label   string
	Closed  bool
}

type keyRecord struct{ Hash, Range []attributeRecord }

// attributeRecord is a key attribute and its type: S, N or B.
type attributeRecord struct{ Name, Type string }

// IndexRecord is an IndexSchema in a record.
type IndexRecord struct {
	Name       string
	Local      bool
	Key        keyRecord
	Projection string
	NonKey     []string
}

// RecordIndex returns the record of an IndexSchema.
func RecordIndex(s IndexSchema) IndexRecord {
	return IndexRecord{s.Name, s.Local, recordKey(s.Key), s.Projection.Type, s.Projection.NonKey}
}

// Schema returns the IndexSchema. It fails for a record that RecordIndex does not make.
func (r IndexRecord) Schema() (IndexSchema, error) {
	key, err := r.Key.schema()
	return IndexSchema{r.Name, r.Local, key, Projection{r.Projection, r.NonKey}}, err
}

// streamRecord is a stream without its changes.
type streamRecord struct {
	Table   string
	TableID string
	Key     keyRecord
	Label   string
	View    string
	Created Instant
	Ended   Instant // zero while the stream is enabled
	Shards  []shardRecord
	Open    []uint64 // numbers, by lineage
}

type shardRecord struct {
	Number, Parent, First, Last uint64
	Begun, Ended                Instant
	Dropped                     uint64 `json:",omitempty"` // see changeLog.dropped
}

// mustJSON returns the JSON of a record. Records consist of numbers, strings and lists, so that
// cannot fail.
func mustJSON(record any) string {
	b, err := json.Marshal(record)
	if err != nil {
		panic(err)
	}
	return string(b)
}

var keyTypes = map[item.Type]string{item.S: "S", item.N: "N", item.B: "B"}

func recordKey(ks KeySchema) keyRecord {
	return keyRecord{recordAttributes(ks.Hash), recordAttributes(ks.Range)}
}

func recordAttributes(attributes []KeyAttribute) []attributeRecord {
	var records []attributeRecord
	for _, a := range attributes {
		records = append(records, attributeRecord{a.Name, keyTypes[a.Type]})
	}
	return records
}

func (r keyRecord) schema() (KeySchema, error) {
	hash, err := schemaAttributes(r.Hash)
	if err != nil {
		return KeySchema{}, err
	}
	if len(hash) == 0 {
		return KeySchema{}, errors.New("a key has no partition key")
	}
	sort, err := schemaAttributes(r.Range)
	return KeySchema{hash, sort}, err
}

func schemaAttributes(records []attributeRecord) ([]KeyAttribute, error) {
	var attributes []KeyAttribute
	for _, a := range records {
		at := len(attributes)
		for typ, name := range keyTypes {
			if name == a.Type {
				attributes = append(attributes, KeyAttribute{a.Name, typ})
			}
		}
		if len(attributes) == at {
			return nil, fmt.Errorf("%q is no type of a key", a.Type)
		}
	}
	return attributes, nil
}

// item adds a put of an item, or its deletion if it is "".
func (d *durability) item(t *Table, k Key, it item.Item) {
	bucket, key := d.bucket(kindItems, t.number), number(k.Hash)+k.Text
	if it == "" {
		d.batch.Delete(bucket, key)
		return
	}
	d.batch.Put(bucket, key, string(it.JSON()))
}

// parseItem reads an item from its JSON into a Scratch. An item may be a level deeper than the
// service takes: earlier versions took it.
func parseItem(text []byte, into *item.Scratch) (item.Item, error) {
	s := jsontext.NewScanner(string(text))
	a, err := into.ParseAttributes(&s)
	switch {
	case err != nil:
		return "", err
	case a.Invalid != nil && a.Item == "":
		return "", a.Invalid
	case a.Item == "" || s.Pos() != len(text):
		return "", errors.New("not an item")
	}
	return a.Item, nil
}

// table adds the definition of a table, or its deletion if the table was dropped.
func (d *durability) table(t *Table) {
	schema := d.bucket(kindSchema, 0)
	if t.store == nil {
		d.batch.Delete(schema, keyTable+number(t.number))
		d.batch.Drop(d.bucket(kindItems, t.number))
		if t.replica != nil {
			d.dropReplica(t)
		}
		return
	}
	r := t.record()
	r.Settings = d.Codec.Encode(t.settings)
	d.batch.Put(schema, keyTable+number(t.number), mustJSON(r))
}

// record returns the definition of a table without its settings.
func (t *Table) record() tableRecord {
	r := tableRecord{Name: t.Name, ID: t.ID, Created: InstantOf(t.Created), Key: recordKey(t.Key)}
	for _, ix := range t.indexes {
		r.Indexes = append(r.Indexes, RecordIndex(ix.IndexSchema))
	}
	for _, ix := range t.vectors {
		r.Vectors = append(r.Vectors, RecordVector(ix.VectorSchema))
	}
	if t.expiry != nil {
		r.Expiry = t.expiry.attribute
	}
	if t.recovery != nil {
		r.Recovery = &recoveryRecord{t.recovery.life, InstantOf(t.recovery.from)}
	}
	r.Replica = t.replica.record()
	return r
}

// items adds all items of a table.
func (d *durability) items(t *Table) {
	t.tree.Scan(func(e entry) bool {
		d.item(t, e.key, e.item)
		return true
	})
}

// backup adds a backup with its items, or its deletion if the store has dropped it.
func (d *durability) backup(s *Store, b *Backup) {
	schema, key := d.bucket(kindSchema, 0), keyBackup+number(b.table.number)
	if !slices.Contains(s.backups, b) {
		d.batch.Delete(schema, key)
		d.batch.Drop(d.bucket(kindItems, b.table.number))
		return
	}
	d.batch.Put(schema, key,
		mustJSON(backupRecord{b.ID, d.Codec.Encode(b.Settings), b.table.record()}))
	d.items(b.table)
}

// stream adds the definition of a stream, or its deletion if the store has dropped it. It drops the
// buckets of shards that the stream no longer has.
func (d *durability) stream(st *Store, s *Stream) {
	key := keyStream + number(s.number)
	r := streamRecord{Table: s.Table, TableID: s.TableID, Key: recordKey(s.Key), Label: s.Label,
		View:    s.View,
		Created: InstantOf(s.Created), Ended: InstantOf(s.ended)}
	var now []uint64
	if slices.Contains(st.streams, s) {
		for _, sh := range s.shards {
			now = append(now, sh.Number)
			r.Shards = append(r.Shards, shardRecord{sh.Number, sh.Parent, sh.First, sh.Last,
				InstantOf(sh.Begun), InstantOf(sh.ended), sh.changes.dropped})
		}
		for _, sh := range s.open {
			r.Open = append(r.Open, sh.Number)
		}
		d.batch.Put(d.bucket(kindSchema, 0), key, mustJSON(r))
	} else {
		d.batch.Delete(d.bucket(kindSchema, 0), key)
	}
	for _, n := range d.shards[s] {
		if !slices.Contains(now, n) {
			d.batch.Drop(d.bucket(kindChanges, n))
		}
	}
	if d.shards[s] = now; now == nil {
		delete(d.shards, s)
	}
}

// outbox adds the definition of an outbox, or its deletion if the store has removed it.
func (d *durability) outbox(st *Store, o *Outbox) {
	schema, key := d.bucket(kindSchema, 0), keyOutbox+number(o.number)
	if !slices.Contains(st.outboxes, o) {
		d.batch.Delete(schema, key)
		d.batch.Drop(d.bucket(kindUnsent, o.number))
		return
	}
	d.batch.Put(schema, key,
		mustJSON(outboxRecord{o.Table, o.TableID, recordKey(o.Key), o.Label, o.closed}))
}

// stateLen is the length of an encoded state.
const stateLen = 3 * 8

// encodeState encodes the counters of a store.
func encodeState(s *Store) string {
	var space [stateLen]byte
	b := binary.BigEndian.AppendUint64(space[:0], s.seq)
	b = binary.BigEndian.AppendUint64(b, s.shards)
	return string(binary.BigEndian.AppendUint64(b, s.numbers))
}

func decodeState(s *Store, b []byte) error {
	if len(b) != stateLen {
		return errors.New("not the state of a store")
	}
	s.seq, s.shards = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	s.numbers = binary.BigEndian.Uint64(b[16:])
	return nil
}

// encodeChange encodes a change:
//
//	8 bytes  the time in milliseconds since 1970, in an outbox in microseconds
//	1 byte   1 if the item expired, or else 0
//	4 bytes  the length of the old item's JSON
//	         the JSON of the old item and of the new one
func encodeChange(l *logged) string {
	old, new := l.old.JSON(), l.new.JSON()
	b := make([]byte, 0, changeHeader+len(old)+len(new))
	b = binary.BigEndian.AppendUint64(b, uint64(l.millis))
	expired := byte(0)
	if l.expired {
		expired = 1
	}
	b = binary.BigEndian.AppendUint32(append(b, expired), uint32(len(old)))
	return string(append(append(b, old...), new...))
}

const changeHeader = 8 + 1 + 4

func decodeChange(seq uint64, b []byte) (l logged, err error) {
	if len(b) < changeHeader {
		return l, errors.New("not a change")
	}
	l.seq, l.millis, l.expired = seq, int64(binary.BigEndian.Uint64(b)), b[8] == 1
	n := uint64(binary.BigEndian.Uint32(b[9:]))
	if b = b[changeHeader:]; n > uint64(len(b)) || len(b) == 0 {
		return l, errors.New("not a change")
	}
	if n > 0 {
		if l.old, err = parseItem(b[:n], nil); err != nil {
			return l, err
		}
	}
	if b = b[n:]; len(b) > 0 {
		l.new, err = parseItem(b, nil)
	}
	return l, err
}
