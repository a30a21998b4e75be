package migrate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
)

const base = `
table: shop
models:
  - name: Customer
    key: [id]
    items: 100_000
    puts: 1
    attributes: [{name: id, format: ulid}, {name: email}, {name: city, values: 500}]
  - name: Order
    key: [id]
    items: 1_000_000
    puts: 5
    attributes:
      - {name: id, format: ulid}
      - {name: customer, format: ulid, of: Customer.id}
      - {name: placed, format: timestamp}
      - {name: shop, values: 1000}
patterns:
  - {name: a customer, model: Customer, equal: [id], one: true, rate: 20}
  - {name: orders of a customer, model: Order, equal: [customer], order: placed, rate: 20}
  - {name: an order, model: Order, equal: [id], one: true, rate: 20}
`

// made plans a design from the plan of another one.
func made(t *testing.T, old, text string) *migrate.Migration {
	t.Helper()
	before, err := designfile.Plan([]byte(old))
	require.NoError(t, err)
	d, err := designfile.Parse([]byte(text))
	require.NoError(t, err)
	m, err := migrate.Make(d, before)
	require.NoError(t, err)
	return m
}

// TestMakeAttributeKeys checks that keys: attributes moves no index that is there, and that a new
// index by attributes of the items takes no backfill.
func TestMakeAttributeKeys(t *testing.T) {
	next := base + "  - {name: of a shop, model: Order, equal: [shop, customer], " +
		"order: placed, rate: 1}\n"
	attributes := strings.NewReplacer("table: shop", "table: shop\nkeys: attributes")
	for _, c := range []struct {
		name, old, text, kept, made string
	}{
		{"a table with columns", base, attributes.Replace(next), "GSI1PK, GSI1SK",
			"shop, customer, placed"},
		{"a table with attributes", attributes.Replace(base), attributes.Replace(next),
			"customer, placed", "shop, customer, placed"},
		{"a table with attributes, and a design without", attributes.Replace(next), next,
			"shop, customer, placed", "customer, placed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := made(t, c.old, c.text)
			var keys []string
			for _, index := range m.New.Indexes {
				keys = append(keys, strings.Join(index.Key.Names(), ", "))
			}
			assert.Contains(t, keys, c.kept)
			assert.Contains(t, keys, c.made)
			assert.NotEqual(t, migrate.Copied, m.Change())
			for _, s := range m.Steps {
				assert.NotEqual(t, migrate.DropIndex, s.Kind)
				if c.old != base {
					assert.NotEqual(t, migrate.Backfill, s.Kind, "%v", m.Steps)
				}
			}
		})
	}
}

// TestMake shows what a planner prefers where there is a table already.
func TestMake(t *testing.T) {
	pattern := func(text string) string { return base + "  - " + text + "\n" }
	for _, c := range []struct {
		name, design string
		change       migrate.Change
		says         string
	}{
		{"the same design", base, migrate.Nothing, "nothing changes, which costs nothing"},
		{"a pattern that a key serves",
			pattern("{name: newest, model: Order, equal: [customer], order: placed, descending: true, rate: 1}"),
			migrate.Nothing, "nothing changes"},
		{"a pattern of a model that is in no index",
			pattern("{name: by email, model: Customer, equal: [email], rate: 1}"),
			migrate.Backfilled, "an attribute is backfilled, 200,000 write units once"},
		{"a pattern of a model that is in the index",
			pattern("{name: of a shop, model: Order, equal: [shop], order: placed, rate: 1}"),
			migrate.IndexAdded, "an index is added"},
		{"an unrelated model", strings.Replace(base, "patterns:\n", `  - name: Audit
    key: [id]
    items: 1000
    attributes: [id, who]
patterns:
  - {name: of somebody, model: Audit, equal: [who], rate: 1}
`, 1), migrate.Nothing, "nothing changes"},
		{"a read of two models", pattern("{name: together, models: [Customer, Order], " +
			"equal: [id], rate: 1}"), migrate.IndexAdded, "an index is added"},
		{"another primary key", strings.Replace(base, "name: Order\n",
			"name: Order\n    primary: (customer, placed+id)\n", 1), migrate.Copied,
			"all items are copied to a new table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := made(t, base, c.design)
			assert.Equal(t, c.change.String(), m.Change().String())
			assert.Contains(t, m.New.Markdown(), c.says)
		})
	}
}

// TestMakeSaysWhy shows that a plan whose table is copied says what keeps it from doing with less.
func TestMakeSaysWhy(t *testing.T) {
	const sessions = `
table: sessions
models:
  - name: Session
    key: [token]
    items: 1000
    attributes: [TOKEN]
patterns:
  - {name: a session, model: Session, equal: [token], one: true, rate: 1}
`
	further := strings.Replace(sessions, "patterns:\n", `  - name: Audit
    key: [id]
    items: 1000
    attributes: [id]
patterns:
  - {name: an audit, model: Audit, equal: [id], one: true, rate: 1}
`, 1)
	for _, c := range []struct {
		name, token string
		change      migrate.Change
		says        string
	}{
		{"any text", "token", migrate.Copied, "token of Session can be any text, and begins with " +
			"no name of the model; say its format, if it has one"},
		{"a format", "{name: token, format: uuid}", migrate.Nothing, "nothing changes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			with := strings.NewReplacer("TOKEN", c.token)
			m := made(t, with.Replace(sessions), with.Replace(further))
			assert.Equal(t, c.change.String(), m.Change().String())
			assert.Contains(t, m.New.Markdown(), c.says)
		})
	}
}
