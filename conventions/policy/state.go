package policy

import (
	"maps"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// FixedPartitionItems is the number of items that a table of the role Plain, with a sort key and
// without entities, may have in its only partition. A table with more of them breaks the rule on
// fixed partitions ("Managing latest in DynamoDB").
const FixedPartitionItems = 100

// State counts, for each real table, the partition keys of entities that have a bound, those of
// each tenant, and the items in the only partition of a plain table. A database cannot answer these
// questions cheaply. A State starts empty and knows only what was recorded with it. It is safe for
// concurrent use.
//
// It holds a hash of eight bytes for each partition key up to the bound. It counts two keys with
// the same hash as one, which happens about once in billions of keys.
type State struct {
	engine *Engine

	mu     sync.Mutex
	tables map[string]*tableState
}

// maxStateTables bounds the tables that a State counts for patterns.
const maxStateTables = 10_000

type tableState struct {
	// a fork uses it too: replace it with a copy, never modify it
	shared     bool
	partitions partitions
	only       uint64 // hash of the first partition key
	// items in the first partition; -1 once there is a second partition
	items int
}

// partitions are hashes of the partition keys that count for a bound.
type partitions map[bounded]map[uint64]struct{}

// bounded names partition keys that MaxPartitions bounds together: those of an entity and a tenant.
// So one tenant does not use up what another one may have.
type bounded struct {
	entity int
	tenant string // "" for keys that name none
}

// boundedBy returns what the bound of a key's entity counts. An entity whose partition keys are the
// prefix and the tenant is bounded in its tenants.
func boundedBy(k checkedKey) bounded {
	if len(k.entity.Partition) == 0 {
		return bounded{entity: k.entity.id}
	}
	return bounded{k.entity.id, k.owner()}
}

// IsOf reports whether a State, which may be nil, belongs to an engine. An engine can use only its
// own.
func (s *State) IsOf(e *Engine) bool { return s != nil && s.engine == e }

// Fork returns a State with the same counts. The two share their counts until one of them changes.
// Fork of nil returns nil.
func (s *State) Fork() *State {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &State{engine: s.engine, tables: make(map[string]*tableState, len(s.tables))}
	for name, t := range s.tables {
		t.shared = true
		f.tables[name] = t
	}
	return f
}

// own returns the counts of a table for modification, or nil if the State counts too many tables
// already.
func (s *State) own(table string, hash uint64) *tableState {
	t := s.tables[table]
	switch {
	case t == nil && len(s.tables) >= maxStateTables:
		return nil
	case t == nil:
		t = &tableState{partitions: partitions{}, only: hash}
	case t.shared:
		copied := &tableState{
			partitions: make(partitions, len(t.partitions)), only: t.only, items: t.items,
		}
		for of, known := range t.partitions {
			copied.partitions[of] = maps.Clone(known)
		}
		t = copied
	default:
		return t
	}
	s.tables[strings.Clone(table)] = t
	return t
}

// Forget drops the counts of a deleted table.
func (s *State) Forget(table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tables, table)
}

// record counts the key of an item in a table. name is that of the real table, of several that t
// may declare.
func (s *State) record(name string, t *table, k checkedKey) {
	bounded := k.entity != nil && k.entity.MaxPartitions > 0
	if k.pk == "" || !bounded && !t.watchesPartition(k.set) {
		return
	}
	hash := xxhash.Sum64String(k.pk)
	s.mu.Lock()
	defer s.mu.Unlock()
	if counts := s.tables[name]; counts != nil && bounded {
		known := counts.partitions[boundedBy(k)]
		if _, counted := known[hash]; counted || len(known) >= k.entity.MaxPartitions {
			return
		}
	}
	counts := s.own(name, hash)
	if counts == nil {
		return
	}
	if !bounded {
		switch {
		case counts.only != hash:
			counts.items = -1
		case counts.items >= 0:
			counts.items++
		}
		return
	}
	of := boundedBy(k)
	known := counts.partitions[of]
	if known == nil {
		known = map[uint64]struct{}{}
		of.tenant = strings.Clone(of.tenant)
		counts.partitions[of] = known
	}
	known[hash] = struct{}{}
}

// watchesPartition reports whether a State counts the items in a table's only partition.
func (t *table) watchesPartition(set *keySet) bool {
	return t.role == Plain && len(set.entities) == 0 && set.key.Sort != ""
}
