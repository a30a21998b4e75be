package design_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestExact plans designs of 4 to 8 models and 17 to 27 patterns. The search of all but two, which
// are cut, shows that no other layout is better.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		name, cut        string
		indexes, columns int
		fast             bool
	}{
		{name: "library", indexes: 5, columns: 9, fast: true},
		{name: "holds", indexes: 4, columns: 8, fast: true},
		{name: "booking", indexes: 4, columns: 8},
		{name: "fleet", indexes: 4, columns: 8, fast: true},
		{name: "school", indexes: 3, columns: 7},
		{name: "hospital", indexes: 4, columns: 9, cut: "it makes 100,000 partial layouts. " +
			"What it leaves out has at least"},
		{name: "shop", indexes: 4, columns: 9, cut: "it makes 100,000 partial layouts. " +
			"What it leaves out has at least 8 attributes of keys, and this one 9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.fast && os.Getenv("TEST_FULL") == "" {
				t.Skip("it is slow: run it with TEST_FULL=true")
			}
			text, err := os.ReadFile("testdata/" + c.name + ".yaml")
			require.NoError(t, err)
			plan, err := designfile.Plan(text)
			require.NoError(t, err)
			assert.Len(t, plan.Indexes, c.indexes)
			assert.Len(t, plan.Columns, c.columns)
			assert.Equal(t, c.cut == "", plan.Search.Exact)
			if c.cut == "" {
				assert.Empty(t, plan.Search.Cut)
				return
			}
			require.Len(t, plan.Search.Cut, 1)
			assert.Contains(t, plan.Search.Cut[0], c.cut)
		})
	}
}

// TestEvenKeys shows that a key of few values is not the table's if the model's own key has a part
// with many.
func TestEvenKeys(t *testing.T) {
	plan, err := designfile.Plan([]byte(`
table: hospital
models:
  - name: Patient
    key: [id]
    items: 1_000_000
    attributes: [{name: id, format: ulid}]
  - name: Result
    key: [patient, taken, test]
    items: 50_000_000
    puts: 15
    attributes:
      - {name: patient, format: ulid, of: Patient.id}
      - {name: taken, format: timestamp}
      - {name: test, values: 500}
      - {name: stay, format: ulid}
patterns:
  - {name: a patient, model: Patient, equal: [id], one: true, rate: 100}
  - {name: results of a stay, model: Result, equal: [stay], order: taken, rate: 20, returned: 20}
  - {name: results of a patient, model: Result, equal: [patient], range: taken, rate: 30}
  - {name: results of a test, model: Result, equal: [patient, test], order: taken, rate: 10}
  - {name: what a test has shown, model: Result, equal: [test], range: taken, rate: 0.1}
`))
	require.NoError(t, err)
	for _, s := range plan.Entity("Result").Keys {
		if s.Name == plan.Key.Partition {
			assert.Equal(t, "{patient}", s.Value.String())
		}
	}
}
