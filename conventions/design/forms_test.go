package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// users has users and their orders. Cases add attributes and what belongs to the design.
const users = `
table: orders
DESIGN
models:
  - name: User
    key: USERKEY
    items: 10_000
    updates: [{of: name, rate: 1}]
    attributes:
      - {name: id, format: ulid}
      - {name: tenant, values: 100}
      - {name: name, bytes: 20}
      USER
  - name: Order
    key: [id]
    items: 100_000
    puts: 5
    updates: [{of: state, rate: 5}]
    TTL
    attributes:
      - {name: id, format: ulid}
      - {name: tenant, values: 100}
      - {name: user, format: ulid, of: User.id}
      - {name: state, values: 4}
      - {name: expires, type: number}
      ORDER
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 50}
`

// form is the design of users with texts for some of its words.
func form(with ...string) string {
	pairs := []string{"DESIGN", "", "USERKEY", "[id]", "USER", "", "TTL", "", "ORDER", ""}
	for i := 0; i < len(with); i += 2 {
		for j := 0; j < len(pairs); j += 2 {
			if pairs[j] == with[i] {
				pairs[j+1] = with[i+1]
			}
		}
	}
	return strings.NewReplacer(pairs...).Replace(users)
}

// TestFormsTogether checks what designs of several forms plan, which each of these plans alone.
func TestFormsTogether(t *testing.T) {
	const (
		copied = "- {name: userName, bytes: 20, of: User.name, kept: transaction}"
		paid   = "- {name: paid, type: number, counts: Order, where: {state: PAID}}"
		never  = "- {name: userName, bytes: 20, of: User.name, kept: never}"
	)
	for _, c := range []struct{ name, text, write, want string }{
		{"a count of some is none of all copies", form("USER", paid, "ORDER", copied), "put Order",
			"TransactWriteItems: Put Order unless it exists; Update User, paid (state PAID) and " +
				"order_copies more, with the same name, if it exists"},
		{"a copy that does not say of which item",
			form("DESIGN", "tenants: {attribute: tenant}", "USERKEY", "[tenant, id]",
				"ORDER", never), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(c.text))
			require.NoError(t, err)
			if c.write != "" {
				w := plan.Write(c.write)
				require.NotNil(t, w)
				assert.Equal(t, c.want, w.String())
			}
		})
	}
}

// TestFormsApart checks the words with which forms are refused beside each other.
func TestFormsApart(t *testing.T) {
	const (
		paid   = "- {name: paid, type: number, counts: Order, where: {state: PAID}}"
		copied = "- {name: userName, bytes: 20, of: User.name, kept: transaction}"
		both   = "transactions: [{name: both, puts: [User, Order], rate: 1}]"
	)
	for _, c := range []struct{ name, text, want string }{
		{"an original beside its copy", form("DESIGN", both, "ORDER", copied),
			"both writes User and, because a transaction keeps userName of Order, the same item a " +
				"second time, which a transaction cannot: put the items of Order in a write of " +
				"their own, or say kept: stream"},
		{"an item beside one whose state it counts", form("DESIGN", both, "USER", paid),
			"because paid counts Order, the same item a second time, which a transaction cannot: " +
				"put the items of Order in a write of their own"},
		{"a state of what expires", form("USER", paid, "TTL", "ttl: expires"),
			"items of Order expire, and nothing is subtracted then"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Plan([]byte(c.text))
			require.ErrorContains(t, err, c.want)
			assert.NotContains(t, err.Error(), "kept: add", "a transaction keeps it alone")
			assert.NotContains(t, err.Error(), "which shows it", "a transaction keeps it alone")
		})
	}
}

// TestReasons checks the reasons of a plan for keys that it does not take.
func TestReasons(t *testing.T) {
	plan, err := designfile.Plan([]byte(`
table: movies
models:
  - name: Category
    key: [category]
    items: 500
    puts: 0.01
    attributes: [{name: category, format: uuid}, {name: title, mutable: true}]
  - name: Movie
    key: [movie]
    items: 50_000
    updates: [{of: rating, rate: 1}]
    attributes: [{name: movie, format: uuid}, {name: rating, type: number}]
  - name: Listing
    key: [movie, category]
    items: 200_000
    attributes:
      - {name: movie, of: Movie.movie}
      - {name: category, of: Category.category}
      - {name: rated, type: number, of: Movie.rating, kept: stream}
patterns:
  - {name: all categories, model: Category, returned: 500, rate: 10}
  - {name: a category, model: Category, equal: [category], one: true, rate: 10}
  - {name: categories of a movie, model: Listing, equal: [movie], rate: 20}
`))
	require.NoError(t, err)
	notes := notesOf(plan)
	assert.Contains(t, notes, "0 puts, and 1.0 updates and deletes a second, by movie in the table")
	assert.NotContains(t, notes, "0.01 puts", "nothing updates or deletes a category")
	assert.NotContains(t, notes, "has to know its none")
	assert.NotContains(t, notes, "what an index has by then", "the table finds the copies")
}
