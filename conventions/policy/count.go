package policy

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// NewState returns an empty State.
func (e *Engine) NewState() *State { return &State{engine: e, tables: map[string]*tableState{}} }

// Counts reports whether a State counts items of a table.
func (e *Engine) Counts(table string) bool {
	t := e.table(table)
	if t == nil {
		return false
	}
	return t.watchesPartition(&t.primary) ||
		slices.ContainsFunc(t.primary.entities, func(e *entity) bool { return e.MaxPartitions > 0 })
}

// Record counts a new item after it is stored.
func (e *Engine) Record(s *State, table string, it item.Item) {
	in := inspection{engine: e}
	if s == nil || !in.at(table, 0) {
		return
	}
	s.record(table, in.table, in.locate(it))
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
