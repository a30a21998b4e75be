package keys

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

func TestSegmentBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Uint64Range(1, 1000000).Draw(t, "total")
		number := rapid.Uint64Range(0, total-1).Draw(t, "number")
		r := Segment{number, total}.Bounds()
		require.Empty(t, r.Lo.Text)
		require.Empty(t, r.Hi.Text)
		if number == 0 {
			require.Zero(t, r.Lo.Hash)
		}
		if number+1 == total {
			require.True(t, r.HiOpen)
			r.Hi.Hash = math.MaxUint64
		} else {
			require.Equal(t, Segment{number + 1, total}.Bounds().Lo, r.Hi,
				"the next segment begins elsewhere")
		}
		size := math.MaxUint64 / total
		require.InDelta(t, 0, float64(r.Hi.Hash-r.Lo.Hash)-float64(size), 4096,
			"segments are not equal")
	})
	require.Equal(t, storage.Range{HiOpen: true}, Segment{}.Bounds())
}
