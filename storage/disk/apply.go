package disk

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// tidy brings in the logs that have ended. If that fails they stay, which disturbs
// nobody, and it is tried again.
func (db *DB) applyLogs() {
	defer close(db.appliedAll)
	for last := range db.ended {
		if db.applyErr != nil {
			continue // they are brought in at the next start
		}
		db.awaitPause(last)
		for n := 1; len(db.ended) > 0 && n < logsAtOnce; n++ {
			last = <-db.ended
		}
		if db.applyErr = db.applyUntilDone(last); db.applyErr != nil {
			db.log.fail(db.applyErr)
		}
	}
}

// awaitPause returns when nothing is being appended, or too many logs wait to be brought
// in. The first of them are those up to last, which may be of processes before this one.
func (db *DB) awaitPause(last uint64) {
	tick := time.NewTicker(db.pause)
	defer tick.Stop()
	for before := db.log.tickets(); last-db.tables.at.applied+uint64(len(db.ended)) < logsBeforeHurry; {
		select {
		case <-tick.C:
		case <-db.done:
			return
		}
		now := db.log.tickets()
		if now == before {
			return
		}
		before = now
	}
}

// applyUntilDone brings in the logs up to one, and those that end while that fails.
// It fails with damage, or if the DB is closed before it succeeds.
func (db *DB) applyUntilDone(last uint64) error {
	again := time.NewTicker(db.retry)
	defer again.Stop()
	for open := true; ; {
		err := db.applyUpTo(last)
		db.waiting.set(err)
		var damage *DamagedError
		if err == nil || !open || errors.As(err, &damage) {
			return err
		}
		select {
		case <-again.C:
		case number, more := <-db.ended:
			if open = more; more {
				last = number
			}
		}
	}
}

// applyUpTo brings in logs that have ended, up to one, some at a time, and removes them.
func (db *DB) applyUpTo(last uint64) error {
	if err := db.tables.ensureOpen(); err != nil {
		return err
	}
	for {
		if err := db.removeApplied(); err != nil {
			return err
		}
		at := db.tables.at
		if at.applied >= last {
			break
		}
		number := min(at.applied+logsAtOnce, last)
		s, err := db.readEnded(at, number)
		if err != nil {
			return err
		}
		if err := db.tables.apply(number, s); err != nil {
			return err
		}
	}
	if len(db.ended) > 0 {
		return nil // it goes on
	}
	return db.tables.reopen()
}

// readEnded reads the logs from a position up to one, all of which have ended.
func (db *DB) readEnded(at position, last uint64) (*segment, error) {
	all := &segment{next: at.next}
	for number := at.applied + 1; number <= last; number++ {
		path := logPath(db.dir, number)
		s, err := readSegment(path, number, all.next)
		if err != nil {
			return nil, err
		}
		if !s.closed {
			return nil, &DamagedError{path, s.end, "its end is missing"}
		}
		all.groups, all.next = append(all.groups, s.groups...), s.next
	}
	return all, nil
}

// removeApplied removes the logs that the tables have.
func (db *DB) removeApplied() error {
	for db.removed < db.tables.at.applied {
		if err := os.Remove(logPath(db.dir, db.removed+1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		db.removed++
	}
	return nil
}
