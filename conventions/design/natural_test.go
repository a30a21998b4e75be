package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

const naturalOrders = `
table: orders
keys: attributes
models:
  - name: Order
    key: [id]
    items: 1_000_000
    puts: 10
    attributes:
      - {name: id, format: uuid}
      - {name: store, format: uuid, values: 100}
      - {name: status, values: 5, mutable: true}
      - {name: placed, format: timestamp}
      - {name: total, type: number}
      - {name: kind, constant: order}
      - {name: a, values: 3}
      - {name: b, values: 3}
      - {name: c, values: 3}
  - name: Return
    key: [id]
    items: 1_000
    attributes:
      - {name: id, format: uuid}
      - {name: store, format: uuid, of: Order.store}
      - {name: status, type: number}
      - {name: placed, format: timestamp}
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 1}
  - {name: a return, model: Return, equal: [id], one: true, rate: 1}
`

// TestAttributeKeys shows which attributes the key of an index has for a pattern, and when it has
// none of them.
func TestAttributeKeys(t *testing.T) {
	for _, c := range []struct{ name, pattern, query, says string }{
		{"a partition key of two", "{model: Order, equal: [store, status]}",
			"store = {store}, order_status = {status}", ""},
		{"an order after them", "{model: Order, equal: [store, status], order: total}",
			"store = {store}, order_status = {status}", "the sort key total"},
		{"a range of a number, which no digits pad", "{model: Order, equal: [store], range: total}",
			"store = {store}, total BETWEEN {from} AND {to}", ""},
		{"a beginning", "{model: Order, equal: [store, a], begins: b}",
			"store = {store}, a = {a}, b begins_with {b}", ""},
		{"four", "{model: Order, equal: [store, a, b, c], order: placed}",
			"store = {store}, a = {a}, b = {b}, c = {c}", ""},
		{"five", "{model: Order, equal: [store, a, b, c, placed]}",
			"placed = {placed}, store = {store}, a = {a}, b = {b}, c = {c}",
			"a request gives all of them"},
		{"more than there is room for", "{model: Order, equal: [store, a, b, c, placed, total]}",
			"GSI1PK = ", "Order needs more than 4 of them"},
		{"items of a state alone", "{model: Order, where: {status: open}, equal: [store]}",
			"GSI1", "it has only some items of Order"},
		{"all items of a model", "{model: Order, order: placed}", "GSI1PK = order",
			"kind of Order has one value, which items do not store"},
		{"several models", "{models: [Order, Return], equal: [store], order: placed}",
			"GSI1PK = {store}", "one Query reads items of several models there"},
		{"a filter by an attribute of the sort key",
			"{model: Order, equal: [store], order: placed, filter: [status]}",
			"store = {store}, filtered by status = {status}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := designfile.Plan([]byte(naturalOrders + "  - " +
				strings.Replace(c.pattern, "{", "{name: p, rate: 1, ", 1) + "\n"))
			require.NoError(t, err)
			assert.Contains(t, p.Queries[2].String(), c.query)
			assert.Contains(t, textOf(p), c.says)
			_, _, mixed := p.Mixed()
			assert.False(t, mixed)
			assert.NoError(t, design.CheckLocked(design.Locked(p)))
		})
	}
}

// textOf joins the notes of a plan.
func textOf(p *design.Plan) string {
	var b strings.Builder
	for _, n := range p.Notes {
		b.WriteString(n.String() + "\n")
	}
	return b.String()
}

// TestAttributeKeysAreOfOneModel checks that models which share an index otherwise have one each,
// and no attribute that only joins others.
func TestAttributeKeysAreOfOneModel(t *testing.T) {
	text := naturalOrders + `
  - {name: orders, model: Order, equal: [store], order: placed, rate: 1}
  - {name: returns, model: Return, equal: [store], order: placed, rate: 1}
`
	p, err := designfile.Plan([]byte(strings.Replace(text, "keys: attributes\n", "", 1)))
	require.NoError(t, err)
	require.Len(t, p.Indexes, 1)
	assert.Len(t, p.Indexes[0].Models, 2)

	p, err = designfile.Plan([]byte(text))
	require.NoError(t, err)
	require.Len(t, p.Indexes, 2)
	for i, model := range []string{"Order", "Return"} {
		assert.Equal(t, []string{model}, p.Indexes[i].Models)
		for _, s := range p.Entity(model).Keys {
			assert.Len(t, s.Value, 1, s.Name)
		}
	}
	assert.NotContains(t, textOf(p), "can overload")

	p, err = designfile.Plan([]byte(strings.Replace(text, "keys: attributes",
		"keys: attributes\nindexes: 1", 1)))
	require.NoError(t, err)
	require.Len(t, p.Indexes, 1)
	assert.Contains(t, textOf(p), "an index for each of its models makes more than 1")
}

// TestAttributeKeysInTheTable checks a plan whose table has the attribute of an index in its key,
// and a text in that key which is the value of a constant.
func TestAttributeKeysInTheTable(t *testing.T) {
	p, err := designfile.Plan([]byte(`
table: chat
keys: attributes
models:
  - name: Channel
    key: [id]
    items: 10_000
    attributes:
      - {name: id, format: ulid}
      - {name: topic, bytes: 60}
  - name: Message
    key: [channel, sent]
    items: 2_000_000
    attributes:
      - {name: channel, of: Channel.id}
      - {name: sent, format: timestamp}
      - {name: author, bytes: 20}
  - name: Task
    key: [id]
    items: 1_000
    attributes:
      - {name: id, format: ulid}
      - {name: channel, of: Channel.id}
      - {name: state, bytes: 8}
patterns:
  - {name: newest, models: [Channel, Message], equal: [id], latest: {sent: 20}, rate: 200}
  - {name: of an author, model: Message, equal: [author], order: sent, rate: 5}
  - {name: tasks, model: Task, equal: [channel, state], rate: 5}
  - {name: a task, model: Task, equal: [id], one: true, rate: 20}
`))
	require.NoError(t, err)
	require.Equal(t, design.Key{Partition: "author", Sort: "SK"}, p.Indexes[0].Key)
	assert.NotContains(t, textOf(p), "stores sent as SK")
	var others []string
	for _, s := range p.Entity("Channel").Others {
		others = append(others, s.Name)
	}
	assert.Equal(t, []string{"topic"}, others)
}

// TestAttributeKeysAreRefused shows where a design cannot have keys of attributes.
func TestAttributeKeysAreRefused(t *testing.T) {
	for _, c := range []struct{ name, old, new, says string }{
		{"another word", "keys: attributes", "keys: natural", `keys: "natural" is none of attributes`},
		{"tenants", "keys: attributes", "keys: attributes\ntenants: {attribute: store}",
			"keys: tenants are kept apart by the text with which keys begin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Plan([]byte(strings.Replace(naturalOrders, c.old, c.new, 1)))
			assert.ErrorContains(t, err, c.says)
		})
	}
}
