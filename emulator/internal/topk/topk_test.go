package topk

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestKeysAgainstSums compares the guarantees of Space-Saving with exact sums.
func TestKeysAgainstSums(t *testing.T) {
	const limit = 64
	rapid.Check(t, func(t *rapid.T) {
		h, sums, total := New[int](limit), map[int]float64{}, 0.0
		add := func(key, units int) {
			h.Add(key, float64(units))
			sums[key] += float64(units)
			total += float64(units)
		}
		many := rapid.IntRange(1, 4*limit).Draw(t, "keys")
		step := rapid.IntRange(1, 50).Draw(t, "step")
		for i := range 3 * many {
			add(i*step%many, 1+i%3)
			if i%5 == 0 {
				add(rapid.IntRange(0, 9).Draw(t, "hot"), 2)
			}
			if i == many {
				h = h.Clone()
			}
		}
		top, all, last := h.Top(cmp.Compare[int]), 0.0, total+1
		assert.LessOrEqual(t, len(top), limit)
		found := map[int]bool{}
		for _, c := range top {
			assert.LessOrEqual(t, sums[c.Key], c.Units, "none is too small")
			assert.GreaterOrEqual(t, sums[c.Key], c.Units-c.Inherited, "what is certain")
			assert.LessOrEqual(t, c.Units, last, "in their order")
			last, found[c.Key] = c.Units, true
			all += c.Units
		}
		assert.Equal(t, total, all)
		for k, sum := range sums {
			assert.True(t, found[k] || sum <= total/limit, "%v with %v of %v is missed", k, sum,
				total)
		}
	})
}
