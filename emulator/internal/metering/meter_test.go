package metering

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestBucket checks that a bucket never lets through more than its rate, its capacity and the last
// use allow, and that a bucket below 0 recovers in time.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Unix(0, 0)
		now := start
		rate := float64(rapid.IntRange(1, 100).Draw(t, "rate"))
		capacity := rate * float64(rapid.IntRange(1, 300).Draw(t, "seconds"))
		m := NewMeter(Limits{})
		used, largest := 0.0, 0.0
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 20_000).Draw(t, "ms")) * time.Millisecond)
			b := m.bucket(bucketKey{table: "t"}, start, now, rate, capacity)
			require.LessOrEqual(t, b.units, capacity)
			if b.units > 0 {
				units := rapid.Float64Range(0.5, 400).Draw(t, "units")
				b.units -= units
				used, largest = used+units, max(largest, units)
			} else {
				now = now.Add(time.Duration((1 - b.units) / rate * float64(time.Second)))
				require.Positive(t,
					m.bucket(bucketKey{table: "t"}, start, now, rate, capacity).units)
			}
			require.LessOrEqual(t, used, rate*(1+now.Sub(start).Seconds())+largest+1e-6)
		}
	})
}

func TestBucketsAreBounded(t *testing.T) {
	m, now := NewMeter(Limits{}), time.Unix(0, 0)
	use := func(n int, units float64) {
		for i := range n {
			m.bucket(bucketKey{partition: true, hash: uint64(i)}, now, now, 10, 10).units -= units
		}
	}
	use(maxBuckets, 1)
	assert.Len(t, m.buckets, maxBuckets)
	now = now.Add(time.Second) // all are full again
	m.bucket(bucketKey{table: "new"}, now, now, 10, 10)
	assert.Len(t, m.buckets, 1)
	use(3*maxBuckets, 100) // none is
	assert.LessOrEqual(t, len(m.buckets), maxBuckets)
}
