package proof

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/expr"
)

// published is a design as its document prints it. Values have names of attributes in braces.
type published struct {
	file    string
	indexes [][3]string                  // name, partition key and sort key
	items   map[string]map[string]string // the attributes of keys, by model
	// the index, the partition key, an operator, and values of the sort key, by pattern
	queries map[string][4]string
	filters map[string]string // the pattern whose items it reads to filter them, by pattern
	// how many requests a pattern takes, if they are several
	merged map[string]float64
	more   []string // the patterns for which plans read more
}

// publishedDesigns has the online shop and the game profiles of the Developer Guide ("Using
// DynamoDB as a data store for an online shop" and "Gaming profile schema design in DynamoDB",
// schema summaries), and the game of AWS Hands-on ("Modeling Game Player Data with Amazon
// DynamoDB"). Its open games are in the order of time by map only, so all of them in that order are
// a request for each map. The plan has them in the index of the users' games, whose items have one
// more attribute of a key for that.
var publishedDesigns = map[string]published{
	"the online shop": {
		file:    "testdata/shop.yaml",
		indexes: [][3]string{{"GSI1", "GSI1-PK", "GSI1-SK"}, {"GSI2", "GSI2-PK", "GSI2-SK"}},
		items: map[string]map[string]string{
			"Customer":  {"PK": "c#{customerId}", "SK": "c#{customerId}"},
			"Product":   {"PK": "p#{productId}", "SK": "p#{productId}"},
			"Warehouse": {"PK": "w#{warehouseId}", "SK": "w#{warehouseId}"},
			"Inventory": {"PK": "p#{productId}", "SK": "w#{warehouseId}",
				"GSI2-PK": "w#{warehouseId}", "GSI2-SK": "p#{productId}"},
			"Order": {"PK": "o#{orderId}", "SK": "c#{customerId}", "GSI2-PK": "c#{customerId}",
				"GSI2-SK": "o#{date}"},
			"OrderItem": {"PK": "o#{orderId}", "SK": "p#{productId}", "GSI1-PK": "p#{productId}",
				"GSI1-SK": "{date}", "GSI2-PK": "c#{customerId}", "GSI2-SK": "{date}"},
			"Invoice": {"PK": "o#{orderId}", "SK": "i#{invoiceId}", "GSI1-PK": "i#{invoiceId}",
				"GSI1-SK": "i#{invoiceId}", "GSI2-PK": "c#{customerId}", "GSI2-SK": "i#{date}"},
			"Payment": {"PK": "i#{invoiceId}", "SK": "pmt#{paymentId}",
				"GSI1-PK": "i#{invoiceId}", "GSI1-SK": "pmt#{paymentId}"},
			"Shipment": {"PK": "o#{orderId}", "SK": "sh#{shipmentId}",
				"GSI1-PK": "sh#{shipmentId}", "GSI1-SK": "sh#{shipmentId}",
				"GSI2-PK": "w#{warehouseId}", "GSI2-SK": "sh#{shipmentId}"},
		},
		queries: map[string][4]string{
			"getCustomerByCustomerId":        {"", "c#{customerId}", "=", "c#{customerId}"},
			"getProductByProductId":          {"", "p#{productId}", "=", "p#{productId}"},
			"getWarehouseByWarehouseId":      {"", "w#{warehouseId}", "=", "w#{warehouseId}"},
			"getProductInventoryByProductId": {"", "p#{productId}", "begins_with", "w#"},
			"getOrderDetailsByOrderId":       {"", "o#{orderId}", "begins_with", "c#"},
			"getProductByOrderId":            {"", "o#{orderId}", "begins_with", "p#"},
			"getInvoiceByOrderId":            {"", "o#{orderId}", "begins_with", "i#"},
			"getShipmentByOrderId":           {"", "o#{orderId}", "begins_with", "sh#"},
			"getOrderByProductIdForDateRange": {"GSI1", "p#{productId}", "BETWEEN",
				"{from} {to}"},
			"getInvoiceByInvoiceId": {"GSI1", "i#{invoiceId}", "=", "i#{invoiceId}"},
			"getPaymentByInvoiceId": {"GSI1", "i#{invoiceId}", "begins_with", "pmt#"},
			"getShipmentDetailsByShipmentId": {"GSI1", "sh#{shipmentId}", "=",
				"sh#{shipmentId}"},
			"getShipmentByWarehouseId": {"GSI2", "w#{warehouseId}", "begins_with",
				"sh#"},
			"getProductInventoryByWarehouseId": {"GSI2", "w#{warehouseId}", "begins_with", "p#"},
			"getInvoiceByCustomerIdForDateRange": {"GSI2", "c#{customerId}", "BETWEEN",
				"i#{from} i#{to}"},
			"getOrderByCustomerIdForDateRange": {"GSI2", "c#{customerId}", "BETWEEN",
				"o#{from} o#{to}"},
			"getProductsByCustomerIdForDateRange": {"GSI2", "c#{customerId}", "BETWEEN",
				"{from} {to}"},
		},
	},
	"the game profiles": {
		file: "testdata/profiles.yaml",
		items: map[string]map[string]string{
			"Player":    {"PK": "{playerId}", "SK": "#METADATA#{playerId}"},
			"Friends":   {"PK": "{playerId}", "SK": "FRIENDS#{playerId}"},
			"Equipment": {"PK": "{playerId}", "SK": "EQUIPMENTS#{equipmentId}"},
			"Item":      {"PK": "{playerId}", "SK": "ITEMS#{itemId}"},
			"Task":      {"PK": "{playerId}", "SK": "TASK#{taskId}"},
		},
		queries: map[string][4]string{
			"getPlayerFriends":    {"", "{playerId}", "=", "FRIENDS#{playerId}"},
			"getPlayerAllProfile": {"", "{playerId}", "", ""},
			"getPlayerAllItems":   {"", "{playerId}", "begins_with", "ITEMS#"},
			// a filter by type follows
			"getPlayerSpecificItem": {"", "{playerId}", "begins_with", "ITEMS#"},
		},
		filters: map[string]string{"getPlayerSpecificItem": "getPlayerAllItems"},
	},
	"the battle royale": {
		file: "testdata/game.yaml",
		indexes: [][3]string{{"OpenGamesIndex", "map", "open_timestamp"},
			{"InvertedIndex", "SK", "PK"}},
		items: map[string]map[string]string{
			"User": {"PK": "USER#{username}", "SK": "#METADATA#{username}"},
			"Game": {"PK": "GAME#{gameId}", "SK": "#METADATA#{gameId}", "map": "{map}",
				"open_timestamp": "{openedAt}"},
			"UserGame": {"PK": "GAME#{gameId}", "SK": "USER#{username}"},
		},
		queries: map[string][4]string{
			"a user":              {"", "USER#{username}", "=", "#METADATA#{username}"},
			"a game":              {"", "GAME#{gameId}", "=", "#METADATA#{gameId}"},
			"users of a game":     {"", "GAME#{gameId}", "begins_with", "USER#"},
			"games of a user":     {"InvertedIndex", "USER#{username}", "begins_with", "GAME#"},
			"open games":          {"OpenGamesIndex", "{map}", "", ""},
			"open games of a map": {"OpenGamesIndex", "{map}", "", ""},
		},
		merged: map[string]float64{"open games": 12},
		more:   []string{"users of a game"},
	},
}

