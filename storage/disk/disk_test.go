package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/journal"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// contents holds all values by bucket and key.
type contents map[string]map[string]string

func (c contents) Put(bucket, key, value []byte) {
	if c[string(bucket)] == nil {
		c[string(bucket)] = map[string]string{}
	}
	c[string(bucket)][string(key)] = string(value)
}

func (c contents) Delete(bucket, key []byte) { delete(c[string(bucket)], string(key)) }
func (c contents) Drop(bucket []byte)        { delete(c, string(bucket)) }

func (c contents) clone() contents {
	d := contents{}
	for bucket, values := range c {
		if len(values) > 0 {
			d[bucket] = maps.Clone(values)
		}
	}
	return d
}

// load returns what a DB holds.
func load(t require.TestingT, db *DB) contents {
	c, last := contents{}, ""
	require.NoError(t, db.Load(func(bucket, key, value []byte) error {
		here := string(bucket) + "\x00" + string(key)
		require.True(t, last == "" || last < here, "not in order")
		last = here
		c.Put(bucket, key, value)
		return nil
	}))
	return c
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// unsyncedFile is a file that is never synced. Syncs would take most of the time of a test, and no
// test here needs them.
type unsyncedFile struct{ *os.File }

func (unsyncedFile) Sync() error { return nil }

// openUnsynced is Open without syncs, unless o has log files of its own.
func openUnsynced(dir string, o Options) (*DB, error) {
	if o.unsynced = true; o.wrap == nil {
		o.wrap = func(f *os.File) logFile { return unsyncedFile{f} }
	}
	if o.Logger == nil {
		o.Logger = quiet()
	}
	return Open(dir, o)
}

func mustOpen(t require.TestingT, dir string, o Options) *DB {
	db, err := openUnsynced(dir, o)
	require.NoError(t, err)
	return db
}

// put writes one key and waits.
func put(t require.TestingT, db *DB, bucket, key, value string) {
	var b journal.Batch
	b.Put(bucket, key, value)
	require.NoError(t, db.Wait(db.Append(&b)))
}

var errKilled = errors.New("killed")

// kill leaves the files as a killed process does: nothing more is written, and some logs are not
// applied.
func kill(db *DB) {
	db.log.fail(errKilled)
	for len(db.ended) > 0 {
		select {
		case <-db.ended:
		default:
		}
	}
	db.closing.Do(func() {
		close(db.done)
		<-db.synced
		close(db.ended)
		<-db.appliedAll
		db.log.close()
		db.release()
	})
}

// TestAgainstMap applies random operations to a DB, which is closed or killed at times.
func TestAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "kugiri-disk")
		require.NoError(t, err)
		defer os.RemoveAll(root)
		dir := filepath.Join(root, "data")
		o := Options{Sync: Sync(rapid.IntRange(0, 1).Draw(t, "sync")), logBytes: 300}
		db := mustOpen(t, dir, o)
		defer func() { db.Close() }()
		want := contents{}
		name := rapid.StringMatching(`[a-c]{1,3}`)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"write", "write", "write", "close", "kill"}).Draw(t,
				"step") {
			case "write":
				var b journal.Batch
				for range rapid.IntRange(1, 6).Draw(t, "operations") {
					switch bucket, key := name.Draw(t, "bucket"), name.Draw(t,
						"key"); rapid.IntRange(0, 9).Draw(t, "operation") {
					case 0:
						b.Drop(bucket)
					case 1, 2:
						b.Delete(bucket, key)
					default:
						b.Put(bucket, key, rapid.StringN(0, 40, 80).Draw(t, "value"))
					}
				}
				require.NoError(t, journal.Decode(b.Bytes(), want))
				require.NoError(t, db.Wait(db.Append(&b)))
			case "close":
				require.NoError(t, db.Close())
				db = mustOpen(t, dir, o)
				require.Equal(t, want.clone(), load(t, db))
			case "kill":
				kill(db)
				db = mustOpen(t, dir, o)
				require.Equal(t, want.clone(), load(t, db))
			}
		}
	})
}

