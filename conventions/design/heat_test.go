package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