// plan returns the published design as a plan, whose cost can be computed.
func (p published) plan(t *testing.T, made *design.Plan) *design.Plan {
	out := &design.Plan{Design: made.Design, Key: design.Key{Partition: "PK", Sort: "SK"}}
	columns := []string{"PK", "SK"}
	for _, ix := range p.indexes {
		index := design.Index{Name: ix[0], Key: design.Key{Partition: ix[1], Sort: ix[2]}}
		for _, m := range made.Design.Models {
			if p.items[m.Name][ix[1]] != "" && p.items[m.Name][ix[2]] != "" {
				index.Models = append(index.Models, m.Name)
			}
		}
		out.Indexes = append(out.Indexes, index)
		for _, name := range ix[1:] {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	for _, name := range columns {
		out.Columns = append(out.Columns, design.Column{Name: name, Type: design.String})
	}
	for _, m := range made.Design.Models {
		e := design.Entity{Model: m.Name}
		held := map[string]bool{}
		for _, name := range columns {
			if text := p.items[m.Name][name]; text != "" {
				e.Keys = append(e.Keys, design.Stored{Name: name, Value: valueOf(text)})
				for _, part := range valueOf(text) {
					held[part.Attribute] = true
				}
			}
		}
		for _, a := range m.Attributes {
			if !held[a.Name] && a.Constant == "" {
				e.Others = append(e.Others,
					design.Stored{Name: a.Name, Value: design.Value{{Attribute: a.Name}}})
			}
		}
		out.Entities = append(out.Entities, e)
	}
	for i := range made.Design.Patterns {
		out.Queries = append(out.Queries, p.query(t, out, &made.Queries[i]))
	}
	return out
}

// cost returns what the published design costs. A filter reads what it leaves out, too.
func (p published) cost(plan *design.Plan) *design.Cost {
	prices := design.ListPrices()
	c := plan.Cost(prices)
	at := func(pattern string) int {
		return slices.IndexFunc(plan.Queries,
			func(q design.Query) bool { return q.Pattern == pattern })
	}
	for filtered, all := range p.filters {
		from, to := at(all), at(filtered)
		share, rate :=
			c.Patterns[from], plan.Design.Patterns[to].Rate/plan.Design.Patterns[from].Rate
		share.Name, share.ReadUnits, share.Dollars =
			filtered, share.ReadUnits*rate, share.Dollars*rate
		c.Patterns[to] = share
	}
	for pattern, requests := range p.merged {
		share := &c.Patterns[at(pattern)]
		share.ReadUnits, share.Dollars = share.ReadUnits*requests, share.Dollars*requests
	}
	return c
}

// query returns a pattern's request in the published design. Models, order and limit are the
// plan's.
func (p published) query(t *testing.T, out *design.Plan, made *design.Query) design.Query {
	in, there := p.queries[made.Pattern]
	require.True(t, there, made.Pattern)
	key := out.Key
	for _, ix := range out.Indexes {
		if ix.Name == in[0] {
			key = ix.Key
		}
	}
	q := design.Query{Pattern: made.Pattern, Models: made.Models, Operation: design.QueryRequest,
		Index: in[0], Descending: made.Descending,
		Limit: made.Limit, Partition: design.Stored{Name: key.Partition, Value: valueOf(in[1])}}
	if in[2] != "" {
		from, to, _ := strings.Cut(in[3], " ")
		q.Sort = design.SortCondition{
			Name: key.Sort, Operator: expr.KeyOp(in[2]), From: valueOf(from), To: valueOf(to),
		}
	}
	if in[0] == "" && in[2] == "=" {
		q.Operation = design.GetItem
	}
	return q
}

// valueOf reads a value such as "c#{customerId}".
func valueOf(text string) (v design.Value) {
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		if before != "" {
			v = append(v, design.Part{Text: before})
		}
		if !found {
			return v
		}
		name, after, _ := strings.Cut(rest, "}")
		v = append(v, design.Part{Attribute: name})
		text = after
	}
	return v
}

// TestPublishedDesigns checks that plans cost no more than the designs that the maker of DynamoDB
// published for the same patterns and rates: in a month, and in read units of each pattern.
func TestPublishedDesigns(t *testing.T) {
	for name, p := range publishedDesigns {
		t.Run(name, func(t *testing.T) {
			made, err := designfile.PlanFile(p.file)
			require.NoError(t, err)
			theirs := p.plan(t, made)
			report, err := Verify(made, Options{Rows: rows()})
			require.NoError(t, err)
			assert.True(t, report.OK(), "%+v", report)
			ourCost, theirCost := made.Cost(design.ListPrices()), p.cost(theirs)
			var table strings.Builder
			fmt.Fprintf(&table, "| %s | published | planned |\n|---|---:|---:|\n",
				strings.TrimPrefix(name, "the "))
			line := func(what, form string, a, b float64) {
				fmt.Fprintf(&table, "| %s | "+form+" | "+form+" |\n", what, a, b)
			}
			line("indexes", "%.0f", float64(len(theirs.Indexes)), float64(len(made.Indexes)))
			line("USD a month", "%.2f", theirCost.Total(), ourCost.Total())
			line("write units a second", "%.1f", writeUnits(theirCost), writeUnits(ourCost))
			for i, q := range made.Queries {
				line("read units a second: "+q.Pattern, "%.1f", theirCost.Patterns[i].ReadUnits,
					ourCost.Patterns[i].ReadUnits)
				reads := ourCost.Patterns[i].ReadUnits <= theirCost.Patterns[i].ReadUnits
				assert.Equal(t, !slices.Contains(p.more, q.Pattern), reads, q.Pattern)
			}
			t.Log("\n" + table.String())
			assert.LessOrEqual(t, len(made.Indexes), len(theirs.Indexes))
			assert.LessOrEqual(t, ourCost.Total(), theirCost.Total())
			page, err := os.ReadFile("../../conventions/docs/design.md")
			require.NoError(t, err)
			assert.True(t, strings.Contains(string(page), table.String()),
				"the document shows the comparison")
		})
	}
}

func writeUnits(c *design.Cost) (units float64) {
	for _, s := range append([]design.Share{c.Table}, c.Indexes...) {
		units += s.WriteUnits
	}
	return units
}

// TestPublishedShop checks that the published design of the shop, as it is written here, serves all
// patterns.
func TestPublishedShop(t *testing.T) {
	p := publishedDesigns["the online shop"]
	made, err := designfile.PlanFile(p.file)
	require.NoError(t, err)
	report, err := Verify(p.plan(t, made), Options{Rows: rows()})
	require.NoError(t, err)
	for _, pattern := range report.Patterns {
		assert.Empty(t, pattern.Failures, pattern.Name)
	}
}