// filled makes a directory with several applied logs and, unless it is closed, one that is not.
func filled(t *testing.T, closed bool) string {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{logBytes: 8 << 10})
	for i := range 110 {
		put(t, db, fmt.Sprint("bucket", i%3), fmt.Sprint("key", i), strings.Repeat("v", 300))
	}
	if closed {
		require.NoError(t, db.Close())
	} else {
		kill(db)
	}
	return dir
}

// files returns the names of a directory's files except the lock.
func files(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		if e.Name() != lockName {
			names = append(names, e.Name())
		}
	}
	return names
}

// openAndLoad starts with a directory and returns the error.
func openAndLoad(dir string) (contents, error) {
	db, err := openUnsynced(dir, Options{})
	if err != nil {
		return nil, err
	}
	c := contents{}
	err = db.Load(func(bucket, key, value []byte) error {
		c.Put(bucket, key, value)
		return nil
	})
	return c, errors.Join(err, db.Close())
}

func TestMissingFile(t *testing.T) {
	for _, closed := range []bool{true, false} {
		whole := filled(t, closed) // a directory may have one log more or less than another one
		for _, name := range files(t, whole) {
			t.Run(fmt.Sprintf("%s, closed %t", name, closed), func(t *testing.T) {
				dir := clone(t, whole)
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
				_, err := openAndLoad(dir)
				require.ErrorContains(t, err, filepath.Join(dir, name))
				require.ErrorContains(t, err, "missing")
			})
		}
	}
}

// TestSwappedFile: a file of another directory is rejected, although its numbers fit.
func TestSwappedFile(t *testing.T) {
	filled := func(closed bool) string {
		dir := t.TempDir()
		db := mustOpen(t, dir, Options{})
		put(t, db, "bucket", "key", dir)
		if closed {
			require.NoError(t, db.Close())
		} else {
			kill(db)
		}
		return dir
	}
	for _, closed := range []bool{true, false} {
		one, other := filled(closed), filled(closed)
		require.Equal(t, files(t, one), files(t, other))
		for _, name := range files(t, one) {
			t.Run(fmt.Sprintf("%s, closed: %t", name, closed), func(t *testing.T) {
				dir := clone(t, one)
				content, err := os.ReadFile(filepath.Join(other, name))
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
				before := snapshotOf(t, dir)
				_, err = openAndLoad(dir)
				require.ErrorContains(t, err, "another directory")
				require.Equal(t, before, snapshotOf(t, dir))

				report, got := repaired(t, dir)
				require.EqualError(t, err, report.Problem.Error())
				from := one
				if name == tablesName {
					from = other
				}
				if !closed && name != marksName {
					require.Contains(t, report.Lost,
						Lost{What: "the writes that log-00000001 should have", Entries: -1})
					require.Empty(t, got)
					return
				}
				require.Equal(t, contents{"bucket": {"key": from}}, got)
			})
		}
	}
}

// flip replaces a byte of a file.
func flip(t *testing.T, path string, at int64, b byte) {
	// nothing is truncated, as some file systems answer that with a sync
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte{b}, at)
	require.NoError(t, errors.Join(err, f.Close()))
}

