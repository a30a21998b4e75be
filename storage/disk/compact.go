package disk

import (
	"errors"
	"log/slog"
	"math/bits"
	"os"
)

// compactBytes is the least number of free bytes for which a start rewrites the tables. bbolt
// reuses free pages, and never makes the file shorter. A start rewrites the file if half of it is
// free, and at least this many bytes.
const compactBytes = 32 << 20

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
			err = db.tables.rewrite()
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
		return t.rewrite()
	}
	if free := read.freeBytes(); free < t.compactBytes || free < read.size/2 {
		return nil
	}
	if err := t.rewrite(); err != nil {
		logger.Warn("the tables could not be compacted, and stay as they are", slog.String("file", t.path), slog.Any("error", err))
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
// open.
func (t *tables) rewrite() error {
	b, err := t.builder()
	if err != nil {
		return err
	}
	read, err := readTables(t.path, b.put, func(_ *tablesReader, l loss) error { return l.damaged })
	if err != nil {
		b.abort()
		return err
	}
	if err := b.finish(read.at, t.path); err != nil {
		return err
	}
	return t.syncDir() // before a log is removed that only the new file makes superfluous
}
