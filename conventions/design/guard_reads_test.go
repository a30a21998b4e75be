package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestGuardReads shows which patterns read a guard in place of an index.
func TestGuardReads(t *testing.T) {
	const members = `
table: members
models:
  - name: User
    key: [id]
    items: 1_000_000
    puts: 5
    unique: [email, [country, nick]]
    attributes:
      - {name: id, format: ulid}
      - {name: email, bytes: 25}
      - {name: country, values: 50}
      - nick
      - {name: profile, bytes: 800, mutable: true}
patterns:
  - {name: a user, model: User, equal: [id], one: true, rate: 50}
  - {name: it, model: User, PATTERN, rate: 20}
`
	for _, c := range []struct {
		name, pattern, query string
		indexes              int
	}{
		{"by one attribute", "equal: [email], one: true, attributes: [id]",
			"GetItem, PK = {email}", 0},
		{"with strong consistency",
			"equal: [email], one: true, attributes: [id, email], consistent: true",
			"GetItem, PK = {email}", 0},
		{"by several attributes, in any order",
			"equal: [nick, country], one: true, attributes: [id]", "GetItem, PK = ", 0},
		{"what the guard does not have", "equal: [email], one: true, attributes: [id, profile]",
			"Query GSI1, GSI1PK = {email}", 1},
		{"all attributes", "equal: [email], one: true", "Query GSI1, GSI1PK = {email}", 1},
		{"one of several attributes", "equal: [country], attributes: [id]",
			"Query GSI1, GSI1PK = {country}", 1},
		{"those that begin so", "equal: [country], begins: nick, attributes: [id]",
			"Query GSI1, GSI1PK = {country}", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(strings.Replace(members, "PATTERN", c.pattern, 1)))
			require.NoError(t, err)
			assert.Len(t, plan.Indexes, c.indexes)
			assert.Contains(t, queryOf(plan, "it"), c.query)
			assert.Equal(t, c.indexes == 0,
				strings.Contains(plan.Markdown(), "has several items, written together"))
		})
	}
}
