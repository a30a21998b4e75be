package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Between two garbage collections the heap may grow by growthFloor, or by growthPercent of the live
// heap if that is more. Go's default of 100 percent collects a small table every few megabytes. And
// it lets a large table take twice its memory, which slows its requests down: with a million items
// of 1 KB, puts run at 0.87 of the rate with ten thousand at 30 percent, and at 0.62 at 100
// percent.
const (
	growthFloor   = 64 << 20
	growthPercent = 30
)

// adaptGCPercent sets the GC percentage for the live heap after each collection, until the process
// ends. The finalizer of an object to which nothing refers tells it of a collection.
func adaptGCPercent() {
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

// sentinel is an object whose finalizer surely runs. It is large and has a pointer, so that it does
// not share its memory with others (runtime.SetFinalizer).
type sentinel struct{ _ [3]*byte }

// gcPercent returns the GC percentage for a live heap, in steps of ten so that it seldom changes.
func gcPercent(live uint64) int {
	const most = 1000
	percent := growthFloor * 100 / max(live, 1)
	return int(min(max(percent, growthPercent), most)) / 10 * 10
}
