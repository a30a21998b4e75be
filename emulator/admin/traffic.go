package admin

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// trafficInfo holds what a recording has counted.
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
	Writes     []traffic.WriteReport     `json:"writes"`
	Partitions []traffic.PartitionReport `json:"partitions"`
}

// recorded is the requests of an emulator that are recorded.
type recorded struct {
	of *emulator.Emulator

	mu        sync.Mutex
	recording *recording // nil for none
}

// now returns the recording, nil for none.
func (s *recorded) now() *recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recording
}

// record records requests from now on, and forgets those before.
func (s *recorded) record(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording != nil {
		s.recording.stop()
	}
	s.recording = startRecording(s.of)
	return http.StatusCreated, s.info(), nil
}

// show returns what was recorded.
func (s *recorded) show(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording == nil {
		return failed(errNoRecording())
	}
	return http.StatusOK, s.info(), nil
}

// stop ends the recording, and returns what was recorded.
func (s *recorded) stop(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording == nil {
		return failed(errNoRecording())
	}
	s.recording.stop()
	info := s.info()
	s.recording = nil
	return http.StatusOK, info, nil
}

func errNoRecording() error {
	return notFound("no requests are recorded: POST to this path records them from then on")
}

// operations returns the latest requests.
func (s *recorded) operations(r *http.Request) (int, any, error) {
	after, err := afterOf(r)
	if err != nil {
		return failed(err)
	}
	recording := s.now()
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

// info describes what was recorded. mu is held, and there is a recording.
func (s *recorded) info() trafficInfo {
	r := s.recording.recorder.Report()
	return trafficInfo{
		Since: s.recording.since, Until: s.of.Now(),
		Requests: r.Requests, ReadUnits: r.ReadUnits, WriteUnits: r.WriteUnits,
		Operations: r.Operations, Latencies: s.recording.latencies.list(), Capacity: r.Capacity,
		Reads: r.Reads, Keys: r.Keys, Writes: r.Writes,
		Partitions: r.Partitions,
	}
}
