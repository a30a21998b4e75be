package disk

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// garbage is an open DB whose data becomes free, for the most part, with the log that ends next.
type garbage struct {
	db    *DB
	mu    sync.Mutex // orders writes and want
	want  contents
	rest  func()     // called when the compaction rests
	ended chan error // gets how each compaction ends
}

// newGarbage writes a bucket that stays and one that it drops. The compaction rests often. o may
// change how it works.
func newGarbage(t *testing.T, dir string, logger *slog.Logger, o func(*background),
	fault func(entryChange, string) error) *garbage {
	g := &garbage{want: contents{}, rest: func() {}, ended: make(chan error, 100)}
	g.db = mustOpen(t,
		dir, Options{logBytes: 20 << 10, pause: time.Millisecond, compactBytes: 100 << 10,
			retry: never, Logger: logger, fault: fault, background: func(b *background) {
				b.step, b.rest = 2000, func() { g.rest() }
				b.ended = func(err error) { g.ended <- err }
				if o != nil {
					o(b)
				}
			}})
	load(t, g.db)
	for i := range 400 {
		put(t, g.db, "garbage", fmt.Sprint("key", i), strings.Repeat("v", 1000))
		if i%20 == 0 {
			g.put(t, fmt.Sprint("key", i))
		}
	}
	return g
}

// put writes a value that stays.
func (g *garbage) put(t *testing.T, key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	put(t, g.db, "kept", key, strings.Repeat("k", 1000))
	g.want.Put([]byte("kept"), []byte(key), []byte(strings.Repeat("k", 1000)))
}

// drop drops the bucket, and ends the log in which that is.
func (g *garbage) drop(t *testing.T) {
	var b journal.Batch
	b.Drop("garbage")
	require.NoError(t, g.db.Wait(g.db.Append(&b)))
	g.endLog(t, "dropped")
}

func (g *garbage) endLog(t *testing.T, key string) {
	for i := range 20 {
		g.put(t, fmt.Sprint(key, i))
	}
}

// TestCompactInBackground: a process that goes on writing gives back what is free.
func TestCompactInBackground(t *testing.T) {
	dir := t.TempDir()
	g := newGarbage(t, dir, quiet(), nil, nil)
	before, during := int64(0), 0
	g.rest = func() {
		if during++; during == 1 {
			before = size(t, tablesPath(dir))
		}
		g.put(t, fmt.Sprint("during", during))
	}
	g.drop(t)
	require.NoError(t, <-g.ended)
	require.Greater(t, during, 5, "clients wrote while it rested")
	require.Less(t, size(t, tablesPath(dir)), before/4)
	g.endLog(t, "after")
	require.NoError(t, g.db.Close())
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, g.want, got)
	require.NoFileExists(t, unfinished(tablesPath(dir)))
}

// watched is an open DB, and what its background sees each time that it may begin.
type watched struct {
	db    *DB
	want  contents
	looks chan look
	ended chan error
	rests int // read it after ended

	// the fields of the goroutine that applies logs; read them after the DB is closed
	all        []look
	compacting bool
}

type look struct {
	applied uint64  // the last log
	share   float64 // the share of garbage
	begins  bool
}

func newWatched(t *testing.T, dir string, step int) *watched {
	w := &watched{want: contents{}, looks: make(chan look, 1000), ended: make(chan error, 10)}
	w.db = mustOpen(t, dir, Options{logBytes: 20 << 10, pause: time.Millisecond, compactBytes: 1,
		retry: never, Logger: quiet(), background: func(b *background) {
			b.step, b.rest = step, func() { w.rests++ }
			b.ended = func(err error) { w.compacting = false; w.ended <- err }
			stop := b.stop
			b.stop = func() error { // it is asked before each look, and after each rest
				err := stop()
				if err == nil && !w.compacting {
					size, free, err := w.db.tables.free()
					if err != nil {
						t.Error(err)
					}
					seen := look{w.db.tables.at.applied, float64(free) / float64(size), false}
					w.all = append(w.all, seen)
					w.looks <- seen
				}
				return err
			}
			b.room = func(int64) bool {
				w.all[len(w.all)-1].begins, w.compacting = true, true
				return true
			}
		}})
	load(t, w.db)
	return w
}

func (w *watched) put(t *testing.T, bucket string, i int) {
	key, value := fmt.Sprintf("key%02d", i), strings.Repeat("v", 1000)
	put(t, w.db, bucket, key, value)
	w.want.Put([]byte(bucket), []byte(key), []byte(value))
}

// share ends the log, and returns what is garbage when it was applied.
func (w *watched) share(t *testing.T) float64 {
	n := w.db.log.number
	for i := 0; w.db.log.number == n; i++ {
		w.put(t, "last", i%20) // the same entries again make little garbage
	}
	for {
		if seen := <-w.looks; seen.applied >= n {
			return seen.share
		}
	}
}

