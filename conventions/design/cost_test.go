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
		Models: []Model{{Name: "A", Key: []string{"id"}, Items: 1 << 30, Puts: 10, Attributes: []Attribute{
			{Name: "id", Type: String, Format: UUID}, {Name: "body", Type: String, Bytes: 1996},
		}}},
		Patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"id"}, One: true, Rate: 100, Consistent: true}},
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
