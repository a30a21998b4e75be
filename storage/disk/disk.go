package disk

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Sync says when a batch counts as durable.
type Sync int

const (
	// Relaxed: when the operating system has it. It survives the end of the
	// process, by kill -9 too, but of a power cut or a crash of the operating system
	// only what was written SyncEvery before.
	Relaxed Sync = iota
	// Strict: when the device has it. It survives a power cut.
	Strict
)

// ParseSync returns the level with a name, "relaxed" or "strict".
func ParseSync(name string) (Sync, error) {
	for _, s := range []Sync{Relaxed, Strict} {
		if name == s.String() {
			return s, nil
		}
	}
	return 0, fmt.Errorf("%q is no sync level: there are relaxed and strict", name)
}

func (s Sync) String() string {
	if s == Strict {
		return "strict"
	}
	return "relaxed"
}

// Options for Open.
type Options struct {
	Sync     Sync
	Logger   *slog.Logger            // of repairs and failures; nil: slog.Default()
	Progress func(done, total int64) // if set, called every now and then while entries are loaded, and at the end

	// For tests.
	logBytes int64                  // of a log file, after which it is brought into the tables
	lull     time.Duration          // how long nothing is appended when logs are brought in
	wrap     func(*os.File) logFile // what stands for a log file that was opened
	unsynced bool                   // directories and tables are never synced
}

// SyncEvery is how often what was written is synced at the level Relaxed.
const SyncEvery = 100 * time.Millisecond

const (
	// logBytes is how long a log file gets.
	logBytes = 8 << 20
	// logsAtOnce is how many logs are brought in by one transaction. That takes some
	// four times as much memory as they have bytes, for a moment.
	logsAtOnce = 4
	// logsInPeace is how many logs wait to be brought in until there is a lull in
	// which it disturbs nobody, and logsWaiting before writers wait for it.
	logsInPeace = 8
	logsWaiting = 16
	// lull is how long nothing is appended then.
	lull = 100 * time.Millisecond
)

// Names of the files in a directory.
const (
	tablesName = "tables.db"
	lockName   = "lock"
	logPattern = "log-%08d"
)

func logPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf(logPattern, number))
}

// DB is a directory that is open. It is a journal.Journal.
type DB struct {
	dir      string
	logger   *slog.Logger
	progress func(done, total int64)
	lull     time.Duration
	lock     *flock.Flock
	tables   *tables
	log      log

	ended     chan uint64 // logs to be brought in
	tidyErr   error       // of bringing one in
	tidied    chan struct{}
	done      chan struct{} // closed when the DB is
	synced    chan struct{}
	closing   sync.Once
	closeErr  error
	reporting sync.Once
}

