package admin

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// recording counts the requests since a time, and keeps the latest.
type recording struct {
	since     time.Time
	recorder  *traffic.Recorder
	latencies *latencies
	latest    *latest
	stop      func()
}

// startRecording records the requests that an emulator gets. It leaves out those of the process
// itself, such as those of the console: they are not what an application does.
func startRecording(e *emulator.Emulator) *recording {
	r := &recording{
		since: e.Now(), recorder: traffic.NewRecorder(), latencies: &latencies{}, latest: &latest{},
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