// clone copies a directory that nobody writes to.
func clone(t *testing.T, dir string) string {
	to := t.TempDir()
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

func TestTornTail(t *testing.T) {
	group := make([]byte, 2000)
	for i := range group {
		group[i] = 'x'
	}
	var b journal.Batch
	b.Put("late", "key", string(group))
	frame := append(make([]byte, frameHeader), b.Bytes()...)
	zeros := func(from, to int) func([]byte) []byte {
		return func(f []byte) []byte { clear(f[from:to]); return f }
	}
	for _, c := range []struct {
		name string
		tear func([]byte) []byte
		torn bool
	}{
		{"cut in the header", func(f []byte) []byte { return f[:10] }, true},
		{"cut in the payload", func(f []byte) []byte { return f[:1500] }, true},
		{"sectors not written", zeros(600, 1800), true},
		{"nothing but its length written", zeros(0, len(frame)), true},
		{"a byte changed", func(f []byte) []byte { f[700]++; return f }, false},
		{"a few zeros", zeros(700, 800), false},
		{"followed by another", func(f []byte) []byte {
			more := append([]byte(nil), f...)
			sealFrame(more, frameGroup, 3)
			return append(f[:1500:1500], more...)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := mustOpen(t, dir, Options{})
			put(t, db, "bucket", "key", "value")
			kill(db)
			whole := bytes.Clone(frame)
			sealFrame(whole, frameGroup, 2)
			f, err := os.OpenFile(logPath(dir, 1), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			torn := c.tear(whole)
			_, err = f.Write(torn)
			require.NoError(t, errors.Join(err, f.Close()))

			var out bytes.Buffer
			db, err = openUnsynced(dir, Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
			if !c.torn {
				require.ErrorContains(t, err, logPath(dir, 1)+" is damaged at byte ")
				return
			}
			require.NoError(t, err)
			require.Equal(t, contents{"bucket": {"key": "value"}}, load(t, db))
			require.Contains(t, out.String(), logPath(dir, 1))
			aside, err := os.ReadFile(logPath(dir, 1) + ".torn")
			require.NoError(t, err)
			require.Equal(t, torn, aside)
			info, err := os.Stat(logPath(dir, 1) + ".torn")
			require.NoError(t, err)
			require.Zero(t, info.Mode()&0o077, "others may not read what the log's owner may")
			put(t, db, "bucket", "key", "later")
			require.NoError(t, db.Close())
			got, err := openAndLoad(dir)
			require.NoError(t, err)
			require.Equal(t, contents{"bucket": {"key": "later"}}, got)
		})
	}
}

// TestCutOff: a frame of 1000 bytes begins 100 bytes into a sector.
func TestCutOff(t *testing.T) {
	whole := append(make([]byte, frameHeader), bytes.Repeat([]byte("x"), 1000-frameHeader)...)
	sealFrame(whole, frameGroup, 1)
	for _, c := range []struct {
		name     string
		from, to int // the part that becomes zeros
		want     bool
	}{
		{"nothing", 0, 0, false},
		{"a sector", sector - 100, 2*sector - 100, true},
		{"less than a sector", sector - 100, 2*sector - 101, false},
		{"what there is of the last sector", 2*sector - 100, 1000, true},
		{"some of the last sector", 2*sector - 99, 1000, false},
		{"what there is of the first sector", 0, sector - 100, true},
		{"its header", 0, frameHeader, false},
		{"everything", 0, 1000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			rest := bytes.Clone(whole)
			clear(rest[c.from:c.to])
			assert.Equal(t, c.want, cutOff(rest, 10*sector+100))
		})
	}
}

// TestInterruptedRotation: a process may be killed after it creates a log and before it ends the
// last.
func TestInterruptedRotation(t *testing.T) {
	begun := func(number, seq uint64) func(first uint64) []byte {
		return func(first uint64) []byte { return appendLogHeader(nil, number, first-1+seq) }
	}
	for _, c := range []struct {
		name string
		next func(first uint64) []byte // the other log, beside one that begins with the group first
		fine bool
	}{
		{"only begun", func(uint64) []byte { return []byte("KUG") }, true},
		{"only as long as it is to be", func(uint64) []byte { return make([]byte, logHeader) },
			true},
		{"begun", begun(2, 3), true},
		{"of another number", begun(3, 3), false},
		{"of another time", begun(2, 1), false},
		{"another directory", begun(2, 1<<groupBits+3), false},
		{"written to",
			func(first uint64) []byte { return append(appendLogHeader(nil, 2, first+2), 1) },
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := mustOpen(t, dir, Options{})
			put(t, db, "bucket", "key", "value")
			kill(db)
			require.NoError(t, os.WriteFile(logPath(dir, 2), c.next(db.log.first), 0o600))
			got, err := openAndLoad(dir)
			if !c.fine {
				require.ErrorContains(t, err, "log-0000000")
				return
			}
			require.NoError(t, err)
			require.Equal(t, contents{"bucket": {"key": "value"}}, got)
		})
	}
}

func TestLaterVersions(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, mustOpen(t, dir, Options{}).Close())
	header := appendLogHeader(nil, 1, 1)
	header[len(logMagic)]++
	header = binary.LittleEndian.AppendUint32(header[:logHeader-4],
		crc32.Checksum(header[:logHeader-4], castagnoli))
	require.NoError(t, os.WriteFile(logPath(dir, 1), header, 0o600))
	_, err := openAndLoad(dir)
	require.ErrorContains(t, err, "version 3 of the format; this program knows versions up to 2")
}

