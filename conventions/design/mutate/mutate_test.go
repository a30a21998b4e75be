package mutate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/mutate"
)

// TestAll checks which mistakes there are of plans, and that none of them changes the plan itself.
func TestAll(t *testing.T) {
	id := design.Attribute{Name: "id", Type: design.String, Format: design.ULID}
	at := design.Attribute{Name: "at", Type: design.String, Format: design.Timestamp}
	state := design.Attribute{Name: "state", Type: design.String, Values: 3, Mutable: true}
	size := design.Attribute{Name: "size", Type: design.Number}
	by := design.Attribute{Name: "by", Type: design.String, Format: design.ULID}
	for _, c := range []struct {
		name    string
		pattern design.Pattern
		want    []string
	}{
		{"no decision to undo", design.Pattern{Equal: []string{"id"}, One: true}, nil},
		{"an index with an order", design.Pattern{Equal: []string{"by"}, Order: "at"},
			[]string{"there is no GSI1", "GSI1 has no sort key"}},
		{"an index without an order", design.Pattern{Equal: []string{"by"}},
			[]string{"there is no GSI1"}},
		{"values that choose items",
			design.Pattern{Equal: []string{"by"}, Where: map[string]string{"state": "open"}},
			[]string{"there is no GSI1", "GSI1 has no sort key", "all items of File have GSI1SK"}},
		{"shards", design.Pattern{Equal: []string{"by"}, Shards: 4},
			[]string{"there is no GSI1", "p leaves out requests"}},
		{"a period", design.Pattern{Equal: []string{"by"}, Range: "at", Period: design.Day},
			[]string{"there is no GSI1", "GSI1 has no sort key", "p leaves out requests"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.pattern.Name, c.pattern.Model = "p", "File"
			plan, err := design.Make(&design.Design{
				Table: "files",
				Models: []design.Model{
					{Name: "File", Key: []string{"id"},
						Attributes: []design.Attribute{id, at, state, size, by}},
				},
				Patterns: []design.Pattern{
					{Name: "one", Model: "File", Equal: []string{"id"}, One: true}, c.pattern,
				},
			})
			require.NoError(t, err)
			before := fmt.Sprintf("%+v", plan)
			var names []string
			for _, m := range mutate.All(plan) {
				names = append(names, m.Name)
				assert.NotEqual(t, plan, m.Plan, m.Name)
			}
			assert.Equal(t, c.want, names)
			assert.Equal(t, before, fmt.Sprintf("%+v", plan))
		})
	}
}

// TestSortsAsText checks that a number without zeros in front counts as one that orders as text
// does.
func TestSortsAsText(t *testing.T) {
	plan, err := design.Make(&design.Design{
		Table: "files",
		Models: []design.Model{{Name: "File", Key: []string{"by", "state", "id"},
			Attributes: []design.Attribute{
				{Name: "id", Type: design.String, Format: design.ULID},
				{Name: "by", Type: design.String, Format: design.ULID},
				{Name: "state", Type: design.String, Values: 3},
				{Name: "size", Type: design.Number},
			}}},
		Patterns: []design.Pattern{
			{Name: "largest", Model: "File", Equal: []string{"by", "state"}, Order: "size",
				Shards: 2},
			{Name: "by state", Model: "File", Equal: []string{"by"}, Order: "state"},
		},
	})
	require.NoError(t, err)
	assert.False(t, mutate.SortsAsText(plan, 0))
	found := 0
	for _, m := range mutate.All(plan) {
		undone := strings.Contains(m.Name, "no zeros in front")
		assert.Equal(t, undone, mutate.SortsAsText(m.Plan, 0), m.Name)
		assert.False(t, mutate.SortsAsText(m.Plan, 1), m.Name)
		if undone {
			found++
		}
	}
	assert.Equal(t, 1, found)
}
