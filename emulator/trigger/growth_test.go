package trigger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/growth"
)

// maxRecord is about the most bytes of a record: two images of 400 KB.
const maxRecord = 800 << 10

// TestCostsGrowWithFilters: neither a definition nor a record costs more than its length is worth.
// A pattern has 4096 characters, and a trigger 10 patterns: so what a record costs is bounded if it
// is for one pattern.
func TestCostsGrowWithFilters(t *testing.T) {
	list := func(n int, of func(i int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = of(i)
		}
		return strings.Join(parts, ",")
	}
	same := func(text string) func(int) string { return func(int) string { return text } }
	var table growth.Table
	defer func() { t.Logf("the widest growth:\n%s", &table) }()
	measure := func(t *testing.T, group string, cost func(n int)) {
		costs, tooFast := growth.MeasureCPU(cost)
		table.Add(group, t.Name(), costs)
		assert.False(t, tooFast, "%v for the sizes %v", costs, growth.Sizes)
	}
	for _, c := range []struct {
		name    string
		options func(n int) string
	}{
		{"patterns", func(n int) string {
			return `{"FilterCriteria":{"Filters":[` + list(n, same(`{"Pattern":"{}"}`)) + `]}}`
		}},
		{"a long pattern", func(n int) string {
			return `{"FilterCriteria":{"Filters":[{"Pattern":"` + strings.Repeat("x", n) + `"}]}}`
		}},
		{"brackets", func(n int) string { return `{"FilterCriteria":` + strings.Repeat("[", n) }},
		{"members twice", func(n int) string { return "{" + list(n, same(`"BatchSize":1`)) + "}" }},
	} {
		t.Run("definition with "+c.name, func(t *testing.T) {
			measure(t, "definitions", func(n int) {
				_, _ = Parse("table -> http://localhost/ " + c.options(n))
			})
		})
	}
	for _, c := range []struct {
		name, pattern string
		record        func(n int) string
	}{
		{"attributes", `{"dynamodb":{"NewImage":{"z":{"S":[{"prefix":"x"}]}}}}`,
			func(n int) string {
				return list(n, func(i int) string { return fmt.Sprintf(`"a%d":{"S":"x"}`, i) })
			}},
		{"a long text",
			`{"dynamodb":{"NewImage":{"a":{"S":[{"prefix":"x"},{"equals-ignore-case":"y"}]}}}}`,
			func(n int) string { return `"a":{"S":"` + strings.Repeat("x", 50*n) + `"}` }},
		{"a long number", `{"dynamodb":{"NewImage":{"a":{"N":[{"numeric":[">",0,"<=",5]}]}}}}`,
			func(n int) string { return `"a":{"N":"` + strings.Repeat("1", 50*n) + `"}` }},
		{"a long number that is none of DynamoDB",
			`{"dynamodb":{"NewImage":{"a":[{"numeric":["=",5]}]}}}`,
			func(n int) string { return `"a":` + strings.Repeat("1", 50*n) }},
		{"a large exponent", `{"dynamodb":{"NewImage":{"a":[{"numeric":["=",5]}]}}}`,
			func(n int) string { return fmt.Sprintf(`"a":1e%d`, 1000*n) }},
		{"lists", `{"dynamodb":{"NewImage":{"a":{"L":{"S":["x"]}}}}}`,
			func(n int) string { return `"a":{"L":[` + list(n, same(`{"S":"y"}`)) + `]}` }},
		{"nested lists", `{"dynamodb":{"NewImage":{"a":{"L":{"L":["x"]}}}}}`,
			func(n int) string {
				return `"a":` + strings.Repeat(`{"L":[`, n) + strings.Repeat(`]}`, n)
			}},
		{"values that match none", `{"dynamodb":{"NewImage":{"a":{"SS":[` +
			list(400, func(i int) string { return fmt.Sprintf(`"v%d"`, i) }) + `]}}}}`,
			func(n int) string { return `"a":{"SS":[` + list(n, same(`"x"`)) + `]}` }},
	} {
		t.Run("record with "+c.name, func(t *testing.T) {
			m := NewMapping("table")
			m.Filters = []string{c.pattern}
			trigger, err := New(m, "function", nil)
			require.NoError(t, err)
			measure(t, "records", func(n int) {
				record := `{"dynamodb":{"NewImage":{` + c.record(n) + `}}}`
				require.LessOrEqual(t, len(record), maxRecord)
				trigger.Wants([]byte(record))
			})
		})
	}
}
