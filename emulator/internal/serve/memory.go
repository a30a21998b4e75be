package serve

import (
	"math"
	"runtime/metrics"
)

// MemoryFull reports whether the process holds more memory than it may. Without a limit it costs
// one comparison.
func (l *Limits) MemoryFull() bool {
	if l.Memory == math.MaxInt64 {
		return false
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}} // what the last collection kept
	metrics.Read(live)
	return live[0].Value.Uint64() >= uint64(l.Memory)
}
