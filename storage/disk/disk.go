package disk

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// Sync says when a batch counts as durable.
type Sync int

const (
	// Relaxed: when the operating system has it. The batch survives the end of the process, also by
	// kill -9. A power cut or a crash of the operating system may lose the writes of the last
	// SyncEvery.
	Relaxed Sync = iota
	// Strict: when the device has it. The batch survives a power cut.
	Strict
)

// ParseSync returns the level with a name, "relaxed" or "strict".
func ParseSync(name string) (Sync, error) {
	for _, s := range []Sync{Relaxed, Strict} {
		if name == s.String() {
			return s, nil
		}
	}
	return 0, fmt.Errorf("%q is not a sync level: use relaxed or strict", name)
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
	Logger   *slog.Logger            // gets repairs and failures; nil is slog.Default()
	Progress func(done, total int64) // gets the progress of Load, unless it is nil

	// For tests.
	logBytes     int64                  // the size at which a log ends
	pause        time.Duration          // how long nothing is appended before logs are applied
	retry        time.Duration          // how often a failed write is tried again
	compactBytes int64                  // see the constant of this name
	wrap         func(*os.File) logFile // tests put faults here
	fault        changeFault            // tests put faults of the directory here
	unsynced     bool                   // directories and tables are never synced
	background   func(*background)      // changes how a running process compacts
	boot         bootID                 // this run of the operating system; zero reads it
}

// SyncEvery is how often the log is synced at the level Relaxed.
const SyncEvery = 100 * time.Millisecond

// retryEvery is how often a failed write is tried again.
const retryEvery = 500 * time.Millisecond

const (
	// logBytes is the size at which a log ends.
	logBytes = 8 << 20
	// logsAtOnce is how many logs one transaction applies. It takes some four times their size in
	// memory for a moment.
	logsAtOnce = 4
	// logsBeforeHurry is how many ended logs wait for a pause of the writers. From then on they are
	// applied at once. At logsWaiting the writers wait.
	logsBeforeHurry = 8
	logsWaiting     = 16
	// pause is how long nothing is appended in a pause of the writers.
	pause = 100 * time.Millisecond
)

// DB is an open directory. It is a journal.Journal.
type DB struct {
	dir      string
	logger   *slog.Logger
	progress func(done, total int64)
	pause    time.Duration
	retry    time.Duration
	locks    locks
	entries  entries // the directory's entries
	tables   *tables
	log      log
	boot     bootID

	ended      chan uint64 // numbers of logs to be applied
	removed    uint64      // the last log that was applied and removed
	waiting    condition   // ended logs cannot be applied
	background background  // the compaction of applyLogs
	applyErr   error       // the error that ended applyLogs's work
	appliedAll chan struct{}
	done       chan struct{} // closed when the DB closes
	synced     chan struct{}
	closing    sync.Once
	closeErr   error
}

// Open opens a directory for this process alone, and creates it if necessary. It first repairs what
// a killed process has left behind. If a file is damaged or missing, the error names it and nothing
// was changed.
func Open(dir string, o Options) (*DB, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.logBytes == 0 {
		o.logBytes = logBytes
	}
	if o.pause == 0 {
		o.pause = pause
	}
	if o.compactBytes == 0 {
		o.compactBytes = compactBytes
	}
	if o.retry == 0 {
		o.retry = retryEvery
	}
	if o.wrap == nil {
		o.wrap = func(f *os.File) logFile { return f }
	}
	if o.boot == (bootID{}) {
		o.boot = readBootID()
	}
	if err := makeDirectory(dir, o); err != nil {
		return nil, err
	}
	db := newDB(dir, o)
	if err := db.open(); err != nil {
		if db.log.file != nil {
			db.log.file.Close()
		}
		if db.log.marks != nil {
			db.log.marks.close()
		}
		return nil, errors.Join(err, db.release())
	}
	go db.applyLogs()
	go db.syncAndRetry()
	return db, nil
}

func newDB(dir string, o Options) *DB {
	db := &DB{dir: dir, logger: o.Logger, progress: o.Progress, pause: o.pause, retry: o.retry,
		boot: o.boot, locks: locks{dir: dir},
		tables: &tables{path: tablesPath(dir), unsynced: o.unsynced, compactBytes: o.compactBytes},
		ended:  make(chan uint64, logsWaiting), appliedAll: make(chan struct{}),
		done: make(chan struct{}), synced: make(chan struct{})}
	db.log = log{dir: dir, strict: o.Sync == Strict, most: o.logBytes, wrap: o.wrap,
		entries: &db.entries,
		ended:   func(number uint64) { db.ended <- number }}
	db.tables.entries, db.entries.fault = &db.entries, o.fault
	db.background = db.newBackground(o)
	db.log.init()
	conditions := []struct {
		is           *condition
		level        slog.Level
		begins, ends string
	}{
		{&db.log.stalled, slog.LevelError,
			"data cannot be written, so writes fail: make room on the device, or repair it",
			"data can be written again"},
		{&db.log.broken, slog.LevelError,
			"data cannot be written any more, so writes fail: repair the device and start again",
			""},
		{&db.log.growing, slog.LevelWarn, "no new log can be created, so the present one grows",
			"a new log was created"},
		{&db.waiting, slog.LevelWarn, "logs cannot be applied to the tables, so they stay for now",
			"the logs were applied to the tables"},
	}
	for _, c := range conditions {
		*c.is = condition{
			logger: o.Logger, level: c.level, begins: c.begins, ends: c.ends, dir: dir,
		}
	}
	return db
}

