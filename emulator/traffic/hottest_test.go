package traffic

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestHottestAgainstSums compares the guarantees of Space-Saving with exact sums.
func TestHottestAgainstSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, sums, total := hottest{}, map[partitionKey]float64{}, 0.0
		add := func(n, units int) {
			k := partitionKey{"t", "", fmt.Sprint(n)}
			h.add(k, float64(units))
			sums[k] += float64(units)
			total += float64(units)
		}
		many := rapid.IntRange(1, 4*MaxPartitions).Draw(t, "keys")
		step := rapid.IntRange(1, 50).Draw(t, "step")
		for i := range 3 * many {
			add(i*step%many, 1+i%3)
			if i%5 == 0 {
				add(rapid.IntRange(0, 9).Draw(t, "hot"), 2)
			}
		}
		top, all, last := h.top(), 0.0, total+1
		assert.LessOrEqual(t, len(top), MaxPartitions)
		found := map[partitionKey]bool{}
		for _, c := range top {
			assert.LessOrEqual(t, sums[c.key], c.units, "none is too small")
			assert.GreaterOrEqual(t, sums[c.key], c.units-c.inherited, "what is certain")
			assert.LessOrEqual(t, c.units, last, "in their order")
			last, found[c.key] = c.units, true
			all += c.units
		}
		assert.Equal(t, total, all)
		for k, sum := range sums {
			assert.True(t, found[k] || sum <= total/MaxPartitions, "%v with %v of %v is missed", k, sum, total)
		}
	})
}
