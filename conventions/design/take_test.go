package design_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// shows is a design whose transaction takes the fields of a case.
const shows = `
table: shows
models:
  - name: Show
    key: [id]
    items: 100
    attributes: [id, {name: free, type: number}, {name: held, type: number, optional: 5%}, hall, {name: sold, type: number, counts: Seat}]
  - name: Seat
    key: [id]
    items: 100
    attributes: [id, {name: show, of: Show.id}]
patterns:
  - {name: a show, model: Show, equal: [id], one: true, rate: 1}
transactions:
  - {name: book, updates: [`

// TestTakesChecks shows from what an update of a transaction may take.
func TestTakesChecks(t *testing.T) {
	for _, c := range []struct{ name, update, wrong string }{
		{"a number", "{model: Show, takes: free}", ""},
		{"several items", "{model: Show, gives: free, count: 3}", ""},
		{"an unknown attribute", "{model: Show, takes: fre}",
			"transactions[0].updates[0].of: Show has no attribute fre; it has id, free, held, hall, " +
				"sold; did you mean free?"},
		{"a string", "{model: Show, takes: hall}",
			"transactions[0].updates[0].takes: hall is a string; want a number"},
		{"what some items have", "{model: Show, takes: held}",
			"transactions[0].updates[0].takes: only some items have held"},
		{"a counter", "{model: Show, takes: sold}",
			"transactions[0].updates[0].of: sold changes with what it counts"},
		{"twice", "{model: Show, takes: [free, free]}",
			"transactions[0].updates[0].takes: free is there twice"},
		{"taken and set", "{model: Show, takes: free, of: hall}",
			"transactions[0].updates[0]: want one of of, takes and gives"},
		{"an unknown field", "{model: Show, take: free}",
			"transactions[0].updates[0].take: there is no such field: there are count, gives, model, " +
				"of, takes; did you mean takes?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse([]byte(shows + c.update + "]}\n"))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestTakesRequest shows the request of a write that takes, and what it says of amounts.
func TestTakesRequest(t *testing.T) {
	plan, err := designfile.Plan([]byte(shows + "{model: Show, takes: free}]}\n"))
	require.NoError(t, err)
	w := plan.Write("book")
	assert.Equal(t, "Update Show, free less if it has as much", w.String())
	same := func(v any) any { return v }
	row := design.Row{"id": "1", "free": int64(3)}
	requests, err := plan.Requests(w, design.Writing{After: map[string][]design.Row{"Show": {row}}},
		"", same)
	require.NoError(t, err)
	require.Len(t, requests, 1)
	in := requests[0].Input
	assert.Equal(t, "SET #n0 = #n0 - :v0", in["UpdateExpression"])
	assert.Equal(t, "#n0 >= :v0", in["ConditionExpression"])
	assert.Equal(t, map[string]any{":v0": int64(3)}, in["ExpressionAttributeValues"])
	for _, amount := range []any{int64(0), int64(-1), nil, "1"} {
		row["free"] = amount
		_, err = plan.Requests(w, design.Writing{After: map[string][]design.Row{"Show": {row}}},
			"", same)
		assert.ErrorContains(t, err, "does not say how much of free it takes", "%v", amount)
	}
}
