package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
)

const orders = `
table: shop
models:
  - name: Order
    key: [id]
    items: 1_000_000
    puts: 5
    attributes: [{name: id, format: ulid}, {name: customer, values: 1000}]
patterns:
  - {name: orders of a customer, model: Order, equal: [customer], order: id, rate: 20}
`

// TestPinned shows which primary keys a design may ask for.
func TestPinned(t *testing.T) {
	for _, c := range []struct{ name, primary, key, wrong string }{
		{"another one than the planner's", "(customer, id)", "{customer}", ""},
		{"the planner's", "(id)", "{id}", ""},
		{"not a key", "customer", "", "want a key as plans write it"},
		{"not unique", "(customer)", "", "two items could have it, because it has not id"},
		{"of nothing", "(no, id)", "", "Order has no attribute no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(strings.Replace(orders, "key: [id]",
				`key: [id]`+"\n    primary: "+`"`+c.primary+`"`, 1)))
			if c.wrong != "" {
				assert.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.key, plan.Entities[0].Keys[0].Value.String())
		})
	}
}

// TestPrefixes shows that a further model changes no key if all begin with the names of models.
func TestPrefixes(t *testing.T) {
	further := strings.Replace(orders, "patterns:", `  - name: Cart
    key: [id]
    items: 1_000
    attributes: [id, {name: customer, values: 1000}]
patterns:
  - {name: a cart, model: Cart, equal: [id], one: true, rate: 1}`, 1)
	for _, c := range []struct {
		name, prefixes string
		newTable       bool
	}{{"where needed", "", true}, {"always", "prefixes: always\n", false}} {
		t.Run(c.name, func(t *testing.T) {
			withKey := strings.NewReplacer("{name: id, format: ulid}", "id").Replace
			old, err := designfile.Plan([]byte(c.prefixes + withKey(orders)))
			require.NoError(t, err)
			plan, err := designfile.Plan([]byte(c.prefixes + withKey(further)))
			require.NoError(t, err)
			m, err := migrate.Diff(old, plan)
			require.NoError(t, err)
			assert.Equal(t, c.newTable, m.NewTable)
			if c.newTable {
				assert.Contains(t, m.Because, "prefixes: always")
			}
		})
	}
}
