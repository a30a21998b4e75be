package admin

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
)

type snapshotInfo struct {
	Name string    `json:"name"`
	Time time.Time `json:"time"` // the time of the clock when the snapshot was taken
}

// maxSnapshots is how many snapshots the server may have, and each fork.
const maxSnapshots = 256

// snapshots are those of an emulator.
type snapshots struct {
	of *emulator.Emulator

	mu     sync.Mutex
	byName map[string]*emulator.Snapshot // nil for none
}

// newSnapshot is a request to take a snapshot.
type newSnapshot struct {
	Name string `json:"name"`
}

func (s *snapshots) list(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"snapshots": s.infos()}, nil
}

// infos describes all snapshots, sorted by name.
func (s *snapshots) infos() []snapshotInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]snapshotInfo, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		list = append(list, snapshotInfo{name, s.byName[name].Time()})
	}
	return list
}

func (s *snapshots) add(r *http.Request) (int, any, error) {
	var in newSnapshot
	if err := decode(r, &in); err != nil {
		return failed(err)
	}
	if err := checkName("name", in.Name); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byName[in.Name] != nil:
		return failed(conflict("there is a snapshot %s already", in.Name))
	case len(s.byName) >= maxSnapshots:
		return failed(conflict("there are %d snapshots already, delete some", maxSnapshots))
	}
	taken := s.of.Snapshot()
	if s.byName == nil {
		s.byName = map[string]*emulator.Snapshot{}
	}
	s.byName[in.Name] = taken
	return http.StatusCreated, snapshotInfo{in.Name, taken.Time()}, nil
}

// named returns the snapshot with a name.
func (s *snapshots) named(name string) (*emulator.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if taken := s.byName[name]; taken != nil {
		return taken, nil
	}
	return nil, notFound("there is no snapshot %q", name)
}

func (s *snapshots) restore(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	name := mux.Vars(r)["name"]
	taken, err := s.named(name)
	if err != nil {
		return failed(err)
	}
	s.of.Restore(taken)
	return http.StatusOK, snapshotInfo{name, taken.Time()}, nil
}

func (s *snapshots) remove(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := mux.Vars(r)["name"]
	if s.byName[name] == nil {
		return failed(notFound("there is no snapshot %q", name))
	}
	delete(s.byName, name)
	return done()
}