// release closes the files and gives the locks back.
func (db *DB) release() error {
	err := db.tables.close()
	return errors.Join(err, db.entries.close(), db.locks.release())
}

func (db *DB) open() (err error) {
	if err := db.locks.take(); err != nil {
		return err
	}
	if runtime.GOOS != "windows" && !db.tables.unsynced {
		if db.entries.dir, err = os.Open(db.dir); err != nil {
			return err
		}
	}
	if err := db.initialize(); err != nil {
		return err
	}
	found, err := verify(db.dir, db.boot)
	if err != nil {
		return err
	}
	if db.tables.logged, err = found.logged(db.dir); err != nil {
		return err
	}
	if found.isOlder() {
		if err := db.keepOlder(); err != nil {
			return err
		}
	}
	if err := db.tables.renew(found.tables, db.logger); err != nil {
		return err
	}
	if err := db.tables.open(found.tables.at); err != nil {
		return err
	}
	return db.recover(found)
}

// initialize creates the files of an empty directory. It creates the first log before the tables,
// because tables without a log mean that the log was lost.
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
			return fmt.Errorf("%s is missing, although there is %s", path, logPath(db.dir, number))
		}
		if err := os.Remove(logPath(db.dir, 1)); err != nil { // an earlier attempt ended here
			return err
		}
	}
	marks, err := readMarks(db.dir)
	if err != nil {
		return err
	}
	for _, m := range marks {
		if groupNumber(m.next) > 1 {
			return fmt.Errorf("%s is missing, although %s says that something was written", path,
				marksPath(db.dir))
		}
	}
	seq := firstSeq()
	first, err := db.log.open(1, seq)
	if err != nil {
		return err
	}
	if err := first.Close(); err != nil {
		return err
	}
	// before the tables, because tables without marks mean that the marks were lost
	if err := createMarks(db.dir, db.tables.unsynced, &db.entries); err != nil {
		return err
	}
	if err := db.tables.create(position{next: seq}); err != nil {
		return err
	}
	return db.entries.sync()
}

// Load implements journal.Journal. It reads the tables together with the changes that only the logs
// have, and then has applyLogs apply the logs that have ended.
func (db *DB) Load(each func(bucket, key, value []byte) error) error {
	err := db.tables.load(each, db.progress)
	db.tables.logged = nil // only Load needs these changes in memory
	if err != nil {
		return err
	}
	if err := db.tables.reopen(); err != nil {
		return err
	}
	// every log before the present one has ended
	if last := db.log.number - 1; last > db.tables.at.applied {
		db.ended <- last
	}
	return nil
}

// Append implements journal.Journal.
func (db *DB) Append(b *journal.Batch) uint64 { return db.log.append(b.Bytes()) }

// Wait implements journal.Journal.
func (db *DB) Wait(ticket uint64) error { return db.explain(db.log.wait(ticket)) }

// Err implements journal.Journal.
func (db *DB) Err() error { return db.explain(db.log.failure()) }

// explain adds what failed to an error of the log.
func (db *DB) explain(err error) error {
	if err == nil || err == journal.ErrClosed {
		return err
	}
	return fmt.Errorf("data in %s cannot be written: %w", db.dir, err)
}

// syncAndRetry syncs the log and retries failed writes periodically, until the DB is closed.
func (db *DB) syncAndRetry() {
	defer close(db.synced)
	tick, retry := time.NewTicker(SyncEvery), time.NewTicker(db.retry)
	defer tick.Stop()
	defer retry.Stop()
	for {
		select {
		case <-tick.C:
			db.log.sync()
		case <-retry.C:
			db.log.retry()
		case <-db.done:
			return
		}
	}
}

// Close makes everything durable at either level, and applies it. Later batches fail with
// journal.ErrClosed.
func (db *DB) Close() error {
	db.closing.Do(func() { db.closeErr = db.close() })
	return db.closeErr
}

func (db *DB) close() error { return errors.Join(db.finish(), db.release()) }

// finish is close without the release of the directory.
func (db *DB) finish() error {
	err := db.log.stop()
	close(db.done)
	<-db.synced
	if err == nil && db.log.next > db.log.first && db.log.tryRotate() != nil {
		err = db.log.repair() // the next start applies the log
	}
	close(db.ended)
	<-db.appliedAll
	if err == nil {
		err = db.applyErr
	}
	err = errors.Join(db.explain(err), db.log.close(), db.log.marks.close())
	if err == nil {
		db.dropOlder()
	}
	return err
}
