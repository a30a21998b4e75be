package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestBegins shows where items are hot that all begin in one state.
func TestBegins(t *testing.T) {
	const jobs = `
table: jobs
models:
  - name: Job
    key: [id]
    items: 1_000_000
    puts: 800
    updates: [{of: state, rate: 1600}]
    attributes:
      - {name: id, format: ulid}
      - {name: due, format: timestamp}
      - STATE
patterns:
  - {name: a job, model: Job, equal: [id], one: true, rate: 10}
  - PATTERN
`
	for _, c := range []struct{ name, state, pattern, want string }{
		{"of a state", "{name: state, values: 8, begins: SCHEDULED}",
			"{name: jobs in a state, model: Job, equal: [state], order: due, rate: 1}",
			"GSI1: gets 1600 write units per second of Job under the SCHEDULED partition key, " +
				"and a " +
				"partition takes 1000: add shards: 3 to jobs in a state, whose reads then take " +
				"as many requests"},
		{"of the state in which they begin", "{name: state, values: 8, begins: SCHEDULED}",
			"{name: scheduled, model: Job, where: {state: SCHEDULED}, order: due, rate: 1}",
			"GSI1: gets 1600 write units per second of Job"},
		{"of another state", "{name: state, values: 8, begins: SCHEDULED}",
			"{name: failed, model: Job, where: {state: FAILED}, order: due, rate: 1}",
			"it gets 343 write units per second, and a partition takes 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(strings.NewReplacer("- STATE", "- "+c.state, "- "+
				"PATTERN",
				"- "+c.pattern).Replace(jobs)))
			require.NoError(t, err)
			assert.Contains(t, strings.Join(warned(plan), "\n"), c.want)
		})
	}
	text := strings.NewReplacer("- STATE", "- {name: state, values: 8}", "- PATTERN",
		"- {name: jobs in a state, model: Job, equal: [state], order: due, rate: 1}",
		"puts: 800", "puts: 800\n    peak: 10").Replace(jobs)
	plan, err := designfile.Plan([]byte(text))
	require.NoError(t, err)
	assert.Contains(t, strings.Join(warned(plan), "\n"), "GSI1: gets 5000 write units per second "+
		"of "+
		"Job under each partition key in the busiest hour")
}

// TestReferredValues shows that an attribute has no more values than the one that it is of, which
// says where items are hot, and how many a filter reads.
func TestReferredValues(t *testing.T) {
	const deals = `
table: deals
models:
  - name: Category
    key: [category]
    items: CATEGORIES
    attributes: [category, {name: title, mutable: true}]
  - name: Shelf
    key: [shelf]
    items: 1_000_000
    attributes: [shelf, {name: category, of: Category.category}]
  - name: Deal
    key: [deal]
    items: 1_000_000
    puts: 4000
    attributes:
      - {name: deal, format: ulid}
      - {name: category, of: Shelf.category}
      - {name: state, values: 5, mutable: true}
patterns:
  - {name: a deal, model: Deal, equal: [deal], one: true, rate: 1}
  - {name: deals of a category, model: Deal, equal: [category], order: deal, returned: 20, rate: 1}
  - {name: deals in a state, model: Deal, equal: [category, state], order: deal, returned: 20, rate: 1}
`
	for _, c := range []struct{ categories, warning, filter string }{
		{"2", "GSI1: gets 2000 write units per second of Deal under each partition key", "500,000"},
		{"20", "GSI1: category has 20 values, so each partition key gets 200 write units per " +
			"second of Deal", "50,000"},
		{"10_000", "", "100"},
	} {
		t.Run(c.categories, func(t *testing.T) {
			plan, err := designfile.Plan([]byte(strings.ReplaceAll(deals, "CATEGORIES",
				c.categories)))
			require.NoError(t, err)
			warnings := strings.Join(warned(plan), "\n")
			if c.warning == "" {
				assert.NotContains(t, warnings, "write units per second of Deal under")
			}
			assert.Contains(t, warnings, c.warning)
			assert.Contains(t, notesOf(plan), "it reads "+c.filter+" items for 20")
		})
	}
}

// TestHottestOfKeys: reads of items whose keys an index gives are not reads of that index.
func TestHottestOfKeys(t *testing.T) {
	plan, err := designfile.Plan([]byte(`
table: payments
models:
  - name: Payment
    key: [payment]
    items: 1_000_000
    puts: 100
    updates: [{of: [state, blob], rate: 200}]
    attributes:
      - {name: payment, format: uuid}
      - {name: due, format: timestamp}
      - {name: state, values: 4, mutable: true}
      - {name: blob, bytes: 8000, mutable: true}
patterns:
  - {name: due in a state, model: Payment, equal: [state], order: due, returned: 100, rate: 50}
`))
	require.NoError(t, err)
	require.True(t, plan.Queries[0].Fetch, "the plan reads keys, and then items")
	hot := design.Hottest(plan)
	assert.Equal(t, "write", hot.Kind, "its 5,000 read units are nearly all of items")
	assert.Equal(t, []string{"GSI1: state has 4 values, so each partition key gets 125 write " +
		"units per second of Payment, and a partition takes 1000: shards: 2 of the patterns that " +
		"read there would leave each at most 100"}, warned(plan))
}
