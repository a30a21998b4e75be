package policy

import (
	"encoding/json"
	"maps"
	"slices"
)

// A State is kept as JSON so that counting can go on later under the same policy.
type (
	stateJSON map[string]tableStateJSON

	tableStateJSON struct {
		Partitions map[int][]uint64 `json:"partitions,omitempty"`
		Only       uint64           `json:"only"`
		Items      int              `json:"items"`
	}
)

// MarshalJSON writes the counts.
func (s *State) MarshalJSON() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := stateJSON{}
	for name, t := range s.tables {
		own := tableStateJSON{Partitions: map[int][]uint64{}, Only: t.only, Items: t.items}
		for entity, known := range t.partitions {
			own.Partitions[entity] = slices.Sorted(maps.Keys(known))
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
		t := &tableState{
			partitions: map[int]map[uint64]struct{}{}, only: own.Only, items: own.Items,
		}
		for entity, hashes := range own.Partitions {
			t.partitions[entity] = make(map[uint64]struct{}, len(hashes))
			for _, hash := range hashes {
				t.partitions[entity][hash] = struct{}{}
			}
		}
		s.tables[name] = t
	}
	return nil
}
