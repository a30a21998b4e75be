package growth

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// The bounds of memory: a process whose collector lets garbage grow to what is in use, as it does
// by default, then has at most 20 times the input, and 64 MB.
const (
	MostTimes = 10       // a multiple of the input's size
	MostBytes = 32 << 20 // besides
)

// Peak returns the most bytes that work had in use when garbage was collected, beyond those that
// were in use before. Meanwhile garbage is collected often.
func Peak(work func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	before := live()
	var most atomic.Int64
	var over atomic.Bool
	// a finalizer is called after each collection, if its object is garbage again
	var collected func(*[16]byte)
	collected = func(object *[16]byte) {
		if now := live(); now > most.Load() {
			most.Store(now)
		}
		if !over.Load() {
			runtime.SetFinalizer(object, collected)
		}
	}
	runtime.SetFinalizer(new([16]byte), collected)
	work()
	over.Store(true)
	return max(0, most.Load()-before)
}

// live returns the bytes that the last collection of garbage has found in use.
func live() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