// Open opens a directory, which is made if it is not there, for this process
// alone. Whatever a process that was killed has left is put in order first. The
// error names what is damaged or missing; then nothing was changed.
func Open(dir string, o Options) (*DB, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.logBytes == 0 {
		o.logBytes = logBytes
	}
	if o.lull == 0 {
		o.lull = lull
	}
	if o.wrap == nil {
		o.wrap = func(f *os.File) logFile { return f }
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	db := &DB{dir: dir, logger: o.Logger, progress: o.Progress, lull: o.lull,
		lock:   flock.New(filepath.Join(dir, lockName)),
		tables: &tables{path: filepath.Join(dir, tablesName), unsynced: o.unsynced},
		ended:  make(chan uint64, logsWaiting), tidied: make(chan struct{}), done: make(chan struct{}), synced: make(chan struct{})}
	db.log = log{dir: dir, strict: o.Sync == Strict, most: o.logBytes, wrap: o.wrap, syncDir: syncDir,
		ended: func(number uint64) { db.ended <- number }}
	if o.unsynced {
		db.log.syncDir = func(string) error { return nil }
	}
	db.log.init()
	if err := db.open(); err != nil {
		if db.log.file != nil {
			db.log.file.Close()
		}
		if db.tables.db != nil {
			db.tables.db.Close()
		}
		db.lock.Unlock()
		return nil, err
	}
	go db.tidy()
	go db.syncNowAndThen()
	return db, nil
}

func (db *DB) open() error {
	free, err := db.lock.TryLock()
	if err != nil {
		return err
	}
	if !free {
		return fmt.Errorf("%s is in use by another process, which holds %s", db.dir, db.lock.Path())
	}
	if err := db.initialize(); err != nil {
		return err
	}
	if err := db.tables.open(); err != nil {
		return err
	}
	return db.recover()
}

// initialize makes the files of a directory that has none. The first log is there
// before the tables: tables without a log have lost it.
func (db *DB) initialize() error {
	path := db.tables.path
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	logs, err := listLogs(db.dir)
	if err != nil {
		return err
	}
	for _, number := range logs {
		info, err := os.Stat(logPath(db.dir, number))
		if err != nil {
			return err
		}
		if number != 1 || info.Size() > int64(logHeader) {
			return fmt.Errorf("%s is missing, and %s is there", path, logPath(db.dir, number))
		}
		if err := os.Remove(logPath(db.dir, 1)); err != nil { // an earlier attempt came this far
			return err
		}
	}
	first, err := db.log.open(1, 1)
	if err != nil {
		return err
	}
	if err := errors.Join(first.Close(), db.tables.create()); err != nil {
		return err
	}
	return db.log.syncDir(db.dir)
}

// Load implements journal.Journal.
func (db *DB) Load(each func(bucket, key, value []byte) error) error {
	if err := db.tables.load(each, db.progress); err != nil {
		return err
	}
	return db.tables.release()
}

// Append implements journal.Journal.
func (db *DB) Append(b *journal.Batch) uint64 { return db.log.append(b.Bytes()) }

// Wait implements journal.Journal.
func (db *DB) Wait(ticket uint64) error { return db.explain(db.log.wait(ticket)) }

// Err implements journal.Journal.
func (db *DB) Err() error { return db.explain(db.log.failure()) }

// explain says what an error means, and logs it when it is first seen.
func (db *DB) explain(err error) error {
	if err == nil || err == journal.ErrClosed {
		return err
	}
	db.reporting.Do(func() {
		db.logger.Error("data cannot be written, so requests fail from now on: make room on the device, or repair it, and start again",
			slog.String("dir", db.dir), slog.Any("error", err))
	})
	return fmt.Errorf("data in %s cannot be written: %w", db.dir, err)
}

// tidy brings in the logs that have ended.
func (db *DB) tidy() {
	defer close(db.tidied)
	for first := range db.ended {
		if db.tidyErr != nil {
			continue // they are brought in at the next start
		}
		db.awaitLull()
		last := first
		for len(db.ended) > 0 && last-first+1 < logsAtOnce {
			last = <-db.ended
		}
		if db.tidyErr = db.bringIn(first, last); db.tidyErr != nil {
			db.log.fail(db.tidyErr)
			db.Err()
		}
	}
}

// awaitLull returns when nothing is being appended, or what waits to be brought in can wait no longer.
func (db *DB) awaitLull() {
	tick := time.NewTicker(db.lull)
	defer tick.Stop()
	for before := db.log.tickets(); len(db.ended) < logsInPeace; {
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

// bringIn brings in logs that have ended, and removes them.
func (db *DB) bringIn(first, last uint64) error {
	all := &segment{next: db.tables.at.next}
	for number := first; number <= last; number++ {
		path := logPath(db.dir, number)
		s, err := readSegment(path, number, all.next)
		if err != nil {
			return err
		}
		if !s.closed {
			return &DamagedError{path, s.end, "its end is missing"}
		}
		all.groups, all.next = append(all.groups, s.groups...), s.next
	}
	if err := db.tables.apply(last, all); err != nil {
		return err
	}
	for number := first; number <= last; number++ {
		if err := os.Remove(logPath(db.dir, number)); err != nil {
			return err
		}
	}
	if len(db.ended) > 0 {
		return nil // it goes on
	}
	return db.tables.release()
}

// syncNowAndThen has the log synced until the DB is closed.
func (db *DB) syncNowAndThen() {
	defer close(db.synced)
	tick := time.NewTicker(SyncEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			db.log.sync()
		case <-db.done:
			return
		}
	}
}

// Close makes everything durable, at whatever level, and brings it in. What is appended from then on fails with journal.ErrClosed.
func (db *DB) Close() error {
	db.closing.Do(func() { db.closeErr = db.close() })
	return db.closeErr
}

func (db *DB) close() error {
	err := db.log.stop()
	close(db.done)
	<-db.synced
	if err == nil && db.log.next > db.log.first {
		err = db.log.rotate()
	}
	close(db.ended)
	<-db.tidied
	if err == nil {
		err = db.tidyErr
	}
	return errors.Join(db.explain(err), db.log.close(), db.tables.db.Close(), db.lock.Unlock())
}
