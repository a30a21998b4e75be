package design

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReportDeclines checks that a report says why an index does not have a projection that costs
// less.
func TestReportDeclines(t *testing.T) {
	for _, c := range []struct {
		name    string
		pattern Pattern
		bytes   int
		choice  string
		cheaper bool
		because string
	}{
		{"a saving of some percent", Pattern{Rate: 100, Attributes: []string{"at", "id"}}, 2,
			"GSI1 with KEYS_ONLY", true,
			"this saves less than 5 % of the index and its reads, and later patterns may need what it leaves out"},
		{"a projection that costs more", Pattern{Rate: 1000}, 9000, "GSI1 with KEYS_ONLY", false,
			"patterns then read items by BatchGetItem"},
		{"no difference but the copies", Pattern{Rate: 1000, Attributes: []string{"at", "id"}},
			9000, "GSI1 with ALL", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := articles(c.pattern)
			d.Models[0].Attribute("text").Bytes = c.bytes
			plan, err := Make(d)
			require.NoError(t, err)
			r := plan.Report(ListPrices())
			require.NotEmpty(t, r.Projections)
			assert.Equal(t, c.choice, r.Projections[0].Name)
			assert.Equal(t, c.cheaper, r.Projections[0].Dollars < r.Total)
			assert.Equal(t, c.because, r.Projections[0].Because)
		})
	}
}

// TestReportPage checks that a page tells the table from a pattern with its name, and groups
// thousands.
func TestReportPage(t *testing.T) {
	d := articles(Pattern{Rate: 100_000})
	d.Patterns[0].Name = "articles"
	plan, err := Make(d)
	require.NoError(t, err)
	page := plan.Report(ListPrices()).Markdown()
	assert.Contains(t, page, "\n| table articles | 0.0 | ")
	assert.Contains(t, page, "\n| pattern articles | 1,150,000.0 | ")
	assert.Contains(t, plan.Markdown(), "\n| pattern articles | 1,150,000.0 | ")
}

func TestGrouped(t *testing.T) {
	for want, v := range map[string]float64{
		"0.00": 0, "999.00": 999, "1,000.00": 1000, "1,234,567.89": 1234567.891,
		"-1,000.50": -1000.5, "100,000.00": 99999.999,
	} {
		assert.Equal(t, want, Grouped(v, 2))
	}
	assert.Equal(t, "12,345", Grouped(12345, 0))
	assert.Equal(t, "0.00", Grouped(-0.001, 2))
	assert.Equal(t, "+0.00", difference(-0.001))
	assert.Equal(t, "+1,000.00", difference(1000))
	assert.Equal(t, "-1,000.00", difference(-1000))
}

// TestReport checks what choices cost by hand.
func TestReport(t *testing.T) {
	d := articles(Pattern{Rate: 100})
	d.Models = append(d.Models,
		Model{Name: "Tag", Key: []string{"tag"},
			Attributes: []Attribute{{Name: "tag", Type: String}}})
	plan, err := Make(d)
	require.NoError(t, err)
	r := plan.Report(ListPrices())
	assert.InDelta(t, 2, r.Amplification, 0.001)
	assert.InDelta(t, r.Total, r.Cost.Total(), 0.001)

	scanned := math.Ceil(tableBytes(plan)/4096) / 2
	require.Len(t, r.WithoutIndex, 1)
	assert.Equal(t, "without GSI1", r.WithoutIndex[0].Name)
	want := r.Total - r.Cost.Indexes[0].Dollars - r.Cost.Patterns[0].Dollars +
		100*scanned*2.628*0.125
	assert.InDelta(t, want, r.WithoutIndex[0].Dollars, 0.001)

	require.Len(t, r.Projections, 1)
	assert.Equal(t, "GSI1 with KEYS_ONLY", r.Projections[0].Name)
	assert.Less(t, r.Projections[0].Dollars, r.Total)
	assert.Equal(t,
		"patterns would read items by a second request, BatchGetItem: the plan does that below 1/2 of the cost without it", r.Projections[0].Because)

	assert.Equal(t, "a table for each model", r.Layouts[len(r.Layouts)-1].Name)
	for _, c := range r.Layouts {
		assert.GreaterOrEqual(t, c.Dollars, r.Total*0.9, c.Name)
	}
}
