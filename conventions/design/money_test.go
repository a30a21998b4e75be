package design

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMoney checks that among layouts with as many indexes a plan has one that costs little, if the
// design says how many items there are.
func TestMoney(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		index  string // the index that serves the readings of a sensor
	}{
		{"many writes", func(*Design) {}, ""},
		{"many stored items", func(d *Design) { d.Models[0].Puts = 0 }, ""},
		{"few writes beside many reads",
			func(d *Design) {
				d.Models[0].Items, d.Models[0].Puts, d.Patterns[1].Rate = 1000, 1, 1000
			},
			"GSI1"},
		{"no numbers", func(d *Design) { d.Models[0].Items, d.Models[0].Puts = 0, 0 },
			"GSI1"},
		{"beside a model that costs much more",
			func(d *Design) { d.Models[1].Items, d.Models[1].Puts = 1e9, 30_000 }, ""},
		{"simplicity that may cost as much",
			func(d *Design) { d.Simplicity = 2000 }, "GSI1"},
		{"simplicity that may cost less", func(d *Design) {
			d.Models[0].Items, d.Models[0].Puts, d.Patterns[1].Rate = 1000, 1, 1000
			d.Simplicity = 1
		}, ""},
		{"more layouts than the search compares", func(d *Design) { addModels(d, 11) },
			""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sensorDesign()
			c.change(d)
			p, err := Make(d)
			require.NoError(t, err)
			assert.Len(t, p.Indexes, 2)
			assert.Equal(t, c.index, p.Queries[0].Index)
		})
	}
}

// TestMoneySaid checks that a plan says what it saves by keys of more parts.
func TestMoneySaid(t *testing.T) {
	assert.Contains(t, advised(t, sensorDesign()),
		"4. as many indexes with simpler keys cost 3,300.01 USD a month, and these 1,652.34")
	d := sensorDesign()
	d.Models[0].Items, d.Models[0].Puts = 0, 0
	assert.NotContains(t, advised(t, d), "simpler keys")
}

// TestCostOfSimplicity checks that a report says what simpler keys cost, with a setting that takes
// the others.
func TestCostOfSimplicity(t *testing.T) {
	report := func(d *Design) *Report {
		p, err := Make(d)
		require.NoError(t, err)
		return p.Report(ListPrices())
	}
	d := sensorDesign()
	for _, c := range report(d).Layouts {
		assert.NotContains(t, c.Because, "simplicity")
	}
	d.Models[0].Puts, d.Models[0].Items, d.Patterns[1].Rate = 8, 1000, 10_000
	r := report(d)
	simple := r.Layouts[0]
	assert.Equal(t, "keys that cost least", simple.Name)
	assert.InDelta(t, 13.14, r.Total-simple.Dollars, 0.1, "the writes of an index")
	assert.Equal(t, "this is what simplicity costs: simplicity: 6.57 USD, beside table, has the plan "+
		"take them", simple.Because)
	d.Simplicity = 6.57
	assert.InDelta(t, simple.Dollars, report(d).Total, 0.01)
}

// sensorDesign needs two indexes for one model, so that they are there for another one, too.
func sensorDesign() *Design {
	id := Attribute{Name: "id", Type: String, Format: ULID}
	uuid := func(name string) Attribute { return Attribute{Name: name, Type: String, Format: UUID} }
	sensor := uuid("sensor")
	sensor.Of = "Sensor.id"
	return &Design{
		Table: "sensors",
		Models: []Model{
			{Name: "Reading", Key: []string{"id"}, Items: 100_000_000,
				Puts: 1000, Attributes: []Attribute{
					id, sensor, {Name: "at", Type: String, Format: Timestamp},
					{Name: "value", Type: Number}}},
			{Name: "Sensor", Key: []string{"id"}, Items: 10_000, Attributes: []Attribute{
				uuid("id"), uuid("site"), {Name: "kind", Type: String, Values: 20}}},
		},
		Patterns: []Pattern{
			{Name: "readings of a sensor", Model: "Reading", Equal: []string{"sensor"}, Range: "at",
				Rate: 10},
			{Name: "a sensor", Model: "Sensor", Equal: []string{"id"}, One: true, Rate: 10},
			{Name: "sensors of a site", Model: "Sensor", Equal: []string{"site"}, Rate: 10},
			{Name: "sensors of a kind", Model: "Sensor", Equal: []string{"kind"}, Rate: 1},
		},
	}
}

// addModels adds models with two patterns each.
func addModels(d *Design, n int) {
	for i := range n {
		m := Model{Name: fmt.Sprint("M", i), Key: []string{"id"},
			Items: 1000, Attributes: []Attribute{
				{Name: "id", Type: String, Format: UUID}, {Name: "x", Type: String},
				{Name: "y", Type: String}}}
		d.Models = append(d.Models, m)
		d.Patterns = append(d.Patterns,
			Pattern{Name: m.Name + " by x", Model: m.Name, Equal: []string{"x"}},
			Pattern{Name: m.Name + " by y", Model: m.Name, Equal: []string{"y"}, Order: "x"})
	}
}
