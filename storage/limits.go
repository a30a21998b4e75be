package storage

import "slices"

// largestChunk is the size, in bytes, up to which the chunks of change logs grow. With a small
// limit of memory they grow to a sixteenth of that limit.
const largestChunk = 128 << 10

// chunkBytes returns the size up to which the chunks of this store's change logs grow.
func (s *Store) chunkBytes() int {
	if s.streamMemory == 0 {
		return largestChunk
	}
	return int(min(largestChunk, s.streamMemory/16))
}

// logChange adds a change to a log. limitMemory has to follow.
func (s *Store) logChange(log *changeLog, l *logged) {
	before := log.bytes
	log.add(l, s.chunkBytes())
	s.unchecked += log.bytes - before
}

// limitMemory drops the oldest changes of all streams, a chunk at a time, until the rest is within
// the limit. It does nothing until the new changes would fill a chunk.
func (s *Store) limitMemory() {
	if s.streamMemory == 0 || s.unchecked <= int64(s.chunkBytes()) {
		return
	}
	s.unchecked = 0
	for excess := s.logBytes() - s.streamMemory; excess > 0; {
		stream, sh := s.oldestLog()
		s.durable.dropChanges(stream, sh)
		excess -= int64(sh.changes.chunks[0].bytes)
		sh.changes.drop()
	}
}

// logBytes returns the size of all logs.
func (s *Store) logBytes() (bytes int64) {
	for _, stream := range s.streams {
		for _, sh := range stream.shards {
			bytes += sh.changes.bytes
		}
	}
	return bytes
}

// oldestLog returns the shard with the oldest change, and its stream.
func (s *Store) oldestLog() (of *Stream, oldest *Shard) {
	for _, stream := range s.streams {
		for _, sh := range stream.shards {
			if len(sh.changes.chunks) == 0 {
				continue
			}
			if oldest == nil || sh.changes.chunks[0].first < oldest.changes.chunks[0].first {
				of, oldest = stream, sh
			}
		}
	}
	return of, oldest
}

// outboxChunk returns the size up to which the chunks of changes grow.
func (s *Store) outboxChunk() int {
	if s.outboxMemory == 0 {
		return largestChunk
	}
	return int(min(largestChunk, s.outboxMemory/16))
}

// limitOutboxes drops the oldest chunks of all outboxes until the rest is within the limit. It does
// nothing until the new changes would fill a chunk.
func (s *Store) limitOutboxes() {
	if s.outboxMemory == 0 || s.uncheckedUnsent <= int64(s.outboxChunk()) {
		return
	}
	s.uncheckedUnsent = 0
	excess := -s.outboxMemory
	for _, o := range s.outboxes {
		excess += o.log.bytes
	}
	for excess > 0 {
		o := s.fullestOutbox()
		first := o.log.chunks[0]
		for r := first.reader(); r.next(); {
			if r.seq > o.sent {
				o.lost++
			}
		}
		s.durable.sent(o, first.last)
		excess -= int64(first.bytes)
		o.log.drop()
	}
}

// fullestOutbox returns the outbox with the most bytes, so that one whose receiver is gone does not
// take the room of the others.
func (s *Store) fullestOutbox() *Outbox {
	return slices.MaxFunc(s.outboxes,
		func(a, b *Outbox) int { return int(a.log.bytes - b.log.bytes) })
}

// recoveryChunk returns the size up to which the chunks of changes grow.
func (s *Store) recoveryChunk() int {
	if s.pastMemory == 0 {
		return largestChunk
	}
	return int(min(largestChunk, s.pastMemory/16))
}

// limitRecovery drops the oldest chunks of all tables until the rest is within the limit. It does
// nothing until the new changes would fill a chunk.
func (s *Store) limitRecovery() {
	if s.pastMemory == 0 || s.uncheckedPast <= int64(s.recoveryChunk()) {
		return
	}
	s.uncheckedPast = 0
	excess := -s.pastMemory
	for _, t := range s.tables {
		if t.recovery != nil {
			excess += t.recovery.log.bytes
		}
	}
	for excess > 0 {
		oldest := s.oldestRecovery()
		excess -= int64(oldest.recovery.log.chunks[0].bytes)
		oldest.recovery.drop(s, oldest)
	}
}

// oldestRecovery returns the table whose oldest change is the oldest of all.
func (s *Store) oldestRecovery() (oldest *Table) {
	for _, t := range s.tables {
		if t.recovery == nil || len(t.recovery.log.chunks) == 0 {
			continue
		}
		if oldest == nil || t.recovery.log.chunks[0].first < oldest.recovery.log.chunks[0].first {
			oldest = t
		}
	}
	return oldest
}
