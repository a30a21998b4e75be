package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// repaired repairs a directory and returns what was lost, in words, and what is kept.
func repaired(t *testing.T, dir string) (*Report, contents) {
	report, err := Repair(dir,
		func(j journal.Journal, _ *journal.Batch) error { return anything(j) })
	require.NoError(t, err)
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	return report, got
}

// numbered makes a closed directory with many entries in a bucket, all with different values.
func numbered(t *testing.T) (string, contents) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{logBytes: 100 << 10})
	for i := range 500 {
		put(t, db, "bucket", fmt.Sprintf("key%04d", i),
			fmt.Sprintf("value%04d%s", i, strings.Repeat(".", 100)))
	}
	put(t, db, "other", "key", "value")
	require.NoError(t, db.Close())
	want, err := openAndLoad(clone(t, dir))
	require.NoError(t, err)
	return dir, want
}

// change replaces the last occurrence of a text in a file.
func change(t *testing.T, path, old, new string) {
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	at := bytes.LastIndex(content, []byte(old))
	require.GreaterOrEqual(t, at, 0)
	copy(content[at:], new)
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

func TestRepairOneValue(t *testing.T) {
	dir, want := numbered(t)
	change(t, tablesPath(dir), "value0077", "valuE")
	report, got := repaired(t, dir)
	require.Equal(t,
		[]Lost{{Bucket: []byte("bucket"), Entries: 1,
			Ranges: []LostRange{{[]byte("key0077"), []byte("key0077")}}}}, report.Lost)
	delete(want["bucket"], "key0077")
	require.Equal(t, want, got)
	require.EqualValues(t, 500, report.Entries)
	require.Contains(t, report.Problem.Error(), "the entry 6b657930303737 of the bucket")
}

// TestRepairBranch: a repair finds the pages that only a lost page refers to.
func TestRepairBranch(t *testing.T) {
	for _, c := range []struct {
		name string
		kind uint16
	}{{"a branch", branchPage}, {"a leaf", leafPage}} {
		t.Run(c.name, func(t *testing.T) {
			dir, want := numbered(t)
			content, err := os.ReadFile(tablesPath(dir))
			require.NoError(t, err)
			read, err := verifyTables(tablesPath(dir))
			require.NoError(t, err)
			// the root of the bucket, a branch
			id := order.Uint64(read.buckets[bucketPrefix+"bucket"].value)
			if c.kind == leafPage {
				id = order.Uint64(content[id*pageSize+pageHeader+8:])
			}
			page := content[id*pageSize:]
			require.Equal(t, c.kind, order.Uint16(page[8:]))
			page[8] = 0xff
			require.NoError(t, os.WriteFile(tablesPath(dir), content, 0o600))
			report, got := repaired(t, dir)
			require.Empty(t, report.Lost)
			require.Equal(t, want, got)
		})
	}
}

// TestRepairRoot: a wrong bit in a root loses nothing.
func TestRepairRoot(t *testing.T) {
	for i := range int64(2) {
		dir, want := numbered(t)
		content, err := os.ReadFile(tablesPath(dir))
		require.NoError(t, err)
		at := i*pageSize + pageHeader + 18
		flip(t, tablesPath(dir), at, content[at]^0x10)
		_, err = openAndLoad(dir)
		require.EqualError(t, err,
			fmt.Sprintf("%s is damaged at byte %d: a bit of a root is wrong", tablesPath(dir), at))
		report, got := repaired(t, dir)
		require.Empty(t, report.Lost)
		require.Equal(t, want, got)
	}
}

func TestRepairLog(t *testing.T) {
	filled := func(t *testing.T) string {
		dir := t.TempDir()
		db := mustOpen(t, dir, Options{})
		for i := range 9 {
			put(t, db, "bucket", fmt.Sprint("key", i), fmt.Sprint("value", i))
		}
		kill(db)
		return dir
	}
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		lost   []string
		what   string
	}{
		{"a group",
			func(t *testing.T, dir string) { change(t, logPath(dir, 1), "value4", "VALUE") },
			[]string{"bucket/key4"}, "the writes of groups 5 to 5"},
		{"the header", func(t *testing.T, dir string) { change(t, logPath(dir, 1), logMagic, "?") },
			nil, ""},
		{"the end", func(t *testing.T, dir string) {
			content, err := os.ReadFile(logPath(dir, 1))
			require.NoError(t, err)
			require.NoError(t, os.Truncate(logPath(dir, 1), int64(len(content)-1)))
		}, []string{"bucket/key8"}, "the writes of groups 9 to 9"},
		{"the marks",
			func(t *testing.T, dir string) { require.NoError(t, os.Remove(marksPath(dir))) }, nil,
			""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filled(t)
			want, err := openAndLoad(clone(t, dir))
			require.NoError(t, err)
			c.damage(t, dir)
			_, err = openAndLoad(dir)
			require.Error(t, err)
			report, got := repaired(t, dir)
			require.Equal(t, c.lost, lostOf(want, got))
			if c.what != "" {
				require.Equal(t, []Lost{{What: c.what, Entries: -1}}, report.Lost)
			}
		})
	}
}

