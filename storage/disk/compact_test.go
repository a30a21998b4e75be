package disk

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// mostlyFree is a directory whose tables have mostly free pages. The last changes are in its logs.
func mostlyFree(t *testing.T) (dir string, want contents) {
	dir = t.TempDir()
	db := mustOpen(t, dir, Options{})
	for i := range 400 {
		put(t, db, fmt.Sprint("bucket", i%2), fmt.Sprint("key", i), strings.Repeat("v", 1000))
	}
	require.NoError(t, db.Close())
	db = mustOpen(t, dir, Options{})
	load(t, db)
	for i := range 370 {
		var b journal.Batch
		b.Delete(fmt.Sprint("bucket", i%2), fmt.Sprint("key", i))
		require.NoError(t, db.Wait(db.Append(&b)))
	}
	require.NoError(t, db.Close())
	db = mustOpen(t, dir, Options{})
	want = load(t, db)
	put(t, db, "logged", "key", "value")
	want.Put([]byte("logged"), []byte("key"), []byte("value"))
	kill(db)
	return dir, want
}

func TestCompact(t *testing.T) {
	dir, want := mostlyFree(t)
	require.NoError(t,
		os.WriteFile(unfinished(tablesPath(dir)), []byte("of a run that was killed"), 0o600))
	before, after, err := Compact(dir, Options{Logger: quiet(), unsynced: true})
	require.NoError(t, err)
	require.Less(t, after, before/4)
	require.EqualValues(t, size(t, tablesPath(dir)), after)
	require.Equal(t, []string{"acknowledged", "log-00000004", "tables.db"}, files(t, dir),
		"the logs are in the tables")
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, want, got)

	_, again, err := Compact(dir, Options{Logger: quiet(), unsynced: true})
	require.NoError(t, err)
	require.Equal(t, after, again)
}

func size(t *testing.T, path string) int64 {
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

func TestCompactRefuses(t *testing.T) {
	compact := func(dir string) error {
		_, _, err := Compact(dir, Options{Logger: quiet(), unsynced: true})
		return err
	}
	t.Run("no data", func(t *testing.T) {
		dir := t.TempDir()
		require.ErrorContains(t, compact(dir), "has no data of kugiri")
		require.Empty(t, files(t, dir))
	})
	t.Run("in use", func(t *testing.T) {
		dir := t.TempDir()
		db := mustOpen(t, dir, Options{})
		defer db.Close()
		require.ErrorContains(t, compact(dir), "in use by another process")
	})
	t.Run("damaged", func(t *testing.T) {
		dir, _ := mostlyFree(t)
		flip(t, logPath(dir, 3), int64(logHeader+frameHeader), '?')
		before, err := os.ReadFile(tablesPath(dir))
		require.NoError(t, err)
		require.ErrorContains(t, compact(dir), "is damaged at byte")
		after, err := os.ReadFile(tablesPath(dir))
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

// TestCompactAtStart: a start compacts tables with much free space, and continues if that fails.
func TestCompactAtStart(t *testing.T) {
	for _, c := range []struct {
		name     string
		least    int64 // bytes that must be free
		hindered bool
		shorter  bool
	}{
		{"much is free", 100 << 10, false, true},
		{"too little is free", 10 << 20, false, false},
		{"there is no room", 100 << 10, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, want := mostlyFree(t)
			if c.hindered {
				require.NoError(t,
					os.MkdirAll(filepath.Join(unfinished(tablesPath(dir)), "in the way"), 0o700))
			}
			before := size(t, tablesPath(dir))
			var out strings.Builder
			db := mustOpen(t, dir,
				Options{compactBytes: c.least, Logger: slog.New(slog.NewTextHandler(&out, nil))})
			after := size(t, tablesPath(dir))
			require.Equal(t, want, load(t, db))
			put(t, db, "bucket", "late", "value")
			require.NoError(t, db.Close())
			require.Equal(t, c.shorter, after < before/2, "%d bytes, then %d", before, after)
			require.Equal(t, c.hindered, strings.Contains(out.String(), "could not be compacted"))
			got, err := openAndLoad(dir)
			require.NoError(t, err)
			want.Put([]byte("bucket"), []byte("late"), []byte("value"))
			require.Equal(t, want, got)
		})
	}
	t.Run("little of it is free", func(t *testing.T) {
		dir := t.TempDir()
		db := mustOpen(t, dir, Options{})
		put(t, db, "bucket", "key", strings.Repeat("v", 100<<10))
		require.NoError(t, db.Close())
		_, _, err := Compact(dir, Options{Logger: quiet(), unsynced: true})
		require.NoError(t, err)
		before, err := os.ReadFile(tablesPath(dir))
		require.NoError(t, err)
		require.NoError(t, mustOpen(t, dir, Options{compactBytes: 1}).Close())
		after, err := os.ReadFile(tablesPath(dir))
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}
