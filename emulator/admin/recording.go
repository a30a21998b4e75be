package admin

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// recording counts the requests since a time, and keeps the latest.
type recording struct {
	since     time.Time
	saved     map[string]float64 // read units that caches had saved before, by table
	recorder  *traffic.Recorder
	latencies *latencies
	latest    *latest
	stop      func()
}

// savedReads returns the read units that caches have saved, by table.
func savedReads(e *emulator.Emulator) map[string]float64 {
	cache, ok := acceleration.Of(e).Cache()
	if !ok {
		return nil
	}
	return cache.Saved()
}

// savedSince returns the read units that caches have saved since the recording began.
func (r *recording) savedSince(e *emulator.Emulator) map[string]float64 {
	saved := savedReads(e)
	for table, before := range r.saved {
		if saved != nil { // else the accelerator has ended
			saved[table] -= before
		}
	}
	return saved
}

// startRecording records the requests that an emulator gets. It leaves out those of the process
// itself, such as those of the console: they are not what an application does.
func startRecording(e *emulator.Emulator) *recording {
	r := &recording{
		since: e.Now(), saved: savedReads(e),
		recorder: traffic.NewRecorder(), latencies: &latencies{}, latest: &latest{},
	}
	r.stop = e.Observe(func(event *emulator.Event) {
		if event.Remote == "" {
			return
		}
		r.recorder.Observe(event)
		r.latencies.add(event.Operation, event.Duration)
		r.latest.add(event)
	})
	return r
}
