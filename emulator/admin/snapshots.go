package admin

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
)

type snapshotInfo struct {
	Name string    `json:"name"`
	Time time.Time `json:"time"` // the time of the clock when the snapshot was taken
}

// newSnapshot is a request to take a snapshot.
type newSnapshot struct {
	Name string `json:"name"`
}

func (s *scope) listSnapshots(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.StatusOK, map[string]any{"snapshots": s.snapshotInfos()}, nil
}

// snapshotInfos describes all snapshots, sorted by name. mu is held.
func (s *scope) snapshotInfos() []snapshotInfo {
	list := make([]snapshotInfo, 0, len(s.snapshots))
	for _, name := range slices.Sorted(maps.Keys(s.snapshots)) {
		list = append(list, snapshotInfo{name, s.snapshots[name].Time()})
	}
	return list
}

func (s *scope) addSnapshot(r *http.Request) (int, any, error) {
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
	case s.snapshots[in.Name] != nil:
		return failed(conflict("there is a snapshot %s already", in.Name))
	case len(s.snapshots) >= maxSnapshots:
		return failed(conflict("there are %d snapshots already, delete some", maxSnapshots))
	}
	taken := s.emulator.Snapshot()
	s.snapshots[in.Name] = taken
	return http.StatusCreated, snapshotInfo{in.Name, taken.Time()}, nil
}

// snapshot returns the snapshot with a name.
func (s *scope) snapshot(name string) (*emulator.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if taken := s.snapshots[name]; taken != nil {
		return taken, nil
	}
	return nil, notFound("there is no snapshot %q", name)
}

func (s *scope) restore(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	name := mux.Vars(r)["name"]
	taken, err := s.snapshot(name)
	if err != nil {
		return failed(err)
	}
	s.emulator.Restore(taken)
	return http.StatusOK, snapshotInfo{name, taken.Time()}, nil
}

func (s *scope) removeSnapshot(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := mux.Vars(r)["name"]
	if s.snapshots[name] == nil {
		return failed(notFound("there is no snapshot %q", name))
	}
	delete(s.snapshots, name)
	return done()
}

func (s *scope) reset(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.emulator.Reset()
	return done()
}

// listFindings lists the findings of the policy. A reset removes them.
func (s *scope) listFindings(r *http.Request) (int, any, error) {
	list, err := s.emulator.FindingsOf(r.URL.Query())
	if err != nil {
		return failed(badRequest("%v", err))
	}
	return http.StatusOK, map[string]any{"findings": list}, nil
}

// findings serves the findings of an emulator at emulator.FindingsPath. Without a policy the list
// is empty.
func findings(e *emulator.Emulator) http.Handler {
	s := newScope(e)
	return answer(func(r *http.Request) (int, any, error) {
		if !e.HasPolicy() || r.URL.Path != emulator.FindingsPath {
			return fail(http.StatusNotFound, "there is nothing at this path")
		}
		if r.Method != http.MethodGet {
			return fail(http.StatusMethodNotAllowed, "not by the method "+r.Method)
		}
		return s.listFindings(r)
	})
}

func (s *scope) expire(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	return http.StatusOK, map[string]int{"deleted": s.emulator.ExpireItems()}, nil
}
