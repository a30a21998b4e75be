package disk

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// snapshot is the content of all files of a directory.
type snapshot map[string]string

func snapshotOf(t *testing.T, dir string) snapshot {
	s := snapshot{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		s[e.Name()] = string(content)
	}
	return s
}

// with returns the snapshot with another content of a file.
func (s snapshot) with(name string, content []byte) snapshot {
	c := maps.Clone(s)
	c[name] = string(content)
	return c
}

// restore makes a directory equal to a snapshot.
func (s snapshot) restore(t *testing.T, dir string) {
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.Mkdir(dir, 0o700))
	for name, content := range s {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
}

// busy makes two directories. The tables of both have buckets in pages of their own, deleted
// entries and free pages. The second one also has logs.
func busy(t *testing.T) (closed, killed string) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{logBytes: 8 << 10})
	random := rand.New(rand.NewPCG(7, 7))
	for range 600 {
		var b journal.Batch
		bucket, key := fmt.Sprint("bucket", random.IntN(3)), fmt.Sprint("key", random.IntN(250))
		if random.IntN(4) == 0 {
			b.Delete(bucket, key)
		} else {
			b.Put(bucket, key, strings.Repeat("v", random.IntN(700)))
		}
		require.NoError(t, db.Wait(db.Append(&b)))
	}
	put(t, db, "small", "key", "value")
	put(t, db, "long", "key", strings.Repeat("long", 5000))
	require.NoError(t, db.Close())
	closed = clone(t, dir)
	db = mustOpen(t, dir, Options{logBytes: 4 << 10})
	for i := range 30 {
		put(t, db, "late", fmt.Sprint("key", i), strings.Repeat("v", 300))
	}
	kill(db)
	return closed, dir
}

// damagePlaces is at how many offsets a file is damaged, and at how many it is cut: a few, and more
// with TEST_FULL=true.
func damagePlaces() int {
	if os.Getenv("TEST_FULL") != "" {
		return 200
	}
	return 50
}

// TestDamage: whatever bit of a file changes, and wherever a file is cut, either the contents are
// the same, or an error names the file and the offset and the directory stays unchanged.
func TestDamage(t *testing.T) {
	closed, killed := busy(t)
	for _, c := range []struct{ name, dir string }{
		{"closed", closed}, {"killed", killed},
		{"version 1, closed", "testdata/version1-closed"},
		{"version 1, killed", "testdata/version1-killed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := snapshotOf(t, c.dir)
			whole[lockName] = ""
			dir := filepath.Join(t.TempDir(), "data")
			whole.restore(t, dir)
			want, err := openAndLoad(dir)
			require.NoError(t, err)
			for name := range whole {
				if name == lockName || strings.HasPrefix(c.dir, "testdata") && name != tablesName {
					continue // a cut looks like an incomplete write in version 1
				}
				t.Run(name, func(t *testing.T) {
					d := damaging{
						t: t, dir: dir, name: name, whole: whole, want: want,
						random: rand.New(rand.NewPCG(1, 2)), changed: true,
					}
					for range damagePlaces() {
						d.flip()
						d.cut()
					}
					t.Logf("%d of %d damages were noticed; %d repairs lost %d entries", d.noticed,
						2*damagePlaces(), d.repaired, d.lost)
					assert.Positive(t, d.noticed)
				})
			}
		})
	}
}

// damaging damages one file of a directory again and again.
type damaging struct {
	t         *testing.T
	dir, name string
	whole     snapshot
	want      contents
	random    *rand.Rand
	changed   bool // the start changed other files

	noticed, repaired, lost int
}

func (d *damaging) flip() {
	at := d.random.IntN(8 * len(d.whole[d.name]))
	content := []byte(d.whole[d.name])
	content[at/8] ^= 1 << (at % 8)
	d.try(content, fmt.Sprintf("bit %d of byte %d", at%8, at/8))
}

func (d *damaging) cut() {
	at := d.random.IntN(len(d.whole[d.name]))
	d.try([]byte(d.whole[d.name])[:at], fmt.Sprintf("cut at byte %d", at))
}

// try starts with another content of the file.
func (d *damaging) try(content []byte, what string) {
	if d.changed {
		d.whole.restore(d.t, d.dir)
	}
	path := filepath.Join(d.dir, d.name)
	require.NoError(d.t, os.Remove(path)) // some file systems sync a file that is truncated
	require.NoError(d.t, os.WriteFile(path, content, 0o600))
	got, err := openAndLoad(d.dir)
	if d.changed = err == nil; d.changed {
		require.Equal(d.t, d.want, got, what)
		return
	}
	d.noticed++
	var damaged *DamagedError
	require.ErrorAs(d.t, err, &damaged, what)
	require.Equal(d.t, path, damaged.File, "%s: %v", what, err)
	require.GreaterOrEqual(d.t, damaged.Offset, int64(0), "%s: %v", what, err)
	require.True(d.t, maps.Equal(d.whole.with(d.name, content), snapshotOf(d.t, d.dir)), what)
	if d.noticed%20 == 0 {
		d.repair(err, what)
	}
}

