package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// states is a design whose customers count orders as a case says.
const states = `
table: shop
models:
  - name: Customer
    key: [id]
    items: 100
    attributes: [id, {name: n, type: number, COUNTER}, {name: all, type: number, counts: Order}]
  - name: Order
    key: [id]
    items: 1000
    puts: 1
    updates: [{of: state, rate: 2}, {of: total, rate: 1}]
    attributes:
      - id
      - {name: customer, of: Customer.id}
      - {name: state, values: 5}
      - {name: kind, values: 5}
      - {name: note, mutable: true}
      - {name: total, type: number}
      - {name: fee, type: number, mutable: true}
patterns:
  - {name: a customer, model: Customer, equal: [id], one: true, rate: 1}
`

// TestWhereChecks shows which items a counter may count.
func TestWhereChecks(t *testing.T) {
	for _, c := range []struct{ name, counter, wrong string }{
		{"those in a state", "counts: Order, where: {state: PAID}", ""},
		{"those of a kind in a state", "counts: Order, where: {kind: a, state: PAID}", ""},
		{"a sum that changes", "sums: Order.total", ""},
		{"a sum of those in a state", "sums: Order.total, where: {state: PAID}", ""},
		{"an unknown attribute", "counts: Order, where: {stat: PAID}",
			".where.stat: Order has no attribute stat"},
		{"a number", "counts: Order, where: {total: PAID}",
			".where.total: total is a number; only strings have a value here"},
		{"no value", `counts: Order, where: {state: ""}`, ".where.state: give the value of state"},
		{"nothing counted", "where: {state: PAID}",
			".where: n counts nothing: say what in counts or sums"},
		{"by a request of its own", "counts: Order, where: {state: PAID}, kept: add",
			".kept: n counts by values that only a transaction knows before and after"},
		{"by the stream", "sums: Order.total, kept: stream",
			".kept: n counts by values that only a transaction knows before and after"},
		{"a change whose rate is not known", "counts: Order, where: {note: x}",
			"Order.note changes, and n with it: say how often, as in updates: [{of: note, rate: 1}]"},
		{"a sum whose changes are not known", "sums: Order.fee", "Order.fee changes, and n with it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse([]byte(strings.Replace(states, "COUNTER", c.counter, 1)))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestMoves shows the requests of a change that moves counters.
func TestMoves(t *testing.T) {
	plan, err := designfile.Plan([]byte(strings.Replace(states, "COUNTER",
		"sums: Order.total, where: {state: PAID}", 1)))
	require.NoError(t, err)
	same := func(v any) any { return v }
	row := func(state string, total int64) design.Row {
		return design.Row{"id": "1", "customer": "c", "state": state, "total": total}
	}
	for _, c := range []struct {
		name, write   string
		before, after design.Row
		moved         any // nil: the counter stays as it is
	}{
		{"into the state", "change state of Order", row("NEW", 7), row("PAID", 7), int64(7)},
		{"out of it", "change state of Order", row("PAID", 7), row("SENT", 7), int64(-7)},
		{"past it", "change state of Order", row("NEW", 7), row("SENT", 7), nil},
		{"an amount in it", "change total of Order", row("PAID", 7), row("PAID", 9), int64(2)},
		{"an amount elsewhere", "change total of Order", row("NEW", 7), row("NEW", 9), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			requests, err := plan.Requests(plan.Write(c.write), design.Writing{
				Before: map[string][]design.Row{"Order": {c.before}},
				After:  map[string][]design.Row{"Order": {c.after}}}, "token", same)
			require.NoError(t, err)
			require.Len(t, requests, 1)
			items, _ := requests[0].Input["TransactItems"].([]any)
			if c.moved == nil {
				assert.Len(t, items, 1)
				return
			}
			require.Len(t, items, 2)
			update, _ := items[1].(map[string]any)["Update"].(map[string]any)
			assert.Equal(t, "ADD #n0 :v0", update["UpdateExpression"])
			assert.Equal(t, map[string]any{":v0": c.moved}, update["ExpressionAttributeValues"])
			first, _ := items[0].(map[string]any)["Update"].(map[string]any)
			assert.Contains(t, first["ConditionExpression"], " = :v") // nobody else changed it
		})
	}
}

// TestMovesCost shows that a change with its counters takes two write units of each item.
func TestMovesCost(t *testing.T) {
	units := func(counter string) float64 {
		plan, err := designfile.Plan([]byte(strings.Replace(states, "COUNTER", counter, 1)))
		require.NoError(t, err)
		return plan.Cost(design.ListPrices()).Table.WriteUnits
	}
	plain := units("values: 10")
	// two changes of a state a second: a further unit for the order, and two for the customer
	assert.InDelta(t, plain+2*3, units("counts: Order, where: {state: PAID}"), 1e-9)
	// and one change of a total
	assert.InDelta(t, plain+3*3, units("sums: Order.total, where: {state: PAID}"), 1e-9)
}
