package console

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/traffic/races"
)

// maxRecorded is how many bytes of requests and answers are recorded to look for races in them.
const maxRecorded = 32 << 20

// raceSearch records requests while somebody wants to know of races, and looks for races in them.
// It is safe for concurrent use.
type raceSearch struct {
	mu   sync.Mutex // protects the fields below
	stop func()     // nil while nothing is recorded
	text bytes.Buffer
	full bool // requests were left out

	searching sync.Mutex // protects those below: one search runs at a time
	searched  int        // bytes of text that report is of
	report    *races.Report
}

// foundRaces is the answer to the page.
type foundRaces struct {
	Recording bool          `json:"recording"`
	Full      bool          `json:"full,omitempty"` // no more is recorded
	Report    *races.Report `json:"report,omitempty"`
}

// Write adds lines of a recorder, until there is no room.
func (s *raceSearch) Write(lines []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full = s.full || s.text.Len()+len(lines) > maxRecorded; !s.full {
		s.text.Write(lines)
	}
	return len(lines), nil
}

// begin records the requests of programs from now on, and forgets those before. Those of the
// process itself, such as the console's, are left out.
func (s *raceSearch) begin(e *emulator.Emulator) {
	s.end()
	s.searching.Lock()
	s.searched, s.report = 0, nil
	s.searching.Unlock()
	recorder := races.NewRecorder(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Reset()
	s.full = false
	s.stop = e.Observe(func(event *emulator.Event) {
		if event.Remote != "" {
			recorder.Observe(event)
		}
	})
}

// end records no more. What was recorded stays.
func (s *raceSearch) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// find returns the races in what was recorded so far.
func (s *raceSearch) find() (foundRaces, error) {
	s.searching.Lock()
	defer s.searching.Unlock()
	s.mu.Lock()
	found := foundRaces{Recording: s.stop != nil, Full: s.full}
	text := bytes.Clone(s.text.Bytes())
	s.mu.Unlock()
	if s.report == nil || s.searched != len(text) {
		recording, err := races.Read(bytes.NewReader(text))
		if err != nil {
			return found, err
		}
		recording.Partial = "" // it has no end because it goes on
		if s.report, err = races.Find(recording); err != nil {
			return found, err
		}
		s.searched = len(text)
	}
	found.Report = s.report
	return found, nil
}

// serveRaces begins a recording (POST), ends it (DELETE), and tells what was found in it so far.
func serveRaces(l *local) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			l.races.begin(l.emulator)
		case http.MethodDelete:
			l.races.end()
		}
		found, err := l.races.find()
		if err != nil {
			fail(w, http.StatusInternalServerError, "RacesException", err.Error())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(found) // an error means that the client is gone
	})
}
