package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBindAll(t *testing.T) {
	log := Model{Name: "Log", Key: []string{"id"}, Attributes: []Attribute{
		{Name: "id", Type: String}, {Name: "service", Type: String},
		{Name: "at", Type: String, Format: Timestamp},
	}}
	for _, c := range []struct {
		name     string
		pattern  Pattern
		from, to string
		want     []any // the partition keys
		err      string
	}{
		{"months over the end of a year", Pattern{Range: "at", Period: Month}, "2025-12-31",
			"2026-02-01", []any{"s#2025-12", "s#2026-01", "s#2026-02"}, ""},
		{"months, the latest first", Pattern{Range: "at", Period: Month, Descending: true},
			"2026-01-01", "2026-02-01", []any{"s#2026-02", "s#2026-01"}, ""},
		{"the days of a leap year", Pattern{Range: "at", Period: Day}, "2028-02-28T23:59",
			"2028-03-01", []any{"s#2028-02-28", "s#2028-02-29", "s#2028-03-01"}, ""},
		{"a year", Pattern{Range: "at", Period: Year}, "2026-01-01", "2026-02-01", []any{"s#2026"},
			""},
		{"shards of hours", Pattern{Range: "at", Period: Hour, Shards: 2}, "2026-01-01T09:00",
			"2026-01-01T10:00",
			[]any{"s#2026-01-01T09#0", "s#2026-01-01T09#1", "s#2026-01-01T10#0",
				"s#2026-01-01T10#1"}, ""},
		{"nothing", Pattern{Range: "at", Period: Year}, "2026-01-01", "2025-01-01", nil, ""},
		{"no timestamp", Pattern{Range: "at", Period: Year}, "the", "end", nil,
			"p: the is no timestamp"},
		{"no month", Pattern{Range: "at", Period: Month}, "2026-13-01", "2026-14-01", nil,
			`p: "2026-13-01" is no timestamp`},
		{"too many periods", Pattern{Range: "at", Period: Hour}, "2026-01-01T00", "2027-01-01T00",
			nil, "more than 1000 periods (hour)"},
		{"too many requests", Pattern{Range: "at", Period: Day, Shards: 4}, "2026-01-01",
			"2026-12-31", nil, "more than 1000 requests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.pattern.Name, c.pattern.Model, c.pattern.Equal = "p", "Log", []string{"service"}
			plan, err := Make(&Design{
				Table: "table", Models: []Model{log}, Patterns: []Pattern{c.pattern},
			})
			require.NoError(t, err)
			bounds, err := plan.Queries[0].BindAll(Row{
				"service": "s", RangeFrom: c.from, RangeTo: c.to,
			})
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			var got []any
			for _, b := range bounds {
				got = append(got, b.PartitionValue)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestWhere checks that only items with the values of a pattern are in its index.
func TestWhere(t *testing.T) {
	plan, err := Make(&Design{Table: "table", Models: []Model{{
		Name: "Ticket", Key: []string{"id"}, Attributes: []Attribute{
			{Name: "id", Type: String}, {Name: "state", Type: String, Mutable: true},
			{Name: "at", Type: String, Format: Timestamp},
		}}}, Patterns: []Pattern{
		{Name: "one", Model: "Ticket", Equal: []string{"id"}, One: true},
		{Name: "open", Model: "Ticket", Where: map[string]string{"state": "open"}, Order: "at"},
	}})
	require.NoError(t, err)
	assert.Equal(t, []string{"one: GetItem, PK = {id}", "open: Query GSI1, GSI1PK = open"},
		queries(plan))
	assert.True(t, plan.Indexes[0].Sparse)
	row := Row{"id": "1", "state": "open", "at": "2026-01-01"}
	item, err := plan.Item("Ticket", row)
	require.NoError(t, err)
	assert.Equal(t,
		map[string]any{"PK": "1", "GSI1PK": "open", "GSI1SK": "2026-01-01", "state": "open"}, item)
	row["state"] = "closed"
	item, err = plan.Item("Ticket", row)
	require.NoError(t, err)
	assert.NotContains(t, item, "GSI1PK")
}
