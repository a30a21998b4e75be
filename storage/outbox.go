package storage

import (
	"slices"
	"time"
)

// Outbox holds the changes of a table that the user of the store passes on to somebody else, until
// they are passed on. It is open while the table adds changes to it. A closed one stays until it is
// empty, even without its table. Its exported fields never change. The handle is valid within the
// View or Update that returned it.
type Outbox struct {
	Table   string
	TableID string
	Key     KeySchema
	Label   string // a label that the store's user gives it

	number   uint64 // unique in the store
	keyNames []string
	closed   bool
	log      changeLog // its times are in microseconds
	sent     uint64    // the Seq up to which changes were passed on; the log may still have them
	lost     int64     // how many changes were dropped to limit memory
}

// fork returns an open outbox for another store. It is empty: the original passes its changes on.
func (o *Outbox) fork() *Outbox {
	return &Outbox{
		Table: o.Table, TableID: o.TableID, Key: o.Key, Label: o.Label, number: o.number,
		keyNames: o.keyNames,
	}
}

// Lost returns how many changes were dropped to limit memory, since the outbox was opened or
// loaded.
func (o *Outbox) Lost() int64 { return o.lost }

// Number returns a number that no other outbox of the store has.
func (o *Outbox) Number() uint64 { return o.number }

// Outboxes is the part of a Tx that is about outboxes; see Tx.Outboxes.
type Outboxes struct{ tx *Tx }

// Open adds an outbox for all later changes of a table.
func (ob Outboxes) Open(t *Table, label string) *Outbox {
	ob.tx.mustWrite()
	ob.tx.mustHave(t)
	s := ob.tx.store
	s.numbers++
	o := &Outbox{
		Table: t.Name, TableID: t.ID, Key: t.Key, Label: label, number: s.numbers,
		keyNames: t.keyNames,
	}
	ofTable, ofStore := t.outboxes, s.outboxes
	t.outboxes, s.outboxes = append(slices.Clip(ofTable), o), append(slices.Clip(ofStore), o)
	ob.logUndo(o, func() { t.outboxes, s.outboxes = ofTable, ofStore })
	return o
}

// CloseAll closes all outboxes of a table.
func (ob Outboxes) CloseAll(t *Table) {
	ob.tx.mustWrite()
	ob.tx.mustHave(t)
	before := t.outboxes
	for _, o := range before {
		ob.setClosed(o)
		ob.removeEmpty(o)
	}
	if before != nil {
		t.outboxes = nil
		ob.tx.logUndo(func() { t.outboxes = before })
	}
}

func (ob Outboxes) setClosed(o *Outbox) {
	o.closed = true
	ob.logUndo(o, func() { o.closed = false })
}

// removeEmpty removes a closed outbox that has nothing to pass on.
func (ob Outboxes) removeEmpty(o *Outbox) {
	if !o.closed || o.pending() {
		return
	}
	s := ob.tx.store
	before := s.outboxes
	s.outboxes = slices.DeleteFunc(slices.Clone(before),
		func(other *Outbox) bool { return other == o })
	ob.logUndo(o, func() { s.outboxes = before })
}

// logUndo records a change of an outbox's definition.
func (ob Outboxes) logUndo(o *Outbox, undo func()) {
	ob.tx.logUndo(undo)
	ob.tx.store.durable.touchOutbox(o)
}

// pending reports whether a change waits to be passed on.
func (o *Outbox) pending() bool {
	n := len(o.log.chunks)
	return n > 0 && o.log.chunks[n-1].last > o.sent
}

// Pending returns the outboxes with changes to pass on, in the order of their opening.
func (ob Outboxes) Pending() (list []*Outbox) {
	for _, o := range ob.tx.store.outboxes {
		if o.pending() {
			list = append(list, o)
		}
	}
	return list
}

// ByNumber returns the outbox with a number if it has changes to pass on, and nil otherwise.
func (ob Outboxes) ByNumber(number uint64) *Outbox {
	for _, o := range ob.tx.store.outboxes {
		if o.number == number && o.pending() {
			return o
		}
	}
	return nil
}

// Unsent calls f with the changes that wait to be passed on, oldest first, until f returns false.
// The images are valid as long as the caller keeps them.
func (ob Outboxes) Unsent(o *Outbox, f func(*Change) bool) {
	o.log.scan(o.sent+1, func(l *logged) bool {
		image := l.new
		if image == "" {
			image = l.old
		}
		return f(&Change{Keys: image.Only(o.keyNames...), Old: l.old, New: l.new, Seq: l.seq,
			Time: time.UnixMicro(l.millis), Expired: l.expired})
	})
}

// Sent records that the changes of an outbox were passed on up to a Seq. They are dropped.
func (ob Outboxes) Sent(o *Outbox, seq uint64) {
	ob.tx.mustWrite()
	sent, chunks, bytes, lost := o.sent, slices.Clone(o.log.chunks), o.log.bytes, o.log.dropped
	ob.tx.store.durable.sent(o, seq)
	o.sent = max(o.sent, seq)
	for len(o.log.chunks) > 0 && o.log.chunks[0].last <= o.sent {
		o.log.drop()
	}
	ob.tx.logUndo(func() { o.sent, o.log = sent, changeLog{chunks, bytes, lost} })
	ob.removeEmpty(o)
}

// add puts a change into the outbox, and tells the store's user.
func (o *Outbox) add(s *Store, c *Change) {
	l := logged{seq: c.Seq, millis: c.Time.UnixMicro(), old: c.Old, new: c.New, expired: c.Expired}
	o.keep(s, &l)
	s.durable.unsent(o, &l)
	s.limitOutboxes()
	if s.onUnsent != nil {
		s.onUnsent(s, o)
	}
}

func (o *Outbox) keep(s *Store, l *logged) {
	before := o.log.bytes
	o.log.add(l, s.outboxChunk())
	s.uncheckedUnsent += o.log.bytes - before
}
