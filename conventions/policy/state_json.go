package policy

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// A State is kept as JSON so that counting can go on later under the same policy.
type (
	stateJSON map[string]tableStateJSON

	tableStateJSON struct {
		// partitions by the number of the entity, and the tenant behind a #, if it has one
		Partitions map[string][]uint64 `json:"partitions,omitempty"`
		Only       uint64              `json:"only"`
		Items      int                 `json:"items"`
	}
)

// MarshalJSON writes the counts.
func (s *State) MarshalJSON() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := stateJSON{}
	for name, t := range s.tables {
		own := tableStateJSON{Partitions: map[string][]uint64{}, Only: t.only, Items: t.items}
		for of, known := range t.partitions {
			own.Partitions[of.String()] = slices.Sorted(maps.Keys(known))
		}
		all[name] = own
	}
	return json.Marshal(all)
}

// UnmarshalJSON replaces the counts by those that MarshalJSON wrote for a State of the same policy.
func (s *State) UnmarshalJSON(text []byte) error {
	var all stateJSON
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables = map[string]*tableState{}
	for name, own := range all {
		t := &tableState{partitions: partitions{}, only: own.Only, items: own.Items}
		for name, hashes := range own.Partitions {
			of, err := boundedIn(name)
			if err != nil {
				return err
			}
			t.partitions[of] = make(map[uint64]struct{}, len(hashes))
			for _, hash := range hashes {
				t.partitions[of][hash] = struct{}{}
			}
		}
		s.tables[name] = t
	}
	return nil
}

func (b bounded) String() string {
	if b.tenant == "" {
		return strconv.Itoa(b.entity)
	}
	return strconv.Itoa(b.entity) + conventions.KeySeparator + b.tenant
}

// boundedIn reads what String wrote.
func boundedIn(text string) (b bounded, err error) {
	entity, tenant, _ := strings.Cut(text, conventions.KeySeparator)
	b.tenant = tenant
	b.entity, err = strconv.Atoi(entity)
	return b, err
}
