package design_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// drawKeyed returns a design of models with all kinds of keys: of one to three attributes, with
// values of their own or another model's, of every format and type, with few values or many.
func drawKeyed(t *rapid.T) *design.Design {
	d := &design.Design{Table: "keyed"}
	for i := range rapid.IntRange(1, 3).Draw(t, "models") {
		m := design.Model{Name: fmt.Sprintf("Model%d", i), Items: 100}
		for j := range rapid.IntRange(1, 3).Draw(t, "attributes of the key") {
			a := drawKeyAttribute(t, d)
			a.Name = fmt.Sprint("key", j)
			m.Attributes, m.Key = append(m.Attributes, a), append(m.Key, a.Name)
		}
		other := drawKeyAttribute(t, d)
		other.Name = "other"
		m.Attributes = append(m.Attributes, other)
		d.Models = append(d.Models, m)
		drawWhere(t, d, m.Name)
	}
	return d
}

// drawKeyAttribute returns an attribute without a name. It may have the values of an attribute of
// a model that there is.
func drawKeyAttribute(t *rapid.T, d *design.Design) design.Attribute {
	if len(d.Models) > 0 && rapid.IntRange(0, 2).Draw(t, "of another") == 0 {
		m := rapid.SampledFrom(d.Models).Draw(t, "model")
		a := rapid.SampledFrom(m.Attributes).Draw(t, "attribute")
		return design.Attribute{Type: a.Type, Of: m.Name + "." + a.Name}
	}
	a := design.Attribute{
		Type: rapid.SampledFrom([]design.Type{design.String, design.String, design.Number,
			design.Binary}).Draw(t, "type"),
		Values: rapid.SampledFrom([]int64{0, 0, 1, 2, 7, 90, 1000}).Draw(t, "values"),
		Bytes:  rapid.SampledFrom([]int{0, 2, 5}).Draw(t, "bytes"),
	}
	if a.Type == design.String {
		a.Format = rapid.SampledFrom([]design.Format{design.Any, design.UUID, design.ULID,
			design.Timestamp, design.Timestamp}).Draw(t, "format")
		if a.Format == design.Any && rapid.IntRange(0, 5).Draw(t, "constant") == 0 {
			a.Constant = rapid.SampledFrom([]string{"a", "v12", "10"}).Draw(t, "is")
		}
	}
	return a
}

// drawWhere adds patterns that choose by attributes of a key, and spread timestamps over periods.
func drawWhere(t *rapid.T, d *design.Design, model string) {
	for _, a := range d.Model(model).Attributes {
		p := design.Pattern{Name: model + " by " + a.Name, Model: model, Rate: 1}
		switch {
		case a.Format == design.Timestamp && rapid.Bool().Draw(t, "period"):
			p.Range, p.Period = a.Name, design.Day
		case a.Type == design.String && a.Format == design.Any && a.Constant == "" && a.Of == "" &&
			rapid.Bool().Draw(t, "where"):
			p.Where = map[string]string{
				a.Name: rapid.SampledFrom([]string{"v20", "1", "open"}).Draw(t, "value"),
			}
		default:
			continue
		}
		d.Patterns = append(d.Patterns, p)
	}
}

// TestSamplesHaveKeysOfTheirOwn checks that no two rows of a model have one key, whatever its key
// is made of, and that a key whose values are many enough gives all rows.
func TestSamplesHaveKeysOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, rows := drawKeyed(t), map[string]int64{}
		for _, m := range d.Models {
			rows[m.Name] = rapid.Int64Range(1, 300).Draw(t, "rows")
		}
		samples := design.NewSamples(d, rows, 1)
		for _, m := range d.Models {
			seen := map[string]int64{}
			for n := range min(rows[m.Name], samples.Most(m.Name)) {
				row, key := samples.Next(m.Name), ""
				for _, name := range m.Key {
					key += fmt.Sprintf("%q ", fmt.Sprint(row[name]))
				}
				require.NotContains(t, seen, key, "row %d of %s: %v", n, m.Name, m)
				seen[key] = n
			}
		}
	})
}

// TestMostRows checks how many rows the values of a key allow.
func TestMostRows(t *testing.T) {
	few := design.Attribute{Name: "few", Type: design.String, Values: 4}
	many := design.Attribute{Name: "many", Type: design.String}
	of := design.Attribute{Name: "of", Type: design.String, Of: "Other.few"}
	kind := design.Attribute{Name: "kind", Type: design.String, Constant: "k"}
	for _, c := range []struct {
		name string
		key  []design.Attribute
		want int64
	}{
		{"few values", []design.Attribute{few}, 4},
		{"of another model", []design.Attribute{of}, 4},
		{"few and of another", []design.Attribute{few, of}, 16},
		{"constant", []design.Attribute{kind}, 1},
		{"as many as rows", []design.Attribute{many}, 100},
		{"constant and many", []design.Attribute{many, kind}, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := design.Model{Name: "Model", Attributes: c.key}
			for _, a := range c.key {
				m.Key = append(m.Key, a.Name)
			}
			d := &design.Design{Table: "t", Models: []design.Model{
				{Name: "Other", Key: []string{"few"}, Attributes: []design.Attribute{few}}, m}}
			samples := design.NewSamples(d, map[string]int64{"Model": 100, "Other": 100}, 1)
			require.Equal(t, c.want, min(100, samples.Most("Model")))
		})
	}
}
