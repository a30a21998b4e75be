package storage

import (
	"slices"
	"time"
)

// streamLife is how long a stream keeps a change, and how long an ended stream stays (Developer
// Guide, "Change data capture for DynamoDB Streams").
const streamLife = 24 * time.Hour

// mostEnded is how many ended streams a store keeps. When there are more it drops those that ended
// first. An empty stream takes about 1 KB, and a server that creates and deletes tables all day
// would collect them without end.
const mostEnded = 1000

// Stream is the log of the changes of one table. It ends when it is disabled or when the table is
// deleted. Its exported fields never change. The handle is valid within the View or Update that
// returned it.
type Stream struct {
	Table   string
	TableID string
	Key     KeySchema
	Label   string // distinguishes the streams of tables with the same name
	View    string // its images: KEYS_ONLY, NEW_IMAGE, OLD_IMAGE; any other value means both
	Created time.Time

	number   uint64 // ascending among the store's streams: the number of the first shard
	keyNames []string
	ended    time.Time // zero while the stream is enabled
	shards   []*Shard  // sorted by their beginnings; only appended to or replaced
	open     []*Shard  // the last shard of each lineage; nil once the stream has ended
}

// Shard is a part of a stream. Shards form lineages: a shard begins when its parent ends. All
// changes of one item are in the same lineage.
type Shard struct {
	Number uint64 // ascending among the store's shards
	Parent uint64 // 0 if it has none
	Begun  time.Time
	First  uint64 // less than the Seq of any of its changes
	Last   uint64 // greater than the Seq of any of its changes; 0 while the shard is open

	ended   time.Time
	changes changeLog
}

// Ended returns when the stream ended, or the zero time.
func (s *Stream) Ended() time.Time { return s.ended }

// Shards returns the shards that hold changes or may get some, oldest first. The caller must not
// modify the slice.
func (s *Stream) Shards() []*Shard { return s.shards }

// Shard returns the shard with a number, or nil.
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

// end returns a closed copy of the shard. It does not modify sh, because an undo or a fork may
// still have it.
func (sh *Shard) end(st *Store, now time.Time) *Shard {
	st.seq++
	ended := *sh
	ended.Last, ended.ended = st.seq, now
	return &ended
}

// fork returns a copy of the stream for another store, in a time that does not depend on the sizes
// of its changes.
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

// replace puts a shard in the place of another.
func (s *Stream) replace(old, new *Shard) { s.shards[slices.Index(s.shards, old)] = new }

// roll returns the open shard of a lineage. If that shard is old enough, roll first closes it and
// begins its child.
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

// trim drops the shards whose changes are all too old.
func (s *Stream) trim(now time.Time) {
	s.shards = slices.DeleteFunc(s.shards, func(sh *Shard) bool { return sh.isPast(now) })
}

// trimmed reports whether a change made at a time is too old to be in a stream.
func trimmed(at, now time.Time) bool { return now.Sub(at) >= streamLife }

// log numbers a change and adds it to the shard of its item.
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
	if st.onRecorded != nil {
		st.onRecorded(st)
	}
}

// hide reduces the images that the stream does not show to their key attributes.
func (s *Stream) hide(l *logged) {
	if l.old != "" && (s.View == "KEYS_ONLY" || s.View == "NEW_IMAGE") {
		l.old = l.old.Only(s.keyNames...)
	}
	if l.new != "" && (s.View == "KEYS_ONLY" || s.View == "OLD_IMAGE") {
		l.new = l.new.Only(s.keyNames...)
	}
}

// Streams is the part of a Tx that is about streams; see Tx.Streams.
type Streams struct{ tx *Tx }

// Enable begins a stream of a table, which must not have one.
func (ss Streams) Enable(t *Table, label, view string) {
	ss.tx.mustWrite()
	ss.tx.mustHave(t)
	if t.stream != nil {
		panic("storage: table " + t.Name + " has a stream already")
	}
	s, now := ss.tx.store, ss.tx.store.now()
	before := s.streams
	stream := &Stream{Table: t.Name, TableID: t.ID, Key: t.Key, keyNames: t.keyNames,
		Label: label, View: view, Created: now}
	for range s.openShards {
		stream.open = append(stream.open, s.newShard(0, now))
	}
	stream.shards = slices.Clone(stream.open)
	stream.number = stream.open[0].Number
	t.stream = stream
	past := s.pastStreams(now)
	kept := slices.DeleteFunc(slices.Clone(before),
		func(old *Stream) bool { return slices.Contains(past, old) })
	s.streams = append(kept, stream)
	for _, old := range past {
		s.durable.touchStream(old)
	}
	ss.logUndo(stream, func() { t.stream, s.streams = nil, before })
}

// pastStreams returns the streams to drop: those that are too old, and the ended ones beyond
// mostEnded.
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

// HoldOld reports whether ForgetOld has something to do.
func (ss Streams) HoldOld() bool {
	now := ss.tx.store.now()
	return slices.ContainsFunc(ss.tx.store.streams,
		func(s *Stream) bool { return s.gone(now) || s.trims(now) })
}

