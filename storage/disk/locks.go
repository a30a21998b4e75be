package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// locks keep other processes away from a directory. One lock is on the file named lock, and another
// on the directory itself, because somebody may remove the file.
type locks struct {
	dir  string
	held []*flock.Flock
}

// take takes the locks, or fails at once.
func (l *locks) take() error {
	taken, err := l.try(flock.New(filepath.Join(l.dir, lockName)))
	if err == nil && !taken && runtime.GOOS != "windows" { // Windows does not remove open files
		// Some file systems cannot lock directories.
		taken, _ = l.try(flock.New(l.dir, flock.SetFlag(os.O_RDONLY)))
	}
	if taken {
		return inUse(l.dir)
	}
	return err
}

// takeExisting is take without creating the file named lock.
func (l *locks) takeExisting() error {
	if _, err := os.Stat(filepath.Join(l.dir, lockName)); !errors.Is(err, fs.ErrNotExist) {
		return l.take()
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	if taken, _ := l.try(flock.New(l.dir, flock.SetFlag(os.O_RDONLY))); taken {
		return inUse(l.dir)
	}
	return nil
}

// try takes a lock unless another process has it.
func (l *locks) try(f *flock.Flock) (taken bool, err error) {
	free, err := f.TryLock()
	if err == nil && free {
		l.held = append(l.held, f)
	}
	return err == nil && !free, err
}

// release gives the locks back.
func (l *locks) release() error {
	var errs []error
	for _, f := range l.held {
		errs = append(errs, f.Unlock())
	}
	return errors.Join(errs...)
}

func inUse(dir string) error {
	return fmt.Errorf("%s is in use by another process: stop that, or choose another directory",
		dir)
}
