package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// device knows which bytes of its files were synced and so survive a power cut.
type device struct {
	mu     sync.Mutex
	kept   map[string]int64 // bytes that are, by path
	writes int              // how many writes remain until the power is cut
}

var errPower = errors.New("the power is off")

// file is a file on a device.
type file struct {
	logFile
	device *device
	path   string
	size   int64
}

// wrap makes a file one of the device. Its present content counts as synced.
func (d *device) wrap(f *os.File) (logFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	d.kept[f.Name()] = info.Size()
	return &file{f, d, f.Name(), info.Size()}, nil
}

func (f *file) Write(b []byte) (int, error) {
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	if f.device.writes <= 0 {
		return 0, errPower
	}
	f.device.writes--
	n, err := f.logFile.Write(b)
	f.size += int64(n)
	return n, err
}

func (f *file) Sync() error {
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	if f.device.writes <= 0 {
		return errPower
	}
	f.device.kept[f.path] = f.size
	return nil
}

// cut ends a DB and removes some unsynced bytes from its logs. At Relaxed the bytes from some
// offset on are gone, or are zeros from some sector on. At Strict, where they are a single write,
// any of its sectors may be zeros.
func (d *device) cut(t *rapid.T, db *DB, level Sync) {
	kill(db)
	d.mu.Lock()
	defer d.mu.Unlock()
	logs, err := filepath.Glob(filepath.Join(db.dir, "log-*[0-9]"))
	require.NoError(t, err)
	for _, path := range logs {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		kept, size := int(d.kept[path]), len(content)
		end := rapid.IntRange(kept, size).Draw(t, "end")
		if rapid.Bool().Draw(t, "zeros") {
			clear(content[min(size, (end+sector-1)/sector*sector):])
		} else {
			content = content[:end]
		}
		for at := kept; level == Strict && at < len(content); at += sector - at%sector {
			if rapid.IntRange(0, 3).Draw(t, "lost") == 0 {
				clear(content[at:min(len(content), at+sector-at%sector)])
			}
		}
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
}

// TestPowerCut: at Strict all acknowledged writes survive. At Relaxed all writes up to some moment
// survive, which is not before the last sync of the log.
func TestPowerCut(t *testing.T) {
	for _, level := range []Sync{Relaxed, Strict} {
		t.Run(level.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				root, err := os.MkdirTemp("", "kugiri-disk")
				require.NoError(t, err)
				defer os.RemoveAll(root)
				dir := filepath.Join(root, "data")
				require.NoError(t, mustOpen(t, dir, Options{}).Close())
				there := 0
				for range rapid.IntRange(1, 2).Draw(t, "cuts") {
					there = writeAndCut(t, dir, level, there)
				}
			})
		})
	}
}

// writeAndCut writes more values until the power is cut, and returns how many values are there
// then.
func writeAndCut(t *rapid.T, dir string, level Sync, there int) int {
	d := &device{kept: map[string]int64{}, writes: rapid.IntRange(1, 20).Draw(t, "writes")}
	db := mustOpen(t,
		dir, Options{Sync: level, logBytes: 3000, boot: bootID{1}, wrap: func(f *os.File) logFile {
			wrapped, err := d.wrap(f)
			require.NoError(t, err)
			return wrapped
		}})
	for written, err := there, error(nil); err == nil; {
		var b journal.Batch
		b.Put("bucket", fmt.Sprint(written),
			strings.Repeat("v", rapid.IntRange(0, 2500).Draw(t, "bytes")))
		if err = db.Wait(db.Append(&b)); err != nil {
			break
		}
		written++
		pause := rapid.IntRange(0, 3).Draw(t, "pause") == 0
		if pause {
			db.log.sync()
			err = db.Err()
		}
		if level == Strict || pause && err == nil {
			there = written
		}
	}
	d.cut(t, db, level)
	db = mustOpen(t, dir, Options{boot: bootID{2}})
	got := load(t, db)["bucket"]
	require.NoError(t, db.Close())
	require.GreaterOrEqual(t, len(got), there)
	for i := range len(got) {
		require.Contains(t, got, fmt.Sprint(i), "there is a gap")
	}
	return len(got)
}
