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

const orders = `table: shop
models:
  - name: Order
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}, {name: customer, values: 100}]
patterns:
  - {name: orders of a customer, model: Order, equal: [customer], rate: 1}
`

// TestFrom plans a design from the table that is there, as a lock or another design has it.
func TestFrom(t *testing.T) {
	plan, err := designfile.Plan([]byte(orders))
	require.NoError(t, err)
	lock, err := designfile.Lock(plan)
	require.NoError(t, err)
	for _, c := range []struct{ name, from, text, says, wrong string }{
		{"a lock", "plan.lock", string(lock), "from the table that is there: nothing changes", ""},
		{"a design", "old.yaml", orders, "from the table that is there: nothing changes", ""},
		{"no file", "none.yaml", "", "", "line 2: from: "},
		{"itself", "design.yaml", "", "", "more than 20 designs are planned from one another"},
		{"a lock with another model", "plan.lock",
			strings.Replace(string(lock), `"Model": "Order"`, `"Model": "Other"`, 1), "",
			"this is no plan: the query \"orders of a customer\" is not that of the pattern"},
		{"a lock whose keys have no attribute", "plan.lock",
			strings.ReplaceAll(string(lock), `"Attribute": "customer"`, `"Attribute": "who"`), "",
			"this is no plan: Order has no attribute who"},
		{"a lock with more", "plan.lock", strings.Replace(string(lock), `"TTL"`, `"Until"`, 1), "",
			"this is no plan"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.text != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, c.from), []byte(c.text), 0o600))
			}
			file := filepath.Join(dir, "design.yaml")
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(orders, "table: shop",
				"table: shop\nfrom: "+c.from, 1)), 0o600))
			got, err := designfile.PlanFile(file)
			if c.wrong != "" {
				assert.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			assert.Contains(t, got.Markdown(), c.says)
			assert.Equal(t, plan.Entities, got.Entities)
		})
	}
	_, err = designfile.Plan([]byte("from: plan.lock\n" + orders))
	assert.ErrorContains(t, err, "only a file has others beside it")
}
