package design

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions"
)

// twoTables returns a design whose sessions are in a table of their own.
func twoTables() *Design {
	return &Design{
		Table: "shop",
		Models: []Model{
			{Name: "Customer", Key: []string{"id"}, Items: 1000, Attributes: []Attribute{
				{Name: "id", Type: String, Format: ULID},
				{Name: "name", Type: String, Mutable: true}}},
			{Name: "Session", Table: "sessions", Key: []string{"token"}, Items: 5000, Puts: 1,
				Attributes: []Attribute{{Name: "token", Type: String, Format: UUID},
					{Name: "customer", Type: String, Of: "Order.customer"},
					{Name: "number", Type: Number}}},
			{Name: "Order", Key: []string{"id"}, Items: 3000, Puts: 1, Attributes: []Attribute{
				{Name: "id", Type: String, Format: ULID},
				{Name: "customer", Type: String, Of: "Customer.id"},
				{Name: "total", Type: Number}}},
			{Name: "Device", Table: "sessions", Key: []string{"owner", "id"}, Items: 2000,
				Attributes: []Attribute{{Name: "id", Type: String},
					{Name: "owner", Type: String, Of: "Session.customer"}}},
		},
		Patterns: []Pattern{
			{Name: "a session", Model: "Session", Equal: []string{"token"}, One: true, Rate: 1},
			{Name: "a customer", Model: "Customer", Equal: []string{"id"}, One: true, Rate: 1},
			{Name: "orders", Model: "Order", Equal: []string{"customer"}, Rate: 1},
			{Name: "sessions and devices", Models: []string{"Session", "Device"},
				Equal: []string{"customer"}, Rate: 1},
		},
	}
}

// add adds an attribute to a model.
func (d *Design) add(model string, a Attribute) {
	m := d.Model(model)
	m.Attributes = append(m.Attributes, a)
}

func TestCheckTables(t *testing.T) {
	number := func(a Attribute) Attribute {
		a.Name, a.Type = "n", Number
		return a
	}
	copyOfName := func(k Keeping) Attribute {
		return Attribute{Name: "n", Type: String, Of: "Customer.name", Kept: k}
	}
	joined := 0
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"a table's name", func(d *Design) { d.Models[1].Table = "a b" },
			"models[1].table: want 3 to 255 of the characters"},
		{"a design's table without models",
			func(d *Design) { d.Models[0].Table, d.Models[2].Table = "customers", "customers" },
			"table: no model is in the table shop: leave table out of those that are in it"},
		{"a table that nobody reads", func(d *Design) {
			d.Models[2].Table, d.Patterns = "orders", slices.Delete(d.Patterns, 2, 3)
		},
			"models[2]: no pattern reads the table orders"},
		{"a pattern of two tables",
			func(d *Design) { d.Patterns[3].Models = []string{"Order", "Session"} },
			"patterns[3].models[1]: Order is in the table shop, and Session in sessions: a request reads one table. Write a pattern for each"},
		{"an item and its newest children", func(d *Design) {
			d.Patterns[3] = Pattern{Name: "latest", Models: []string{"Customer", "Session"},
				Equal: []string{"id"}, Latest: map[string]int{"number": 2}}
		}, "patterns[3].models[1]: Customer is in the table shop, and Session in sessions"},
		{"a feed", func(d *Design) {
			d.Patterns[3] = Pattern{Name: "feed", Model: "Order", Through: "Device",
				Equal: []string{"id"}}
		}, "patterns[3].through: Order is in the table shop, and Device in sessions: a feed has both in one table"},
		{"a transaction", func(d *Design) {
			d.Transactions = []Transaction{{Name: "both",
				Puts: []Written{{Model: "Order"}, {Model: "Session"}}}}
		}, "transactions[0]: Order is in the table shop, and Session in sessions: the transactions of a design write one table"},
		{"a counter", func(d *Design) { d.add("Customer", number(Attribute{Counts: "Session"})) },
			"models[0].attributes[2].counts: Customer is in the table shop, and Session in sessions: the write of Session that changes n would write two tables"},
		{"a sum", func(d *Design) { d.add("Customer", number(Attribute{Sums: "Session.number"})) },
			"models[0].attributes[2].sums: Customer is in the table shop"},
		{"a sequence",
			func(d *Design) { d.add("Customer", number(Attribute{Numbers: "Session.number"})) },
			"models[0].attributes[2].numbers: Customer is in the table shop"},
		{"a last value",
			func(d *Design) { d.add("Customer", number(Attribute{Last: "Session.number"})) },
			"models[0].attributes[2].last: Customer is in the table shop, and Session in sessions: the consumer of a stream writes the table of its stream"},
		{"a copy that a transaction keeps", func(d *Design) {
			d.add("Device", copyOfName(ByTransaction))
		}, "models[3].attributes[2].kept: Device is in the table sessions, and Customer in shop: a change of Customer.name would write two tables"},
		{"a copy that the stream keeps", func(d *Design) {
			d.add("Device", copyOfName(ByStream))
		}, "models[3].attributes[2].kept: Device is in the table sessions, and Customer in shop: the consumer of a stream"},
		{"a copy that stays", func(d *Design) {
			d.add("Device", copyOfName(Never))
		}, ""},
		{"a name that no table has", func(d *Design) { d.Names = map[string]string{"GSI7": "by"} },
			"names.GSI7: no table has an index or an attribute of this name"},
		{"a name that one table has",
			func(d *Design) { d.Names = map[string]string{"SK": "sort"} }, ""},
		{"a pinned key of the second table", func(d *Design) { d.Models[3].Primary = "(no)" },
			"models[3].primary: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := twoTables()
			c.change(d)
			_, err := MakeTables(d, Make)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.want)
			if !strings.Contains(c.want, " is in the table ") ||
				strings.HasPrefix(c.want, "table:") {
				return
			}
			// one table can have both, and then a report proposes no others
			for i := range d.Models {
				d.Models[i].Table = ""
			}
			if d.Check() == nil {
				joined++
				assert.True(t, slices.ContainsFunc(inOneTable(d), func(models []string) bool {
					first, second := d.Model(models[0]), d.Model(models[len(models)-1])
					return second != nil && inSessions(first) != inSessions(second)
				}))
			}
		})
	}
	assert.Equal(t, 9, joined)
}

