package storage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/raw"
)

// TestSlabs: what lies side by side stays as it was put, whatever becomes of the
// others, of the memory that it was put from, and of the table in a fork.
func TestSlabs(t *testing.T) {
	const n = 3000
	s, table := newTestStore(t, testIndexes...)
	x := func(text string) item.Attribute { return item.Attribute{Name: "x", Value: item.String(text)} }
	g := func(i int) item.Attribute { return item.Attribute{Name: "g", Value: item.String(fmt.Sprint("g", i%7))} }
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
			clear(it) // as the memory of a request is used again
			clear(key)
		})
	}
	check := func(s *Store) {
		require.NoError(t, s.Check())
		require.NoError(t, s.View(func(tx *Tx) error {
			table := tx.Table(table.Name)
			require.Equal(t, int64(len(want[s])), tx.Stats(table).Items)
			for i, text := range want[s] {
				require.Equal(t, made(i, text), tx.Get(table, mustKey(table, made(i, ""))))
			}
			return nil
		}))
	}
	for i := range n {
		write(s, i, strings.Repeat("a", i%90))
	}
	require.NotZero(t, table.items.laid)
	require.NotZero(t, table.texts.laid)
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

// TestSlabsOfWhatComesAndGoes: items lie in slabs only as long as most of what lay there is still there.
func TestSlabsOfWhatComesAndGoes(t *testing.T) {
	s, table := newTestStore(t)
	put := func(from, to int) {
		update(t, s, func(tx *Tx) {
			for i := from; i < to; i++ {
				it := testItem("a", fmt.Sprint(i))
				tx.Put(table, mustKey(table, it), it)
			}
		})
	}
	const n = 1000
	put(0, n)
	laid := table.items.laid
	require.Greater(t, laid, n/2)
	put(0, n)
	require.Equal(t, laid, table.items.laid, "what takes the place of others has memory of its own")
	for round := range 10 {
		update(t, s, func(tx *Tx) {
			for i := range n {
				tx.Delete(table, mustKey(table, testItem("a", fmt.Sprint(round*n+i))))
			}
		})
		put((round+1)*n, (round+2)*n)
		require.Less(t, table.items.laid, (laidShare+2)*n)
	}
}
