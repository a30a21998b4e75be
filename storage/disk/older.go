package disk

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// olderName is the directory with the files of an earlier version of the format, as they were
// before Open converted them. It is there until the first Close that succeeds.
const olderName = "before-upgrade"

func olderPath(dir string) string { return filepath.Join(dir, olderName) }

// isOlder reports whether a file of the directory has an earlier version of the format.
func (s *state) isOlder() bool {
	if s.tables.version != tablesVersion || s.marks == nil {
		return true
	}
	for _, segment := range s.segments {
		if !segment.marked {
			return true
		}
	}
	return false
}

// keepOlder copies the files of a directory of an earlier version, which are about to be converted.
// A copy that is there already is the one that counts: a process that was killed while it converted
// has made it.
func (db *DB) keepOlder() error {
	if _, err := os.Stat(olderPath(db.dir)); err == nil {
		return nil
	}
	unready := unfinished(olderPath(db.dir))
	if err := errors.Join(os.RemoveAll(unready), os.Mkdir(unready, 0o700)); err != nil {
		return err
	}
	files, err := os.ReadDir(db.dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() || f.Name() == lockName {
			continue
		}
		if err := copyFile(filepath.Join(db.dir, f.Name()),
			filepath.Join(unready, f.Name())); err != nil {
			return err
		}
	}
	if err := os.Rename(unready, olderPath(db.dir)); err != nil {
		return err
	}
	db.logger.Info("the directory has an earlier version of the format, and is converted: "+
		"its files are kept until the first clean stop", slog.String("in", olderPath(db.dir)))
	return db.entries.sync()
}

// copyFile copies a file, and makes the copy durable.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// dropOlder removes the copy of the files of an earlier version. A failure does not matter, because
// it only takes space.
func (db *DB) dropOlder() {
	if _, err := os.Stat(olderPath(db.dir)); errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err := os.RemoveAll(olderPath(db.dir)); err != nil {
		db.logger.Warn("the files of an earlier version cannot be removed", slog.Any("error", err))
	}
}
