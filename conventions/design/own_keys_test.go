package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestOwnKeys shows when a model's own key is the key of the table.
func TestOwnKeys(t *testing.T) {
	for _, c := range []struct{ name, design, key, says string }{
		{"read by it most", `
models:
  - name: Article
    key: [id]
    items: 100_000
    puts: 1
    attributes: [{name: id, format: ulid}, {name: name, values: 1000}]
patterns:
  - {name: an article, model: Article, equal: [id], one: true, rate: 1000}
  - {name: by name, model: Article, equal: [name], rate: 1}
`, "{id}", `it is unique, and serves "an article"`},
		{"referred to, and read by something else", `
models:
  - name: Author
    key: [id]
    items: 10_000
    puts: 0.01
    attributes: [{name: id, format: ulid}, {name: birthday, values: 366}]
  - name: Book
    key: [isbn]
    items: 100_000
    puts: 0.1
    attributes: [isbn, {name: author, format: ulid, of: Author.id}]
patterns:
  - {name: born on a day, model: Author, equal: [birthday], rate: 1}
  - {name: a book, model: Book, equal: [isbn], one: true, rate: 100}
`, "{id}", "its own key, by which it is put, updated, deleted and referred to. (birthday, id) " +
			"would cost 0.02 USD a month less"},
		{"updated by it most", `
models:
  - name: Ticket
    key: [id]
    items: 100_000
    puts: 0.1
    updates: [{of: note, rate: 20}]
    attributes: [{name: id, format: ulid}, {name: desk, values: 1000}, note]
patterns:
  - {name: tickets of a desk, model: Ticket, equal: [desk], attributes: [id], rate: 1}
`, "{id}", "its own key"},
		{"read by an attribute of few values", `
models:
  - name: User
    key: [id]
    items: 100_000_000
    puts: 300
    attributes: [{name: id, format: ulid}, {name: created, format: timestamp}, {name: country,
	values: 50}]
patterns:
  - {name: users of a country, model: User, equal: [country], order: created, rate: 10}
`, "{id}", "(country, created+id) would have few partition keys"},
		{"dear beside the collection of its parent", `
models:
  - name: Room
    key: [id]
    items: 1000
    attributes: [{name: id, format: ulid}]
  - name: Comment
    key: [id]
    items: 10_000_000
    puts: 200
    attributes: [{name: id, format: ulid}, {name: room, format: ulid, of: Room.id}, text]
patterns:
  - {name: comments of a room, model: Comment, equal: [room], order: id, rate: 100}
  - {name: a room, model: Room, equal: [id], one: true, rate: 100}
`, "{room}", `serves "comments of a room"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte("table: test\n" + c.design))
			require.NoError(t, err)
			model := plan.Entities[len(plan.Entities)-1]
			if strings.Contains(c.design, "Author") {
				model = plan.Entities[0]
			}
			assert.Equal(t, c.key, model.Keys[0].Value.String())
			assert.Contains(t, plan.Markdown(), c.says)
		})
	}
}

// TestWritesByOwnKey shows what a plan says of the key by which items are written.
func TestWritesByOwnKey(t *testing.T) {
	const comments = `
table: test
models:
  - name: Comment
    key: [id]
    primary: PRIMARY
    items: 10_000_000
    puts: 200
    updates: [{of: text, rate: 20}]
    deletes: 1
    attributes: [{name: id, format: ulid}, {name: room, format: ulid}, text]
patterns:
  - {name: comments of a room, model: Comment, equal: [room], order: id, rate: 100}
`
	for _, c := range []struct{ name, primary, pattern, says string }{
		{"another one", "(room, id)", "", "Comment: 200.0 puts, and 21.0 updates and deletes a second, by " +
			"(room, id): whoever knows only id reads the item first (no index has that), for " +
			"3.45 USD a month"},
		{"another one, and an index by its own", "(room, id)",
			"  - {name: a comment, model: Comment, equal: [id], one: true, rate: 1}\n",
			"reads the item first (found in GSI1), for 3.45 USD a month"},
		{"its own", "(id)", "  - {name: a comment, model: Comment, equal: [id], one: true, rate: 1, " +
			"consistent: true}\n",
			"Comment: 200.0 puts, and 21.0 updates and deletes a second, by id in the table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(comments, "PRIMARY", c.primary, 1) + c.pattern
			plan, err := designfile.Plan([]byte(text))
			require.NoError(t, err)
			assert.Contains(t, plan.Markdown(), c.says)
		})
	}
}

// TestFixedPartitions shows that a plan never keeps quiet about a partition key of few values.
func TestFixedPartitions(t *testing.T) {
	const users = `
table: test
models:
  - name: User
    key: [id]
    items: 100_000_000
    puts: 50
    attributes: [{name: id, format: ulid}, {name: joined, format: timestamp}, {name: plan,
	values: 3}]
patterns:
  - {name: a user, model: User, equal: [id], one: true, rate: 100}
`
	for _, c := range []struct{ name, pattern, says string }{
		{"a constant", "{name: newest, model: User, order: joined, descending: true, rate: 1}",
			"newest: all items of User are under one partition key, user, a fixed one that does " +
				"not scale: " +
				"it gets 50 write units per second, and a partition takes 1000"},
		{"few values", "{name: of a plan, model: User, equal: [plan], order: joined, rate: 1}",
			"GSI1: plan has 3 values, so each partition key gets 16.7 write units per second " +
				"of User, and a partition takes 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(users + "  - " + c.pattern + "\n"))
			require.NoError(t, err)
			assert.Equal(t, "{id}", plan.Entities[0].Keys[0].Value.String())
			assert.Contains(t, plan.Markdown(), c.says)
		})
	}
}

// TestOrderOfOwnKey shows which attribute of a model's own key is the partition key, and that no
// attribute with few values is one where the pattern names another that spreads better.
func TestOrderOfOwnKey(t *testing.T) {
	const apartments = `
table: apartments
models:
  - name: Apartment
    key: [building, apartment]
    items: 80_000
    puts: 0.01
    updates: [{of: status, rate: 0.1}]
    attributes:
      - {name: building, format: ulid, values: 2_000}
      - {name: apartment, format: ulid}
      - {name: status, values: 3, mutable: true}
  - name: Booking
    key: [user, apartment]
    items: 200_000
    puts: 0.2
    attributes:
      - {name: user, format: ulid, values: 50_000}
      - {name: apartment, of: Apartment.apartment}
      - {name: building, of: Apartment.building}
      - {name: status, values: 4, mutable: true}
patterns:
  - {name: bookings of an apartment, model: Booking, equal: [apartment], rate: 2}
  - {name: bookings of a user, model: Booking, equal: [user], rate: 2}
  - {name: bookings in a state, model: Booking, equal: [building, status], order: apartment, rate: 2}
  - {name: available apartments, model: Apartment, equal: [building, status], returned: 13, rate: 10}
`
	const all = "  - {name: apartments of a building, model: Apartment, equal: [building], rate: 10}\n"
	const inState = "  - {name: in a state, model: Apartment, equal: [status], rate: 0.1}\n"
	for _, c := range []struct{ name, further, available, all string }{
		{"a pattern reads by the first one", all, "PK = {building}, ", "Query, PK = {building}"},
		{"no pattern does", "", " = {building}, ", ""},
		{"another pattern reads by the states alone", inState, "GSI1PK = {status}, ",
			"GSI1PK = {status}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(apartments + c.further))
			require.NoError(t, err)
			assert.Contains(t, plan.Queries[3].String(), c.available)
			assert.Contains(t, plan.Queries[len(plan.Queries)-1].String(), c.all)
			assert.NotContains(t, plan.Markdown(), "has to know its building")
		})
	}
}
