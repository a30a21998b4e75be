package facts

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOrderPage: the page shows the table. KUGIRI_UPDATE=1 writes it there.
func TestOrderPage(t *testing.T) {
	const page, begin, end = "order.md", "<!-- table -->\n", "<!-- end of table -->"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	want := before + begin + judgedTable() + end + after
	if os.Getenv("KUGIRI_UPDATE") != "" {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text))
}

// TestJudgedOperations: each operation has a fault of the reader and one of the table, which goes
// last, and each layer is known.
func TestJudgedOperations(t *testing.T) {
	for i := range JudgedOperations {
		j := &JudgedOperations[i]
		assert.Equal(t, Layers[0], j.Faults[0].Layer, j.Operation)
		assert.Equal(t, Layers[len(Layers)-1], j.Faults[len(j.Faults)-1].Layer, j.Operation)
		for _, f := range j.Faults {
			assert.Contains(t, Layers, f.Layer, j.Operation)
		}
	}
}
