package partiql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseCached(t *testing.T) {
	const src = `SELECT * FROM "cached" WHERE pk = ? AND n > 1`
	first, err := ParseCached(src)
	require.NoError(t, err)
	again, err := ParseCached(src)
	require.NoError(t, err)
	assert.Same(t, first, again)
	fresh, err := Parse(src)
	require.NoError(t, err)
	assert.Equal(t, fresh, again)
}

func TestWhatIsNotCached(t *testing.T) {
	_, err := ParseCached("SELECT")
	require.ErrorAs(t, err, new(Error))
	long := `SELECT * FROM "cached" WHERE n IN [` + strings.Repeat("1,", 2000) + `1]`
	first, err := ParseCached(long)
	require.NoError(t, err)
	again, err := ParseCached(long)
	require.NoError(t, err)
	assert.NotSame(t, first, again)
}

const benchStatement = `UPDATE "orders" SET total = total + ? SET state = 'paid' WHERE customer = ? AND number = ? RETURNING ALL NEW *`

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(benchStatement); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseCached parses a statement that is in the cache.
func BenchmarkParseCached(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseCached(benchStatement); err != nil {
			b.Fatal(err)
		}
	}
}
