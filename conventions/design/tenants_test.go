package design

import (
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
		"a version of an order: GetItem, PK_GSI1PK = ORDER#{tenant}, SK = {id}@{version}",
		"all versions of an order: Query, PK_GSI1PK = ORDER#{tenant}, SK begins_with {id}@",
		"items of an order: Query, PK_GSI1PK = ORDER_ITEM#{tenant}#{order}",
		"a user: GetItem, PK_GSI1PK = USER#common, SK = {id}",
		"a user by mail: Query GSI1, PK_GSI1PK = USER#common, GSI1SK = {mail}",
	}, queries(p))
	assert.Equal(t, map[string][]string{
		"Order": {"PK_GSI1PK=ORDER#{tenant}", "SK={id}@{version}", "version={version}",
			"at={at}"},
		"OrderItem": {"PK_GSI1PK=ORDER_ITEM#{tenant}#{order}", "SK={id}"},
		"User":      {"PK_GSI1PK=USER#common", "SK={id}", "GSI1SK={mail}"},
	}, stored(p))
	item, err := p.Item("Order",
		Row{"tenant": "t1", "id": "01", "version": int64(10), "at": "2026"})
	require.NoError(t, err)
	assert.Equal(t,
		map[string]any{"PK_GSI1PK": "ORDER#t1", "SK": "01@10", "version": int64(10), "at": "2026"},
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
