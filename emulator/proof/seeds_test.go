package proof

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestRandomDesignsOfAnySeed checks that the plans of random designs of three kinds hold, whatever
// values the samples have.
func TestRandomDesignsOfAnySeed(t *testing.T) {
	kinds := []func(*rapid.T) *design.Design{drawWithTenants, drawSeries, drawFamily}
	for n := range drawn(9, 300) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			// other designs than those of TestRandomDesigns, which have the low numbers
			plan, err := design.Make(rapid.Custom(kinds[n%len(kinds)]).Example(1000 + n))
			require.NoError(t, err)
			for seed := range uint64(4) {
				report, err := Verify(plan, Options{Rows: 200, Requests: 10, Seed: seed + 2})
				require.NoError(t, err)
				require.Empty(t, report.firstFailure(), "seed %d", seed+2)
			}
		})
	}
}

// TestWritesOfAnySeed checks that right writes hold, and that their mistakes are noticed, whatever
// values the samples have.
func TestWritesOfAnySeed(t *testing.T) {
	for _, c := range []struct{ name, design string }{
		{"an update of a timestamp", `
  - name: Account
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: balance, type: number, mutable: true},
      {name: changed, format: timestamp, mutable: true}]
  - name: Entry
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: amount, type: number}]
patterns:
  - {name: an entry, model: Entry, equal: [id], one: true, rate: 1}
transactions:
  - {name: book, puts: [Entry], updates: [{model: Account, of: [balance, changed]}], rate: 1}
`},
		{"a transaction of one update", `
  - name: Stock
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: free, type: number, mutable: true}]
patterns:
  - {name: a stock, model: Stock, equal: [id], one: true, rate: 1}
transactions:
  - {name: take, updates: [{model: Stock, of: free}], rate: 1}
`},
		{"a sum of samples that may be 0", `
  - name: Product
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: total, type: number, sums: Stock.free}]
  - name: Stock
    key: [product, place]
    items: 1000
    puts: 1
    deletes: 1
    attributes: [{name: product, format: ulid, of: Product.id}, {name: place, values: 2},
      {name: free, type: number}]
patterns:
  - {name: a product, model: Product, equal: [id], one: true, rate: 1}
`},
	} {
		plan, err := designfile.Plan([]byte("table: test\nmodels:" + c.design))
		require.NoError(t, err)
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				t.Parallel()
				report, err := Verify(plan, Options{Rows: 100, Seed: seed})
				require.NoError(t, err)
				for _, w := range report.Writes {
					assert.Empty(t, w.Failures, w.Name)
				}
				mistakes, err := Mutate(plan, Options{Rows: 100, Seed: seed})
				require.NoError(t, err)
				for _, m := range mistakes {
					assert.NotEmpty(t, m.Found, m.Name)
				}
			})
		}
	}
}
