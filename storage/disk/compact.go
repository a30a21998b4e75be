package disk

import (
	"errors"
	"log/slog"
	"math/bits"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

// compactBytes is the least number of free bytes for which the tables are rewritten. bbolt reuses
// free pages, and never makes the file shorter. A start rewrites the file if half of it is free,
// and at least this many bytes. A running process does so in the background, after it has applied
// logs.
const compactBytes = 32 << 20

const (
	// compactStep is how much the background writes before it rests.
	compactStep = 1 << 20
	// compactRest is how long it rests: it writes and reads at most 32 MB a second.
	compactRest = time.Second / 32
	// compactRoom is the room on the device, besides that for the new file, below which the
	// background does not begin: writes of clients must not fail because of it.
	compactRoom = 256 << 20
	// logsAfterFailure is how many logs are applied between a compaction that was not completed
	// and the next one. It bounds the work that is done in vain.
	logsAfterFailure = 4 * logsBeforeHurry
)

// background describes the compaction of a running process.
type background struct {
	step  int          // how many bytes it writes between two rests
	rest  func()       // bounds its share of the device
	ended func(error)  // gets the result, for tests
	stop  func() error // why it has to end early, or nil
	room  func(need int64) bool
	after uint64 // it begins when a log with a higher number was applied
}

// errYield ends a compaction because logs have to be applied, or the DB closes.
var errYield = errors.New("logs have to be applied")

// Compact verifies a directory, applies all of its logs and rewrites the tables without their free
// pages. It returns the size of the tables before and after. No other process may use the
// directory. If the process ends or the power fails, the directory has either the old file or the
// new one, because the new file is durable before it replaces the old one.
func Compact(dir string, o Options) (before, after int64, err error) {
	if err := present(dir); err != nil {
		return 0, 0, err
	}
	if before, err = fileSize(tablesPath(dir)); err != nil {
		return 0, 0, err
	}
	db, err := Open(dir, o)
	if err != nil {
		return 0, 0, err
	}
	err = db.Load(func(_, _, _ []byte) error { return nil })
	db.closing.Do(func() {
		err = errors.Join(err, db.finish(), db.tables.close())
		if err == nil {
			err = db.tables.rewrite(nil)
		}
		err = errors.Join(err, db.release())
	})
	if err == nil {
		after, err = fileSize(tablesPath(dir))
	}
	return before, after, err
}

func fileSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// renew rewrites the file if it has an earlier version of the format, or much free space. The file
// was verified and must not be open.
func (t *tables) renew(read *tablesReader, logger *slog.Logger) error {
	if read.version != tablesVersion {
		return t.rewrite(nil)
	}
	if free := read.freeBytes(); free < t.compactBytes || free < read.size/2 {
		return nil
	}
	if err := t.rewrite(nil); err != nil {
		logger.Warn("the tables could not be compacted, and stay as they are",
			slog.String("file", t.path), slog.Any("error", err))
	}
	return nil
}

// freeBytes returns how much of the file is free.
func (r *tablesReader) freeBytes() int64 {
	used := 0
	for _, pages := range r.used {
		used += bits.OnesCount64(pages)
	}
	return r.size - int64(used)*pageSize
}

// rewrite writes the entries of the file to a new one, which replaces it. The file must not be
// open. paced is nil, or called for each entry with its size; its error ends the work.
func (t *tables) rewrite(paced func(bytes int) error) error {
	b, err := t.builder()
	if err != nil {
		return err
	}
	put := b.put
	if paced != nil {
		b.steady = true
		put = func(bucket string, key, value []byte) error {
			if err := paced(len(key) + len(value)); err != nil {
				return err
			}
			return b.put(bucket, key, value)
		}
	}
	read, err := readTables(t.path, put, func(_ *tablesReader, l loss) error { return l.damaged })
	if err != nil {
		b.abort()
		return err
	}
	t.unsettled = true
	if err := b.finish(read.at, t.path); err != nil {
		return err
	}
	return t.settle()
}

// settle makes the replacement of the file durable. A log that only the new file makes superfluous
// may be removed after that.
func (t *tables) settle() error {
	if !t.unsettled {
		return nil
	}
	err := t.entries.sync()
	t.unsettled = err != nil
	return err
}

// free returns the size of the open file, and how much of it is free.
func (t *tables) free() (size, free int64, err error) {
	err = t.catchPanic(func() error {
		return t.db.View(func(tx *bolt.Tx) error { size = tx.Size(); return nil })
	})
	stats := t.db.Stats()
	return size, int64(stats.FreePageN+stats.PendingPageN) * pageSize, err
}

// newBackground returns how a running process compacts.
func (db *DB) newBackground(o Options) background {
	b := background{
		step: compactStep, rest: func() { time.Sleep(compactRest) }, ended: func(error) {},
	}
	b.room = func(need int64) bool { return hasRoom(db.dir, need+compactRoom) }
	b.stop = func() error {
		select {
		case <-db.done:
			return errYield
		default:
		}
		if len(db.ended) >= logsBeforeHurry {
			return errYield
		}
		return nil
	}
	if o.background != nil {
		o.background(&b)
	}
	return b
}

// tidy compacts the tables if much of them is free. Readers and writers go on: the logs that end
// meanwhile wait, and if many do, the compaction ends and begins anew later. Until the new file is
// complete and durable, the old one stays.
func (db *DB) tidy() {
	b := &db.background
	if db.tables.ensureOpen() != nil || db.tables.at.applied < b.after || b.stop() != nil {
		return
	}
	size, free, err := db.tables.free()
	if err != nil || free < db.tables.compactBytes || free < size/2 || !b.room(size-free) {
		return
	}
	if err = db.tables.close(); err == nil {
		err = db.tables.rewrite(b.pacer())
	}
	if err != nil {
		b.after = db.tables.at.applied + logsAfterFailure
	}
	switch {
	case err == nil:
		db.logger.Info("the tables were compacted", slog.String("file", db.tables.path),
			slog.Int64("before", size), slog.Int64("free", free))
	case !errors.Is(err, errYield):
		db.logger.Warn("the tables could not be compacted, and stay as they are",
			slog.String("file", db.tables.path), slog.Any("error", err))
	}
	b.ended(err)
}

// pacer returns the function that gets the sizes of what is written, rests after each step, and
// says when to end.
func (b *background) pacer() func(bytes int) error {
	written := 0
	return func(bytes int) error {
		if written += bytes; written < b.step {
			return nil
		}
		written = 0
		b.rest()
		return b.stop()
	}
}
