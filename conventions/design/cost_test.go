package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCost checks the cost of a table by hand: an item has 2,038 bytes, two write units.
func TestCost(t *testing.T) {
	d := &Design{
		Table: "table",
		Models: []Model{{Name: "A", Key: []string{"id"}, Items: 1 << 30,
			Puts: 10, Attributes: []Attribute{
				{Name: "id", Type: String, Format: UUID}, {Name: "body", Type: String, Bytes: 1996},
			}}},
		Patterns: []Pattern{
			{Name: "p", Model: "A", Equal: []string{"id"}, One: true, Rate: 100, Consistent: true},
		},
	}
	p, err := Make(d)
	require.NoError(t, err)
	c := p.Cost(ListPrices())
	assert.Equal(t, 20.0, c.Table.WriteUnits)
	assert.Equal(t, float64(1<<30)*(2038+100), c.Table.Bytes)
	assert.InDelta(t, 20*2.628*0.625+2138*0.25, c.Table.Dollars, 0.001)
	assert.Equal(t, 100.0, c.Patterns[0].ReadUnits)
	assert.InDelta(t, 100*2.628*0.125, c.Patterns[0].Dollars, 0.001)
}

// TestSpreadCost checks what a sparse index stores, and what a read of shards takes at least.
func TestSpreadCost(t *testing.T) {
	p, err := Make(&Design{
		Table: "table",
		Models: []Model{{Name: "A", Key: []string{"id"}, Items: 1000,
			Puts: 8, Attributes: []Attribute{
				{Name: "id", Type: String}, {Name: "state", Type: String, Values: 4, Mutable: true},
				{Name: "kind", Type: String},
			}}},
		Patterns: []Pattern{
			{Name: "one", Model: "A", Equal: []string{"id"}, One: true},
			{Name: "open", Model: "A", Where: map[string]string{"state": "open"}},
			{Name: "kind", Model: "A", Equal: []string{"kind"}, Shards: 6, Rate: 1},
		},
	})
	require.NoError(t, err)
	c := p.Cost(ListPrices())
	require.True(t, p.Indexes[0].Sparse)
	assert.Equal(t, 2.0, c.Indexes[0].WriteUnits, "a quarter of the puts")
	assert.Equal(t, 8.0, c.Indexes[1].WriteUnits)
	assert.Equal(t, 3.0, c.Patterns[2].ReadUnits, "half a unit for each of six requests")
}
