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

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"a hot index", func(d *Design) { d.Models[0].Puts = 1500 }, "GSI1: gets 1500 write units per second of Post under each partition key"},
		{"a hot pattern", func(d *Design) { d.Patterns[0].Rate = 10_000 }, "posts: reads 5000 units per second of each partition key"},
		{"a large item", func(d *Design) { d.Models[0].Attributes[3].Bytes = 1 << 20 }, "Post: has items of 1024 KB"},
		{"three attributes", func(d *Design) { d.Patterns[4].Equal = []string{"author", "genre", "title"} }, "posts of an author: names 3 attributes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := guideDesign()
			c.change(d)
			p, err := Make(d)
			require.NoError(t, err)
			var texts string
			for _, n := range p.Notes {
				if n.Warning {
					texts += n.String()
				}
			}
			assert.Contains(t, texts, c.want)
		})
	}
}