// repair checks and repairs the directory after a start has failed.
func (d *damaging) repair(refused error, what string) {
	damaged := snapshotOf(d.t, d.dir)
	checked, err := Check(d.dir, anything)
	require.NoError(d.t, err, what)
	require.EqualError(d.t, checked.Problem, refused.Error(), what)
	require.Equal(d.t, damaged, snapshotOf(d.t, d.dir), what)

	d.changed = true
	report, err := Repair(d.dir,
		func(j journal.Journal, _ *journal.Batch) error { return anything(j) })
	require.NoError(d.t, err, what)
	require.Equal(d.t, checked.Lost, report.Lost, what)
	aside := snapshotOf(d.t, report.Aside)
	for name, content := range damaged {
		require.True(d.t, name == lockName || aside[name] == content, "%s: %s is not set aside",
			what, name)
	}
	got, err := openAndLoad(d.dir)
	require.NoError(d.t, err, what)
	lost := lostOf(d.want, got)
	if len(report.Lost) == 0 {
		require.Empty(d.t, lost, what)
	}
	d.repaired, d.lost = d.repaired+1, d.lost+len(lost)
}

// anything accepts every journal that can be loaded.
func anything(j journal.Journal) error {
	return j.Load(func(_, _, _ []byte) error { return nil })
}

// lostOf returns the keys whose values have changed.
func lostOf(before, after contents) (lost []string) {
	for bucket, values := range before {
		for key, value := range values {
			if after[bucket][key] != value {
				lost = append(lost, bucket+"/"+key)
			}
		}
	}
	return lost
}

// TestCutAtGroups: a log that is cut behind a group other than the last one is damaged.
func TestCutAtGroups(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	var ends []int64
	for i := range 5 {
		ends = append(ends, db.log.size)
		put(t, db, "bucket", fmt.Sprint("key", i), "value")
	}
	kill(db)
	for _, end := range ends {
		cut := clone(t, dir)
		require.NoError(t, os.Truncate(logPath(cut, 1), end))
		before := snapshotOf(t, cut)
		_, err := openAndLoad(cut)
		var damaged *DamagedError
		require.ErrorAs(t, err, &damaged)
		require.Equal(t, DamagedError{logPath(cut, 1), end, damaged.Reason}, *damaged)
		require.Contains(t, damaged.Reason, "acknowledged")
		require.Equal(t, before, snapshotOf(t, cut))
	}
}

// TestAcknowledged: the marks show whether the last log lacks acknowledged writes.
func TestAcknowledged(t *testing.T) {
	here, there := bootID{1}, bootID{2}
	for _, c := range []struct {
		name   string
		level  Sync
		synced bool   // the log was synced before the end
		boot   bootID // the run of the system at the start
		cut    int64  // bytes from the end
		marks  bool   // the marks are those of an earlier moment
		fine   bool
		warned string
	}{
		{"whole", Relaxed, false, here, 0, false, true, ""},
		{"cut, relaxed", Relaxed, false, here, 1, false, false, ""},
		{"cut, strict", Strict, false, here, 1, false, false, ""},
		{"cut after a power cut, relaxed", Relaxed, false, there, 1, false, true,
			"did not reach the device"},
		{"cut after a power cut, relaxed and synced", Relaxed, true, there, 1, false, false, ""},
		{"cut after a power cut, strict", Strict, false, there, 1, false, false, ""},
		{"written and not acknowledged", Relaxed, false, here, 0, true, true, ""},
		{"cut off and not acknowledged", Relaxed, false, here, 1, true, true, "never acknowledged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := mustOpen(t, dir, Options{Sync: c.level, boot: here})
			put(t, db, "bucket", "first", "value")
			marks, err := os.ReadFile(marksPath(dir))
			require.NoError(t, err)
			put(t, db, "bucket", "second", "value")
			if c.synced {
				db.log.sync()
			}
			size := db.log.size
			kill(db)
			if c.marks {
				require.NoError(t, os.WriteFile(marksPath(dir), marks, 0o600))
			}
			require.NoError(t, os.Truncate(logPath(dir, 1), size-c.cut))
			var out bytes.Buffer
			db, err = openUnsynced(dir,
				Options{boot: c.boot, Logger: slog.New(slog.NewTextHandler(&out, nil))})
			if !c.fine {
				var damaged *DamagedError
				require.ErrorAs(t, err, &damaged)
				return
			}
			require.NoError(t, err)
			require.Contains(t, out.String(), c.warned)
			require.Equal(t, c.warned == "", out.Len() == 0, out.String())
			got := load(t, db)["bucket"]
			require.Len(t, got, 2-int(c.cut))
			require.NoError(t, db.Close())
			_, err = openAndLoad(dir)
			require.NoError(t, err, "the marks are of now")
		})
	}
}

