package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
)

// recover continues with the contents of a directory. The logs stay as they are: Load merges them
// with the tables, and has them applied afterwards.
func (db *DB) recover(s *state) error {
	for _, warn := range s.warnings {
		warn(db.logger)
	}
	db.removeUnfinished()
	if err := db.openMarks(s); err != nil {
		return err
	}
	if s.unbegun != "" {
		if err := os.Remove(s.unbegun); err != nil {
			return err
		}
	}
	if err := db.resume(s.last(), s.segments[len(s.segments)-1]); err != nil {
		return err
	}
	old := s.old
	if s.unended {
		applied, err := db.applyNow(s)
		if err != nil {
			return err
		}
		old = append(old, applied...)
	}
	for _, number := range old {
		if err := os.Remove(logPath(db.dir, number)); err != nil {
			return err
		}
	}
	db.removed = db.tables.at.applied
	return db.log.marks.begin(db.log.next)
}

// removeUnfinished removes files that a killed process has not finished. A failure does not matter,
// because they only take space.
func (db *DB) removeUnfinished() {
	for _, path := range []string{db.tables.path, marksPath(db.dir)} {
		if err := os.Remove(unfinished(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			db.logger.Warn("an unfinished file cannot be removed", slog.Any("error", err))
		}
	}
}

// applyNow applies the logs at once because one of them has no end. If the process were killed
// again after it wrote to the last log, the missing end would look like damage.
func (db *DB) applyNow(s *state) (applied []uint64, err error) {
	for i, segment := range s.segments {
		number := s.tables.at.applied + 1 + uint64(i)
		if number == db.log.number {
			break
		}
		if err := db.tables.apply(number, segment); err != nil {
			return nil, err
		}
		applied = append(applied, number)
	}
	db.tables.logged = nil
	return applied, nil
}

// openMarks opens the marks. It first creates those of a directory of an earlier version.
func (db *DB) openMarks(s *state) (err error) {
	if s.marks == nil {
		if err := createMarks(db.dir, db.tables.unsynced, db.log.entries); err != nil {
			return err
		}
	}
	db.log.marks, err = openMarks(db.dir, db.boot, db.tables.unsynced)
	return err
}

// cutTail removes an incomplete write from the end of a log, and keeps a copy in a file beside the
// log.
func (db *DB) cutTail(path string, s *segment) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	kept, err := os.OpenFile(path+".torn", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(kept, io.NewSectionReader(f, s.end, s.torn))
	if err := errors.Join(err, kept.Sync(), kept.Close()); err != nil {
		return err
	}
	if err := f.Truncate(s.end); err != nil {
		return err
	}
	db.logger.Warn(
		"an incomplete write, which was never acknowledged, was removed from the log and saved",
		slog.String("file", path), slog.Int64("offset", s.end), slog.Int64("bytes", s.torn),
		slog.String("aside", kept.Name()))
	return f.Sync()
}

// resume continues to write to the last log, or to a new one if the last log has frames.
func (db *DB) resume(number uint64, tail *segment) error {
	path := logPath(db.dir, number)
	if tail.torn > 0 {
		if err := db.cutTail(path, tail); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	l := &db.log
	l.replace(l.wrap(f), number, tail.next-uint64(len(tail.groups)))
	l.next, l.size = tail.next, tail.end
	l.reached.Store(l.next)
	if len(tail.groups) == 0 && tail.marked {
		return nil
	}
	ended := l.ended
	l.ended = func(uint64) {} // Load has the logs applied
	err = l.rotate()
	l.ended, tail.next = ended, l.next
	return err
}

// listLogs returns the numbers of all logs, ascending.
func listLogs(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var numbers []uint64
	for _, e := range entries {
		var n uint64
		if _, err := fmt.Sscanf(e.Name(), logPattern, &n); err == nil &&
			e.Name() == fmt.Sprintf(logPattern, n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}
