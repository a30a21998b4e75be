package policy

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// FixedPartitionItems is the number of items that a table of the role Plain, with a sort key and
// without entities, may have in its only partition. A table with more of them breaks the rule on
// fixed partitions ("Managing latest in DynamoDB").
const FixedPartitionItems = 100

// State counts, for each real table, the partition keys of entities that have a bound, and the
// items in the only partition of a plain table. A database cannot answer these questions cheaply. A
// State starts empty and knows only what was recorded with it. It is safe for concurrent use.
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
	shared     bool                        // a fork uses it too: replace it with a copy, never modify it
	partitions map[int]map[uint64]struct{} // by entity
	only       uint64                      // hash of the first partition key
	items      int                         // items in the first partition; -1 once there is a second partition
}

// NewState returns an empty State.
func (e *Engine) NewState() *State { return &State{engine: e, tables: map[string]*tableState{}} }

// Counts reports whether a State counts items of a table.
func (e *Engine) Counts(table string) bool {
	c := checker{engine: e}
	if !c.at(table, 0) {
		return false
	}
	return c.watchesPartition(&c.table.primary) ||
		slices.ContainsFunc(c.table.primary.entities, func(e *entity) bool { return e.MaxPartitions > 0 })
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
		t = &tableState{partitions: map[int]map[uint64]struct{}{}, only: hash}
	case t.shared:
		copied := &tableState{partitions: make(map[int]map[uint64]struct{}, len(t.partitions)), only: t.only, items: t.items}
		for entity, known := range t.partitions {
			copied.partitions[entity] = maps.Clone(known)
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

// Record counts a new item after it is stored.
func (e *Engine) Record(s *State, table string, it item.Item) {
	c := checker{engine: e}
	if s == nil || !c.at(table, 0) {
		return
	}
	s.record(&c, c.locate(it))
}

// RecordRequest counts the writes of a request that succeeded. The caller uses it where it does not
// know which items are new.
func (e *Engine) RecordRequest(s *State, r *request.Request) {
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Kind == request.Put || w.Kind == request.Update {
			e.Record(s, w.Table, w.Attributes())
		}
	}
}

func (s *State) record(c *checker, k checkedKey) {
	bounded := k.entity != nil && k.entity.MaxPartitions > 0
	if k.pk == "" || !bounded && !c.watchesPartition(k.set) {
		return
	}
	hash := xxhash.Sum64String(k.pk)
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tables[c.name]; t != nil && bounded {
		known := t.partitions[k.entity.id]
		if _, counted := known[hash]; counted || len(known) >= k.entity.MaxPartitions {
			return
		}
	}
	t := s.own(c.name, hash)
	if t == nil {
		return
	}
	if !bounded {
		switch {
		case t.only != hash:
			t.items = -1
		case t.items >= 0:
			t.items++
		}
		return
	}
	known := t.partitions[k.entity.id]
	if known == nil {
		known = map[uint64]struct{}{}
		t.partitions[k.entity.id] = known
	}
	known[hash] = struct{}{}
}

// watchesPartition reports whether the State counts the items in a table's only partition.
func (c *checker) watchesPartition(set *keySet) bool {
	return c.table.role == Plain && len(set.entities) == 0 && set.key.Sort != ""
}

// checkBound reports a partition key that exceeds its entity's bound, or that is the only one of a
// table with a sort key.
func (c *checker) checkBound(k checkedKey) {
	s := c.state
	bounded := k.entity != nil && k.entity.MaxPartitions > 0
	if s == nil || k.pk == "" || !bounded && !c.watchesPartition(k.set) {
		return
	}
	hash := xxhash.Sum64String(k.pk)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[c.name]
	if t == nil {
		return
	}
	if !bounded {
		if t.only == hash && t.items >= FixedPartitionItems {
			c.report(RuleFixedPartition, k, "all %d items so far are in the one partition %s", t.items, quoteKey(k.pk))
		}
		return
	}
	known := t.partitions[k.entity.id]
	if _, ok := known[hash]; !ok && len(known) >= k.entity.MaxPartitions {
		c.report(RuleUnbounded, k, "%s has %d partition keys, which is its bound, and %s would be another", k.entity.Name, len(known), quoteKey(k.pk))
	}
}
