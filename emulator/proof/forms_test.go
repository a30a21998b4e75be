package proof

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestForms proves designs of several forms together, with all of their mistakes.
func TestForms(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a copy in an item that has nothing but its key", `
table: movies
models:
  - name: Movie
    key: [movie]
    items: 50_000
    updates: [{of: rating, rate: 1}]
    attributes: [{name: movie, format: uuid}, {name: rating, type: number, decimals: 1}]
  - name: Listing
    key: [category, movie]
    items: 200_000
    puts: 0.1
    attributes:
      - {name: category, format: uuid}
      - {name: movie, of: Movie.movie}
      - {name: rated, type: number, decimals: 1, of: Movie.rating, kept: stream}
patterns:
  - {name: categories of a movie, model: Listing, equal: [movie], rate: 20}
`},
		{"last values beside a copy", `
table: orders
models:
  - name: User
    key: [id]
    items: 10_000
    updates: [{of: name, rate: 1}]
    attributes:
      - {name: id, format: ulid}
      - {name: name, bytes: 20}
      - {name: lastAt, format: timestamp, last: Order.at}
  - name: Order
    key: [id]
    items: 100_000
    puts: 5
    attributes:
      - {name: id, format: ulid}
      - {name: user, format: ulid, of: User.id}
      - {name: at, format: timestamp}
      - {name: userName, bytes: 20, of: User.name, kept: stream}
patterns:
  - {name: an order, model: Order, equal: [id], one: true, rate: 50}
`},
		{"a guard whose id no query finds in another model's index", `
table: orders
models:
  - name: User
    key: [id]
    items: 10_000
    unique: [email]
    attributes: [{name: id, format: ulid}, {name: email}]
  - name: Order
    key: [id]
    items: 100_000
    attributes:
      - {name: id, format: ulid}
      - {name: user, format: ulid, of: User.id}
      - {name: at, format: timestamp}
      - {name: total, type: number}
patterns:
  - {name: a user, model: User, equal: [id], one: true, rate: 50}
  - {name: an order, model: Order, equal: [id], one: true, rate: 50}
  - {name: by time, model: Order, equal: [user], order: at, consistent: true, rate: 20}
  - {name: by total, model: Order, equal: [user], order: total, consistent: true, rate: 1}
`},
		{"the newest items and several keys of a hundred tenants", `
table: orders
tenants: {attribute: tenant}
models:
  - name: User
    key: [id]
    items: 10_000
    attributes: [{name: tenant, values: 100}, {name: id, format: ulid}]
  - name: Order
    key: [id]
    items: 100_000
    attributes:
      - {name: tenant, values: 100}
      - {name: id, format: ulid}
      - {name: user, format: ulid, of: User.id}
      - {name: at, format: timestamp}
patterns:
  - {name: newest, models: [User, Order], equal: [id], latest: {at: 5}, rate: 20}
  - {name: some orders, model: Order, equal: [id], in: {id: 10}, one: true, rate: 2}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan, err := designfile.Plan([]byte(strings.TrimPrefix(c.text, "\n")))
			require.NoError(t, err)
			options := Options{Rows: 300, Requests: 8}
			report, err := Verify(plan, options)
			require.NoError(t, err)
			assert.True(t, report.OK(), "%+v", report)
			all, err := Mutate(plan, options)
			require.NoError(t, err)
			for _, m := range all {
				assert.NotEmpty(t, m.Found, m.Name)
			}
		})
	}
}
