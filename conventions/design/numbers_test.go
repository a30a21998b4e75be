package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// invoices is a design whose customers number invoices as a case says.
const invoices = `
table: invoices
models:
  - name: Customer
    key: [id]
    items: 100
    attributes: [id, name, {name: last, type: number, COUNTER}, {name: all, type: number, counts: Invoice}]
  - name: Country
    key: [code]
    items: 10
    attributes: [{name: code, values: 10}, {name: last, type: number, numbers: Invoice.local}]
  - name: Invoice
    key: [id]
    items: 1000
    puts: 4
    deletes: 1
    unique: [serial]
    attributes:
      - id
      - {name: customer, of: Customer.id}
      - {name: country, values: 10, of: Country.code}
      - {name: number, type: number}
      - {name: local, type: number}
      - {name: serial, type: number}
      - {name: text, bytes: 10}
      - {name: note, type: number, mutable: true}
      - {name: euros, type: number, decimals: 2}
      - {name: some, type: number, optional: 5%}
      - {name: often, type: number, skew: zipf 1.1}
patterns:
  - {name: a customer, model: Customer, equal: [id], one: true, rate: 1}
`

// numbering returns the design with a counter.
func numbering(counter string) []byte {
	return []byte(strings.Replace(invoices, "COUNTER", counter, 1))
}

