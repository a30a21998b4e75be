package storage

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item"
)

// TestDifferences compares a table with its fork after random writes to both, key by key.
func TestDifferences(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, table := newTestStore(t)
		write := func(s *Store, label string) {
			update(t, s, func(tx *Tx) {
				for _, n := range rapid.SliceOf(rapid.IntRange(0, 40)).Draw(rt, label) {
					it := testItem(strconv.Itoa(n), "1",
						item.Attribute{Name: "v", Value: item.String(strconv.Itoa(n % 3))})
					if k := mustKey(table, it); rapid.Bool().Draw(rt, "delete") {
						tx.Delete(tx.Table("t"), k)
					} else {
						tx.Put(tx.Table("t"), k, it)
					}
				}
			})
		}
		write(s, "before the fork")
		fork := s.Fork()
		write(s, "before")
		write(fork, "after")
		limit := rapid.IntRange(1, 50).Draw(rt, "limit")
		view(t, s, func(before *Tx) {
			view(t, fork, func(after *Tx) {
				a, b := before.Table("t"), after.Table("t")
				var want []Difference
				for n := range 41 {
					k := mustKey(table, testItem(strconv.Itoa(n), "1"))
					if d := (Difference{k, before.Get(a, k),
						after.Get(b, k)}); d.Before != d.After {
						want = append(want, d)
					}
				}
				require.ElementsMatch(rt, want, allDifferences(rt, a, b, limit))
			})
		})
	})
}

// allDifferences reads the differences some at a time.
func allDifferences(t *rapid.T, before, after *Table, limit int) (all []Difference) {
	from := Key{}
	for more := true; more; {
		more = false
		n := 0
		Differences(before, after, from, func(d Difference) bool {
			if n == limit {
				from, more = d.Key, true
				return false
			}
			n++
			require.True(t, len(all) == 0 || all[len(all)-1].Key.less(d.Key), "keys are in order")
			all = append(all, d)
			return true
		})
	}
	return all
}

func TestDifferencesOfNoTable(t *testing.T) {
	s, table := newTestStore(t)
	update(t, s, func(tx *Tx) { put(tx, table, testItem("a", "1")) })
	view(t, s, func(*Tx) {
		var all []Difference
		add := func(d Difference) bool {
			all = append(all, d)
			return true
		}
		Differences(table, nil, Key{}, add)
		Differences(nil, table, Key{}, add)
		Differences(nil, nil, Key{}, add)
		it, k := testItem("a", "1"), mustKey(table, testItem("a", "1"))
		require.Equal(t, []Difference{{k, it, ""}, {k, "", it}}, all)
	})
}
