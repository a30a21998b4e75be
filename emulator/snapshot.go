package emulator

import "time"

// Snapshot is everything that an Emulator had at one moment. It never changes, and
// keeps its data in memory for as long as it is kept itself.
type Snapshot struct {
	namespaces namespaces
	time       time.Time
	shared     bool
}

// Snapshot takes a snapshot, at the cost and with the contents of a Fork.
func (e *Emulator) Snapshot() *Snapshot {
	s := &Snapshot{time: e.clock(), shared: e.shared}
	s.namespaces.stores = e.namespaces.fork(e.storage)
	return s
}

// Time returns the time that the clock showed when the snapshot was taken.
func (s *Snapshot) Time() time.Time { return s.time }

// Restore takes the service back to a snapshot, of its own or of another that it
// or its fork is a fork of, in time independent of the amount of data. A snapshot
// may be restored more than once. Requests that run meanwhile see everything as it
// was before or everything as it is then, and what those change that see the old
// is lost. Restore panics if only one of e and the service of the snapshot shows
// the same tables to all access keys (see WithSharedData).
//
//   - A held clock is set back to the time of the snapshot, too, for all emulators that have it. Any other goes on.
//   - Streams have the records, and transactions the tokens, that they had then. A shard iterator given out since is a place in
//     changes that were never made: get a new one.
//   - Settings and options stay. Ids are not made a second time.
func (e *Emulator) Restore(s *Snapshot) {
	if s.shared != e.shared {
		panic("emulator: a snapshot of a service with WithSharedData is of no use to one without, and the other way round")
	}
	e.namespaces.replace(s.namespaces.fork(e.storage), func() {
		if e.held != nil {
			e.held.setQuietly(s.time)
		}
	})
}

// Reset removes all tables, streams and tokens of all namespaces, as if the
// service were new, and forgets Findings. The clock and the ids go on. Of requests that run meanwhile
// the same holds as with Restore.
func (e *Emulator) Reset() {
	e.namespaces.replace(nil, nil)
	if e.guard != nil {
		e.guard.findings.reset()
	}
}
