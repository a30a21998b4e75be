package disk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Check verifies a directory as a start does and says what it holds, without changing
// anything. If it is sound, accept gets a journal to load everything from; its error is a
// Problem, too. The error of Check is one for which the directory cannot be read.
func Check(dir string, accept func(journal.Journal) error) (*Report, error) {
	held := &locks{dir: dir}
	defer func() { held.release() }()
	if err := present(dir); err != nil {
		return nil, err
	}
	if err := held.takeExisting(); err != nil {
		return nil, err
	}
	found, problem := verify(dir, readBootID())
	s, err := scanDir(dir, nowhere{})
	if err != nil {
		return nil, err
	}
	s.report.Problem = problem
	if problem == nil {
		s.report.excuse()
		s.report.Problem = accept(&reader{load: found.load})
	}
	return s.report, nil
}

// present fails unless a directory has files of a DB.
func present(dir string) error {
	logs, err := listLogs(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(tablesPath(dir)); errors.Is(err, os.ErrNotExist) && len(logs) == 0 {
		return fmt.Errorf("%s has no data of kugiri's: there is neither %s nor a log", dir, tablesName)
	}
	return nil
}

// excuse makes notes of what looks like damage and does not hinder a start.
func (r *Report) excuse() {
	for i := range r.Files {
		f := &r.Files[i]
		for _, d := range f.Damage {
			f.Holds += "; not needed: " + d
		}
		f.Damage = nil
	}
	r.Lost = nil
}

// reader is a journal that can only be read.
type reader struct {
	load func(each func(bucket, key, value []byte) error) error
}

func (r *reader) Load(each func(bucket, key, value []byte) error) error { return r.load(each) }
func (r *reader) Append(*journal.Batch) uint64                          { return 0 }
func (r *reader) Wait(uint64) error                                     { return nil }
func (r *reader) Err() error                                            { return nil }
func (r *reader) Close() error                                          { return nil }

// load calls each with everything in a directory that was verified: with what the tables
// have, and in its place what the logs have.
func (s *state) load(each func(bucket, key, value []byte) error) error {
	changes := pending{}
	for _, segment := range s.segments {
		for _, group := range segment.groups {
			if err := journal.Decode(group, changes); err != nil {
				return err
			}
		}
	}
	m := &merge{each: each, changes: changes, buckets: slices.Sorted(maps.Keys(changes))}
	_, err := readTables(s.tables.path, m.entry, func(_ *tablesReader, l loss) error { return l.damaged })
	return cmp.Or(err, m.upTo(nil, nil, true))
}

// merge merges entries, which come in order, with changes.
type merge struct {
	each    func(bucket, key, value []byte) error
	changes pending
	buckets []string // with changes that are left
	keys    []string // of the first of them, if begun is set
	begun   bool
}

// entry takes in the next entry of the tables.
func (m *merge) entry(name string, key, value []byte) error {
	bucket := []byte(name[len(bucketPrefix):])
	if err := m.upTo(bucket, key, false); err != nil {
		return err
	}
	if c := m.changes[string(bucket)]; c != nil {
		if _, changed := c.values[string(key)]; changed || c.dropped {
			return nil
		}
	}
	return m.each(bucket, key, value)
}

// upTo hands on the changes up to a key of a bucket, that included, or all that are left.
func (m *merge) upTo(bucket, key []byte, all bool) error {
	for ; len(m.buckets) > 0 && (all || m.buckets[0] <= string(bucket)); m.buckets = m.buckets[1:] {
		name, c := m.buckets[0], m.changes[m.buckets[0]]
		if !m.begun {
			m.keys, m.begun = slices.Sorted(maps.Keys(c.values)), true
		}
		for ; len(m.keys) > 0 && (all || name < string(bucket) || m.keys[0] <= string(key)); m.keys = m.keys[1:] {
			value := c.values[m.keys[0]]
			if value == nil {
				continue
			}
			if err := m.each([]byte(name), []byte(m.keys[0]), bytes.Clone(value)); err != nil {
				return err
			}
		}
		if !all && name == string(bucket) {
			return nil // there may be more
		}
		m.begun = false
	}
	return nil
}
