package emulator

import "time"

// Snapshot holds all data of an Emulator at one moment. It never changes. Its data stay in memory
// as long as it does.
type Snapshot struct {
	namespaces namespaces
	time       time.Time
	shared     bool
}

// Snapshot takes a snapshot. It has the cost and the contents of a Fork.
func (e *Emulator) Snapshot() *Snapshot {
	s := &Snapshot{time: e.service.clock(), shared: e.service.shared}
	s.namespaces.stores = e.service.namespaces.fork(e.service.storage)
	return s
}

// Time returns the time of the clock when the snapshot was taken.
func (s *Snapshot) Time() time.Time { return s.time }

// Restore restores a snapshot of the service, or of another service that it or its fork is a fork
// of. The time does not depend on the amount of data. A snapshot may be restored more than once. A
// concurrent request sees all data from before, or all data from after. The changes of a request
// that sees the data from before are lost. Restore panics if only one of e and the service of the
// snapshot shows the same tables to all access keys (see WithSharedData).
//
//   - A held clock is set back to the time of the snapshot, for all emulators with that clock.
//     Other clocks are not changed.
//   - Streams have their records, and transactions their tokens, from the time of the snapshot. A
//     shard iterator that was returned later is not valid any more: get a new one.
//   - Settings and options do not change. No id is used twice.
func (e *Emulator) Restore(s *Snapshot) {
	if s.shared != e.service.shared {
		panic("emulator: a snapshot of a service with WithSharedData is of no use to one without, and the other way round")
	}
	e.service.namespaces.replace(s.namespaces.fork(e.service.storage), func() {
		if e.settings.held != nil {
			e.settings.held.setQuietly(s.time)
		}
	})
}

// Reset removes all tables, streams and tokens of all namespaces, as if the service were new, and
// forgets Findings. It does not reset the clock and the ids. Concurrent requests are treated as by
// Restore.
func (e *Emulator) Reset() {
	e.service.namespaces.replace(nil, nil)
	if e.service.guard != nil {
		e.service.guard.findings.reset()
	}
}