// TestCompactInBackgroundAboveHalf: tables with just less than half garbage stay as they are, those
// with more are rewritten, and the rewriting rests after each step.
func TestCompactInBackgroundAboveHalf(t *testing.T) {
	const step, parts, entries = 2000, 20, 20
	dir := t.TempDir()
	w := newWatched(t, dir, step)
	for part := range parts {
		for i := range entries {
			w.put(t, fmt.Sprint("part", part), i)
		}
	}
	most := 0.0
	for part, share := 0, w.share(t); share < 0.5; part++ {
		most = max(most, share)
		require.Less(t, part, parts)
		var b journal.Batch
		b.Drop(fmt.Sprint("part", part))
		require.NoError(t, w.db.Wait(w.db.Append(&b)))
		delete(w.want, fmt.Sprint("part", part))
		share = w.share(t)
	}
	require.Greater(t, most, 0.4, "one look was at a little less than half")
	require.NoError(t, <-w.ended)
	kept := 0
	for _, bucket := range w.want {
		kept += len(bucket) * 1000
	}
	require.GreaterOrEqual(t, w.rests, kept/(step+1100))
	require.NoError(t, w.db.Close())
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, w.want, got)
	for i, seen := range w.all {
		require.Equal(t, seen.share >= 0.5, seen.begins, "look %d at %.3f", i, seen.share)
	}
}

// TestCompactInBackgroundKilled: whenever the process is killed, all of it is there.
func TestCompactInBackgroundKilled(t *testing.T) {
	dir, copies := t.TempDir(), t.TempDir()
	g := newGarbage(t, dir, quiet(), nil, nil)
	type moment struct {
		dir  string
		want contents
	}
	var moments []moment
	killed := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		m := moment{filepath.Join(copies, fmt.Sprint(len(moments))), g.want.clone()}
		// a log that was applied may go away between the listing and its copy: copy again
		for err := os.CopyFS(m.dir, os.DirFS(dir)); err != nil; {
			require.ErrorIs(t, err, fs.ErrNotExist)
			require.NoError(t, os.RemoveAll(m.dir))
			err = os.CopyFS(m.dir, os.DirFS(dir))
		}
		moments = append(moments, m)
	}
	g.rest = func() {
		g.put(t, fmt.Sprint("during", len(moments)))
		killed()
	}
	g.drop(t)
	require.NoError(t, <-g.ended)
	killed()
	kill(g.db)
	require.Greater(t, len(moments), 5)
	for i, m := range moments {
		if i < len(moments)-1 {
			require.FileExists(t, unfinished(tablesPath(m.dir)), "it was killed at work")
		}
		got, err := openAndLoad(m.dir)
		require.NoError(t, err)
		require.Equal(t, m.want, got)
		require.NoFileExists(t, unfinished(tablesPath(m.dir)))
	}
}

// TestCompactInBackgroundYields: it ends when many logs wait, and does not begin again before many
// were applied.
func TestCompactInBackgroundYields(t *testing.T) {
	dir := t.TempDir()
	g := newGarbage(t, dir, quiet(), nil, nil)
	rests := 0
	g.rest = func() {
		for rests++; rests == 1 && len(g.db.ended) < logsBeforeHurry; {
			g.endLog(t, "hurry")
		}
	}
	g.drop(t)
	require.ErrorIs(t, <-g.ended, errYield)
	require.Equal(t, 1, rests)
	from := g.db.log.number
	for len(g.ended) == 0 {
		g.endLog(t, "later")
		applied := logPath(dir, g.db.log.number-1)
		require.Eventually(t, func() bool {
			_, err := os.Stat(applied)
			return os.IsNotExist(err)
		}, time.Minute, time.Millisecond)
	}
	require.NoError(t, <-g.ended)
	require.GreaterOrEqual(t, g.db.log.number-from, uint64(logsAfterFailure-logsWaiting))
	require.NoError(t, g.db.Close())
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, g.want, got)
}

// TestCompactInBackgroundHindered: what hinders it hinders nobody else.
func TestCompactInBackgroundHindered(t *testing.T) {
	for _, c := range []struct {
		name string
		room bool
		log  string
	}{
		{"no room", false, ""},
		{"no file", true, "could not be compacted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, asked := t.TempDir(), make(chan bool, 100)
			var out lockedBuffer
			g := newGarbage(t, dir, slog.New(slog.NewTextHandler(&out, nil)), func(b *background) {
				b.room = func(int64) bool { asked <- true; return c.room }
			}, nil)
			require.NoError(t,
				os.MkdirAll(filepath.Join(unfinished(tablesPath(dir)), "in the way"), 0o700))
			g.drop(t)
			<-asked
			if c.room {
				require.Error(t, <-g.ended)
			}
			g.endLog(t, "after")
			require.NoError(t, g.db.Close())
			require.Empty(t, g.ended)
			require.Contains(t, out.String(), c.log)
			got, err := openAndLoad(dir)
			require.NoError(t, err)
			require.Equal(t, g.want, got)
		})
	}
}

// TestCompactInBackgroundEndsWithTheDB: Close does not wait for it.
func TestCompactInBackgroundEndsWithTheDB(t *testing.T) {
	dir := t.TempDir()
	g := newGarbage(t, dir, quiet(), nil, nil)
	closing, closed := make(chan bool), make(chan error)
	g.rest = func() {
		close(closing) // a second rest would panic
		<-g.db.done
	}
	g.drop(t)
	go func() {
		<-closing
		closed <- g.db.Close()
	}()
	require.ErrorIs(t, <-g.ended, errYield)
	require.NoError(t, <-closed)
	require.NoFileExists(t, unfinished(tablesPath(dir)))
	got, err := openAndLoad(dir)
	require.NoError(t, err)
	require.Equal(t, g.want, got)
}
