package admin

import (
	"net/http"
	"strconv"
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
	r := &recording{since: e.Now(), recorder: traffic.NewRecorder(), latencies: &latencies{}, latest: &latest{}}
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

// trafficInfo is what a recording has counted.
type trafficInfo struct {
	Since      time.Time                 `json:"since"`
	Until      time.Time                 `json:"until"`
	Requests   int64                     `json:"requests"`
	ReadUnits  float64                   `json:"readUnits"`
	WriteUnits float64                   `json:"writeUnits"`
	Operations []traffic.Operation       `json:"operations"`
	Latencies  []latencyInfo             `json:"latencies"`
	Capacity   []traffic.Capacity        `json:"capacity"`
	Reads      []traffic.ReadReport      `json:"reads"`
	Keys       []traffic.KeyReport       `json:"keys"`
	Partitions []traffic.PartitionReport `json:"partitions"`
}

// recordTraffic records requests from now on, and forgets those before.
func (s *scope) recordTraffic(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording != nil {
		s.recording.stop()
	}
	s.recording = startRecording(s.emulator)
	return http.StatusCreated, s.traffic(), nil
}

// showTraffic returns what was recorded.
func (s *scope) showTraffic(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording == nil {
		return failed(errNoRecording())
	}
	return http.StatusOK, s.traffic(), nil
}

// stopTraffic ends the recording, and returns what was recorded.
func (s *scope) stopTraffic(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording == nil {
		return failed(errNoRecording())
	}
	s.recording.stop()
	info := s.traffic()
	s.recording = nil
	return http.StatusOK, info, nil
}

func errNoRecording() error {
	return notFound("no requests are recorded: POST to this path records them from then on")
}

// listOperations returns the latest requests.
func (s *scope) listOperations(r *http.Request) (int, any, error) {
	after, err := afterOf(r)
	if err != nil {
		return failed(err)
	}
	s.mu.Lock()
	recording := s.recording
	s.mu.Unlock()
	if recording == nil {
		return failed(errNoRecording())
	}
	operations, last, missed := recording.latest.after(after)
	return http.StatusOK, operationsInfo{recording.since, last, missed, operations}, nil
}

// afterOf returns the parameter after of a request, 0 for none.
func afterOf(r *http.Request) (int64, error) {
	text := r.URL.Query().Get("after")
	if text == "" {
		return 0, nil
	}
	after, err := strconv.ParseInt(text, 10, 64)
	if err != nil || after < 0 {
		return 0, badRequest("after is the id of an operation, not %.100q", text)
	}
	return after, nil
}

// traffic returns what was recorded. mu is held, and there is a recording.
func (s *scope) traffic() trafficInfo {
	r := s.recording.recorder.Report()
	return trafficInfo{
		Since: s.recording.since, Until: s.emulator.Now(),
		Requests: r.Requests, ReadUnits: r.ReadUnits, WriteUnits: r.WriteUnits,
		Operations: r.Operations, Latencies: s.recording.latencies.list(), Capacity: r.Capacity,
		Reads: r.Reads, Keys: r.Keys, Partitions: r.Partitions,
	}
}
