package disk

import (
	"os"
	"runtime"
)

// entries changes which files a directory has. What it changes is durable after a sync.
type entries struct {
	// nil where the directory is not synced: on Windows, which needs none, and in tests
	dir *os.File
	// If set, it gets each change before that, with the name that the file gets or the directory.
	// The change fails with its error. Tests put faults here.
	fault changeFault
}

// changeFault returns why a change fails, or nil.
type changeFault func(c entryChange, path string) error

// entryChange is a kind of change.
type entryChange string

// The changes of entries.
const (
	entryRename entryChange = "rename"
	entryLink   entryChange = "link"
	entrySync   entryChange = "sync"
)

// openEntries returns the entries of a directory, for a while.
func openEntries(path string, fault changeFault) (*entries, error) {
	e := &entries{fault: fault}
	if runtime.GOOS == "windows" {
		return e, nil
	}
	var err error
	e.dir, err = os.Open(path)
	return e, err
}

func (e *entries) fails(c entryChange, path string) error {
	if e == nil || e.fault == nil {
		return nil
	}
	return e.fault(c, path)
}

// rename gives a file another name, also if a file has that already.
func (e *entries) rename(from, to string) error {
	if err := e.fails(entryRename, to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// link gives a file a second name. It fails on a file system that has no links.
func (e *entries) link(from, to string) error {
	if err := e.fails(entryLink, to); err != nil {
		return err
	}
	return os.Link(from, to)
}

// sync makes the changes durable, and the creation and removal of files.
func (e *entries) sync() error {
	if e == nil {
		return nil
	}
	path := ""
	if e.dir != nil {
		path = e.dir.Name()
	}
	if err := e.fails(entrySync, path); err != nil || e.dir == nil {
		return err
	}
	return e.dir.Sync()
}

// close ends the use of the directory.
func (e *entries) close() error {
	if e.dir == nil {
		return nil
	}
	return e.dir.Close()
}
