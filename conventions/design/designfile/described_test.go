package designfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

const orderTable = `{"Table": {"TableName": "orders", "TableStatus": "ACTIVE", "ItemCount": 7,
  "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"},
    {"AttributeName": "customer", "AttributeType": "S"},
    {"AttributeName": "at", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
  "GlobalSecondaryIndexes": [{"IndexName": "byCustomer", "IndexStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"},
      {"AttributeName": "at", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "ALL"}}]}}`

const orderDesign = `
table: orders
from: table.json
models:
  - name: Order
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: customer, format: ulid}, {name: at, format: timestamp}, {name: state, values: 3}]
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 1}
  - {name: of a customer, model: Order, equal: [customer], order: at, rate: 1}
`

// TestFromDescription plans designs from what describe-table prints.
func TestFromDescription(t *testing.T) {
	for _, c := range []struct{ name, table, design, says string }{
		{"the same", orderTable, orderDesign, "nothing changes"},
		{"a further pattern", orderTable,
			orderDesign + "  - {name: p, model: Order, equal: [state], order: at, rate: 1}\n",
			"an index is added"},
		{"keys that say nothing", strings.ReplaceAll(orderTable, `"id"`, `"PK"`), orderDesign,
			"no model has the attributes PK of the table's key, and a description does not"},
		{"another type", strings.Replace(orderTable, `"S"`, `"BOOL"`, 1), orderDesign,
			`id has the type "BOOL": want S, N or B`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			table := filepath.Join(dir, "table.json")
			require.NoError(t, os.WriteFile(table, []byte(c.table), 0o600))
			file := filepath.Join(dir, "design.yaml")
			require.NoError(t, os.WriteFile(file, []byte(c.design), 0o600))
			plan, err := designfile.PlanFile(file)
			if err != nil {
				assert.ErrorContains(t, err, c.says)
				return
			}
			assert.Contains(t, plan.Markdown(), c.says)
			require.NotNil(t, plan.Index("byCustomer"))
			assert.Equal(t, "customer", plan.Index("byCustomer").Key.Partition)
			assert.Equal(t, "{id}", plan.Entity("Order").Keys[0].Value.String())
		})
	}
}
