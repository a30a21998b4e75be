package design_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestExact plans designs of 4 to 8 models and 17 to 27 patterns. The search of all but two, which
// are cut, shows that no other layout is better.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		name, cut        string
		indexes, columns int
		fast             bool
	}{
		{name: "library", indexes: 5, columns: 9, fast: true},
		{name: "holds", indexes: 4, columns: 8, fast: true},
		{name: "booking", indexes: 4, columns: 8},
		{name: "fleet", indexes: 4, columns: 8, fast: true},
		{name: "school", indexes: 3, columns: 7},
		{name: "hospital", indexes: 4, columns: 9, cut: "it makes 100,000 partial layouts. " +
			"What it leaves out has at least"},
		{name: "shop", indexes: 4, columns: 9, cut: "it makes 100,000 partial layouts. " +
			"What it leaves out has at least 8 attributes of keys, and this one 9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.fast && os.Getenv("TEST_FULL") == "" {
				t.Skip("it is slow: run it with TEST_FULL=true")
			}
			text, err := os.ReadFile("testdata/" + c.name + ".yaml")
			require.NoError(t, err)
			plan, err := designfile.Plan(text)
			require.NoError(t, err)
			assert.Len(t, plan.Indexes, c.indexes)
			assert.Len(t, plan.Columns, c.columns)
			assert.Equal(t, c.cut == "", plan.Search.Exact)
			if c.cut == "" {
				assert.Empty(t, plan.Search.Cut)
				return
			}
			require.Len(t, plan.Search.Cut, 1)
			assert.Contains(t, plan.Search.Cut[0], c.cut)
		})
	}
}
