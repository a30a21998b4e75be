package disk

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
)

// state holds what a start has to know of a directory. A start changes nothing before all of it is
// known and sound.
type state struct {
	tables   *tablesReader
	marks    []mark     // none if the directory has a version without marks
	old      []uint64   // logs that were applied and not removed
	segments []*segment // the other logs, at least one; all but the last are closed
	unended  bool       // the log before the last has no end, and the last log is empty
	unbegun  string     // the path of a log without a header, or ""
	warnings []func(*slog.Logger)
}

// last returns the number of the last log.
func (s *state) last() uint64 { return s.tables.at.applied + uint64(len(s.segments)) }

// verify reads everything in a directory. Its error names the file that is damaged or missing.
func verify(dir string, boot bootID) (*state, error) {
	tables, err := verifyTables(tablesPath(dir))
	if err != nil {
		return nil, err
	}
	s := &state{tables: tables}
	if s.marks, err = readMarks(dir); err != nil {
		return nil, err
	}
	if err := ownMarks(dir, s.marks, tables.at.next); err != nil {
		return nil, err
	}
	numbers, err := listLogs(dir)
	if err != nil {
		return nil, err
	}
	for len(numbers) > 0 && numbers[0] <= tables.at.applied {
		s.old, numbers = append(s.old, numbers[0]), numbers[1:]
	}
	return s, s.readLogs(dir, numbers, boot)
}

// readLogs reads the logs to apply. A missing one is an error.
func (s *state) readLogs(dir string, numbers []uint64, boot bootID) error {
	for number, first := s.tables.at.applied+1, s.tables.at.next; ; number++ {
		path := logPath(dir, number)
		if len(numbers) == 0 || numbers[0] != number {
			return s.missing(path)
		}
		read, err := readSegment(path, number, first)
		if err != nil {
			return err
		}
		s.segments, numbers = append(s.segments, read), numbers[1:]
		if read.closed {
			first = read.next
			continue
		}
		if err := s.acknowledged(dir, path, read, boot); err != nil {
			return err
		}
		if len(numbers) == 0 {
			return nil
		}
		if err := s.interrupted(dir, path, read, numbers); err != nil || !read.closed {
			return err
		}
		first = read.next
	}
}

// logged returns the changes in the logs to apply.
func (s *state) logged(dir string) (pending, error) {
	changes := pending{}
	for i, segment := range s.segments {
		if err := changes.take(logPath(dir, s.tables.at.applied+1+uint64(i)), segment); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// missing returns the error of a missing log. If one root of the tables is unreadable, the other
// one may be older, and need a log that was removed.
func (s *state) missing(path string) error {
	if s.tables.oldRoot != nil && len(s.segments) == 0 {
		return fmt.Errorf("%w, and %s, which the other root needs, is missing", s.tables.oldRoot,
			path)
	}
	return fmt.Errorf("%s is missing, or the files beside it belong to an earlier or later state",
		path)
}

// acknowledged verifies that the last log with writes has everything that was acknowledged. Only a
// power cut at the level Relaxed may have lost some of it.
func (s *state) acknowledged(dir, path string, read *segment, boot bootID) error {
	if s.marks == nil {
		if read.marked {
			return fmt.Errorf("%s is missing", marksPath(dir))
		}
		return nil
	}
	lost := func(m mark) *DamagedError {
		return &DamagedError{path, read.end,
			fmt.Sprintf("the last writes are missing: groups %d to %d, which were acknowledged",
				groupNumber(read.next), groupNumber(m.next-1))}
	}
	if m := s.marks[onDevice]; m.next > read.next {
		return lost(m)
	}
	m := s.marks[answered]
	if m.next <= read.next {
		return nil
	}
	if m.boot == boot && boot != (bootID{}) {
		return lost(m)
	}
	s.warn("the last writes are missing: they did not reach the device before the power went, or the file was cut short since",
		slog.String("file", path), slog.Int64("offset", read.end),
		slog.Uint64("groups", m.next-read.next))
	return nil
}

func (s *state) warn(message string, args ...any) {
	s.warnings = append(s.warnings, func(l *slog.Logger) { l.Warn(message, args...) })
}

// interrupted examines a log that has no end although a log follows it. That is sound if the
// process was killed after it created the next log and before it ended this one: then the next log
// is the last one and empty.
func (s *state) interrupted(dir, path string, read *segment, following []uint64) error {
	missing := &DamagedError{path, read.end, "its end is missing"}
	if len(following) > 1 {
		return missing
	}
	next := logPath(dir, following[0])
	content, err := os.ReadFile(next)
	switch {
	case err != nil:
		return err
	case following[0] != s.last()+1:
		return s.missing(logPath(dir, s.last()+1))
	case len(content) < logHeader, len(content) == logHeader && allZero(content):
		s.unbegun = next
		return nil
	case len(content) > logHeader:
		return missing
	}
	first := binary.LittleEndian.Uint64(content[len(logMagic)+12:])
	if _, err := checkLogHeader(next, content, following[0], first); err != nil {
		return err
	}
	if !sameDirectory(first, read.next) {
		return &DamagedError{next, 0, ofAnother}
	}
	if first <= read.next {
		return missing
	}
	if first > read.next+1 && len(s.warnings) == 0 {
		s.warn("the last writes are missing: they did not reach the device before the power went, or the file was cut short since",
			slog.String("file", path), slog.Int64("offset", read.end),
			slog.Uint64("groups", first-1-read.next))
	}
	s.unended, read.closed, read.next = true, true, first
	return nil
}
