package disk

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// applyLogs applies the logs that have ended to the tables. If that fails the logs stay, which
// hinders no reader or writer, and applyLogs tries again.
func (db *DB) applyLogs() {
	defer close(db.appliedAll)
	for last := range db.ended {
		if db.applyErr != nil {
			continue // the next start applies them
		}
		db.awaitPause(last)
		for n := 1; len(db.ended) > 0 && n < logsAtOnce; n++ {
			last = <-db.ended
		}
		if db.applyErr = db.applyUntilDone(last); db.applyErr != nil {
			db.log.fail(db.applyErr)
		} else {
			db.tidy()
		}
	}
}

// awaitPause returns when nothing is being appended, or when too many logs wait to be applied. The
// first of those are the logs up to last, which may be of earlier processes.
func (db *DB) awaitPause(last uint64) {
	tick := time.NewTicker(db.pause)
	defer tick.Stop()
	for before := db.log.tickets(); last-db.tables.at.applied+uint64(
		len(db.ended)) < logsBeforeHurry; {
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

// applyUntilDone applies the logs up to one, and tries again until that succeeds. Meanwhile it
// takes further logs that end. It fails if a log is damaged, or if the DB is closed before it
// succeeds.
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

// applyUpTo applies the ended logs up to one, a few at a time, and removes them.
func (db *DB) applyUpTo(last uint64) error {
	if err := db.tables.ensureOpen(); err != nil {
		return err
	}
	if err := db.tables.settle(); err != nil {
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
		return nil // applyLogs continues with those
	}
	return db.tables.reopen()
}

// readEnded reads the logs from a position up to last. All of them must have ended.
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

// removeApplied removes the logs that were applied.
func (db *DB) removeApplied() error {
	for db.removed < db.tables.at.applied {
		if err := os.Remove(logPath(db.dir, db.removed+1)); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return err
		}
		db.removed++
	}
	return nil
}
