package admin

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

type faultInfo struct {
	ID     string          `json:"id"`
	Hits   int64           `json:"hits"`
	Places []hitPlace      `json:"places,omitempty"`
	Missed bool            `json:"missed,omitempty"` // it must hit, and has not hit any request
	Fault  json.RawMessage `json:"fault"`
}

// hitPlace says how many requests of an operation on a table a fault has hit.
type hitPlace struct {
	Operation string `json:"operation,omitempty"`
	Table     string `json:"table"`
	Hits      int64  `json:"hits"`
}

// hitPlaces returns where a fault has hit requests, most first.
func hitPlaces(f *emulator.InjectedFault) (list []hitPlace) {
	for at, n := range f.HitsByPlace() {
		list = append(list, hitPlace{at.Operation, at.Table, n})
	}
	slices.SortFunc(list, func(a, b hitPlace) int {
		return cmp.Or(cmp.Compare(b.Hits, a.Hits), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Operation, b.Operation))
	})
	return list
}

// faultInfos describes faults. It gives an id to those that have none. mu is held.
func (s *scope) faultInfos(list []*emulator.InjectedFault) []faultInfo {
	infos := make([]faultInfo, len(list))
	for i, f := range list {
		id := s.faultIDs[*f]
		if id == "" {
			s.lastFault++
			id = strconv.Itoa(s.lastFault)
			s.faultIDs[*f] = id
		}
		infos[i] = faultInfo{id, f.Hits(), hitPlaces(f), f.Missed(), json.RawMessage(f.Fault().String())}
	}
	return infos
}

// forget forgets the ids of faults that have been removed. mu is held.
func (s *scope) forget() {
	there := map[emulator.InjectedFault]string{}
	for _, f := range s.emulator.Faults() {
		if id := s.faultIDs[*f]; id != "" {
			there[*f] = id
		}
	}
	s.faultIDs = there
}

func (s *scope) listFaults(*http.Request) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.StatusOK, map[string]any{"faults": s.faultInfos(s.emulator.Faults())}, nil
}

// readFaults reads the faults in a body.
func readFaults(r *http.Request) ([]fault.Fault, error) {
	text, err := read(r)
	if err != nil {
		return nil, err
	}
	faults, err := fault.Parse(text)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	return faults, nil
}

func (s *scope) addFaults(r *http.Request) (int, any, error) {
	faults, err := readFaults(r)
	if err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.emulator.Faults())+len(faults) > maxFaults {
		return failed(conflict("there would be more than %d faults", maxFaults))
	}
	added := make([]*emulator.InjectedFault, len(faults))
	for i, f := range faults {
		added[i] = s.emulator.AddFault(f)
	}
	return http.StatusCreated, map[string]any{"faults": s.faultInfos(added)}, nil
}

func (s *scope) replaceFaults(r *http.Request) (int, any, error) {
	faults, err := readFaults(r)
	if err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.emulator.SetFaults(faults...)
	s.forget()
	return http.StatusOK, map[string]any{"faults": s.faultInfos(set)}, nil
}

func (s *scope) removeFaults(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := s.faultInfos(s.emulator.Faults())
	s.emulator.SetFaults()
	s.forget()
	return http.StatusOK, map[string]any{"faults": ended}, nil
}

func (s *scope) removeFault(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := mux.Vars(r)["id"]
	for _, f := range s.emulator.Faults() {
		if s.faultIDs[*f] == id {
			hits := s.faultInfos([]*emulator.InjectedFault{f})[0]
			f.Remove()
			s.forget()
			return http.StatusOK, hits, nil
		}
	}
	return failed(notFound("there is no fault %q", id))
}