// ForgetOld drops the streams and the shards whose changes are all too old. Nobody can read them.
// It otherwise happens when a stream or a shard begins.
func (ss Streams) ForgetOld() {
	ss.tx.mustWrite()
	s, now, all := ss.tx.store, ss.tx.store.now(), ss.tx.store.streams
	s.streams = slices.DeleteFunc(slices.Clone(all),
		func(stream *Stream) bool { return stream.gone(now) })
	ss.tx.logUndo(func() { s.streams = all })
	for _, stream := range all {
		switch {
		case stream.gone(now):
			s.durable.touchStream(stream)
		case stream.trims(now):
			before := *stream
			stream.shards = slices.Clone(stream.shards)
			stream.trim(now)
			ss.logUndo(stream, func() { *stream = before })
		}
	}
}

// trims reports whether trim would drop a shard.
func (s *Stream) trims(now time.Time) bool {
	return slices.ContainsFunc(s.shards, func(sh *Shard) bool { return sh.isPast(now) })
}

// isPast reports whether all changes of a shard are too old.
func (sh *Shard) isPast(now time.Time) bool { return sh.Last > 0 && trimmed(sh.ended, now) }

// gone reports whether all changes of a stream are too old.
func (s *Stream) gone(now time.Time) bool { return !s.ended.IsZero() && trimmed(s.ended, now) }

// Disable ends the stream of a table, if it has one. Its changes stay for StreamLife, or
// until a new stream begins after mostEnded others have ended.
func (ss Streams) Disable(t *Table) {
	ss.tx.mustWrite()
	ss.tx.mustHave(t)
	stream := t.stream
	if stream == nil {
		return
	}
	before := *stream
	now := ss.tx.store.now()
	stream.shards = slices.Clone(stream.shards)
	for _, sh := range stream.open {
		stream.replace(sh, sh.end(ss.tx.store, now))
	}
	stream.open, stream.ended = nil, now
	t.stream = nil
	ss.logUndo(stream, func() {
		*stream = before
		t.stream = stream
	})
}

// All returns all streams with changes that are not too old, in the order of their creation.
func (ss Streams) All() []*Stream {
	now := ss.tx.store.now()
	return slices.DeleteFunc(slices.Clone(ss.tx.store.streams),
		func(s *Stream) bool { return s.gone(now) })
}

// ByLabel returns the stream of a table with a label, or nil.
func (ss Streams) ByLabel(table, label string) *Stream {
	now := ss.tx.store.now()
	for _, s := range ss.tx.store.streams {
		if s.Table == table && s.Label == label && !s.gone(now) {
			return s
		}
	}
	return nil
}

// Roll closes the shards that are old enough, which otherwise happens with the next change,
// and drops those whose changes are all too old.
func (ss Streams) Roll(s *Stream) {
	ss.tx.mustWrite()
	now := ss.tx.store.now()
	before := *s
	for i := range s.open {
		s.roll(ss.tx.store, i, now)
	}
	s.shards = slices.Clone(s.shards)
	s.trim(now)
	if len(s.shards) != len(before.shards) { // otherwise roll has called touchStream
		ss.tx.store.durable.touchStream(s)
	}
	ss.tx.logUndo(func() { *s = before })
}

// LastSeq returns the Seq of the last change of the store.
func (ss Streams) LastSeq() uint64 { return ss.tx.store.seq }

// Horizon returns the Seq of the oldest change in a shard that is not too old. Without one it
// returns the Seq after all of the shard's changes so far.
func (ss Streams) Horizon(sh *Shard) uint64 { return ss.Since(sh, time.Time{}) }

// Since returns the Seq of the oldest change in a shard that was made at a time or later and is not
// too old. Without one it returns the Seq after all of the shard's changes so far.
func (ss Streams) Since(sh *Shard, from time.Time) uint64 {
	tooOld := ss.tx.store.now().Add(-streamLife).UnixMilli()
	if seq, ok := sh.changes.since(max(from.UnixMilli()-1, tooOld)); ok {
		return seq
	}
	return ss.endOf(sh)
}

// endOf returns the Seq after all changes of a shard so far.
func (ss Streams) endOf(sh *Shard) uint64 {
	if sh.Last > 0 {
		return sh.Last
	}
	return ss.tx.store.seq + 1
}

// Changes calls f with the changes of a shard from a Seq on, oldest first, until f returns false.
// An image that the stream does not show has only the key attributes. If the first of the changes
// is too old or was dropped, Changes reports tooOld and does not call f.
func (ss Streams) Changes(s *Stream, sh *Shard, from uint64, f func(*Change) bool) (tooOld bool) {
	if sh.changes.dropped > 0 && from <= sh.changes.dropped {
		return true
	}
	now, first := ss.tx.store.now(), true
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
		return f(&Change{Keys: image.Only(s.keyNames...), Old: l.old, New: l.new, Seq: l.seq,
			Time: l.time(), Expired: l.expired})
	})
	return tooOld
}

// Trimmed reports whether the change of a shard with a Seq is too old or was dropped. If no change
// has that Seq, it judges the last change before it.
func (ss Streams) Trimmed(sh *Shard, seq uint64) (tooOld bool) {
	millis, ok := sh.changes.before(seq)
	if !ok {
		return sh.changes.dropped > 0
	}
	return trimmed(time.UnixMilli(millis), ss.tx.store.now())
}
