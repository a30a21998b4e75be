package policyfile_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// TestCostsGrowWithPolicies: no part of a policy file makes it cost more than its length is worth.
func TestCostsGrowWithPolicies(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it is slow: run it with TEST_FULL=true")
	}
	var widest growth.Table
	defer func() { t.Logf("the widest growth:\n%s", &widest) }()
	const table = `tables: [{name: t, role: data, entities: [`
	const entity = `{name: e, prefix: E, sort: "{e:ulid}"}`
	for _, c := range []struct{ name, begin, more, end string }{
		{"tables", "tables: [", `{name: t%d, role: data, entities: [` + entity + `]},`, "]"},
		{"entities", table, `{name: e%d, prefix: E%[1]d, sort: "{e:ulid}"},`, entity + "]}]"},
		{"entities of a prefix", table, `{name: e%d, prefix: E, sort: "S%[1]d#{e:ulid}"},`,
			entity + "]}]"},
		{"the same entities", table, entity + ",", entity + "]}]"},
		{"entities of patterns that meet", table,
			`{name: e%d, prefix: E, sort: "{a:string}#{b%[1]d}"},`, entity + "]}]"},
		{"parts of a sort key", table + `{name: e, prefix: E, sort: "S`, `#{a%d}`, `"}]}]`},
		{"attributes", table + `{name: e, prefix: E, sort: "{e:ulid}", mutable: [`, `a%d, `,
			"a]}]}]"},
		{"values of a part", table + `{name: e, prefix: E, sort: "{e:`, `a%d|`, `a}"}]}]`},
		{"indexes", table + entity + "], indexes: [", `{name: i%d, key: {partition: g%[1]d}},`,
			`{name: i, key: {partition: g}}]}]`},
		{"callers", "tenants: {callers: {", "K%d: t%[1]d, ", "K: t}, known: [t]}"},
		{"tenants", "tenants: {known: [", "t%d, ", "t]}"},
		{"words", "status-words: [", "w%d, ", "w]"},
		{"severities", "severities: {", "key-unbounded: enforce, ", "read-scan: off}"},
		{"brackets", "", `[`, ""},
		{"braces", "", `{a: `, ""},
		{"unknown members", "", "a%d: 1\n", ""},
		{"the same member", "", "tables: []\n", ""},
		{"aliases", "a0: &a0 [x]\n", "b%d: *a0\n", ""},
		{"lines", "", "\n", "{"},
		{"a long text", "tables: \"", "x", "\""},
	} {
		costs, tooFast := growth.MeasureCPU(func(n int) {
			_, _ = policyfile.Compile([]byte(growth.Text(c.begin, c.more, c.end, n)))
		})
		widest.Add("policies", c.name, costs)
		assert.False(t, tooFast, "%s costs %v for the sizes %v", c.name, costs, growth.Sizes)
	}
}
