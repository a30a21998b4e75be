package sorting_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/internal/sorting"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // the draws are the same in each run
)

// TestStableBy compares both with package slices.
func TestStableBy(t *testing.T) {
	type pair struct{ Key, Place int }
	rapid.Check(t, func(t *rapid.T) {
		var list []pair
		for i, key := range rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "keys") {
			list = append(list, pair{key, i})
		}
		byKey := func(a, b pair) int { return cmp.Compare(a.Key, b.Key) }
		byBoth := func(a, b pair) int { return cmp.Or(byKey(a, b), cmp.Compare(a.Place, b.Place)) }
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		stable, all := slices.Clone(list), slices.Clone(list)
		sorting.StableBy(stable, byKey)
		sorting.By(all, byBoth)
		assert.Equal(t, want, stable)
		assert.Equal(t, want, all)
	})
}
