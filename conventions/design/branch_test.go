package design_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// TestBranches compares a search by branch and bound with one of all layouts, for random designs.
func TestBranches(t *testing.T) {
	compared, cheaper := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawDesign(t)
		for i := range d.Models {
			d.Models[i].Items = int64(rapid.IntRange(1, 1000).Draw(t, "thousands")) * 1000
			d.Models[i].Puts = float64(rapid.IntRange(0, 50).Draw(t, "puts"))
		}
		all, branches, ok := design.Branches(d)
		if !ok {
			return
		}
		require.Equal(t, all, branches, "%+v", d)
		if compared++; all.Cheaper != nil {
			cheaper++
		}
	})
	require.Greater(t, compared, 20)
	require.Positive(t, cheaper)
}
