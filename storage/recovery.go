package storage

import (
	"slices"
	"time"
)

// undoLog keeps the changes of a table, so that Restore can undo them. Of each change it keeps the
// old item or, if there was none, the key attributes of the new one. A put therefore costs a copy
// of the item that it replaces.
//
// Restore copies the present table and undoes the changes after a moment, the latest first. With
// snapshots at intervals there would be less to undo. But the writes after each snapshot would copy
// the nodes of the trees again, even if nobody recovers.
type undoLog struct {
	life time.Duration // how long a change is kept
	from time.Time     // every change after it is kept; a whole millisecond
	log  changeLog
}

func (r *undoLog) fork() *undoLog {
	if r == nil {
		return nil
	}
	return &undoLog{r.life, r.from, r.log.fork()}
}

// Recovery is the part of a Tx that is about the past of tables; see Tx.Recovery.
type Recovery struct{ tx *Tx }

// Enable keeps the changes of a table from now on, each for at least life. If the table
// keeps them already, Enable changes life.
func (rc Recovery) Enable(t *Table, life time.Duration) {
	rc.tx.mustWrite()
	rc.tx.mustHave(t)
	before, now := t.recovery, rc.tx.store.now().Truncate(time.Millisecond)
	if before == nil {
		t.recovery = &undoLog{life: life, from: now}
	} else {
		r := *before
		r.from, r.life = r.since(now), life // a longer life does not bring dropped changes back
		t.recovery = &r
	}
	rc.tx.logTable(t, func() { t.recovery = before })
}

// Disable forgets the changes of a table, and keeps none from now on.
func (rc Recovery) Disable(t *Table) {
	rc.tx.mustWrite()
	rc.tx.mustHave(t)
	before := t.recovery
	if before == nil {
		return
	}
	t.recovery = nil
	rc.tx.store.durable.dropRecovery(t)
	rc.tx.logTable(t, func() { t.recovery = before })
}

// Window returns the earliest moment for Restore, a whole millisecond, and the life from Enable. ok
// is false if the table does not keep its changes.
func (rc Recovery) Window(t *Table) (from time.Time, life time.Duration, ok bool) {
	rc.tx.mustHave(t)
	if t.recovery == nil {
		return time.Time{}, 0, false
	}
	return t.recovery.since(rc.tx.store.now()), t.recovery.life, true
}

// since returns the earliest moment for Restore.
func (r *undoLog) since(now time.Time) time.Time {
	if oldest := now.Add(-r.life).Truncate(time.Millisecond); oldest.After(r.from) {
		return oldest
	}
	return r.from
}

// Restore creates a table with what t held at a moment, including all changes of that millisecond.
// The moment must not be before the one of Window. The time depends on the number of changes
// since and, if the store has a journal, on the number of items. t may be of another store, whose
// lock the caller holds by UpdateAll.
func (rc Recovery) Restore(t *Table, at time.Time, spec TableSpec) *Table {
	rc.tx.mustWrite()
	c := rc.tx.Tables().addCopy(t.copyFor(rc.tx.store), spec)
	c.undoTo(&t.recovery.log, at.UnixMilli())
	return c
}

// undoTo undoes the changes after a time, the latest first.
func (t *Table) undoTo(log *changeLog, millis int64) {
	for _, chunk := range slices.Backward(log.chunks) {
		var changes []logged
		for r := chunk.reader(); r.next(); {
			changes = append(changes, r.logged)
		}
		for _, l := range slices.Backward(changes) {
			if l.millis <= millis {
				return
			}
			t.undo(&l)
		}
	}
}

func (t *Table) undo(l *logged) {
	t.write(&entry{t.keyOf(l), l.old}, true, nil)
}

// keyOf returns the key of the item that a change of the table's recovery is about.
func (t *Table) keyOf(l *logged) Key {
	keyed := l.old
	if keyed == "" {
		keyed = l.new
	}
	k, _ := t.Key.Encode(keyed)
	return k
}

// add keeps a change.
func (r *undoLog) add(s *Store, c *Change) {
	l := logged{seq: c.Seq, millis: c.Time.UnixMilli(), old: c.Old}
	if l.old == "" {
		l.new = c.New.Only(c.Table.keyNames...)
	}
	r.keep(s, &l)
	s.durable.undoable(c.Table, &l)
	for r.log.chunks[0].latest < r.since(c.Time).UnixMilli() && len(r.log.chunks) > 1 {
		r.drop(s, c.Table)
	}
	s.limitRecovery()
}

func (r *undoLog) keep(s *Store, l *logged) {
	before := r.log.bytes
	r.log.add(l, s.recoveryChunk())
	s.uncheckedPast += r.log.bytes - before
}

// drop drops the oldest chunk. The earliest moment for Restore is then that of its last change.
func (r *undoLog) drop(s *Store, t *Table) {
	s.durable.dropUndoable(t, r.log.chunks[0])
	if last := time.UnixMilli(r.log.chunks[0].latest); last.After(r.from) {
		r.from = last
	}
	r.log.drop()
}
