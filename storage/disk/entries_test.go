package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// entryFault lets changes of a directory fail.
type entryFault struct {
	change entryChange
	from   int // the number of the first change of this kind that fails, from 0
	lasts  int // how many fail

	mu     sync.Mutex
	seen   int // changes of this kind
	failed int
}

var errEntries = errors.New("the directory cannot be changed")

func (f *entryFault) fault(c entryChange, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c != f.change {
		return nil
	}
	n := f.seen
	f.seen++
	if n < f.from || n >= f.from+f.lasts {
		return nil
	}
	f.failed++
	return errEntries
}

func (f *entryFault) happened() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed > 0
}

// eachFault calls f with a fault at each change that f makes, which fails once or from then on.
func eachFault(t *testing.T, changes []entryChange, f func(t *testing.T, fault *entryFault)) {
	for _, change := range changes {
		for _, lasts := range []int{1, 1 << 30} {
			n := 0
			for happened := true; happened; n++ {
				name := fmt.Sprintf("%s %d fails %d times", change, n, lasts)
				t.Run(name, func(t *testing.T) {
					fault := &entryFault{change: change, from: n, lasts: lasts}
					f(t, fault)
					happened = fault.happened()
				})
			}
			require.Greater(t, n, 1, "no %s", change)
		}
	}
}

// acknowledgedOnly holds what a test wrote into a directory.
type acknowledgedOnly struct {
	dir   string
	there contents // what was acknowledged
	tried contents // what was tried and not written
}

// write writes values until a write fails. Most of them are dropped later.
func (a *acknowledgedOnly) write(db *DB, from int) {
	for i := range 30 {
		var b journal.Batch
		b.Put("garbage", fmt.Sprint("key", i), strings.Repeat("v", 1000))
		b.Put("kept", fmt.Sprint("key", from+i), "value")
		if i == 25 {
			b.Drop("garbage")
		}
		err := db.Wait(db.Append(&b))
		_ = journal.Decode(b.Bytes(), a.tried)
		if err != nil {
			return
		}
		_ = journal.Decode(b.Bytes(), a.there)
	}
}

// live uses the directory until something fails: it creates it, and opens, fills, closes, kills and
// compacts it.
func (a *acknowledgedOnly) live(t *testing.T, fault *entryFault) error {
	o := Options{logBytes: 8 << 10, pause: time.Nanosecond, retry: time.Millisecond,
		compactBytes: 16 << 10, Logger: quiet(), unsynced: true, fault: fault.fault,
		wrap: func(f *os.File) logFile { return unsyncedFile{f} }}
	o.background = func(b *background) { b.rest = func() {} }
	for process := range 3 {
		db, err := Open(a.dir, o)
		if err != nil {
			return err
		}
		if err := db.Load(func(_, _, _ []byte) error { return nil }); err != nil {
			kill(db)
			return err
		}
		a.write(db, process*30)
		if process == 1 {
			kill(db)
			continue
		}
		if err := db.Close(); err != nil {
			return err
		}
	}
	_, _, err := Compact(a.dir, o)
	return err
}

// TestEntriesFail: whichever rename or sync of the directory fails, once or for ever, all
// acknowledged writes are there in the next process.
func TestEntriesFail(t *testing.T) {
	eachFault(t, []entryChange{entryRename, entrySync}, func(t *testing.T, fault *entryFault) {
		a := &acknowledgedOnly{filepath.Join(t.TempDir(), "data"), contents{}, contents{}}
		if err := a.live(t, fault); err != nil {
			require.ErrorIs(t, err, errEntries)
		}
		for range 2 {
			got, err := openAndLoad(a.dir)
			require.NoError(t, err)
			for key, value := range a.there["kept"] {
				require.Equal(t, value, got["kept"][key], key)
			}
			for key := range got["kept"] {
				require.Contains(t, a.tried["kept"], key)
			}
		}
		require.NoFileExists(t, unfinished(marksPath(a.dir)))
	})
}

// TestCompactInBackgroundCannotRename: the process goes on with the tables that it has, or has
// begun to replace, and loses nothing when it is killed.
func TestCompactInBackgroundCannotRename(t *testing.T) {
	for _, change := range []entryChange{entryRename, entrySync} {
		t.Run(string(change), func(t *testing.T) {
			dir := t.TempDir()
			var mu sync.Mutex
			compacting, failed := false, 0
			g := newGarbage(t, dir, quiet(), nil, func(c entryChange, _ string) error {
				mu.Lock()
				defer mu.Unlock()
				if compacting && c == change && failed < 3 {
					failed++
					return errEntries
				}
				return nil
			})
			g.rest = func() {
				mu.Lock()
				defer mu.Unlock()
				compacting = true
			}
			g.drop(t)
			require.ErrorIs(t, <-g.ended, errEntries)
			g.endLog(t, "after")
			kill(g.db)
			got, err := openAndLoad(dir)
			require.NoError(t, err)
			require.Equal(t, g.want, got)
			require.Positive(t, failed)
		})
	}
}

