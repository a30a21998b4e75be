package disk

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// full is a file on a device with a number of free bytes, or with failing syncs.
type full struct {
	logFile
	left *int
	sync *error
}

var errFull = errors.New("no space left on device")

func (f full) Write(b []byte) (int, error) {
	if *f.left -= len(b); *f.left < 0 {
		n, _ := f.logFile.Write(b[:max(0, len(b)+*f.left)])
		*f.left = 0
		return n, errFull
	}
	return f.logFile.Write(b)
}

func (f full) Sync() error { return errors.Join(*f.sync, f.logFile.Sync()) }

// never is an Options.retry, for tests that call retry themselves.
const never = time.Hour

// TestFullDevice: writes that were acknowledged before the device was full remain, and none is
// acknowledged after that. Once there is space again, the pending writes succeed.
func TestFullDevice(t *testing.T) {
	// places in the first log, about its end, in a later one
	for _, bytes := range []int{600, 4150, 20000} {
		for _, room := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d bytes, then room: %t", bytes, room), func(t *testing.T) {
				dir, left, none := t.TempDir(), bytes, error(nil)
				require.NoError(t, mustOpen(t, dir, Options{}).Close())
				var out lockedBuffer
				db := mustOpen(t,
					dir, Options{logBytes: 4000, retry: never,
						Logger: slog.New(slog.NewTextHandler(&out, nil)),
						wrap:   func(f *os.File) logFile { return full{f, &left, &none} }})
				want := contents{}
				for i := 0; ; i++ {
					var b journal.Batch
					b.Put("bucket", fmt.Sprint("key", i), strings.Repeat("v", 100))
					err := db.Wait(db.Append(&b))
					if err == nil || room {
						require.NoError(t, journal.Decode(b.Bytes(), want))
					}
					if err != nil {
						require.ErrorIs(t, err, errFull)
						require.ErrorContains(t, err, "data in "+dir+" cannot be written")
						break
					}
				}
				require.ErrorIs(t, db.Err(), errFull)
				db.log.retry()
				require.ErrorIs(t, db.Err(), errFull)
				if room {
					left = 1 << 30
					db.log.retry()
					put(t, db, "bucket", "late", "value")
					want.Put([]byte("bucket"), []byte("late"), []byte("value"))
					require.NoError(t, db.Err())
					require.NoError(t, db.Close())
				} else {
					require.ErrorIs(t, db.Close(), errFull)
				}
				require.Equal(t, 1, strings.Count(out.String(), "level=ERROR"), out.String())
				require.Equal(t, room, strings.Contains(out.String(), "data can be written again"),
					out.String())
				got, err := openAndLoad(dir)
				require.NoError(t, err)
				require.Equal(t, want, got)
			})
		}
	}
}

// TestSyncFails: after a failed sync nothing is written before the whole log is written and synced
// again.
func TestSyncFails(t *testing.T) {
	for _, level := range []Sync{Relaxed, Strict} {
		t.Run(level.String(), func(t *testing.T) {
			dir, left, failure := t.TempDir(), 1<<30, error(nil)
			db := mustOpen(t, dir,
				Options{Sync: level, retry: never,
					wrap: func(f *os.File) logFile { return full{f, &left, &failure} }})
			put(t, db, "bucket", "key", "value")
			failure = errors.New("bad sector")
			var b journal.Batch
			b.Put("bucket", "key", "later")
			err := db.Wait(db.Append(&b))
			if level == Relaxed {
				require.NoError(t, err)
				db.log.sync()
			} else {
				require.ErrorIs(t, err, failure)
			}
			require.ErrorIs(t, db.Err(), failure)
			db.log.retry()
			require.ErrorIs(t, db.Err(), failure)
			failure = nil
			require.Error(t, db.Err(), "nobody has tried")
			db.log.retry()
			require.NoError(t, db.Err())
			put(t, db, "bucket", "other", "value")
			kill(db)
			got, err := openAndLoad(dir)
			require.NoError(t, err)
			require.Equal(t, contents{"bucket": {"key": "later", "other": "value"}}, got)
		})
	}
}

// TestSyncLosesData: data that a failed sync has lost is damage, and ends all writes.
func TestSyncLosesData(t *testing.T) {
	dir, left, failure := t.TempDir(), 1<<30, errors.New("bad sector")
	none := error(nil)
	sync := &none
	db := mustOpen(t, dir,
		Options{retry: never, wrap: func(f *os.File) logFile { return full{f, &left, sync} }})
	put(t, db, "bucket", "key", "value")
	none = failure
	db.log.sync()
	none = nil
	flip(t, logPath(dir, 1), int64(logHeader+frameHeader), 'x')
	db.log.retry()
	require.ErrorContains(t, db.Err(), logPath(dir, 1)+" is damaged")
	db.log.retry()
	require.ErrorContains(t, db.Err(), logPath(dir, 1)+" is damaged")
	require.Error(t, db.Close())
}