// TestSecondProcess: each of the locks is enough.
func TestSecondProcess(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	defer db.Close()
	refused := func() {
		_, err := openUnsynced(dir, Options{})
		require.ErrorContains(t, err, dir+" is in use by another process")
	}
	refused()
	require.NoError(t, os.Remove(filepath.Join(dir, lockName)))
	refused()
	require.NoError(t, db.locks.release()) // now the file system seems unable to lock a directory
	refused()
	put(t, db, "bucket", "key", "value")
}

func TestInitializationInterrupted(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(logPath(dir, 1), appendLogHeader(nil, 1, 1), 0o600))
	require.NoError(t, os.WriteFile(unfinished(tablesPath(dir)), []byte("half"), 0o600))
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Empty(t, got)
}

// TestUnfinished: a start removes files that a killed process has not finished.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, mustOpen(t, dir, Options{}).Close())
	want := files(t, dir)
	for _, path := range []string{tablesPath(dir), marksPath(dir)} {
		require.NoError(t, os.WriteFile(unfinished(path), []byte("half"), 0o600))
	}
	require.NoError(t, mustOpen(t, dir, Options{}).Close())
	require.Equal(t, want, files(t, dir))
}

func TestClose(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	put(t, db, "bucket", "key", "value")
	var b journal.Batch
	b.Put("bucket", "other", "value")
	db.Append(&b) // nobody waits for it
	require.NoError(t, db.Close())
	require.NoError(t, db.Close())
	require.Equal(t, journal.ErrClosed, db.Err())
	require.Equal(t, journal.ErrClosed, db.Wait(db.Append(&b)))
	require.Equal(t, []string{"acknowledged", "log-00000002", "tables.db"}, files(t, dir))
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, contents{"bucket": {"key": "value", "other": "value"}}, got)
}

// fill writes until a number of logs have ended.
func fill(t *testing.T, db *DB, logs uint64) {
	for i := 0; db.log.number <= logs; i++ {
		put(t, db, "bucket", fmt.Sprint(i), strings.Repeat("v", 300))
	}
}

// transactions returns how many transactions bbolt has committed to a directory's tables.
func transactions(t *testing.T, db *DB) (n int) {
	require.NoError(t, db.tables.db.View(func(tx *bolt.Tx) error {
		n = tx.ID()
		return nil
	}))
	return n
}

// TestLogsWait: logs wait to be applied while the writers do not pause.
func TestLogsWait(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{logBytes: 1000, pause: time.Hour})
	before := transactions(t, db)
	fill(t, db, logsBeforeHurry-1)
	require.Len(t, files(t, dir), logsBeforeHurry-1+1+2,
		"the logs that have ended, that which has not, the marks and the tables")
	require.Equal(t, before, transactions(t, db))
	require.NoError(t, db.Close())
	require.Len(t, files(t, dir), 1+2)
}

// TestLogsOfKilledProcesses: logs of earlier processes count among the waiting ones.
func TestLogsOfKilledProcesses(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{logBytes: 1000, pause: time.Hour})
	db.applyErr = errors.New("killed") // the error keeps it from applying a log
	fill(t, db, logsBeforeHurry)
	kill(db)
	db = mustOpen(t, dir, Options{logBytes: 1000, pause: time.Hour})
	load(t, db)
	require.Eventually(t, func() bool { return len(files(t, dir)) == 1+2 }, time.Minute,
		time.Millisecond)
	require.NoError(t, db.Close())
}

// TestSeveralLogsAtOnce: few transactions apply the logs that wait.
func TestSeveralLogsAtOnce(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{logBytes: 1000, pause: time.Hour})
	before := transactions(t, db)
	fill(t, db, 2*logsAtOnce-1)
	require.NoError(t, db.Close()) // Close ends another log
	db = mustOpen(t, dir, Options{})
	require.LessOrEqual(t, transactions(t, db)-before, 3)
	require.NoError(t, db.Close())
}

