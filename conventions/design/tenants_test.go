package design

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tenantDesign has orders with their items, and users that belong to no tenant.
func tenantDesign() *Design {
	tenant, id := Attribute{Name: "tenant", Type: String}, Attribute{
		Name: "id", Type: String, Format: ULID,
	}
	order := Attribute{Name: "order", Type: String, Format: ULID, Of: "Order.id"}
	version := Attribute{Name: "version", Type: Number}
	at := Attribute{Name: "at", Type: String, Format: Timestamp}
	return &Design{Table: "table", Tenants: &Tenants{Attribute: "tenant"}, Models: []Model{
		{Name: "Order", Key: []string{"id", "version"}, Versions: true,
			Attributes: []Attribute{tenant, id, version, at}},
		{Name: "OrderItem", Key: []string{"order", "id"},
			Attributes: []Attribute{tenant, order, id}},
		{Name: "User", Key: []string{"id"},
			Attributes: []Attribute{id, {Name: "mail", Type: String, Mutable: true}}},
	}, Patterns: []Pattern{
		{Name: "a version of an order", Model: "Order", Equal: []string{"id", "version"},
			One: true},
		{Name: "all versions of an order", Model: "Order", Equal: []string{"id"}},
		{Name: "items of an order", Model: "OrderItem", Equal: []string{"order"}},
		{Name: "a user", Model: "User", Equal: []string{"id"}, One: true},
		{Name: "a user by mail", Model: "User", Equal: []string{"mail"}},
	}}
}

// TestTenants checks that keys are those of the guide "Key design patterns".
func TestTenants(t *testing.T) {
	p, err := Make(tenantDesign())
	require.NoError(t, err)
	assert.Equal(t, []string{
		"a version of an order: GetItem, PK_GSI1PK = ORDER#{tenant}, SK = ORDER#{id}@{version}",
		"all versions of an order: Query, PK_GSI1PK = ORDER#{tenant}, SK begins_with ORDER#{id}@",
		"items of an order: Query, PK_GSI1PK = ORDER#{tenant}, SK begins_with ORDER_ITEM#{order}#",
		"a user: GetItem, PK_GSI1PK = USER#common, SK = {id}",
		"a user by mail: Query GSI1, PK_GSI1PK = USER#common, GSI1SK = {mail}",
	}, queries(p))
	assert.Equal(t, map[string][]string{
		"Order": {"PK_GSI1PK=ORDER#{tenant}", "SK=ORDER#{id}@{version}",
			"version={version}", "at={at}"},
		"OrderItem": {"PK_GSI1PK=ORDER#{tenant}", "SK=ORDER_ITEM#{order}#{id}"},
		"User":      {"PK_GSI1PK=USER#common", "SK={id}", "GSI1SK={mail}"},
	}, stored(p))
	item, err := p.Item("Order",
		Row{"tenant": "t1", "id": "01", "version": int64(10), "at": "2026"})
	require.NoError(t, err)
	assert.Equal(t,
		map[string]any{"PK_GSI1PK": "ORDER#t1", "SK": "ORDER#01@10", "version": int64(10),
			"at": "2026"},
		item)
}

// TestTenantsTogether checks that models that are read together share the partitions of a tenant.
func TestTenantsTogether(t *testing.T) {
	d := tenantDesign()
	d.Models[0].Versions, d.Models[0].Key = false, []string{"id"}
	d.Patterns = []Pattern{
		{Name: "an order with its items", Models: []string{"Order", "OrderItem"},
			Equal: []string{"id"}},
	}
	p, err := Make(d)
	require.NoError(t, err)
	assert.Equal(t, []string{"an order with its items: Query, PK = ORDER#{tenant}#{id}"},
		queries(p))
	assert.Equal(t, "PK=ORDER#{tenant}#{order} SK={id}",
		strings.Join(stored(p)["OrderItem"][:2], " "))
}

// familyDesign has orders with their items, those with their serials, and products, of tenants.
func familyDesign() *Design {
	tenant := Attribute{Name: "tenant", Type: String, Values: 100}
	id := Attribute{Name: "id", Type: String, Format: ULID}
	order := Attribute{Name: "order", Type: String, Format: ULID, Of: "Order.id"}
	number := Attribute{Name: "no", Type: String}
	return &Design{Table: "table", Tenants: &Tenants{Attribute: "tenant"}, Models: []Model{
		{Name: "Order", Key: []string{"id"}, Items: 10_000, Puts: 100, Attributes: []Attribute{
			tenant, id, {Name: "status", Type: String, Mutable: true}}},
		{Name: "OrderItem", Key: []string{"no", "order"}, Items: 50_000, Puts: 500,
			Attributes: []Attribute{tenant, order, number, {Name: "product", Type: String}}},
		{Name: "Serial", Key: []string{"order", "item", "no"}, Items: 50_000, Puts: 500,
			Attributes: []Attribute{tenant, order,
				{Name: "item", Type: String, Of: "OrderItem.no"}, number}},
		{Name: "Product", Key: []string{"id"}, Items: 1000, Attributes: []Attribute{tenant, id}},
	}, Patterns: []Pattern{
		{Name: "an order", Model: "Order", Equal: []string{"id"}, One: true},
		{Name: "orders", Model: "Order"},
		{Name: "items of an order", Model: "OrderItem", Equal: []string{"order"}},
		{Name: "an item", Model: "OrderItem", Equal: []string{"order", "no"}, One: true},
		{Name: "serials of an item", Model: "Serial", Equal: []string{"order", "item"}},
		{Name: "a product", Model: "Product", Equal: []string{"id"}, One: true},
		{Name: "products", Model: "Product"},
	}}
}

