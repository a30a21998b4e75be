package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// severalTickets is a design whose patterns take fields of a case.
const severalTickets = `
table: tickets
models:
  - name: Ticket
    key: [id]
    items: 10_000
    attributes: [id, {name: queue, values: 10}, {name: state, values: 4, mutable: true}, {name: text, bytes: 500}, {name: kind, constant: ticket}, {name: urgent, type: boolean}, {name: tags, type: list}, opened]
  - name: Note
    key: [id]
    items: 10
    attributes: [id, queue]
patterns:
`

// TestSeveralChecks shows what patterns that ask for several values, or filter, may say.
func TestSeveralChecks(t *testing.T) {
	for _, c := range []struct{ name, pattern, wrong string }{
		{"items by ids", "{name: p, model: Ticket, equal: [id], in: {id: 5}, one: true, rate: 1}",
			""},
		{"an attribute that is not there",
			"{name: p, model: Ticket, equal: [state], in: {stat: 5}, rate: 1}",
			"patterns[0].in: Ticket has no attribute stat; it has id, queue, state, text, kind, " +
				"urgent, tags, opened; did you mean state?"},
		{"an attribute that is not in equal",
			"{name: p, model: Ticket, equal: [state], in: {queue: 5}, rate: 1}",
			"patterns[0].in: queue has to be in equal, too"},
		{"without how many", "{name: p, model: Ticket, equal: [state], in: {state: 0}, rate: 1}",
			"patterns[0].in: say how many values of state a request gives on average, 2 to 100, " +
				"as in in: {state: 5}"},
		{"too many", "{name: p, model: Ticket, equal: [state], in: {state: 101}, rate: 1}",
			"patterns[0].in: say how many values of state"},
		{"two attributes",
			"{name: p, model: Ticket, equal: [queue, state], in: {state: 2, queue: 2}, rate: 1}",
			"patterns[0].in: want one attribute"},
		{"a list in place of numbers",
			"{name: p, model: Ticket, equal: [state], in: [state], rate: 1}",
			"patterns[0].in: this is a list and should be an object"},
		{"a constant", "{name: p, model: Ticket, equal: [kind], in: {kind: 2}, rate: 1}",
			"patterns[0].in: kind has one value: it is constant"},
		{"an order of items by ids",
			"{name: p, model: Ticket, equal: [id], in: {id: 5}, one: true, order: opened, rate: 1}",
			"patterns[0].in: with one, the result has an item for each value, in their order: " +
				"leave order out"},
		{"several models",
			"{name: p, models: [Ticket, Note], equal: [queue], in: {queue: 2}, rate: 1}",
			"patterns[0].in: only a pattern that reads one model"},
		{"a filter", "{name: p, model: Ticket, equal: [queue], filter: [state, urgent], rate: 1}",
			""},
		{"a filter of one item",
			"{name: p, model: Ticket, equal: [id], one: true, filter: [state], rate: 1}",
			"patterns[0].filter: a result of one item needs none"},
		{"a filter by what is equal",
			"{name: p, model: Ticket, equal: [state], filter: [state], rate: 1}",
			"patterns[0].filter[0]: state is in the key by which the pattern reads"},
		{"a filter by an attribute of unknown values",
			"{name: p, model: Ticket, equal: [queue], filter: [opened], rate: 1}",
			"patterns[0].filter[0]: say how many values opened has, as in values: 4 of the attribute"},
		{"a filter by a list", "{name: p, model: Ticket, equal: [queue], filter: [tags], rate: 1}",
			"patterns[0].filter[0]: tags is a list; want a string, a number or a boolean"},
		{"a filter twice",
			"{name: p, model: Ticket, equal: [queue], filter: [state, state], rate: 1}",
			"patterns[0].filter[1]: state is there twice"},
		{"a filter of several models",
			"{name: p, models: [Ticket, Note], equal: [queue], filter: [state], rate: 1}",
			"patterns[0].filter: only a pattern that reads one model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse([]byte(severalTickets + "  - " + c.pattern + "\n"))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestSeveralCosts shows what reads of several values and filters take: a unit for each value at
// least, and what is dropped.
func TestSeveralCosts(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		units         float64 // the units of a read
		request, note string
	}{
		{"a BatchGetItem",
			"{name: p, model: Ticket, equal: [id], in: {id: 5}, one: true, rate: 1}", 2.5,
			"BatchGetItem, PK = Ticket#{id}, for each {id}",
			"takes one BatchGetItem for 5 values of id, at most 100 in a request"},
		{"a query for each state",
			"{name: p, model: Ticket, equal: [state], in: {state: 4}, returned: 1, rate: 1}", 2,
			"for each {state}",
			"takes a Query for each of the 4 values of state, whose results the reader merges"},
		{"a filter that drops 3 of 4",
			"{name: p, model: Ticket, equal: [queue], filter: [state], returned: 10, rate: 1}", 4,
			", filtered by state = {state}", "reads 40 items for 10, and its filter drops the others"},
		{"a filter over more than a page",
			"{name: p, model: Ticket, equal: [queue], filter: [state], returned: 1000, rate: 1}", 350,
			", filtered by state = {state}", ". A result takes 3 pages of 1 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(severalTickets + "  - " + c.pattern + "\n"))
			require.NoError(t, err)
			units := plan.Cost(design.ListPrices()).Patterns[0].ReadUnits
			assert.InDelta(t, c.units, units, c.units/50)
			assert.Contains(t, plan.Queries[0].String(), c.request)
			var notes []string
			for _, n := range plan.Notes {
				notes = append(notes, n.String())
			}
			assert.Contains(t, strings.Join(notes, "\n"), c.note)
		})
	}
}

// TestFilteredProjections: an index has what patterns filter by, whatever else it leaves out.
func TestFilteredProjections(t *testing.T) {
	plan, err := designfile.Plan([]byte(severalTickets +
		"  - {name: p, model: Ticket, equal: [queue], filter: [state], attributes: [id], rate: 1}\n"))
	require.NoError(t, err)
	require.Len(t, plan.Indexes, 1)
	assert.Equal(t, []string{"state"}, plan.Indexes[0].Projection.Attributes)
	assert.NotContains(t, plan.Queries[0].Attributes, "state")
}

// TestBindSeveral shows which requests several values take.
func TestBindSeveral(t *testing.T) {
	plan, err := designfile.Plan([]byte(severalTickets +
		"  - {name: ids, model: Ticket, equal: [id], in: {id: 5}, one: true, rate: 1}\n" +
		"  - {name: states, model: Ticket, equal: [state], in: {state: 2}, rate: 1}\n"))
	require.NoError(t, err)
	ids := make([]any, 250)
	for i := range ids {
		ids[i] = strings.Repeat("a", i%201)
	}
	bounds, err := plan.Queries[0].BindAll(design.Row{"id": ids})
	require.NoError(t, err)
	require.Len(t, bounds, 3, "201 different ids")
	operation, in := bounds[2].Request("tickets", func(v any) any { return v })
	assert.Equal(t, "BatchGetItem", operation)
	assert.Len(t, in["RequestItems"].(map[string]any)["tickets"].(map[string]any)["Keys"], 1)
	bounds, err = plan.Queries[1].BindAll(design.Row{"state": []any{"open", "done", "open"}})
	require.NoError(t, err)
	require.Len(t, bounds, 2)
	assert.Equal(t, "done", bounds[1].PartitionValue)
	_, err = plan.Queries[1].BindAll(design.Row{})
	assert.EqualError(t, err, "states: state: the request has no value")
}
