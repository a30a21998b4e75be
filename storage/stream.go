package storage

import (
	"slices"
	"time"
)

// StreamLife is how long a change stays in a stream, and a stream after it ended
// (Developer Guide, "Change data capture for DynamoDB Streams").
const StreamLife = 24 * time.Hour

// mostEnded is how many streams that have ended a store keeps. Beyond it those go
// that ended first: a stream that is empty takes about 1 KB, and a server on which
// tables are made and deleted all day would have no end of them.
const mostEnded = 1000

// Stream is the log of the changes of one table, from its beginning until it
// ends, because it is disabled or the table deleted. Its exported fields never
// change. The handle is good inside the View or Update that it comes from.
type Stream struct {
	Table   string
	TableID string
	Key     KeySchema
	Label   string // tells streams of tables of one name apart
	View    string // which images of the changes it shows: KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or, as all else, both
	Created time.Time

	number   uint64 // of the store's streams, ascending: that of the first shard
	keyNames []string
	ended    time.Time // zero: it has not
	shards   []*Shard  // in the order of their beginnings; appended to and replaced
	open     []*Shard  // the last of each lineage; nil once the stream has ended
}

// Shard is a part of a stream. The changes of one item are all in one lineage of
// shards, in which each begins when its parent ends.
type Shard struct {
	Number uint64 // of all shards of the store
	Parent uint64 // 0: it has none
	Begun  time.Time
	First  uint64 // below the Seq of all of its changes
	Last   uint64 // above the Seq of all of its changes; 0: it has not ended

	ended   time.Time
	changes changeLog
}

// Ended returns when the stream ended; zero if it has not.
func (s *Stream) Ended() time.Time { return s.ended }

// Shards returns the shards that still hold changes or may get some, oldest
// first. The slice is not to be modified.
func (s *Stream) Shards() []*Shard { return s.shards }

// Shard returns a shard by number, or nil.
func (s *Stream) Shard(number uint64) *Shard {
	for _, sh := range s.shards {
		if sh.Number == number {
			return sh
		}
	}
	return nil
}

func (st *Store) newShard(parent uint64, now time.Time) *Shard {
	st.shards++
	st.seq++
	return &Shard{Number: st.shards, Parent: parent, Begun: now, First: st.seq}
}

// end closes a shard: what follows is in others. Those who hold the shard in an
// undo, or in a fork, keep the open one.
func (sh *Shard) end(st *Store, now time.Time) *Shard {
	st.seq++
	ended := *sh
	ended.Last, ended.ended = st.seq, now
	return &ended
}

// fork returns the same stream for another store, in time independent of the sizes of its changes.
func (s *Stream) fork() *Stream {
	f := *s
	f.shards, f.open = slices.Clone(s.shards), slices.Clone(s.open)
	for i, sh := range f.shards {
		own := *sh
		own.changes = sh.changes.fork()
		f.shards[i] = &own
		if lineage := slices.Index(f.open, sh); lineage >= 0 {
			f.open[lineage] = &own
		}
	}
	return &f
}

// replace has a shard take the place of another.
func (s *Stream) replace(old, new *Shard) { s.shards[slices.Index(s.shards, old)] = new }

// roll ends the shard of a lineage, if it is as old as shards become, and begins
// its child.
func (s *Stream) roll(st *Store, lineage int, now time.Time) *Shard {
	sh := s.open[lineage]
	if now.Sub(sh.Begun) < st.shardLife {
		return sh
	}
	s.shards = slices.Clone(s.shards)
	s.replace(sh, sh.end(st, now))
	child := st.newShard(sh.Number, now)
	s.open = slices.Clone(s.open)
	s.open[lineage] = child
	s.shards = append(s.shards, child)
	s.trim(now)
	st.durable.touchStream(s)
	return child
}

// trim forgets the shards whose changes are all too old.
func (s *Stream) trim(now time.Time) {
	s.shards = slices.DeleteFunc(s.shards, func(sh *Shard) bool { return sh.Last > 0 && trimmed(sh.ended, now) })
}

// trimmed reports whether what happened at a time is no longer in a stream.
func trimmed(at, now time.Time) bool { return now.Sub(at) >= StreamLife }

// log adds a change to the shard of its item.
func (s *Stream) log(st *Store, c *Change) {
	lineage := int(c.key.Hash % uint64(len(s.open)))
	sh := s.roll(st, lineage, c.Time)
	st.seq++
	c.Seq = st.seq
	l := logged{c.Seq, c.Time.UnixMilli(), c.Old, c.New, c.Expired}
	s.hide(&l)
	st.logChange(&sh.changes, &l)
	st.durable.change(sh, &l)
	st.limitMemory()
}

// hide has only the keys left of an image that the stream does not show.
func (s *Stream) hide(l *logged) {
	if l.old != "" && (s.View == "KEYS_ONLY" || s.View == "NEW_IMAGE") {
		l.old = l.old.Only(s.keyNames...)
	}
	if l.new != "" && (s.View == "KEYS_ONLY" || s.View == "OLD_IMAGE") {
		l.new = l.new.Only(s.keyNames...)
	}
}

