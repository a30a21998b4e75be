package storage

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// TestSlabs: items in one slab stay as they were put, whatever happens to the others, to the memory
// that they were put from, and to the table in a fork.
func TestSlabs(t *testing.T) {
	const n = 3000
	s, table := newTestStore(t, testIndexes...)
	x := func(text string) item.Attribute {
		return item.Attribute{Name: "x", Value: item.String(text)}
	}
	g := func(i int) item.Attribute {
		return item.Attribute{Name: "g", Value: item.String(fmt.Sprint("g", i%7))}
	}
	made := func(i int, text string) item.Item {
		return testItem(fmt.Sprint("p", i%50), fmt.Sprint(i), x(text), g(i))
	}
	want := map[*Store]map[int]string{s: {}}
	write := func(s *Store, i int, text string) {
		update(t, s, func(tx *Tx) {
			table := tx.Table(table.Name)
			it, k := []byte(made(i, text)), mustKey(table, made(i, text))
			key := []byte(k.Text)
			if text == "" {
				tx.Delete(table, Key{k.Hash, raw.String(key)})
				delete(want[s], i)
			} else {
				tx.Put(table, Key{k.Hash, raw.String(key)}, item.Item(raw.String(it)))
				want[s][i] = text
			}
			clear(it) // a request's memory is used again
			clear(key)
		})
	}
	check := func(s *Store) {
		require.NoError(t, s.Check())
		require.NoError(t, s.View(func(tx *Tx) error {
			table := tx.Table(table.Name)
			require.Equal(t, int64(len(want[s])), tx.Tables().Stats(table).Items)
			for i, text := range want[s] {
				require.Equal(t, made(i, text), tx.Get(table, mustKey(table, made(i, ""))))
			}
			return nil
		}))
	}
	for i := range n {
		write(s, i, strings.Repeat("a", i%90))
	}
	require.NotZero(t, table.items.placed)
	require.NotZero(t, table.texts.placed)
	check(s)

	fork := s.Fork()
	want[fork] = map[int]string{}
	for i, text := range want[s] {
		want[fork][i] = text
	}
	for i := range n {
		switch i % 4 {
		case 0:
			write(s, i, "")
			write(fork, n+i, "of the fork")
		case 1:
			write(s, n+i, "of the first")
			write(fork, i, "written over")
		case 2:
			write(s, i, "written over")
			write(fork, i, "")
		}
	}
	check(s)
	check(fork)
}

// TestSlabsAfterDeletions: when most items were deleted, in whatever order, the table and its
// indexes free their memory.
func TestSlabsAfterDeletions(t *testing.T) {
	const n, left = 20_000, 50
	s, table := newTestStore(t, testIndexes...)
	g := item.Attribute{Name: "g", Value: item.String("g")}
	x := item.Attribute{Name: "x", Value: item.String(strings.Repeat("x", 1000))}
	made := func(i int) item.Item { return testItem("a", fmt.Sprint(i), g, x) }
	before := liveBytes()
	update(t, s, func(tx *Tx) {
		for i := range n {
			tx.Put(table, mustKey(table, made(i)), made(i))
		}
	})
	full := liveBytes() - before
	require.Greater(t, full, int64(n*1000))
	fork := s.Fork()
	for _, s := range []*Store{s, fork} {
		update(t, s, func(tx *Tx) {
			table := tx.Table(table.Name)
			for i := range n {
				if i%left != 0 {
					tx.Delete(table, mustKey(table, made(i)))
				}
			}
		})
		require.NoError(t, s.Check())
		require.NoError(t, s.View(func(tx *Tx) error {
			for i := 0; i < n; i += left {
				require.Equal(t, made(i), tx.Get(tx.Table(table.Name), mustKey(table, made(i))))
			}
			return nil
		}))
	}
	require.Less(t, liveBytes()-before, full/4)
	runtime.KeepAlive(s)
	runtime.KeepAlive(fork)
}

func liveBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestReplacementsAreNotInSlabs: an item that replaces another one has memory of its own.
func TestReplacementsAreNotInSlabs(t *testing.T) {
	const n = 1000
	s, table := newTestStore(t)
	put := func(text string) {
		update(t, s, func(tx *Tx) {
			for i := range n {
				it := testItem("a", fmt.Sprint(i),
					item.Attribute{Name: "x", Value: item.String(text)})
				tx.Put(table, mustKey(table, it), it)
			}
		})
	}
	put("a")
	placed := table.items.placed
	require.Greater(t, placed, n/2)
	put("b")
	require.Equal(t, placed, table.items.placed)
}
