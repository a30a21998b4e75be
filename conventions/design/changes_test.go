package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fleetDesign has devices whose key in two indexes changes.
func fleetDesign(changes ...Change) *Design {
	return &Design{
		Table: "fleet",
		Models: []Model{{Name: "Device", Key: []string{"id"}, Items: 1000, Puts: 1,
			Changes: changes, Attributes: []Attribute{
				{Name: "id", Type: String, Format: UUID},
				{Name: "owner", Type: String, Format: UUID, Values: 20},
				{Name: "lastSeen", Type: String, Format: Timestamp},
				{Name: "state", Type: String, Values: 4},
				{Name: "note", Type: String, Bytes: 300},
			}}},
		Patterns: []Pattern{
			{Name: "a device", Model: "Device", Equal: []string{"id"}, One: true, Rate: 1},
			{Name: "of an owner", Model: "Device", Equal: []string{"owner"}, Order: "lastSeen",
				Rate: 1},
			{Name: "broken", Model: "Device", Where: map[string]string{"state": "broken"},
				Attributes: []string{"id"}, Rate: 1},
		},
	}
}

// TestChanges checks what updates write in an index by owner and lastSeen with all attributes, and
// in one with a quarter of the devices: two entries if they change its key.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name                string
		changes             []Change
		table, owner, state float64
	}{
		{"none", nil, 1, 1, 0.25},
		{"the sort key of one", []Change{{[]string{"lastSeen"}, 10}}, 11, 21, 2.75},
		{"what decides whether an item is in the index", []Change{{[]string{"state"}, 10}},
			11, 11, 5.25},
		{"the partition key", []Change{{[]string{"owner"}, 10}}, 11, 21, 2.75},
		{"no key", []Change{{[]string{"note"}, 10}}, 11, 11, 2.75},
		{"several at once", []Change{{[]string{"state", "lastSeen", "note"}, 10}}, 11, 21, 5.25},
		{"several apart", []Change{{[]string{"state"}, 10}, {[]string{"lastSeen"}, 4}},
			15, 19, 6.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Make(fleetDesign(c.changes...))
			require.NoError(t, err)
			p.Indexes[0].Projection, p.Indexes[1].Projection = Projection{}, Projection{}
			cost := p.Cost(ListPrices())
			assert.Equal(t, c.table, cost.Table.WriteUnits)
			assert.Equal(t, c.owner, cost.Indexes[0].WriteUnits)
			assert.Equal(t, c.state, cost.Indexes[1].WriteUnits)
		})
	}
}

// TestChangesChooseProjections checks that an index does not copy what changes often.
func TestChangesChooseProjections(t *testing.T) {
	rare, err := Make(fleetDesign(Change{[]string{"note"}, 0.001}))
	require.NoError(t, err)
	often, err := Make(fleetDesign(Change{[]string{"note"}, 1000}))
	require.NoError(t, err)
	assert.Equal(t, KeysOnly, often.Indexes[1].Projection.Type)
	cost := often.Cost(ListPrices())
	assert.Equal(t, 0.25, cost.Indexes[1].WriteUnits, "no update writes in it")
	assert.Less(t, rare.Cost(ListPrices()).Total(), cost.Total())
}

// TestChangesMakeMutable checks that what updates name is in no key of the table.
func TestChangesMakeMutable(t *testing.T) {
	d := fleetDesign(Change{[]string{"owner"}, 1})
	d.Patterns[1].Consistent = true
	_, err := Make(d)
	require.ErrorContains(t, err, "patterns[1].consistent")
	assert.False(t, d.Models[0].Attribute("owner").Mutable, "the design stays as it was")
}

// TestUnnamedChanges checks that a plan says what it assumes of updates without names.
func TestUnnamedChanges(t *testing.T) {
	d := fleetDesign()
	d.Models[0].Updates = 50
	assert.NotContains(t, advised(t, d), "updates a second count")
	d.Models[0].Attributes[2].Mutable = true
	assert.Contains(t, advised(t, d), "7. Device: 50 updates a second count as if they changed "+
		"nothing in keys of indexes, where lastSeen can change: name what they change, as in "+
		"updates: [{of: lastSeen, rate: 50}]")
	d.Models[0].Changes = []Change{{[]string{"lastSeen"}, 1}}
	assert.NotContains(t, advised(t, d), "updates a second count")
}
