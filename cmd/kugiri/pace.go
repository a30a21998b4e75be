package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Between two collections the heap may grow by growthFloor or by growthPercent
// of what is live, whichever is more. Go's own default, 100 percent, collects a
// small table every few megabytes, and has a large one take twice its memory and
// its requests walk through all of that: with a million items of 1 KB, puts run
// at 0.87 of the rate with ten thousand at 30 percent, 0.67 at 50 and 0.62 at 100.
const (
	growthFloor   = 64 << 20
	growthPercent = 30
)

// paceCollector keeps the collector at that pace for as long as the process
// lives. It looks after each collection, by way of the finalizer of an object
// that nothing refers to.
func paceCollector() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	current := 0
	var look func(*sentinel)
	look = func(*sentinel) {
		metrics.Read(sample)
		if percent := gcPercent(sample[0].Value.Uint64()); percent != current {
			current = percent
			debug.SetGCPercent(percent)
		}
		runtime.SetFinalizer(new(sentinel), look)
	}
	look(nil)
}

// sentinel is an object whose finalizer can be relied on: too large, and with a
// pointer, so that it does not share its memory with others (runtime.SetFinalizer).
type sentinel struct{ _ [3]*byte }

// gcPercent is the growth for a live heap, in steps of ten percent so that it seldom changes.
func gcPercent(live uint64) int {
	const most = 1000
	percent := growthFloor * 100 / max(live, 1)
	return int(min(max(percent, growthPercent), most)) / 10 * 10
}
