package disk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// BenchmarkStart opens and loads a directory with 200,000 entries of 1 KB, after a
// clean end, and after a kill when some of them were in logs.
func BenchmarkStart(b *testing.B) {
	const entries = 200_000
	for _, c := range []struct {
		name   string
		logged int // entries that are in logs only
	}{
		{"after a clean end", 0},
		{"after a kill with an eighth in logs", entries / 8},
		{"after a kill with everything in logs", entries},
	} {
		b.Run(c.name, func(b *testing.B) {
			whole := b.TempDir()
			fillDirectory(b, whole, entries, c.logged)
			for b.Loop() {
				b.StopTimer()
				dir := b.TempDir()
				require.NoError(b, os.CopyFS(dir, os.DirFS(whole)))
				b.StartTimer()
				db, err := Open(dir, Options{Logger: quiet()})
				require.NoError(b, err)
				n := 0
				require.NoError(b, db.Load(func(_, _, _ []byte) error { n++; return nil }))
				require.Equal(b, entries, n)
				b.StopTimer()
				require.NoError(b, db.Close())
				require.NoError(b, os.RemoveAll(dir))
				b.StartTimer()
			}
		})
	}
}

// fillDirectory writes entries, and leaves the last ones in the logs.
func fillDirectory(b *testing.B, dir string, entries, logged int) {
	value, order := strings.Repeat("v", 1000), rand.New(rand.NewPCG(1, 2)).Perm(entries)
	write := func(db *DB, keys []int) {
		var batch journal.Batch
		for _, key := range keys {
			batch.Reset()
			batch.Put("bucket", fmt.Sprintf("key %08d", key), value)
			require.NoError(b, db.Wait(db.Append(&batch)))
		}
	}
	db := mustOpen(b, dir, Options{})
	write(db, order[logged:])
	require.NoError(b, db.Close())
	if logged == 0 {
		return
	}
	db = mustOpen(b, dir, Options{})
	db.log.ended = func(uint64) {} // no log is applied
	write(db, order[:logged])
	kill(db)
}
