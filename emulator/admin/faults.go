package admin

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gorilla/mux"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

// maxFaults is how many faults the server may have, and each fork.
const maxFaults = 1000

// faults are those of an emulator, with ids.
type faults struct {
	of *emulator.Emulator

	mu   sync.Mutex
	ids  map[emulator.InjectedFault]string // nil for none
	last int                               // the last id
}

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
		return cmp.Or(cmp.Compare(b.Hits, a.Hits), cmp.Compare(a.Table, b.Table),
			cmp.Compare(a.Operation, b.Operation))
	})
	return list
}

// all describes all faults.
func (s *faults) all() []faultInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.infos(s.of.Faults())
}

// infos describes faults. It gives an id to those that have none. mu is held.
func (s *faults) infos(list []*emulator.InjectedFault) []faultInfo {
	infos := make([]faultInfo, len(list))
	for i, f := range list {
		id := s.ids[*f]
		if id == "" {
			s.last++
			id = strconv.Itoa(s.last)
			if s.ids == nil {
				s.ids = map[emulator.InjectedFault]string{}
			}
			s.ids[*f] = id
		}
		infos[i] = faultInfo{id, f.Hits(), hitPlaces(f), f.Missed(),
			json.RawMessage(f.Fault().String())}
	}
	return infos
}

// forget forgets the ids of faults that have been removed. mu is held.
func (s *faults) forget() {
	there := map[emulator.InjectedFault]string{}
	for _, f := range s.of.Faults() {
		if id := s.ids[*f]; id != "" {
			there[*f] = id
		}
	}
	s.ids = there
}

func (s *faults) list(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"faults": s.all()}, nil
}

// readFaults reads the faults in a body.
func readFaults(r *http.Request) ([]fault.Fault, error) {
	text, err := read(r)
	if err != nil {
		return nil, err
	}
	list, err := fault.Parse(text)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	return list, nil
}

func (s *faults) add(r *http.Request) (int, any, error) {
	wanted, err := readFaults(r)
	if err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.of.Faults())+len(wanted) > maxFaults {
		return failed(conflict("there would be more than %d faults", maxFaults))
	}
	added := make([]*emulator.InjectedFault, len(wanted))
	for i, f := range wanted {
		added[i] = s.of.AddFault(f)
	}
	return http.StatusCreated, map[string]any{"faults": s.infos(added)}, nil
}

func (s *faults) replace(r *http.Request) (int, any, error) {
	wanted, err := readFaults(r)
	if err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.of.SetFaults(wanted...)
	s.forget()
	return http.StatusOK, map[string]any{"faults": s.infos(set)}, nil
}

func (s *faults) removeAll(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ended := s.infos(s.of.Faults())
	s.of.SetFaults()
	s.forget()
	return http.StatusOK, map[string]any{"faults": ended}, nil
}

func (s *faults) remove(r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := mux.Vars(r)["id"]
	for _, f := range s.of.Faults() {
		if s.ids[*f] == id {
			hits := s.infos([]*emulator.InjectedFault{f})[0]
			f.Remove()
			s.forget()
			return http.StatusOK, hits, nil
		}
	}
	return failed(notFound("there is no fault %q", id))
}
