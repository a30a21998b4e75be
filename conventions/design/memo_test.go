package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestMemo shows what a plan says to whoever owns the table.
func TestMemo(t *testing.T) {
	const follows = `
table: social
models:
  - name: User
    key: [id]
    items: 1000
    puts: 1
    attributes: [{name: id, format: ulid}]
  - name: Follow
    key: [follower, followed]
    items: 100_000
    puts: 10
    attributes: [{name: follower, format: ulid, of: User.id}, {name: followed, format: ulid,
	of: User.id},
      {name: muted, format: timestamp, optional: 1%}]
patterns:
  - {name: a user, model: User, equal: [id], one: true, rate: 10}
  - {name: whom a user follows, model: Follow, equal: [follower], rate: 100}
  - {name: who follows a user, model: Follow, equal: [followed], rate: 100}
  - {name: whom a user has muted, model: Follow, equal: [follower], order: muted, rate: 1}
`
	for _, c := range []struct{ name, design, want string }{
		{"an item collection", lending,
			"a member with books: Member and Book are an item collection in GSI1: one Query " +
				"reads the items under {id}"},
		{"GSI overloading", lending, "GSI1: GSI overloading: GSI1PK holds {id}, {member}"},
		{"an inverted index", follows, "an inverted index of Follow: the adjacency list of the " +
			"table"},
		{"a sparse index", follows, "a sparse index: only some items have its key"},
		{"what is behind", follows, "reads of global indexes are eventually consistent: who " +
			"follows a user"},
		{"what never changes", follows, "what never changes without a copy of all items: the " +
			"table's key"},
		{"where it hurts first", strings.ReplaceAll(lending, "rate: 10", "rate: 100000"),
			"the first hot partition, as rates grow: "},
		{"where it hurts never", lending, "no partition comes near its limits: the busiest, "},
		{"how it grows", lending, "other patterns take an index more: 1 of 20 are taken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(c.design))
			require.NoError(t, err)
			assert.Contains(t, plan.Markdown(), c.want)
		})
	}
	assert.Equal(t, "For whoever owns it", design.StepTitle(8))
}