// EnableStream begins a stream of a table that has none.
func (tx *Tx) EnableStream(t *Table, label, view string) {
	tx.mustWrite()
	tx.mustHave(t)
	if t.stream != nil {
		panic("storage: table " + t.Name + " has a stream already")
	}
	s, now := tx.store, tx.store.now()
	before := s.streams
	stream := &Stream{Table: t.Name, TableID: t.ID, Key: t.Key, keyNames: t.keyNames, Label: label, View: view, Created: now}
	for range s.openShards {
		stream.open = append(stream.open, s.newShard(0, now))
	}
	stream.shards = slices.Clone(stream.open)
	stream.number = stream.open[0].Number
	t.stream = stream
	past := s.pastStreams(now)
	kept := slices.DeleteFunc(slices.Clone(before), func(old *Stream) bool { return slices.Contains(past, old) })
	s.streams = append(kept, stream)
	for _, old := range past {
		s.durable.touchStream(old)
	}
	tx.logStream(stream, func() { t.stream, s.streams = nil, before })
}

// pastStreams returns the streams that need not be kept: those that are gone, and of
// the others that have ended those beyond mostEnded.
func (s *Store) pastStreams(now time.Time) (past []*Stream) {
	var ended []*Stream
	for _, stream := range s.streams {
		switch {
		case stream.gone(now):
			past = append(past, stream)
		case !stream.ended.IsZero():
			ended = append(ended, stream)
		}
	}
	if extra := len(ended) - mostEnded; extra > 0 {
		slices.SortStableFunc(ended, func(a, b *Stream) int { return a.ended.Compare(b.ended) })
		past = append(past, ended[:extra]...)
	}
	return past
}

// gone reports whether all of a stream is too old.
func (s *Stream) gone(now time.Time) bool { return !s.ended.IsZero() && trimmed(s.ended, now) }

// DisableStream ends the stream of a table, if it has one. Its changes stay for
// StreamLife, or until mostEnded other streams have ended and one begins.
func (tx *Tx) DisableStream(t *Table) {
	tx.mustWrite()
	tx.mustHave(t)
	stream := t.stream
	if stream == nil {
		return
	}
	before := *stream
	now := tx.store.now()
	stream.shards = slices.Clone(stream.shards)
	for _, sh := range stream.open {
		stream.replace(sh, sh.end(tx.store, now))
	}
	stream.open, stream.ended = nil, now
	t.stream = nil
	tx.logStream(stream, func() {
		*stream = before
		t.stream = stream
	})
}

// Streams returns all streams whose changes are not all too old, in the order of
// their creation.
func (tx *Tx) Streams() []*Stream {
	now := tx.store.now()
	return slices.DeleteFunc(slices.Clone(tx.store.streams), func(s *Stream) bool { return s.gone(now) })
}

// Stream returns the stream of a table's name with a label, or nil.
func (tx *Tx) Stream(table, label string) *Stream {
	now := tx.store.now()
	for _, s := range tx.store.streams {
		if s.Table == table && s.Label == label && !s.gone(now) {
			return s
		}
	}
	return nil
}

// RollShards ends the shards that are old enough, which otherwise the next change
// does, and forgets those that hold nothing any more.
func (tx *Tx) RollShards(s *Stream) {
	tx.mustWrite()
	now := tx.store.now()
	before := *s
	for i := range s.open {
		s.roll(tx.store, i, now)
	}
	s.shards = slices.Clone(s.shards)
	s.trim(now)
	if len(s.shards) != len(before.shards) { // otherwise roll has seen to it
		tx.store.durable.touchStream(s)
	}
	tx.logUndo(func() { *s = before })
}

// LastSeq is the Seq of the last change of the store.
func (tx *Tx) LastSeq() uint64 { return tx.store.seq }

// Horizon is the Seq of the oldest change in a shard that is not too old, or if
// there is none the Seq after all of its changes so far.
func (tx *Tx) Horizon(sh *Shard) uint64 { return tx.Since(sh, time.Time{}) }

// Since is the Seq of the oldest change in a shard that was made at a time or later and is not too
// old, or if there is none the Seq after all of its changes so far.
func (tx *Tx) Since(sh *Shard, from time.Time) uint64 {
	tooOld := tx.store.now().Add(-StreamLife).UnixMilli()
	if seq, ok := sh.changes.since(max(from.UnixMilli()-1, tooOld)); ok {
		return seq
	}
	return tx.endOf(sh)
}

// endOf is the Seq after all changes of a shard so far.
func (tx *Tx) endOf(sh *Shard) uint64 {
	if sh.Last > 0 {
		return sh.Last
	}
	return tx.store.seq + 1
}

// Changes calls f with the changes of a shard from a Seq on, oldest first, until
// f returns false. Of images that the stream does not show there are only the keys.
// It reports whether the first of the changes is too old, or had to make room: then f is not called.
func (tx *Tx) Changes(s *Stream, sh *Shard, from uint64, f func(*Change) bool) (tooOld bool) {
	if sh.changes.dropped > 0 && from <= sh.changes.dropped {
		return true
	}
	now, first := tx.store.now(), true
	sh.changes.scan(from, func(l *logged) bool {
		if first && trimmed(l.time(), now) {
			tooOld = true
			return false
		}
		first = false
		image := l.new
		if image == "" {
			image = l.old
		}
		return f(&Change{Keys: image.Only(s.keyNames...), Old: l.old, New: l.new, Seq: l.seq, Time: l.time(), Expired: l.expired})
	})
	return tooOld
}

// Trimmed reports whether the change of a shard with a Seq, or the one that was
// there before it, is too old, or had to make room.
func (tx *Tx) Trimmed(sh *Shard, seq uint64) (tooOld bool) {
	millis, ok := sh.changes.before(seq)
	if !ok {
		return sh.changes.dropped > 0
	}
	return trimmed(time.UnixMilli(millis), tx.store.now())
}
