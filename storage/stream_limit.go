package storage

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
