package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// makeDirectory makes a directory and those above it, if they are not there. Each is durable before
// anything is in it. A directory that is there and empty may be the work of a process that ended
// before that, so it becomes durable too.
func makeDirectory(path string, o Options) error {
	path = filepath.Clean(path)
	above := filepath.Dir(path)
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return &fs.PathError{Op: "mkdir", Path: path, Err: errors.New("it is not a directory")}
	case err == nil:
		if empty, err := isEmpty(path); !empty {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if above != path {
			if err := makeDirectory(above, o); err != nil {
				return err
			}
		}
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return syncEntries(above, o)
}

// isEmpty reports whether a directory has no entries. One that may not be read has some: its owner
// made it, and not this process.
func isEmpty(path string) (bool, error) {
	dir, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = dir.Readdirnames(1)
	if errors.Is(err, io.EOF) {
		return true, dir.Close()
	}
	return false, errors.Join(err, dir.Close())
}

// syncEntries makes what a directory contains durable. It leaves out one that may not be read:
// nobody can sync that.
func syncEntries(path string, o Options) error {
	if o.unsynced {
		return (&entries{fault: o.fault}).fails(entrySync, path)
	}
	e, err := openEntries(path, o.fault)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(e.sync(), e.close())
}
