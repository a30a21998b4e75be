package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// repair restores the file after a failure. Afterwards the file holds its sound frames and nothing
// else, the device has them as far as they were synced, and no next file exists.
func (l *log) repair() error {
	if l.suspect.Load() {
		if err := l.rewrite(); err != nil {
			return err
		}
	}
	if l.torn {
		if err := l.file.Truncate(l.size); err != nil {
			return err
		}
		l.torn = false
	}
	if l.begun != "" {
		return l.removeBegun()
	}
	return nil
}

// rewrite writes the sound frames once more in place. After a failed sync the operating system may
// believe that the device has them.
func (l *log) rewrite() error {
	path := logPath(l.dir, l.number)
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	content = content[:min(l.size, int64(len(content)))]
	if err := l.verify(path, content); err != nil {
		return err
	}
	opened, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	f := l.wrap(opened)
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Truncate(l.size); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	l.torn = false
	l.suspect.Store(false)
	return nil
}

// verify checks that the content is everything that was written to the file.
func (l *log) verify(path string, content []byte) error {
	s, err := parseSegment(path, content, l.number, l.first)
	if err != nil {
		return err
	}
	if s.closed || s.torn > 0 || s.next != l.next {
		return &DamagedError{path, s.end,
			fmt.Sprintf("after a failed sync group %d is missing", groupNumber(s.next))}
	}
	return nil
}

// removeBegun removes the next file, whose creation failed. The present file must be synced before,
// and must not be written to before the removal is durable: a start concludes from a next file that
// the present one is complete.
func (l *log) removeBegun() error {
	if err := l.file.Sync(); err != nil {
		l.suspect.Store(true)
		return err
	}
	if err := os.Remove(l.begun); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := l.entries.sync(); err != nil {
		return err
	}
	l.begun = ""
	return nil
}
