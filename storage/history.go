package storage

import (
	"slices"
	"sync/atomic"
	"time"
)

// history holds what the tables of a store were after past commits, for reads that a fault makes
// stale.
type history struct {
	keep     atomic.Int64 // how many versions of a table to keep besides the latest
	versions map[*Table][]version
}

// version is the state of a table from one commit to the next.
type version struct {
	table *Table
	since time.Time
}

// Remember makes all tables keep, from now on, their states after the last n commits that wrote to
// them, for Tx.Past. If more were asked for before, that number stays. Each commit then copies the
// trees of the tables that it wrote to, and the copies share their nodes.
func (s *Store) Remember(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if int64(n) <= s.history.keep.Load() {
		return
	}
	first := s.history.keep.Load() == 0
	s.history.keep.Store(int64(n))
	if first {
		s.rebase()
	}
}

// Remembers reports whether tables keep n past versions or more.
func (s *Store) Remembers(n int) bool { return s.history.keep.Load() >= int64(n) }

// Forget ends Remember.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.keep.Store(0)
	s.history.versions = nil
}

// rebase drops all versions and starts with the present ones.
func (s *Store) rebase() {
	s.history.versions = make(map[*Table][]version, len(s.tables))
	now := s.now()
	for _, t := range s.tables {
		s.history.versions[t] = []version{{t.snapshot(), now}}
	}
}

// remember adds versions of the tables that a Tx wrote to. After a change of the schema it starts
// over, because all versions of a table must have the same schema.
func (tx *Tx) remember() {
	h := &tx.store.history
	if slices.ContainsFunc(tx.log, func(r record) bool { return r.undo != nil }) {
		tx.store.rebase()
		return
	}
	now, last := tx.store.now(), (*Table)(nil)
	seen := map[*Table]bool{}
	for i := range tx.log {
		t := tx.log[i].table
		if t == last || seen[t] {
			continue
		}
		last, seen[t] = t, true
		list := append(h.versions[t], version{t.snapshot(), now})
		if extra := len(list) - int(h.keep.Load()) - 1; extra > 0 {
			list = slices.Delete(list, 0, extra)
		}
		h.versions[t] = list
	}
}

// snapshot returns a copy of the table for reading.
func (t *Table) snapshot() *Table {
	s := *t
	s.tree = t.tree.Copy()
	s.indexes = make([]*Index, len(t.indexes))
	for i, ix := range t.indexes {
		s.indexes[i] = ix.fork()
	}
	s.vectors = forkVectors(t.vectors)
	s.collections, s.expiry, s.stream, s.recovery, s.replica = nil, nil, nil, nil, nil
	return &s
}

// Past returns the state of a table that a number of later commits have replaced, with indexes of
// its own, and the time when that state ended. It returns nil if that state is not kept. The table
// is for reading items and pages within this View or Update.
func (tx *Tx) Past(t *Table, commits int) (past *Table, until time.Time) {
	tx.mustHave(t)
	list := tx.store.history.versions[t]
	at := len(list) - 1 - commits
	if at < 0 || at+1 >= len(list) {
		return nil, time.Time{}
	}
	return list[at].table, list[at+1].since
}
