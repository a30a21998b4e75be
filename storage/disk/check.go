package disk

import (
	"errors"
	"fmt"
	"os"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Check verifies a directory as a start does, and reports what it holds. It changes nothing. If the
// directory is sound, accept gets a journal to load; an error of accept is a Problem too. Check
// fails if the directory cannot be read.
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
		s.report.Problem = accept(&readOnly{found.load})
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
		return fmt.Errorf("%s has no data of kugiri: there is neither %s nor a log", dir,
			tablesName)
	}
	return nil
}

// excuse turns damage into notes, for a directory that a start accepts.
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

// readOnly is a journal that can only be loaded.
type readOnly struct{ load func(each entryFunc) error }

func (r *readOnly) Load(each func(bucket, key, value []byte) error) error { return r.load(each) }
func (r *readOnly) Append(*journal.Batch) uint64                          { return 0 }
func (r *readOnly) Wait(uint64) error                                     { return nil }
func (r *readOnly) Err() error                                            { return nil }
func (r *readOnly) Close() error                                          { return nil }

// load calls each with every entry of a directory that was verified.
func (s *state) load(each entryFunc) error {
	logged := pending{}
	for _, segment := range s.segments {
		for _, group := range segment.groups {
			if err := journal.Decode(group, logged); err != nil {
				return err
			}
		}
	}
	m := newMerge(logged, each)
	add := func(name string, key, value []byte) error {
		return m.add(name[len(bucketPrefix):], key, value)
	}
	if _, err := readTables(s.tables.path, add,
		func(_ *tablesReader, l loss) error { return l.damaged }); err != nil {
		return err
	}
	return m.finish()
}