// TestNumbersChecks shows which attributes a counter may number.
func TestNumbersChecks(t *testing.T) {
	for _, c := range []struct{ name, counter, wrong string }{
		{"a number", "numbers: Invoice.number", ""},
		{"by transaction", "numbers: Invoice.number, kept: transaction", ""},
		{"no model", "numbers: Bill.number", `.numbers: there is no model "Bill"`},
		{"a model only", "numbers: Invoice",
			".numbers: no attribute is called Invoice; want MODEL.ATTRIBUTE"},
		{"no attribute", "numbers: Invoice.no", ".numbers: no attribute is called Invoice.no"},
		{"a string", "numbers: Invoice.text", ".numbers: Invoice.text is a string; want a number"},
		{"one that changes", "numbers: Invoice.note",
			".numbers: Invoice.note changes, and the number of an item never does"},
		{"one with decimals", "numbers: Invoice.euros", "the numbers are 1, 2, 3 and so on"},
		{"one that some have", "numbers: Invoice.some",
			"only some items of Invoice have some, and each gets a number"},
		{"one that is frequent", "numbers: Invoice.often", "each number is given once"},
		{"one that is unique", "numbers: Invoice.serial", "leave it out of unique"},
		{"one that has numbers", "numbers: Invoice.local",
			"Customer.last gives Invoice.local its numbers already"},
		{"what is counted, too", "numbers: Invoice.number, counts: Invoice",
			"want one of counts, sums and numbers"},
		{"those in a state", "numbers: Invoice.number, where: {text: a}",
			".where: last numbers all items of a model: leave where out"},
		{"by the stream", "numbers: Invoice.number, kept: stream",
			".kept: only a transaction gives each number once: leave kept out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse(numbering(c.counter))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestNumbersInTransactions shows what a transaction may do with items that have numbers.
func TestNumbersInTransactions(t *testing.T) {
	for _, c := range []struct{ name, transaction, wrong string }{
		{"one item", "puts: [Invoice]", ""},
		{"several items", "puts: [{model: Invoice, count: 2}]",
			"bill puts 2 items of Invoice, and Customer.last gives one number at a time"},
		{"a change of a number", "updates: [{model: Invoice, of: number}]",
			"number is the number of the item, which never changes"},
		{"a change of the last number", "updates: [{model: Customer, of: last}]",
			"last changes with what it counts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse(append(numbering("numbers: Invoice.number"),
				"transactions:\n  - {name: bill, "+c.transaction+", rate: 1}\n"...))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestNumbers shows the requests of a put that gives the next number.
func TestNumbers(t *testing.T) {
	plan, err := designfile.Plan(numbering("numbers: Invoice.number"))
	require.NoError(t, err)
	for _, c := range []struct {
		name      string
		number    any
		condition string
		values    map[string]any
		wrong     string
	}{
		{"the first one", int64(1), "attribute_exists(#n2) AND (attribute_not_exists(#n0) OR #n0 = :v2)",
			map[string]any{":v0": int64(1), ":v1": int64(1), ":v2": int64(0)}, ""},
		{"a later one", int64(8), "attribute_exists(#n2) AND #n0 = :v2",
			map[string]any{":v0": int64(1), ":v1": int64(1), ":v2": int64(7)}, ""},
		{"zero", int64(0), "", nil, "number of Invoice is no number to give: want 1 or a whole number"},
		{"a part", 1.5, "", nil, "number of Invoice is no number to give"},
		{"none", nil, "", nil, "number of Invoice is no number to give"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := design.Row{"id": "1", "customer": "c", "country": "d", "number": c.number,
				"local": int64(3), "serial": int64(5)}
			requests, err := plan.Requests(plan.Write("put Invoice"), design.Writing{
				After: map[string][]design.Row{"Invoice": {row}}}, "token",
				func(v any) any { return v })
			if c.wrong != "" {
				assert.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			items, _ := requests[0].Input["TransactItems"].([]any)
			require.Len(t, items, 4) // the item, its guard, the customer and the country
			update, _ := items[2].(map[string]any)["Update"].(map[string]any)
			assert.Equal(t, "ADD #n0 :v0, #n1 :v1", update["UpdateExpression"])
			assert.Equal(t, c.condition, update["ConditionExpression"])
			assert.Equal(t, c.values, update["ExpressionAttributeValues"])
			country, _ := items[3].(map[string]any)["Update"].(map[string]any)
			assert.Equal(t, "#n0 = :v1", country["ConditionExpression"])
		})
	}
	remove := plan.Write("delete Invoice")
	assert.NotContains(t, remove.String(), "last") // no number is given twice
	assert.Contains(t, remove.String(), "Customer, all less")
}

// TestNumbersCost shows what a number costs, and the warning where writers come too often.
func TestNumbersCost(t *testing.T) {
	cost := func(text string) (*design.Plan, float64) {
		plan, err := designfile.Plan([]byte(text))
		require.NoError(t, err)
		return plan, plan.Cost(design.ListPrices()).Table.WriteUnits
	}
	const file = `
table: orders
models:
  - {name: Shop, key: [id], items: 10, attributes: [id, {name: last, type: number, COUNTER}]}
  - name: Order
    key: [shop, number]
    items: 1000
    puts: 4
    attributes: [{name: shop, of: Shop.id, values: 10}, {name: number, type: number}]
patterns:
  - {name: a shop, model: Shop, equal: [id], one: true, rate: 1}
`
	numbers := strings.Replace(file, "COUNTER", "numbers: Order.number", 1)
	_, plain := cost(strings.Replace(file, "COUNTER", "values: 10", 1))
	plan, units := cost(numbers)
	// a further unit for the order, and two for the shop
	assert.InDelta(t, plain+4*3, units, 1e-9)
	warned := func(p *design.Plan) bool {
		for _, n := range p.Notes {
			if n.Warning && strings.Contains(n.Text, "numbers a second") {
				return true
			}
		}
		return false
	}
	assert.False(t, warned(plan))
	assert.Contains(t, notesOf(plan), "Writers for one Shop take turns")
	plan, _ = cost(strings.Replace(numbers, "puts: 4", "puts: 600", 1))
	assert.True(t, warned(plan), "60 a second of each shop")
}

// notesOf returns the texts of a plan's notes.
func notesOf(p *design.Plan) string {
	var all []string
	for _, n := range p.Notes {
		all = append(all, n.Text)
	}
	return strings.Join(all, "\n")
}