// TestEarlierVersion: Open converts a directory of version 1 to the present version.
func TestEarlierVersion(t *testing.T) {
	for name, more := range map[string]int{"version1-closed": 0, "version1-killed": 5} {
		t.Run(name, func(t *testing.T) {
			dir := clone(t, filepath.Join("testdata", name))
			for range 2 {
				got, err := openAndLoad(dir)
				require.NoError(t, err)
				require.Len(t, got, 3)
				require.Len(t, got["bucket0"], 7+more)
				require.Equal(t, "value 3", got["bucket0"]["key3"])
			}
			read, err := verifyTables(tablesPath(dir))
			require.NoError(t, err)
			require.EqualValues(t, tablesVersion, read.version)
			require.NoError(t, os.Remove(marksPath(dir)))
			_, err = openAndLoad(dir)
			require.ErrorContains(t, err, marksPath(dir)+" is missing")
		})
	}
}

// TestEarlierVersionIsKept: the files of version 1 are there, as they were, until the first Close
// that succeeds, also if the process that converts them is killed.
func TestEarlierVersionIsKept(t *testing.T) {
	for _, name := range []string{"version1-closed", "version1-killed"} {
		t.Run(name, func(t *testing.T) {
			dir := clone(t, filepath.Join("testdata", name))
			before := filesOf(t, dir)
			db, err := Open(dir, Options{})
			require.NoError(t, err)
			require.Equal(t, before, filesOf(t, olderPath(dir)))
			killed := clone(t, dir) // a kill leaves the directory like this
			require.NoError(t, db.Load(func(_, _, _ []byte) error { return nil }))
			require.NoError(t, db.Close())
			require.NoDirExists(t, olderPath(dir))

			again, err := Open(killed, Options{})
			require.NoError(t, err)
			require.Equal(t, before, filesOf(t, olderPath(killed)))
			require.NoError(t, again.Load(func(_, _, _ []byte) error { return nil }))
			require.NoError(t, again.Close())
			require.NoDirExists(t, olderPath(killed))
			_, err = openAndLoad(killed)
			require.NoError(t, err)
			require.NoDirExists(t, olderPath(killed))
		})
	}
}

// filesOf returns the contents of the files of a directory, but of the lock.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || e.Name() == lockName {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(content)
	}
	return files
}

// FuzzParseMarks: any content is accepted or rejected, and accepted marks are those that were
// written.
func FuzzParseMarks(f *testing.F) {
	dir := f.TempDir()
	if err := createMarks(dir, true, nil); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(marksPath(dir))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add(content[:sector])
	f.Fuzz(func(t *testing.T, content []byte) {
		found, err := parseMarks("marks", content)
		if err != nil {
			require.ErrorContains(t, err, "marks is ")
			return
		}
		require.Len(t, found, 2)
	})
}

// FuzzReadTables: reading any content ends, and bbolt can read whatever a start accepts.
func FuzzReadTables(f *testing.F) {
	for _, name := range []string{"version1-closed", "version1-killed"} {
		content, err := os.ReadFile(tablesPath(filepath.Join("testdata", name)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	fresh := &tables{path: filepath.Join(f.TempDir(), tablesName), unsynced: true}
	if err := fresh.create(position{next: 1}); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(fresh.path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), tablesName)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		kept := func(string, []byte, []byte) error { return nil }
		if _, err := readTables(path, kept,
			func(*tablesReader, loss) error { return nil }); err != nil {
			require.ErrorContains(t, err, path)
		}
		read, err := verifyTables(path)
		if err != nil || read.version != tablesVersion {
			return
		}
		tables := &tables{path: path, unsynced: true}
		require.NoError(t, tables.open(read.at))
		require.NoError(t, tables.load(func(_, _, _ []byte) error { return nil }, nil))
		require.NoError(t, tables.close())
	})
}

// FuzzSalvageLog: a repair finds everything in a log that a start would accept.
func FuzzSalvageLog(f *testing.F) {
	content, err := os.ReadFile(logPath(filepath.Join("testdata", "version1-killed"), 2))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add(append(bytes.Clone(content[:200]), content...))
	first := order.Uint64(content[len(logMagic)+12:])
	f.Fuzz(func(t *testing.T, content []byte) {
		l := salvageLog("log", content, 2)
		s, err := parseSegment("log", content, 2, first)
		if err != nil {
			return
		}
		require.GreaterOrEqual(t, len(l.groups), len(s.groups))
		for i := range s.groups {
			require.Equal(t, s.groups[i], l.groups[i].payload)
		}
	})
}
