package disk

import (
	"errors"
	"log/slog"
	"math/bits"
	"os"
)

// A tables file never gets shorter by itself: bbolt keeps the pages that became
// free, to use them again. A start writes the file anew if half of it or more is free, and
// at least this many bytes.
const compactBytes = 32 << 20

// Compact verifies a directory, brings all of its logs into the tables and writes these
// anew without their free pages. It returns how many bytes they had before, and have now. No other
// process may use the directory. An end of the process or of the power leaves the old
// file or the new one, whole: it is durable before it takes the place of the other.
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

// renew writes the file anew if it is of an earlier version, or has much that is free. It was
// verified, and is not open.
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

// freeBytes is how much of the file holds nothing.
func (r *tablesReader) freeBytes() int64 {
	used := 0
	for _, pages := range r.used {
		used += bits.OnesCount64(pages)
	}
	return r.size - int64(used)*pageSize
}

// rewrite writes what the file holds to another one, which takes its place. It must not be open.
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
	return t.syncDir() // before logs are removed that the old file may need
}
