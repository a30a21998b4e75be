package designfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestWrite checks that a design that is written is read as it was.
func TestWrite(t *testing.T) {
	d, err := Parse(Example())
	require.NoError(t, err)
	text := Write(d,
		map[string]string{"": "A file.", "models[0].key": "a key", "patterns[5]": "a pattern"})
	back, err := Parse(text)
	require.NoError(t, err, string(text))
	assert.Equal(t, d, back)
	assert.Contains(t, string(text), "# A file.\ntable: posts\n")
	assert.Contains(t, string(text), "    # a key\n    key: [id]\n")
	assert.Contains(t, string(text),
		"  # a pattern\n  - {name: posts of a genre, model: Post, equal: [genre]")
}

// TestUpdates checks that updates are read as a number or as a list of what they change, and are
// written as they were.
func TestUpdates(t *testing.T) {
	const file = "table: t-1\nmodels:\n  - name: A\n    key: [id]\n    updates: %s\n" +
		"    attributes:\n      - id\n      - {name: b, skew: zipf 1.1}\n      - {name: c, largest: 7}\n\n" +
		"patterns:\n  - {name: p, model: A, equal: [id], one: true}\n"
	for _, c := range []struct {
		updates string
		rate    float64
		changes []design.Change
	}{
		{"50", 50, nil},
		{"[{of: b, rate: 50}]", 0, []design.Change{{Of: []string{"b"}, Rate: 50}}},
		{"[{of: [b, c], rate: 0.5}, {of: c, rate: 1}, {rate: 3}]", 3, []design.Change{
			{Of: []string{"b", "c"}, Rate: 0.5}, {Of: []string{"c"}, Rate: 1}}},
	} {
		t.Run(c.updates, func(t *testing.T) {
			d, err := Parse(fmt.Appendf(nil, file, c.updates))
			require.NoError(t, err)
			assert.Equal(t, c.rate, d.Models[0].Updates)
			assert.Equal(t, c.changes, d.Models[0].Changes)
			assert.Contains(t, string(Write(d, nil)), "    updates: "+c.updates+"\n")
		})
	}
}

// TestSimplicity checks that an amount is read with and without its currency.
func TestSimplicity(t *testing.T) {
	for _, text := range []string{"1_500.5", "1_500.5 USD"} {
		d, err := Parse(append([]byte("simplicity: "+text+"\n"), Example()...))
		require.NoError(t, err)
		assert.Equal(t, 1500.5, d.Simplicity)
		assert.Contains(t, string(Write(d, nil)), "simplicity: 1500.5 USD\n")
	}
}

// TestWriteTexts checks that texts of any kind are read as they were.
func TestWriteTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 60, 255).Draw(t, "name")
		d := &design.Design{
			Table: "table",
			Models: []design.Model{
				{Name: "A", Key: []string{name}, Items: rapid.Int64Range(0, 1e15).Draw(t, "items"),
					Attributes: []design.Attribute{{Name: name, Type: design.String}}},
			},
			Patterns: []design.Pattern{
				{Name: name, Model: "A", Equal: []string{name}, One: true,
					Rate: rapid.Float64Range(0, 1e9).Draw(t, "rate")},
			},
		}
		text := Write(d, map[string]string{"models[0].attributes[0]": name})
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		assert.Equal(t, d, back)
	})
}

// TestInvariants checks that what is unique, counted or written together is read, and is written as
// it was.
func TestInvariants(t *testing.T) {
	const file = `table: t-1
models:
  - name: A
    key: [id]
    unique: [b, [c, b]]
    attributes:
      - id
      - b
      - c
      - {name: s, type: number, counts: B, kept: add}
      - {name: m, type: number, sums: B.k}
      - {name: last, type: number, numbers: C.k}
  - name: B
    key: [id]
    attributes:
      - id
      - {name: a, of: A.id}
      - {name: k, type: number}
      - {name: l, mutable: true}
  - name: C
    key: [a, k]
    attributes:
      - {name: a, of: A.id}
      - {name: k, type: number}
patterns:
  - {name: p, model: A, equal: [id], one: true}
transactions:
  - {name: both, puts: [{model: B, count: 2}], updates: [A], rate: 2}
`
	d, err := Parse([]byte(strings.Replace(file, "updates: [A]",
		"updates: [{model: A, of: c}]", 1)))
	require.ErrorContains(t, err, "transactions[0].updates[0].of: c is unique")
	assert.Equal(t, [][]string{{"b"}, {"c", "b"}}, d.Models[0].Unique)
	assert.Contains(t, string(Write(d, nil)), strings.Split(file, "updates: [A]")[0])
	assert.Contains(t, string(Write(d, nil)), "updates: [{model: A, of: c}], rate: 2}")
}
