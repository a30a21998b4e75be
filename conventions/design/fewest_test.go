package design_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestFewestIndexes shows designs with as few indexes as an expert gives them.
func TestFewestIndexes(t *testing.T) {
	staff, err := os.ReadFile("published/staff.yaml")
	require.NoError(t, err)
	for _, c := range []struct {
		name, design string
		indexes      int
		queries      map[string]string // some of them
	}{
		{"a collection that shares an index with an ordered read of one model", lending, 1, nil},
		{"two chains of patterns over several models", string(staff), 3, map[string]string{
			"tasks of an employee": "Query, PK = Employee#{employee}, SK begins_with Task#",
		}},
		{"an edge that is read from both ends, with what is at each end", `
table: bills
models:
  - name: Invoice
    key: [invoice]
    items: 100_000
    puts: 1
    attributes: [{name: invoice, format: ulid}]
  - name: Bill
    key: [bill]
    items: 200_000
    puts: 2
    attributes: [{name: bill, format: ulid}]
  - name: Edge
    key: [invoice, bill]
    items: 400_000
    puts: 4
    attributes:
      - {name: invoice, format: ulid, of: Invoice.invoice}
      - {name: bill, format: ulid, of: Bill.bill}
patterns:
  - {name: an invoice with its bills, models: [Invoice, Edge], equal: [invoice], rate: 10}
  - {name: a bill with its invoices, models: [Bill, Edge], equal: [bill], rate: 10}
`, 1, map[string]string{
			"an invoice with its bills": "Query GSI1, GSI1PK = {invoice}",
			"a bill with its invoices":  "Query, PK = {bill}",
		}},
		{"an edge between people, by an inverted index", `
table: people
models:
  - name: Friendship
    key: [one, other]
    items: 1_000_000
    puts: 4
    attributes: [{name: one, format: ulid}, {name: other, format: ulid}]
patterns:
  - {name: whom one asked, model: Friendship, equal: [one], rate: 10}
  - {name: who asked one, model: Friendship, equal: [other], rate: 10}
`, 1, map[string]string{"who asked one": "Query GSI1, SK_GSI1PK = {other}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(c.design))
			require.NoError(t, err)
			assert.Len(t, plan.Indexes, c.indexes)
			assert.Empty(t, covered(plan))
			for pattern, query := range c.queries {
				assert.Equal(t, query, queryOf(plan, pattern))
			}
		})
	}
}

// queryOf returns the query of a pattern as text.
func queryOf(p *design.Plan, pattern string) string {
	for i := range p.Queries {
		if p.Queries[i].Pattern == pattern {
			return p.Queries[i].String()
		}
	}
	return ""
}
