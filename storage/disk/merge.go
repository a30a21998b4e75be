package disk

import (
	"maps"
	"slices"
)

// entryFunc receives one entry. Its slices are valid until it returns.
type entryFunc = func(bucket, key, value []byte) error

// merge combines the entries of the tables with the newer changes of the logs, and calls each with
// every entry that remains, by bucket and key in bytewise order:
//
//	tables   a=1  b=1       d=1
//	logs          b=2  c=2  d deleted
//	each     a=1  b=2  c=2
//
// The caller adds the entries of the tables in their order, and then calls finish.
type merge struct {
	each   entryFunc
	logged pending
	later  []string // the buckets of logged after the current one, sorted

	// Of the current bucket:
	name    []byte
	changes *bucketChange
	keys    []string // the keys of changes that each has not had, sorted
}

func newMerge(logged pending, each entryFunc) *merge {
	return &merge{
		each: each, logged: logged, later: slices.Sorted(maps.Keys(logged)),
		changes: &bucketChange{},
	}
}

// add takes the next entry of the tables.
func (m *merge) add(bucket string, key, value []byte) error {
	if string(m.name) != bucket {
		if err := m.enter(bucket); err != nil {
			return err
		}
	}
	replaced, err := m.changesUpTo(key)
	if replaced || m.changes.dropped || err != nil {
		return err
	}
	return m.each(m.name, key, value)
}

// enter begins with a bucket of the tables. First it hands on the rest of the current bucket, and
// the buckets between the two, which only the logs have.
func (m *merge) enter(bucket string) error {
	if err := m.flush(func(name string) bool { return name < bucket }); err != nil {
		return err
	}
	if len(m.later) > 0 && m.later[0] == bucket {
		m.later = m.later[1:]
	}
	m.open(bucket)
	return nil
}

// finish hands on what only the logs have behind the last entry of the tables.
func (m *merge) finish() error { return m.flush(func(string) bool { return true }) }

// flush hands on the rest of the current bucket, and the next buckets of the logs as long as want
// accepts their names.
func (m *merge) flush(want func(name string) bool) error {
	for {
		if _, err := m.changesUpTo(nil); err != nil {
			return err
		}
		if len(m.later) == 0 || !want(m.later[0]) {
			return nil
		}
		m.open(m.later[0])
		m.later = m.later[1:]
	}
}

func (m *merge) open(bucket string) {
	m.name, m.changes, m.keys = []byte(bucket), &bucketChange{}, nil
	if c := m.logged[bucket]; c != nil {
		m.changes, m.keys = c, slices.Sorted(maps.Keys(c.values))
	}
}

// changesUpTo hands on the changes of the current bucket up to and including a key; a nil key means
// all of them. It reports whether one of them replaces or deletes that key.
func (m *merge) changesUpTo(key []byte) (replaced bool, err error) {
	for ; len(m.keys) > 0 && (key == nil || m.keys[0] <= string(key)); m.keys = m.keys[1:] {
		replaced = key != nil && m.keys[0] == string(key)
		if value := m.changes.values[m.keys[0]]; value != nil {
			if err := m.each(m.name, []byte(m.keys[0]), value); err != nil {
				return false, err
			}
		}
	}
	return replaced, nil
}
