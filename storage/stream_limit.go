package storage

// largestChunk is the size to which chunks of logs grow, in bytes. Those of a
// small limit grow to a sixteenth of it.
const largestChunk = 128 << 10

// chunkBytes is the size to which chunks of the store's streams grow.
func (s *Store) chunkBytes() int {
	if s.streamMemory == 0 {
		return largestChunk
	}
	return int(min(largestChunk, s.streamMemory/16))
}

// keep adds a change to a log. makeRoom is to follow.
func (s *Store) logChange(log *changeLog, l *logged) {
	before := log.bytes
	log.add(l, s.chunkBytes())
	s.unchecked += log.bytes - before
}

// makeRoom drops the oldest changes of all streams, in chunks, until the others
// are within the limit. Most calls do nothing: it looks whenever there are as
// many new ones as go into a chunk.
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

// logBytes is the size of all logs.
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
