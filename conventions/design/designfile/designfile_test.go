package designfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

func TestPlanFile(t *testing.T) {
	p, err := PlanFile("testdata/design.yaml")
	require.NoError(t, err)
	assert.Len(t, p.Indexes, 3)
	assert.Equal(t, int64(1_000_000), p.Design.Models[0].Items)
	assert.Equal(t, design.Attribute{Name: "author", Type: design.String},
		p.Design.Models[1].Attributes[2])
}

func TestErrors(t *testing.T) {
	const good = "table: t-1\nmodels:\n  - name: A\n    key: [id]\n    attributes: [id]\npatterns:\n  - name: p\n    model: A\n    equal: [id]\n"
	_, err := Parse([]byte(good))
	require.NoError(t, err)
	for _, c := range []struct{ name, old, text, want string }{
		{"an unknown field", "table: t-1", "tabel: t-1", "line 1: tabel: there is no such field"},
		{"a number for a text", "name: p", "name: 1",
			"line 7: patterns[0].name: this is a number and should be text"},
		{"a type", "attributes: [id]", "attributes: [{name: id, type: text}]",
			"line 5: models[0].attributes[0].type: \"text\" is none of string"},
		{"an unknown attribute", "equal: [id]", "equal: [ix]",
			"line 9: patterns[0].equal[0]: A has no attribute ix"},
		{"an unknown model", "model: A", "model: B",
			"line 8: patterns[0].model: there is no model \"B\""},
		{"a negative rate", "equal: [id]", "rate: -1", "line 9: patterns[0].rate: want 0 or more"},
		{"a rate without end", "equal: [id]", "rate: .inf",
			"line 9: patterns[0].rate: this should be a finite number"},
		{"a text for a list", "equal: [id]", "equal: id",
			"line 9: patterns[0].equal: this is text and should be a list: write [id]"},
		{"a skew of another law", "attributes: [id]", "attributes: [{name: id, skew: normal 1}]",
			"line 5: models[0].attributes[0].skew: want zipf with its exponent, such as zipf 1.1"},
		{"an amount of another currency", "table: t-1", "table: t-1\nsimplicity: 20 EUR",
			"line 2: simplicity: want an amount such as 20 USD"},
		{"a negative amount", "table: t-1", "table: t-1\nsimplicity: -1 USD",
			"line 2: simplicity: want 0 or more"},
		{"updates of an unknown attribute", "attributes: [id]",
			"updates: [{of: no, rate: 1}]\n    attributes: [id]",
			"line 5: models[0].updates[0].of: A has no attribute no"},
		{"no items in a transaction", "patterns:",
			"transactions: [{name: t, puts: [{model: A, count: 0}]}]\npatterns:",
			"line 6: transactions[0].puts[0].count: want 1 or more"},
		{"a way to keep nothing", "attributes: [id]", "attributes: [{name: id, kept: never}]",
			"line 5: models[0].attributes[0].kept: id counts nothing"},
		{"another way to put a feed together", "model: A", "model: A\n    fanout: push",
			"line 9: patterns[0].fanout: \"push\" is none of read, write"},
		{"updates that are text", "attributes: [id]", "updates: many\n    attributes: [id]",
			"line 5: models[0].updates: this is text and should be a number"},
		{"the attributes that there are", "equal: [id]", "order: ix",
			"line 9: patterns[0].order: A has no attribute ix; it has id"},
		{"the models that there are", "model: A", "model: B",
			"line 8: patterns[0].model: there is no model \"B\"; there are A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(bytes.Replace([]byte(good), []byte(c.old), []byte(c.text), 1))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestSchema checks that the schema accepts the example, and has the fields of the reader.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("design.json", doc))
	s, err := c.Compile("design.json")
	require.NoError(t, err)
	var value any
	require.NoError(t, yaml.Unmarshal(Example(), &value))
	require.NoError(t, s.Validate(value))

	type object struct{ Properties map[string]any }
	var all struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(Schema(), &all))
	d := file{&fields.Decoder{}}
	for name, c := range map[string]struct {
		members    map[string]fields.Member
		properties map[string]any
	}{
		"design":      {d.design(&design.Design{}), all.Properties},
		"tenants":     {d.tenants(&design.Tenants{}), all.Defs["tenants"].Properties},
		"model":       {d.model(&design.Model{}), all.Defs["model"].Properties},
		"attribute":   {d.attributeFields(&design.Attribute{}), all.Defs["attribute"].Properties},
		"transaction": {d.transaction(&design.Transaction{}), all.Defs["transaction"].Properties},
		"written":     {d.writtenFields(&design.Written{}), all.Defs["writtenItems"].Properties},
		"pattern":     {d.pattern(&design.Pattern{}), all.Defs["pattern"].Properties},
	} {
		assert.Equal(t, slices.Sorted(maps.Keys(c.members)), slices.Sorted(maps.Keys(c.properties)),
			name)
	}
}

// FuzzPlan checks that Plan does not panic, and that each of its errors has a place.
func FuzzPlan(f *testing.F) {
	f.Add(Example())
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := Plan(text); err != nil {
			var e *Error
			require.True(t, errors.As(err, &e))
		}
	})
}
