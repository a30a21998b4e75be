package servecmd

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// A server rests while it allocates less than restBytes in restLasts. It then gives back the memory
// of deleted tables and closed connections, if it has allocated garbageBytes since it last did:
// Go's runtime does that by itself, but only after minutes, and keeps a part.
const (
	restLasts    = 10 * time.Second
	restBytes    = 1 << 20
	garbageBytes = 16 << 20
)

// giveBackAtRest gives memory back whenever the server rests, until ctx ends.
func giveBackAtRest(ctx context.Context) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	read := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	allocated := allocations{last: read()}
	allocated.given = allocated.last
	for cli.Pause(ctx, restLasts); ctx.Err() == nil; cli.Pause(ctx, restLasts) {
		if allocated.mayGiveBack(read()) {
			debug.FreeOSMemory()
		}
	}
}

// allocations are the bytes that the process had allocated since its start, when they were read
// last and when memory was given back last.
type allocations struct{ last, given uint64 }

// mayGiveBack takes the bytes that the process has allocated until now. It reports whether the
// server rests and has enough garbage for giving it back to be worth a collection.
func (a *allocations) mayGiveBack(now uint64) bool {
	rests := now-a.last < restBytes
	a.last = now
	if !rests || now-a.given < garbageBytes {
		return false
	}
	a.given = now
	return true
}
