package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// follows are users who follow each other, many more than there are users.
func follows() *Design {
	user := func(name string) Attribute {
		return Attribute{Name: name, Type: String, Format: UUID, Of: "User.user"}
	}
	return &Design{
		Table: "follows",
		Models: []Model{
			{Name: "User", Key: []string{"user"}, Items: 1e5,
				Attributes: []Attribute{{Name: "user", Type: String, Format: UUID},
					{Name: "name", Type: String, Mutable: true}}},
			{Name: "Follow", Key: []string{"follower", "followed"}, Items: 5e8, Puts: 10,
				Attributes: []Attribute{user("follower"), user("followed"),
					{Name: "since", Type: String, Format: Timestamp}}},
		},
		Patterns: []Pattern{
			{Name: "a user", Model: "User", Equal: []string{"user"}, One: true, Rate: 10},
			{Name: "follows", Model: "Follow", Equal: []string{"follower"}, Rate: 10},
			{Name: "followers", Model: "Follow", Equal: []string{"followed"}, Order: "follower",
				Rate: 10},
		},
	}
}

// TestStrangers checks when an index has the keys of the table the other way round, and so the
// items of models that are not read from it.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(d *Design)
		strangers bool
	}{
		{"many more items than strangers", func(*Design) {}, true},
		{"strangers that are written often", func(d *Design) { d.Models[0].Puts = 50 }, false},
		{"strangers that change often", func(d *Design) { d.Models[0].Updates = 50 }, false},
		{"strangers that make a partition key hot",
			func(d *Design) { d.Models[0].Puts, d.Models[1].Items = 1500, 1e12 }, false},
		{"a small saving", func(d *Design) { d.Models[1].Items = 5e6 }, false},
		{"another order", func(d *Design) { d.Patterns[2].Order = "since" }, false},
		// the index has one attribute of the table's key
		{"no order", func(d *Design) { d.Patterns[2].Order = "" }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := follows()
			c.change(d)
			plan, err := Make(d)
			require.NoError(t, err)
			require.Len(t, plan.Indexes, 1)
			index := plan.Indexes[0]
			assert.Equal(t, c.strangers, index.Key.Sort == plan.Key.Partition, "%v", index.Key)
			if !c.strangers {
				return
			}
			assert.Equal(t, plan.Key.Sort, index.Key.Partition)
			assert.Equal(t, []string{"User", "Follow"}, index.Models)
			assert.Contains(t, plan.Markdown(), "GSI1: also has the items of User, which its "+
				"queries do not find: that costs less than attributes of its own")
			_, _, mixed := plan.Mixed()
			assert.False(t, mixed)
		})
	}
}

// TestStrangersCost checks that an index costs what its strangers' writes and storage cost.
func TestStrangersCost(t *testing.T) {
	d := follows()
	d.Models[0].Puts = 1
	plan, err := Make(d)
	require.NoError(t, err)
	cost := plan.Cost(ListPrices())
	assert.InDelta(t, 11, cost.Table.WriteUnits, 0.001)
	assert.InDelta(t, 11, cost.Indexes[0].WriteUnits, 0.001)
	assert.InDelta(t, cost.Table.Bytes, cost.Indexes[0].Bytes, 0.001)
}

// TestConstantInSortKey checks that a constant is in the sort key of the table, in place of the
// model's name, if that is the partition key of an index.
func TestConstantInSortKey(t *testing.T) {
	d := follows()
	d.Models[0].Attributes = append(d.Models[0].Attributes,
		Attribute{Name: "joined", Type: String, Format: Timestamp})
	d.Patterns = append(d.Patterns, Pattern{Name: "users", Model: "User", Order: "joined"})
	plan, err := Make(d)
	require.NoError(t, err)
	require.Len(t, plan.Indexes, 1)
	assert.Equal(t, plan.Key.Sort, plan.Indexes[0].Key.Partition)
	assert.Equal(t, "User#user", plan.Entity("User").key(plan.Key.Sort).String())
	assert.Equal(t, "Query GSI1, SK_GSI1PK = User#user", plan.Queries[3].String())
}
