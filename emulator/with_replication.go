package emulator

import "time"

// WithReplicationLag sets how long replicas of a global table take to get each other's changes,
// measured on the clock. The default is 0: the answer to a write then comes after all replicas have
// it. Global tables with strong consistency have no lag.
func WithReplicationLag(d time.Duration) Option {
	return func(s *settings) { s.ReplicationLag = max(0, d) }
}