// inSessions reports whether a model is one of those that twoTables has in sessions.
func inSessions(m *Model) bool { return m.Name == "Session" || m.Name == "Device" }

// TestMakeTables plans each table for itself, whose attributes still know whose values they have.
func TestMakeTables(t *testing.T) {
	d := twoTables()
	all, err := MakeTables(d, Make)
	require.NoError(t, err)
	assert.Equal(t, []string{"shop", "sessions"}, d.Tables())
	var got [][]string
	for _, p := range all {
		names := []string{p.Design.Table}
		for _, e := range p.Entities {
			names = append(names, e.Model)
		}
		for _, q := range p.Queries {
			names = append(names, q.Pattern)
		}
		got = append(got, names)
		require.NoError(t, CheckLocked(p))
	}
	assert.Equal(t, [][]string{{"shop", "Customer", "Order", "a customer", "orders"},
		{"sessions", "Session", "Device", "a session", "sessions and devices"}}, got)
	session := all[1].Design.Model("Session").Attribute("customer")
	assert.Equal(t, "Customer.id", session.Of)
	assert.Equal(t, ULID, session.Format)
	assert.True(t, slices.ContainsFunc(all[1].Notes, func(n Note) bool {
		return n.Text == "customer has the values of Customer.id, which is in the table shop"
	}))

	_, err = Make(d)
	var in *conventions.FieldError
	require.True(t, errors.As(err, &in))
	assert.Equal(t, "models[1].table", in.Field)
	assert.Contains(t, in.Message, "the design has 2: shop, sessions")
}

// TestTablesSamples checks that items of one table refer to items that another one has, as far as
// there are so many.
func TestTablesSamples(t *testing.T) {
	all, err := MakeTables(twoTables(), Make)
	require.NoError(t, err)
	rows := map[string]int64{"Customer": 12, "Order": 12, "Session": 12, "Device": 12}
	customers := map[any]bool{}
	of := NewDomainSamples(&all[0].Design, rows, 1)
	for range 12 {
		customers[of.Next("Customer")["id"]] = true
	}
	require.Len(t, customers, 12)
	sessions := NewDomainSamples(&all[1].Design, rows, 1)
	for range 12 {
		assert.Contains(t, customers, sessions.Next("Session")["customer"])
		assert.Contains(t, customers, sessions.Next("Device")["owner"])
	}
}

// TestTablesFewValues checks that an attribute has no more values than the one in another table.
func TestTablesFewValues(t *testing.T) {
	d := twoTables()
	d.Models[0].Items, d.Models[1].Puts = 2, 4000
	d.Patterns = append(d.Patterns, Pattern{Name: "sessions of a customer", Model: "Session",
		Equal: []string{"customer"}, Rate: 1})
	all, err := MakeTables(d, Make)
	require.NoError(t, err)
	assert.True(t, slices.ContainsFunc(all[1].Notes, func(n Note) bool {
		return n.Warning && strings.Contains(n.Text, "2000 write units per second of Session")
	}), all[1].Markdown())
	customers := map[any]bool{}
	samples := NewSamples(&all[1].Design, map[string]int64{"Session": 1000}, 1)
	for range 1000 {
		customers[samples.Next("Session")["customer"]] = true
	}
	assert.Len(t, customers, 2)
}

func TestReportTables(t *testing.T) {
	all, err := MakeTables(twoTables(), Make)
	require.NoError(t, err)
	r := ReportTables(all, ListPrices())
	assert.InDelta(t, r.Tables[0].Total+r.Tables[1].Total, r.Total, 1e-9)
	one := twoTables()
	for i := range one.Models {
		one.Models[i].Table = ""
	}
	plan, err := Make(one)
	require.NoError(t, err)
	require.NotNil(t, r.OneTable)
	assert.InDelta(t, plan.Cost(ListPrices()).Total(), r.OneTable.Dollars, 1e-9)
	assert.Contains(t, r.Markdown(), "# What 2 tables cost")
	assert.Contains(t, TablesMarkdown(all), "# 2 tables")
}