// TestRepairCannotChangeEntries: whichever change of the directory a repair cannot make, it keeps
// what it has set aside, and the next repair keeps what that would have kept.
func TestRepairCannotChangeEntries(t *testing.T) {
	made := t.TempDir()
	db := mustOpen(t, made, Options{logBytes: 1000, pause: never})
	for i := range 30 {
		put(t, db, "bucket", fmt.Sprint("key", i), "value")
	}
	kill(db)
	last := logPath(made, db.log.number)
	content, err := os.ReadFile(last)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(last, int64(len(content)-3)))
	before := snapshotOf(t, made)
	_, want := repaired(t, clone(t, made))
	require.Len(t, want["bucket"], 29)
	mend := func(j journal.Journal, _ *journal.Batch) error { return anything(j) }
	all := []entryChange{entryLink, entryRename, entrySync}
	eachFault(t, all, func(t *testing.T, fault *entryFault) {
		dir := clone(t, made)
		_, err := repairWith(dir, mend, fault.fault)
		if fault.happened() && fault.change != entryLink { // a failed link becomes a copy
			require.ErrorIs(t, err, errEntries)
		} else {
			require.NoError(t, err)
		}
		for name, content := range before {
			aside, err := os.ReadFile(filepath.Join(dir, "damaged-1", name))
			if errors.Is(err, fs.ErrNotExist) {
				aside, err = os.ReadFile(filepath.Join(dir, name))
			}
			require.NoError(t, err)
			require.Equal(t, content, string(aside), name)
		}
		_, err = Repair(dir, mend)
		require.NoError(t, err)
		got, err := openAndLoad(dir)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// TestRepairSetsAsideDurably: what a repair replaces is durable under its new name before that.
func TestRepairSetsAsideDurably(t *testing.T) {
	dir, _ := numbered(t)
	change(t, tablesPath(dir), "value0077", "valuE")
	var changes []string
	_, err := repairWith(dir, func(journal.Journal, *journal.Batch) error { return nil },
		func(c entryChange, path string) error {
			changes = append(changes, string(c)+" "+filepath.Base(path))
			return nil
		})
	require.NoError(t, err)
	synced := slices.Index(changes, "sync damaged-1")
	require.GreaterOrEqual(t, synced, 0, changes)
	require.Less(t, synced, slices.Index(changes, "rename "+tablesName), changes)
}

// TestNewDirectoryIsDurable: Open makes each name of a new directory durable in the directory above
// it, before anything is in there, also if an earlier process ended between the two.
func TestNewDirectoryIsDurable(t *testing.T) {
	for _, c := range []struct {
		name  string
		there string // what was there before
		want  []string
	}{
		{"one", "", []string{"root"}},
		{"several", "", []string{"root", "a", "b"}},
		{"made by a process that ended", "a/b/c", []string{"b"}},
		{"begun by a process that ended", "a", []string{"root", "a", "b"}},
		{"others in the one above", "a/other", []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			require.NoError(t, os.MkdirAll(filepath.Join(root, c.there), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o600))
			dir := filepath.Join(root, "a", "b", "c")
			if len(c.want) == 1 && c.there == "" {
				dir = filepath.Join(root, "a")
			}
			var synced []string
			o := Options{Logger: quiet(), unsynced: true,
				fault: func(c entryChange, path string) error {
					if c == entrySync && path != "" {
						synced = append(synced, filepath.Base(path))
					}
					return nil
				}}
			db, err := Open(dir, o)
			require.NoError(t, err)
			kill(db)
			require.Equal(t, c.want, synced)
			synced = nil
			db, err = Open(dir, o)
			require.NoError(t, err)
			kill(db)
			require.Empty(t, synced, "the directory is in use")
		})
	}
}

// TestNewDirectoryCannotBeSynced: Open fails, and the next one makes the directory durable.
func TestNewDirectoryCannotBeSynced(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o600))
	fails, tried := true, 0
	o := Options{Logger: quiet(), unsynced: true, fault: func(c entryChange, path string) error {
		if c == entrySync && path == root {
			tried++
			if fails {
				return errEntries
			}
		}
		return nil
	}}
	dir := filepath.Join(root, "data")
	for range 2 {
		_, err := Open(dir, o)
		require.ErrorIs(t, err, errEntries)
	}
	fails = false
	db, err := Open(dir, o)
	require.NoError(t, err)
	kill(db)
	require.Equal(t, 3, tried)
}

// TestDirectoryIsAFile: Open says so.
func TestDirectoryIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{file, filepath.Join(file, "below")} {
		_, err := Open(path, Options{Logger: quiet()})
		require.ErrorContains(t, err, file)
	}
}