// TestRotationFails: a log that cannot be rotated grows, and only a warning shows it.
func TestRotationFails(t *testing.T) {
	dir := t.TempDir()
	var out lockedBuffer
	db := mustOpen(t, dir,
		Options{logBytes: 1000, pause: never, retry: never,
			Logger: slog.New(slog.NewTextHandler(&out, nil))})
	inTheWay := logPath(dir, 2)
	require.NoError(t, os.Mkdir(inTheWay, 0o700))
	for i := range 50 {
		put(t, db, "early", fmt.Sprint(i), strings.Repeat("v", 100))
		require.NoError(t, db.Err())
	}
	require.EqualValues(t, 1, db.log.number)
	require.NoError(t, os.Remove(inTheWay))
	fill(t, db, 3)
	require.Equal(t, 1, strings.Count(out.String(), "level=WARN"), out.String())
	require.Contains(t, out.String(), "no new log can be created")
	require.Contains(t, out.String(), "a new log was created")
	kill(db)
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Len(t, got["early"], 50)
}

// TestTablesFail: logs that cannot be applied stay, and writers do not wait for them.
func TestTablesFail(t *testing.T) {
	dir, lines := t.TempDir(), make(messages, 10)
	db := mustOpen(t, dir,
		Options{logBytes: 1000, pause: time.Nanosecond, retry: time.Millisecond,
			Logger: slog.New(slog.NewTextHandler(lines, nil))})
	// the loss shows when they are opened anew
	require.NoError(t, os.Rename(db.tables.path, db.tables.path+".away"))
	fill(t, db, 1)
	require.Contains(t, <-lines, "logs cannot be applied to the tables")
	fill(t, db, 3*logsWaiting)
	require.NoError(t, db.Err())
	require.NoError(t, os.Rename(db.tables.path+".away", db.tables.path))
	require.NoError(t, db.Close())
	require.Contains(t, <-lines, "the logs were applied to the tables")
	require.Len(t, files(t, dir), 1+2, "everything is in the tables")
}

// messages are the lines of a log.
type messages chan string

func (m messages) Write(line []byte) (int, error) {
	m <- string(line)
	return len(line), nil
}

// failing is a device on which any use of a log's file may fail, for a while or for ever.
type failing struct {
	mu     sync.Mutex
	until  int // how many uses succeed first
	lasts  int // how many fail then
	failed int
}

var errDevice = errors.New("input/output error")

func (d *failing) use() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.until--; d.until >= 0 {
		return nil
	}
	if d.lasts--; d.lasts >= 0 {
		d.failed++
		return errDevice
	}
	return nil
}

// set makes the device fail a number of times after some uses.
func (d *failing) set(until, lasts int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.until, d.lasts = until, lasts
}

// failingFile is a file on such a device. A failed write may write a part.
type failingFile struct {
	*os.File
	device *failing
	part   func(n int) int
}

func (f failingFile) Write(b []byte) (int, error) {
	if err := f.device.use(); err != nil {
		n, _ := f.File.Write(b[:f.part(len(b))])
		return n, err
	}
	return f.File.Write(b)
}

func (f failingFile) Truncate(size int64) error {
	if err := f.device.use(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f failingFile) Sync() error { return f.device.use() }

func (f failingFile) Close() error {
	return errors.Join(f.device.use(), f.File.Close())
}

// TestFailingDevice writes to a device that fails at times. After a kill all acknowledged writes
// are there, in order, and others may be. Once the device works again, all writes are there.
func TestFailingDevice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "kugiri-disk")
		require.NoError(t, err)
		defer os.RemoveAll(root)
		dir := filepath.Join(root, "data")
		require.NoError(t, mustOpen(t, dir, Options{}).Close())
		there := 0
		for range rapid.IntRange(1, 3).Draw(t, "processes") {
			there = writeOnFailing(t, dir, there)
		}
	})
}

// writeOnFailing writes more values, kills or closes the DB, and returns how many values are there
// then.
func writeOnFailing(t *rapid.T, dir string, there int) int {
	device := &failing{}
	device.set(1<<30, 0)
	part := func(n int) int { return rapid.IntRange(0, n).Draw(t, "part") }
	db := mustOpen(t,
		dir, Options{Sync: Sync(rapid.IntRange(0, 1).Draw(t, "sync")), logBytes: 1500, pause: never,
			retry: never,
			wrap:  func(f *os.File) logFile { return failingFile{f, device, part} }})
	appended := there
	for range rapid.IntRange(1, 25).Draw(t, "steps") {
		switch rapid.SampledFrom([]string{"write", "write", "write", "fail", "retry", "sync"}).Draw(
			t, "step") {
		case "write":
			if db.Err() != nil {
				continue // package storage does not write then, either
			}
			var b journal.Batch
			b.Put("bucket", fmt.Sprint(appended),
				strings.Repeat("v", rapid.IntRange(0, 900).Draw(t, "bytes")))
			ticket := db.Append(&b)
			appended++
			if db.Wait(ticket) == nil {
				there = appended
			}
		case "fail":
			device.set(rapid.IntRange(0, 6).Draw(t, "until"), rapid.IntRange(1, 8).Draw(t, "lasts"))
		case "retry":
			db.log.retry()
		case "sync":
			db.log.sync()
		}
	}
	if rapid.Bool().Draw(t, "works again") {
		device.set(1<<30, 0)
		db.log.retry()
		require.NoError(t, db.Err())
		there = appended
	}
	if rapid.Bool().Draw(t, "kill") {
		kill(db)
	} else if db.Close() == nil {
		there = appended
	}
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	n := len(got["bucket"])
	require.GreaterOrEqual(t, n, there)
	require.LessOrEqual(t, n, appended)
	for i := range n {
		require.Contains(t, got["bucket"], fmt.Sprint(i), "there is a gap")
	}
	return n
}
