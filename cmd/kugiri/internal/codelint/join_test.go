package codelint

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExcerpt(t *testing.T) {
	most := strings.Repeat("x", longestCode)
	for _, c := range []struct{ name, code, want string }{
		{"nothing", " \n", ""},
		{"on several lines", "a +\n\t\tb ", "a + b"},
		{"as long as may be", most, most},
		{"longer", most[1:] + " y", most[1:] + " …"},
		{"in the middle of a letter", most[1:] + "é", most[1:] + "…"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, excerpt([]byte(c.code))) })
	}
}

// TestLongSums: the memory that a sum of texts takes does not grow with the square of its length.
func TestLongSums(t *testing.T) {
	parts := append([]Part{{Value: true}}, make([]Part, 10_000)...)
	for i := range parts[1:] {
		parts[i+1].Text = strings.Repeat("x", 60)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Len(t, joined(parts), 2)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
}
