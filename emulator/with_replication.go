package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
)

// WithReplicationLag sets how long replicas of a global table take to get each other's changes,
// measured on the clock. The default is 0: the answer to a write then comes after all replicas have
// it. Global tables with strong consistency have no lag.
func WithReplicationLag(d time.Duration) Option {
	return func(s *settings) { s.ReplicationLag = max(0, d) }
}

// Replicate delivers the changes of all replicas that are due by the clock and that no fault holds
// back. It returns how many. A Server calls it every second, a held Clock whenever it is moved, and
// every write for its own changes.
func (e *Emulator) Replicate() (delivered int) {
	return control.Replicator(e.service).ReplicateAll()
}
