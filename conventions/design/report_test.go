package design

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReport checks what choices cost by hand.
func TestReport(t *testing.T) {
	d := articles(Pattern{Rate: 100})
	d.Models = append(d.Models, Model{Name: "Tag", Key: []string{"tag"}, Attributes: []Attribute{{Name: "tag", Type: String}}})
	plan, err := Make(d)
	require.NoError(t, err)
	r := plan.Report(ListPrices())
	assert.InDelta(t, 2, r.Amplification, 0.001)
	assert.InDelta(t, r.Total, r.Cost.Total(), 0.001)

	scanned := math.Ceil(plan.tableBytes()/4096) / 2
	require.Len(t, r.WithoutIndex, 1)
	assert.Equal(t, "without GSI1", r.WithoutIndex[0].Name)
	want := r.Total - r.Cost.Indexes[0].Dollars - r.Cost.Patterns[0].Dollars + 100*scanned*2.628*0.125
	assert.InDelta(t, want, r.WithoutIndex[0].Dollars, 0.001)

	require.Len(t, r.Projections, 1)
	assert.Equal(t, "GSI1 with KEYS_ONLY", r.Projections[0].Name)
	assert.Equal(t, "patterns then read items by BatchGetItem", r.Projections[0].Because)

	assert.Equal(t, "a table for each model", r.Layouts[len(r.Layouts)-1].Name)
	for _, c := range r.Layouts {
		assert.GreaterOrEqual(t, c.Dollars, r.Total*0.9, c.Name)
	}
}
