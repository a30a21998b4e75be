package storage

import (
	"slices"
	"sync/atomic"
	"time"
)

// history has the tables of a store keep what they were after past commits.
type history struct {
	keep     atomic.Int64 // how many versions besides the latest; 0: none
	versions map[*Table][]version
}

// version is what a table was from a commit on, until that of the next.
type version struct {
	table *Table
	since time.Time
}

// Remember has all tables keep, from now on, what they were after each of the last
// n commits that wrote to them, for Tx.Past. A larger n asked for before stays. It
// takes a copy of every table's trees at each commit, which is done by sharing them.
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

// Remembers reports whether tables keep at least n past versions.
func (s *Store) Remembers(n int) bool { return s.history.keep.Load() >= int64(n) }

// Forget undoes Remember.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.keep.Store(0)
	s.history.versions = nil
}

// rebase forgets all versions but the present ones.
func (s *Store) rebase() {
	s.history.versions = make(map[*Table][]version, len(s.tables))
	now := s.now()
	for _, t := range s.tables {
		s.history.versions[t] = []version{{t.snapshot(), now}}
	}
}

// remember adds versions of the tables that a Tx wrote to. What changes tables
// themselves, or their indexes or settings, begins everything anew: versions of
// one table have the same schema.
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

// snapshot is the table as it is now, to be read.
func (t *Table) snapshot() *Table {
	s := *t
	s.tree = t.tree.Copy()
	s.indexes = make([]*Index, len(t.indexes))
	for i, ix := range t.indexes {
		s.indexes[i] = ix.fork()
	}
	s.collections, s.expiry, s.stream = nil, nil, nil
	return &s
}

// Past returns what a table was so many commits that wrote to it ago, with indexes
// of its own, and until when; nil if that is not remembered. It is good for reading
// items and pages, inside the View or Update.
func (tx *Tx) Past(t *Table, commits int) (past *Table, until time.Time) {
	tx.mustHave(t)
	list := tx.store.history.versions[t]
	at := len(list) - 1 - commits
	if at < 0 || at+1 >= len(list) {
		return nil, time.Time{}
	}
	return list[at].table, list[at+1].since
}
