package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// mend puts the file right after something has failed. It then holds its sound
// frames and nothing else, the device has them as far as they were synced, and no
// other file follows.
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

// rewrite writes the sound frames once more, in place: after a sync that failed the
// operating system may take for written what the device does not have.
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

// verify finds out whether the content is all that was written to the file.
func (l *log) verify(path string, content []byte) error {
	s, err := parseSegment(path, content, l.number, l.first)
	if err != nil {
		return err
	}
	if s.closed || s.torn > 0 || s.next != l.next {
		return &DamagedError{path, s.end, fmt.Sprintf("after a failed sync group %d is missing", groupNumber(s.next))}
	}
	return nil
}

// removeBegun removes the next file, which was begun in vain. Before that the file
// must not end, and afterwards must not go on before the removal is durable: whoever
// starts with them knows by what follows a file whether all of it is there.
func (l *log) removeBegun() error {
	if err := l.file.Sync(); err != nil {
		l.suspect.Store(true)
		return err
	}
	if err := os.Remove(l.begun); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := l.syncDir(); err != nil {
		return err
	}
	l.begun = ""
	return nil
}
