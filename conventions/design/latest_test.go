package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// events is a design whose pattern reads an order with its newest events as a case says.
const events = `
table: shop
models:
  - name: Order
    key: [id]
    items: 100_000
    puts: 1
    updates: 1
    attributes: [{name: id, format: ulid}, {name: state, mutable: true}]
  - name: Event
    key: [order, n]
    items: 1_000_000
    puts: 10
    attributes:
      - {name: order, of: Order.id}
      - {name: n, type: number}
      - {name: at, format: timestamp}
      - {name: kind, values: 4}
      - {name: seen, format: timestamp, optional: 5%}
  - name: Receipt
    key: [id]
    attributes: [{name: id, of: Order.id}, {name: at, format: timestamp}]
  - name: Part
    key: [order, n]
    attributes: [{name: order, of: Order.id}, {name: n, type: number, values: 5}]
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 10}
  - {name: latest, rate: 100, `

// TestLatestChecks shows which children can be the newest.
func TestLatestChecks(t *testing.T) {
	for _, c := range []struct{ name, pattern, wrong string }{
		{"by a timestamp", "models: [Order, Event], equal: [id], latest: {at: 10}", ""},
		{"by a number", "models: [Order, Event], equal: [id], latest: {n: 1}, consistent: true", ""},
		{"one model", "model: Order, equal: [id], latest: {at: 10}", "latest: want two models and " +
			"one attribute of the second"},
		{"an unknown attribute", "models: [Order, Event], equal: [id], latest: {att: 10}",
			"latest: Event has no attribute att; it has order, n, at, kind, seen; " +
				"did you mean at?"},
		{"by words", "models: [Order, Event], equal: [id], latest: {kind: 10}",
			"latest: kind is no timestamp, ULID or number"},
		{"by what some have", "models: [Order, Event], equal: [id], latest: {seen: 10}",
			"latest: only some items of Event have seen"},
		{"too many", "models: [Order, Event], equal: [id], latest: {at: 101}",
			"latest: say how many of Event a request reads, 1 to 100"},
		{"none", "models: [Order, Event], equal: [id], latest: {at: 0}",
			"latest: say how many of Event a request reads, 1 to 100"},
		{"no number", "models: [Order, Event], equal: [id], latest: {at: ten}", "latest.at"},
		{"several parents", "models: [Order, Event], equal: [], latest: {at: 10}",
			"latest: equal has to be the key of Order, [id]"},
		{"one child each", "models: [Order, Receipt], equal: [id], latest: {at: 10}",
			"latest: Receipt has at most 1 item for each of Order, by id"},
		{"fewer children", "models: [Order, Part], equal: [id], latest: {n: 10}",
			"latest: Part has at most 5 items for each of Order, by order"},
		{"an order, too", "models: [Order, Event], equal: [id], latest: {at: 10}, order: id",
			".order: a pattern with latest has none"},
		{"a filter, too", "models: [Order, Event], equal: [id], latest: {at: 10}, filter: [state]",
			".filter: a pattern with latest has none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse([]byte(events + c.pattern + "}\n"))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestLatest shows in how many requests an item is read with its newest children.
func TestLatest(t *testing.T) {
	const children = "models: [Order, Event], equal: [id], latest: {at: 10}}\n"
	const byID = "  - {name: an event, model: Event, equal: [n], one: true, rate: 10}\n"
	for _, c := range []struct {
		name    string
		edits   []string
		last    string   // further patterns
		queries []string // those of the pattern
		why     string
	}{
		{"one request of the table", nil, "",
			[]string{"Query, PK = Order#{id}, descending, the first 11"},
			"takes one request: Order sorts beyond its items of Event, which a Query reads " +
				"backwards by at, so the first 11 are that item and the newest 10."},
		{"one request of an index, which costs less than two",
			[]string{"key: [order, n]\n    items", "key: [n]\n    items", "{name: at, format: " +
				"timestamp}\n      - {name: kind", "{name: at, format: timestamp, mutable: true}\n" +
				"      - {name: kind"}, byID,
			[]string{"Query GSI1, GSI1PK = {id}, descending, the first 11"},
			"USD with two requests, and "},
		{"two requests, where each change of the item would be one of the index",
			[]string{"key: [order, n]\n    items", "key: [n]\n    items", "{name: at, format: " +
				"timestamp}\n      - {name: kind", "{name: at, format: timestamp, mutable: true}\n" +
				"      - {name: kind", "    updates: 1\n", "    updates: 500\n"}, byID,
			[]string{"GetItem, PK = {id}, SK = order", "Query GSI1, GSI1PK = {order}, descending"},
			"takes two requests, which can be sent at once: a month costs "},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer(append(c.edits, "x", "x")...).Replace(events)
			plan, err := designfile.Plan([]byte(text + children + c.last))
			require.NoError(t, err)
			var queries, notes []string
			for _, q := range plan.Queries {
				if strings.HasPrefix(q.Pattern, "latest") {
					queries = append(queries, q.String())
				}
			}
			for _, n := range plan.Notes {
				if n.About == "latest" && n.Step == 2 {
					notes = append(notes, n.Text)
				}
			}
			assert.Equal(t, c.queries, queries)
			assert.Contains(t, strings.Join(notes, "\n"), c.why)
		})
	}
}

// TestLatestStays shows that a design in as many requests as the plan that is kept has is read so,
// even if the other number has become cheaper.
func TestLatestStays(t *testing.T) {
	const children = "models: [Order, Event], equal: [id], latest: {at: 10}}\n"
	text := strings.NewReplacer("key: [order, n]\n    items", "key: [n]\n    items",
		"{name: at, format: timestamp}\n      - {name: kind",
		"{name: at, format: timestamp, mutable: true}\n      - {name: kind").Replace(events)
	dear := strings.Replace(text, "    updates: 1\n", "    updates: 500\n", 1)
	for _, c := range []struct {
		name, old, now string
		models         int
	}{
		{"one", text, dear, 2},
		{"two", dear, text, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, err := designfile.Plan([]byte(c.old + children))
			require.NoError(t, err)
			d, err := designfile.Parse([]byte(c.now + children))
			require.NoError(t, err)
			plan, err := design.MakeFrom(d, old, design.KeepKeys)
			require.NoError(t, err)
			require.Len(t, old.Queries[1].Models, c.models)
			assert.Len(t, plan.Queries[1].Models, c.models, plan.Notes)
		})
	}
}
