package policy

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/kugiri-db/kugiri/storage/item"
)

// FixedPartitionItems is how many items a table of the role Plain, with a sort key and without
// entities, may have in its only partition before that is taken for the one fixed partition of
// "Managing latest in DynamoDB".
const FixedPartitionItems = 100

// State counts the partition keys of entities that have a bound, and what is in the partitions of
// plain tables, under the name of each real table. It is what a database cannot be asked for
// cheaply: it knows what was recorded with it and starts empty. Safe for concurrent use.
//
// It holds a hash of eight bytes for each partition key up to the bound, so that two keys in some
// billions are taken for one.
type State struct {
	engine *Engine

	mu     sync.Mutex
	tables map[string]*tableState
}

// maxStateTables bounds the tables of patterns that a State follows.
const maxStateTables = 10_000

type tableState struct {
	shared     bool                        // with a fork: it is replaced by a copy, never modified
	partitions map[int]map[uint64]struct{} // by entity
	only       uint64                      // hash of the first partition key
	items      int                         // recorded in it; -1 once there was another one
}

// NewState returns a State that has counted nothing.
func (e *Engine) NewState() *State { return &State{engine: e, tables: map[string]*tableState{}} }

// Counts reports whether items of a table are of any interest to a State.
func (e *Engine) Counts(table string) bool {
	c := checker{engine: e}
	if !c.at(table, 0) {
		return false
	}
	return c.watchesPartition(&c.table.primary) ||
		slices.ContainsFunc(c.table.primary.entities, func(e *entity) bool { return e.MaxPartitions > 0 })
}

// IsOf reports whether a State, which may be nil, is one of an engine, and so of use to it.
func (s *State) IsOf(e *Engine) bool { return s != nil && s.engine == e }

// Fork returns another State that has counted the same. What both have is copied when one of them
// changes it. That of nil is nil.
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

// own returns what is counted of a table, to be modified; nil if there are too many tables.
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

// Forget drops what is counted of a table, which was deleted.
func (s *State) Forget(table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tables, table)
}

// Record counts an item that was stored and is new.
func (e *Engine) Record(s *State, table string, it item.Item) {
	c := checker{engine: e}
	if s == nil || !c.at(table, 0) {
		return
	}
	s.record(&c, c.locate(it))
}

// RecordRequest counts the writes of a request that was carried out, where it is not known which
// items are new.
func (e *Engine) RecordRequest(s *State, r *Request) {
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Kind == Put || w.Kind == Update {
			e.Record(s, w.Table, w.attributes())
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

// watchesPartition reports whether a key's partitions are watched for being one only.
func (c *checker) watchesPartition(set *keySet) bool {
	return c.table.role == Plain && len(set.entities) == 0 && set.key.Sort != ""
}

// checkBound reports a partition key that would be one more than its entity may have, or the only
// one of a table that has a sort key.
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