// TestRepairMissing: a repair of an incomplete directory keeps what is there.
func TestRepairMissing(t *testing.T) {
	_, dir := busy(t) // its tables have entries that no log has
	want, err := openAndLoad(clone(t, dir))
	require.NoError(t, err)
	require.NoError(t, os.Remove(tablesPath(dir)))
	report, got := repaired(t, dir)
	require.NotEmpty(t, lostOf(want, got))
	require.NotEmpty(t, got)
	require.Equal(t, "everything in tables.db", report.Lost[0].What)

	_, err = Repair(t.TempDir(), nil)
	require.ErrorContains(t, err, "has no data of kugiri")
}

func TestRepairRefused(t *testing.T) {
	dir, want := numbered(t)
	change(t, tablesPath(dir), "value0077", "valuE")
	before := snapshotOf(t, dir)
	cannot := errors.New("it does not go together")
	_, err := Repair(dir, func(journal.Journal, *journal.Batch) error { return cannot })
	require.ErrorIs(t, err, cannot)
	require.Equal(t, before, snapshotOf(t, dir))

	_, err = Repair(dir, func(j journal.Journal, b *journal.Batch) error {
		return j.Load(func(bucket, key, _ []byte) error {
			if string(key) == "key0078" {
				b.Delete(string(bucket), string(key))
			}
			return nil
		})
	})
	require.NoError(t, err)
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	delete(want["bucket"], "key0077")
	delete(want["bucket"], "key0078")
	require.Equal(t, want, got)
}

// TestRepairInterrupted: the losses stay reported until a repair is complete.
func TestRepairInterrupted(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	for i := range 9 {
		put(t, db, "bucket", fmt.Sprint("key", i), "value")
	}
	kill(db)
	log, err := os.ReadFile(logPath(dir, 1))
	require.NoError(t, err)
	groups := salvageLog(logPath(dir, 1), log, 1).groups
	require.NoError(t,
		os.Truncate(logPath(dir, 1), int64(len(log)-len(groups[8].payload)-frameHeader)))

	for range 2 {
		_, err = Repair(dir, func(j journal.Journal, _ *journal.Batch) error {
			// so that it cannot be installed
			return errors.Join(anything(j), os.Remove(unfinished(tablesPath(dir))))
		})
		require.ErrorIs(t, err, fs.ErrNotExist)
		report, err := Check(dir, anything)
		require.NoError(t, err)
		require.ErrorContains(t, report.Problem, "groups 9 to 9, which were acknowledged")
		_, err = openAndLoad(dir)
		require.EqualError(t, err, report.Problem.Error())
	}
	report, got := repaired(t, dir)
	require.Equal(t, []Lost{{What: "the writes of groups 9 to 9", Entries: -1}}, report.Lost)
	require.Len(t, got["bucket"], 8)
}

// TestSound: Check and Repair do not change a sound directory, even if parts of it look like
// damage.
func TestSound(t *testing.T) {
	closed, killed := busy(t)
	torn := clone(t, killed)
	f, err := os.OpenFile(logPath(torn, 25), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("KGRG")
	require.NoError(t, errors.Join(err, f.Close()))
	for name, dir := range map[string]string{"closed": closed, "killed": killed, "torn": torn,
		"version 1": clone(t, filepath.Join("testdata", "version1-killed"))} {
		t.Run(name, func(t *testing.T) {
			want, err := openAndLoad(clone(t, dir))
			require.NoError(t, err)
			before := snapshotOf(t, dir)
			got, last := contents{}, ""
			report, err := Check(dir, func(j journal.Journal) error {
				return j.Load(func(bucket, key, value []byte) error {
					here := string(bucket) + "\x00" + string(key)
					require.Less(t, last, here, "not in order")
					last = here
					got.Put(bucket, key, value)
					return nil
				})
			})
			require.NoError(t, err)
			require.NoError(t, report.Problem)
			require.Empty(t, report.Lost)
			require.Equal(t, want, got)
			require.Equal(t, before, snapshotOf(t, dir))

			report, err = Repair(dir,
				func(j journal.Journal, _ *journal.Batch) error { return anything(j) })
			require.NoError(t, err)
			require.NoError(t, report.Problem)
			require.Empty(t, report.Aside)
			delete(before, lockName)
			after := snapshotOf(t, dir)
			delete(after, lockName)
			require.Equal(t, before, after)
		})
	}
}

func TestCheckInUse(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir, Options{})
	defer db.Close()
	_, err := Check(dir, anything)
	require.ErrorContains(t, err, "in use by another process")
	_, err = Repair(dir, nil)
	require.ErrorContains(t, err, "in use by another process")
}
