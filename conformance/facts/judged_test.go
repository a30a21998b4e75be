package facts

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOrderPage: the page, which is made from the server's own table, has the rows and the cells
// that the requests show.
func TestOrderPage(t *testing.T) {
	text, err := os.ReadFile("order.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "<!-- table -->\n")
	require.True(t, found)
	table, _, found := strings.Cut(rest, "<!-- end of table -->")
	require.True(t, found)
	rows, shown := strings.Split(table, "\n"), strings.Split(judgedTable(), "\n")
	require.Len(t, rows, len(shown))
	for i, row := range shown {
		assert.True(t, strings.HasPrefix(rows[i], row), "%s\n%s", rows[i], row)
	}
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
