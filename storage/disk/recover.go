package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
)

// recover verifies the logs, brings them in, and has the DB go on writing.
func (db *DB) recover() error {
	numbers, err := listLogs(db.dir)
	if err != nil {
		return err
	}
	at := db.tables.at
	for len(numbers) > 0 && numbers[0] <= at.applied { // brought in, and not removed in time
		if err := os.Remove(logPath(db.dir, numbers[0])); err != nil {
			return err
		}
		numbers = numbers[1:]
	}
	segments, err := db.readLogs(numbers, at)
	if err != nil {
		return err
	}
	if err := db.resume(at.applied+uint64(len(segments)), segments[len(segments)-1]); err != nil {
		return err
	}
	for i, s := range segments {
		number := at.applied + 1 + uint64(i)
		if number == db.log.number {
			break
		}
		if err := db.tables.apply(number, s); err != nil {
			return err
		}
		if err := os.Remove(logPath(db.dir, number)); err != nil {
			return err
		}
	}
	db.removed = db.tables.at.applied
	return nil
}

// readLogs reads the logs that are to be brought in, at least one, none of which may be missing. Only the last one is not closed.
func (db *DB) readLogs(numbers []uint64, at position) ([]*segment, error) {
	var segments []*segment
	for number, first := at.applied+1, at.next; ; number++ {
		path := logPath(db.dir, number)
		if len(numbers) == 0 || numbers[0] != number {
			return nil, fmt.Errorf("%s is missing, or the files beside it are of another time", path)
		}
		s, err := readSegment(path, number, first)
		if err != nil {
			return nil, err
		}
		segments, numbers = append(segments, s), numbers[1:]
		if !s.closed && len(numbers) > 0 {
			if err := db.interrupted(path, s, numbers); err != nil {
				return nil, err
			}
		}
		if !s.closed {
			return segments, nil
		}
		first = s.next
	}
}

// interrupted judges a log that does not end, although others follow it. That is
// so if the process was killed between the beginning of a log and the end of the one
// before: then the other is the last, and has not been written to.
func (db *DB) interrupted(path string, s *segment, following []uint64) error {
	missing := &DamagedError{path, s.end, "its end is missing"}
	if len(following) > 1 {
		return missing
	}
	next := logPath(db.dir, following[0])
	content, err := os.ReadFile(next)
	switch {
	case err != nil:
		return err
	case len(content) < logHeader, len(content) == logHeader && allZero(content):
		return os.Remove(next) // it was not even made
	case len(content) > logHeader:
		return missing
	}
	first := binary.LittleEndian.Uint64(content[len(logMagic)+12:])
	if err := checkLogHeader(next, content, following[0], first); err != nil {
		return err
	}
	if first <= s.next {
		return missing
	}
	if first > s.next+1 {
		db.logger.Warn("the last writes are lost: they did not reach the device before the power went", slog.String("file", path),
			slog.Int64("offset", s.end))
	}
	s.closed, s.next = true, first
	return nil
}

// cutTail removes from a log what was not written to its end. It is kept beside it, in case somebody misses something.
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
	db.logger.Warn("a write was cut off, and never acknowledged; it was set aside",
		slog.String("file", path), slog.Int64("offset", s.end), slog.Int64("bytes", s.torn), slog.String("aside", kept.Name()))
	return f.Sync()
}

// resume has the log go on in its last file or, if there is something in that
// already, in another.
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
	if len(tail.groups) == 0 {
		return nil
	}
	ended := l.ended
	l.ended = func(uint64) {}
	err = l.rotate()
	l.ended, tail.next = ended, l.next
	return err
}

// listLogs returns the numbers of all log files, ascending.
func listLogs(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var numbers []uint64
	for _, e := range entries {
		var n uint64
		if _, err := fmt.Sscanf(e.Name(), logPattern, &n); err == nil && e.Name() == fmt.Sprintf(logPattern, n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}