// TestChildren checks that children are in the partition of their parent's tenant (the guide "Key
// design patterns", pattern 2), and where they are not.
func TestChildren(t *testing.T) {
	with := map[string]string{
		"Order":     "PK=ORDER#{tenant} SK=ORDER#{id}",
		"OrderItem": "PK=ORDER#{tenant} SK=ORDER_ITEM#{order}#{no}",
		"Serial":    "PK=ORDER#{tenant} SK=SERIAL#{order}#{item}#{no}",
		"Product":   "PK=PRODUCT#{tenant} SK={id}",
	}
	apart := map[string]string{
		"Order":     "PK=ORDER#{tenant} SK={id}",
		"OrderItem": "PK=ORDER_ITEM#{tenant}#{order} SK={no}",
		"Serial":    "PK=SERIAL#{tenant}#{order} SK={item}#{no}",
		"Product":   "PK=PRODUCT#{tenant} SK={id}",
	}
	mixed := maps.Clone(with)
	mixed["Serial"] = "PK=SERIAL#{tenant}#{order}#{item} SK={no}"
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   map[string]string
		note   string // a note of the plan
	}{
		{"as the guide has it", func(*Design) {}, with,
			"is in the partitions of Order, ORDER#{tenant}, and read by the beginning of its sort key"},
		{"said so", func(d *Design) { d.Tenants.Children = WithParent }, with, ""},
		{"apart", func(d *Design) { d.Tenants.Children = Apart }, apart, ""},
		{"too many writes for the partition of a tenant",
			func(d *Design) { d.Models[1].Puts = 99_500 }, apart,
			"ORDER#{tenant} would get 1001 write units per second, and a partition takes 1000"},
		{"one tenant with most items", func(d *Design) {
			d.Models[1].Attributes[0].Largest, d.Models[1].Puts = 49_000, 1500
		}, apart, "ORDER#{tenant} would get 1476 write units per second"},
		{"nobody says how many tenants there are", func(d *Design) {
			for i := range d.Models {
				d.Models[i].Attributes[0].Values = 0
			}
		}, apart, "ORDER#{tenant} would get 1100 write units per second"},
		{"too many reads", func(d *Design) {
			d.Patterns[2].Rate, d.Patterns[2].Returned = 700_000, 40
		}, apart, "ORDER#{tenant} would get 7000 read units per second"},
		{"too many writes, and said so", func(d *Design) {
			d.Models[1].Puts, d.Tenants.Children = 99_500, WithParent
		}, with, "children: apart, beside attribute of tenants"},
		{"a child that is read without its parent", func(d *Design) {
			d.Patterns = append(d.Patterns,
				Pattern{Name: "a serial", Model: "Serial", Equal: []string{"no"}})
		}, mixed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := familyDesign()
			c.change(d)
			p, err := Make(d)
			require.NoError(t, err)
			keys := map[string]string{}
			for _, e := range p.Entities {
				keys[e.Model] = "PK=" + e.key(p.Key.Partition).String() + " SK=" +
					e.key(p.Key.Sort).String()
			}
			assert.Equal(t, c.want, keys)
			var notes strings.Builder
			for _, n := range p.Notes {
				notes.WriteString(n.Text + "\n")
			}
			assert.Contains(t, notes.String(), c.note)
			_, _, collides := p.Collision()
			assert.False(t, collides)
			_, _, finds := p.Mixed()
			assert.False(t, finds)
		})
	}
}

func TestTenantErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"versions without tenants", func(d *Design) { d.Tenants = nil },
			"models[0].versions: versions are those of keys with tenants"},
		{"another separator", func(d *Design) { d.Separator = "_" },
			"separator: keys with tenants have #"},
		{"children elsewhere", func(d *Design) { d.Tenants.Children = "beside" },
			"tenants.children: \"beside\" is none of with-parent, apart"},
		{"one prefix", func(d *Design) { d.Models[2].Name = "ORDER" },
			"models[2].name: its prefix ORDER in keys is that of Order, too"},
		{"a tenant that changes", func(d *Design) { d.Models[0].Attributes[0].Mutable = true },
			"tenant is the tenant: a string that never changes"},
		{"a key of a tenant and a version",
			func(d *Design) { d.Models[0].Key = []string{"tenant", "version"} },
			"models[0].key: name what is unique besides the tenant"},
		{"an order of versions", func(d *Design) { d.Patterns[1].Order = "version" },
			"patterns[1].order: keys hold versions as text"},
		{"models with and without tenants", func(d *Design) {
			d.Patterns[0] = Pattern{Name: "p", Models: []string{"OrderItem", "User"},
				Equal: []string{"id"}}
		}, "patterns[0].models: only one of OrderItem and User has a tenant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := tenantDesign()
			c.change(d)
			_, err := Make(d)
			require.ErrorContains(t, err, c.want)
		})
	}
}