// openFile counts how many files are open.
type openFile struct {
	logFile
	open *int
}

func (f openFile) Close() error {
	*f.open--
	return f.logFile.Close()
}

// TestFailedOpen: a failed Open leaves no file open.
func TestFailedOpen(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	require.NoError(t, db.Close())
	group := append(make([]byte, frameHeader), "no batch"...)
	sealFrame(group, frameGroup, db.log.first)
	f, err := os.OpenFile(logPath(dir, 1), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.Write(group)
	require.NoError(t, errors.Join(err, f.Close()))
	open := 0
	_, err = openUnsynced(dir, Options{wrap: func(f *os.File) logFile {
		open++
		return openFile{f, &open}
	}})
	require.ErrorContains(t, err, "not an encoded batch")
	require.Zero(t, open)
}

// TestTooLong: a group that is longer than a frame is rejected, and earlier ones stay.
func TestTooLong(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	db.log.longest = 1000
	put(t, db, "bucket", "key", "value")
	var b journal.Batch
	b.Put("bucket", "key", strings.Repeat("v", 1000))
	require.ErrorIs(t, db.Wait(db.Append(&b)), errTooLong)
	require.ErrorIs(t, db.Err(), errTooLong)
	require.Error(t, db.Close())
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, contents{"bucket": {"key": "value"}}, got)
}

// lockedBuffer is a buffer that several goroutines may write to.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// TestConcurrentWriters: each sees its own batches durable, in order.
func TestConcurrentWriters(t *testing.T) {
	for _, level := range []Sync{Relaxed, Strict} {
		t.Run(level.String(), func(t *testing.T) {
			dir := t.TempDir()
			db, err := Open(dir, Options{Sync: level, logBytes: 4 << 10, Logger: quiet()})
			require.NoError(t, err)
			var wg sync.WaitGroup
			for w := range 8 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for i := range 50 {
						var b journal.Batch
						b.Put(fmt.Sprint(w), "key", fmt.Sprint(i))
						b.Put(fmt.Sprint(w), fmt.Sprint(i), "value")
						assert.NoError(t, db.Wait(db.Append(&b)))
					}
				}()
			}
			wg.Wait()
			kill(db)
			got, err := openAndLoad(dir)
			require.NoError(t, err)
			require.Len(t, got, 8)
			for w := range 8 {
				require.Len(t, got[fmt.Sprint(w)], 51)
				require.Equal(t, "49", got[fmt.Sprint(w)]["key"])
			}
		})
	}
}

func TestProgress(t *testing.T) {
	dir := filled(t, true)
	var done, total int64
	db := mustOpen(t, dir, Options{Progress: func(d, n int64) { done, total = d, n }})
	defer db.Close()
	load(t, db)
	require.EqualValues(t, 110, done)
	require.EqualValues(t, 110, total)
}

func TestParseSync(t *testing.T) {
	for _, s := range []Sync{Relaxed, Strict} {
		got, err := ParseSync(s.String())
		require.NoError(t, err)
		require.Equal(t, s, got)
	}
	_, err := ParseSync("lax")
	require.ErrorContains(t, err, `"lax" is not a sync level`)
}

// FuzzParseSegment: any content of a log is accepted or rejected, and accepted groups are sound.
func FuzzParseSegment(f *testing.F) {
	header := appendLogHeader(nil, 1, 1)
	var b journal.Batch
	b.Put("bucket", "key", "value")
	frame := append(make([]byte, frameHeader), b.Bytes()...)
	sealFrame(frame, frameGroup, 1)
	end := make([]byte, frameHeader)
	sealFrame(end, frameEnd, 2)
	whole := bytes.Join([][]byte{header, frame, end}, nil)
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add(append(bytes.Clone(whole), 0))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := parseSegment("log", content, 1, 1)
		if err != nil {
			require.ErrorContains(t, err, "log is ")
			return
		}
		require.EqualValues(t, len(content), s.end+s.torn)
		again, err := parseSegment("log", content[:s.end], 1, 1)
		require.NoError(t, err)
		require.Equal(t, s.groups, again.groups)
	})
}
