package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// Snapshot holds all data of an Emulator at one moment. It never changes. Its data stay in memory
// as long as it does.
type Snapshot struct {
	namespaces serve.Namespaces
	time       time.Time
	shared     bool
}

// Snapshot takes a snapshot. It has the cost and the contents of a Fork.
func (e *Emulator) Snapshot() *Snapshot {
	s := &Snapshot{time: e.service.Clock(), shared: e.service.Shared}
	s.namespaces.Stores = e.service.Namespaces.Fork(e.service.Storage)
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
	if s.shared != e.service.Shared {
		panic("emulator: a snapshot of a service with WithSharedData is of no use to one without, and the other way round")
	}
	e.service.Namespaces.Replace(s.namespaces.Fork(e.service.Storage), func() {
		if e.settings.held != nil {
			e.settings.held.SetKeeping(s.time)
		}
	})
}

// Reset removes all tables, streams and tokens of all namespaces, as if the service were new, and
// forgets Findings. It does not reset the clock and the ids. Concurrent requests are treated as by
// Restore.
func (e *Emulator) Reset() {
	e.service.Namespaces.Replace(nil, nil)
	if e.service.Policy != nil {
		e.service.Policy.Findings.Reset()
	}
}
