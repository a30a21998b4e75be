package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// consistentDesign has orders of customers in two orders, both read with strong consistency.
func consistentDesign() *Design {
	id, customer := Attribute{Name: "id", Type: String, Format: ULID}, Attribute{
		Name: "customer", Type: String, Format: ULID, Values: 100,
	}
	at, total := Attribute{Name: "at", Type: String, Format: Timestamp}, Attribute{
		Name: "total", Type: Number, Mutable: true,
	}
	return &Design{
		Table: "orders",
		Models: []Model{
			{Name: "Order", Key: []string{"id"}, Items: 1000, Puts: 5, Updates: 1,
				Attributes: []Attribute{id, customer, at, total}},
		},
		Patterns: []Pattern{
			{Name: "orders", Model: "Order", Equal: []string{"customer"}, Order: "at",
				Consistent: true, Rate: 1},
			{Name: "large orders", Model: "Order", Equal: []string{"customer"}, Range: "total",
				Consistent: true, Rate: 1},
		},
	}
}

// TestLocalIndexes checks which patterns local indexes serve.
func TestLocalIndexes(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(d *Design)
		queries []string
	}{
		{"two strongly consistent orders", func(*Design) {}, []string{
			"orders: Query, PK = {customer}",
			"large orders: Query LSI1, PK = {customer}, LSI1SK BETWEEN {from} AND {to}",
		}},
		{"one of them is not", func(d *Design) { d.Patterns[1].Consistent = false }, []string{
			"orders: Query, PK_GSI1PK = {customer}",
			"large orders: Query GSI1, PK_GSI1PK = {customer}, GSI1SK BETWEEN {from} AND {to}",
		}},
		{"a further pattern reads in the order of the local index", func(d *Design) {
			d.Patterns = append(d.Patterns,
				Pattern{Name: "by total", Model: "Order", Equal: []string{"customer"},
					Order: "total"})
		}, []string{
			"orders: Query, PK = {customer}",
			"large orders: Query LSI1, PK = {customer}, LSI1SK BETWEEN {from} AND {to}",
			"by total: Query LSI1, PK = {customer}",
		}},
		{"the order of a text, which nothing may follow", func(d *Design) {
			d.Models[0].Attributes[2].Format, d.Patterns = Any, d.Patterns[:1]
		}, []string{"orders: Query LSI1, PK = {customer}"}},
		{"the order of an attribute that changes",
			func(d *Design) { d.Patterns = d.Patterns[1:] }, []string{
				"large orders: Query LSI1, PK = {customer}, LSI1SK BETWEEN {from} AND {to}",
			}},
		{"another model in the same partitions", func(d *Design) {
			d.Models = append(d.Models,
				Model{Name: "Note", Key: []string{"customer", "id"},
					Attributes: d.Models[0].Attributes})
			d.Models[1].Attributes[1].Of = "Order.customer"
			d.Patterns = append(d.Patterns,
				Pattern{Name: "notes", Model: "Note", Equal: []string{"customer"}, Order: "total",
					Consistent: true})
		}, []string{
			"orders: Query, PK = {customer}, SK begins_with Order#",
			"large orders: Query LSI1, PK = {customer}, LSI1SK BETWEEN Order#{from} AND Order#{to}",
			"notes: Query LSI1, PK = {customer}, LSI1SK begins_with Note#",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := consistentDesign()
			c.change(d)
			p, err := Make(d)
			require.NoError(t, err)
			assert.Equal(t, c.queries, queries(p))
		})
	}
}

// TestLocalIndexInput checks the members of CreateTable.
func TestLocalIndexInput(t *testing.T) {
	p, err := Make(consistentDesign())
	require.NoError(t, err)
	in := p.CreateTable()
	assert.NotContains(t, in, "GlobalSecondaryIndexes")
	assert.Equal(t, []any{map[string]any{
		"IndexName": "LSI1",
		"KeySchema": []map[string]string{{"AttributeName": "PK", "KeyType": "HASH"},
			{"AttributeName": "LSI1SK", "KeyType": "RANGE"}},
		"Projection": map[string]any{"ProjectionType": "ALL"},
	}}, in["LocalSecondaryIndexes"])
	assert.Contains(t, in["AttributeDefinitions"],
		map[string]string{"AttributeName": "LSI1SK", "AttributeType": "N"})
}

// TestItemCollections checks what a plan says of the size of item collections.
func TestItemCollections(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"small ones", func(*Design) {},
			"7. Order: 0.0 MB under each {customer}, with the copies in local indexes. A table with local indexes has at most 10 GB"},
		{"nobody knows", func(d *Design) { d.Models[0].Items = 0 },
			"7. warning: Order: A table with local indexes has at most 10 GB under a partition key: say how many items there will be"},
		{"large ones", func(d *Design) { d.Models[0].Items = 1e10 },
			"GB under each {customer}, with the copies in local indexes. A table with local indexes has at most 10 GB under a partition key, and refuses further writes: leave"},
		{"large keys of a global index, which have no limit", func(d *Design) {
			d.Models[0].Items = 1e10
			d.Patterns = append(d.Patterns, Pattern{Name: "all", Model: "Order", Order: "total"})
		}, "7. all: reads partition keys with 1052 GB each. No limit is on that: DynamoDB splits " +
			"them over several partitions by the sort key"},
		{"hot ones, with the writes to the local index",
			func(d *Design) { d.Models[0].Puts = 60_000 },
			"7. warning: orders: gets 1200 write units per second of Order under each partition key, and a partition takes 1000: add shards: 3 to orders"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := consistentDesign()
			c.change(d)
			assert.Contains(t, advised(t, d), c.want)
		})
	}
}
