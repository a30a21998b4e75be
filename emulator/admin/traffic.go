package admin

import (
	"net/http"
	"time"

	"github.com/kugiri-db/kugiri/emulator/traffic"
)

// recording counts the requests since a time.
type recording struct {
	since    time.Time
	recorder *traffic.Recorder
	stop     func()
}

// trafficInfo is what a recording has counted.
type trafficInfo struct {
	Since    time.Time           `json:"since"`
	Until    time.Time           `json:"until"`
	Requests int64               `json:"requests"`
	Keys     []traffic.KeyReport `json:"keys"`
}

// recordTraffic records requests from now on, and forgets those before.
func (s *scope) recordTraffic(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording != nil {
		s.recording.stop()
	}
	r := traffic.NewRecorder()
	s.recording = &recording{s.emulator.Now(), r, s.emulator.Observe(r.Observe)}
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

// traffic returns what was recorded. mu is held, and there is a recording.
func (s *scope) traffic() trafficInfo {
	report := s.recording.recorder.Report()
	return trafficInfo{s.recording.since, s.emulator.Now(), report.Requests, report.Keys}
}
