package migrate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
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

// TestGrow shows what moves of the published designs when one more pattern or an unrelated model
// comes: no table is copied but those whose keys are any text, without a name of their model.
func TestGrow(t *testing.T) {
	files, err := filepath.Glob("../published/*.yaml")
	require.NoError(t, err)
	copied := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".table.yaml") {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, c := range []struct {
			kind string
			add  func(d *design.Design)
		}{{"a pattern", OneMore}, {"a model", Unrelated}} {
			t.Run(name+" and "+c.kind, func(t *testing.T) {
				d, err := designfile.Parse(text)
				require.NoError(t, err)
				plan, err := design.Make(d)
				require.NoError(t, err)
				more, err := designfile.Parse(text)
				require.NoError(t, err)
				c.add(more)
				m, err := migrate.Make(more, locked(t, plan))
				require.NoError(t, err)
				t.Log(m.Change(), m.Price(design.ListPrices()))
				if m.NewTable {
					copied++
					assert.Contains(t, m.New.Markdown(), "can be any text")
					return
				}
				assert.LessOrEqual(t, m.Change(), migrate.IndexAdded, m.Because)
			})
		}
	}
	assert.LessOrEqual(t, copied, 4)
}

// locked returns a plan as a file has it.
func locked(t *testing.T, p *design.Plan) *design.Plan {
	t.Helper()
	text, err := designfile.Lock(p)
	require.NoError(t, err)
	p, err = designfile.ReadLock(text)
	require.NoError(t, err)
	return p
}

// OneMore adds a pattern by an attribute of the largest model, which gets one if all are read.
func OneMore(d *design.Design) {
	largest := &d.Models[0]
	for i := range d.Models {
		if d.Models[i].Items > largest.Items {
			largest = &d.Models[i]
		}
	}
	largest.Attributes = append(largest.Attributes,
		design.Attribute{Name: "region", Type: design.String, Values: 200})
	d.Patterns = append(d.Patterns, design.Pattern{Name: "one more", Model: largest.Name,
		Equal: []string{"region"}, Rate: 5})
}

// Unrelated adds a model that refers to no other, with two patterns.
func Unrelated(d *design.Design) {
	m := design.Model{Name: "Audit", Key: []string{"id"}, Items: 100_000, Puts: 1,
		Attributes: []design.Attribute{{Name: "id", Type: design.String},
			{Name: "who", Type: design.String, Values: 1000},
			{Name: "when", Type: design.String, Format: design.Timestamp}}}
	d.Models = append(d.Models, m)
	d.Patterns = append(d.Patterns,
		design.Pattern{Name: "an audit", Model: "Audit", Equal: []string{"id"}, One: true, Rate: 1},
		design.Pattern{Name: "audits of somebody", Model: "Audit", Equal: []string{"who"},
			Order: "when", Rate: 1})
}
