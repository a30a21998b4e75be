package metrics_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/metrics"
)

// TestCaches: what caches count has series, added up for tables of one name.
func TestCaches(t *testing.T) {
	read := func(caches func() []metrics.CacheCount) string {
		s := emulatortest.Start(t, emulatortest.WithEmulator(metrics.Options(caches)...))
		res, err := http.Get(s.URL() + metrics.Path)
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return string(text)
	}
	text := read(func() []metrics.CacheCount {
		return []metrics.CacheCount{
			{Table: "orders", Cache: "item", Result: "hit", Count: 2},
			{Table: "orders", Cache: "item", Result: "hit", Count: 3},
			{Table: "orders", Cache: "query", Result: "miss", Count: 1},
		}
	})
	assert.Contains(t, text,
		"kugiri_dax_cache_total{table=\"orders\",cache=\"item\",result=\"hit\"} 5\n"+
			"kugiri_dax_cache_total{table=\"orders\",cache=\"query\",result=\"miss\"} 1\n")
	assert.NotContains(t, read(nil), "dax")
}
