package proof

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestVerifyTenantKeys proves writes of models whose key begins with the tenant. Two items of one
// tenant have different keys, also where few items of the samples differ in the rest of the key.
func TestVerifyTenantKeys(t *testing.T) {
	plan := plansOf(t, `table: posts
tenants: {attribute: org}
models:
  - name: User
    key: [org, id]
    items: 10_000
    attributes: [{name: org, values: 10}, {name: id, format: uuid}]
  - name: Post
    key: [org, id]
    items: 100_000
    puts: 5
    attributes: [{name: org, of: User.org}, {name: id, format: ulid}, {name: author, of: User.id}]
  - name: Follow
    key: [org, follower, followee]
    items: 100_000
    attributes:
      - {name: org, of: User.org}
      - {name: follower, of: User.id}
      - {name: followee, of: User.id}
patterns:
  - name: feed
    model: Post
    through: Follow
    equal: [follower]
    order: id
    fanout: write
    rate: 10
`)[0]
	require.NotEmpty(t, plan.Writes)
	report, err := Verify(plan, Options{Rows: 500})
	require.NoError(t, err)
	assert.Empty(t, report.firstFailure())
}
