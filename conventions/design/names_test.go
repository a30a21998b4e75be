package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name  string
		names map[string]string
		err   string
	}{
		{"of an index and a key", map[string]string{"GSI2": "by-author", "PK": "pk"}, ""},
		{"of nothing", map[string]string{"GSI9": "by-author"},
			"names.GSI9: the plan has PK, SK_GSI1PK, GSI1SK_GSI2SK_GSI3SK, GSI2PK, GSI3PK, GSI1, GSI2, GSI3, and none"},
		{"twice", map[string]string{"GSI2": "GSI1"}, `names: "GSI1" cannot name an index`},
		{"too short for an index", map[string]string{"GSI2": "a"},
			`names: "a" cannot name an index`},
		{"two keys", map[string]string{"GSI2PK": "PK"},
			"names: items of Post would have two attributes PK"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := guideDesign()
			d.Names = c.names
			p, err := Make(d)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "pk", p.Key.Partition)
			assert.Equal(t, "by-author", p.Indexes[1].Name)
			assert.Equal(t, "posts of an author: Query by-author, GSI2PK = {author}, descending",
				queries(p)[4])
		})
	}
}

// TestKeyNames checks that an attribute with the name of a key gets another one.
func TestKeyNames(t *testing.T) {
	d := guideDesign()
	d.Models[0].Attributes[1].Name = "PK"
	p, err := Make(d)
	require.NoError(t, err)
	assert.Contains(t, stored(p)["Post"], "post_PK={PK}")
}

// TestTTL checks that all models have their time to live in one attribute, and others none by its
// name.
func TestTTL(t *testing.T) {
	id, number := Attribute{
		Name: "id", Type: String,
	}, func(name string) Attribute { return Attribute{Name: name, Type: Number} }
	p, err := Make(&Design{Table: "table", Models: []Model{
		{Name: "Session", Key: []string{"id"}, TTL: "expires",
			Attributes: []Attribute{id, number("expires")}},
		{Name: "Token", Key: []string{"id"}, TTL: "until",
			Attributes: []Attribute{id, number("until")}},
		{Name: "Offer", Key: []string{"id"}, Attributes: []Attribute{id, number("expires")}},
	}, Patterns: []Pattern{{Name: "p", Model: "Session", Equal: []string{"id"}, Order: "expires"}}})
	require.NoError(t, err)
	all := stored(p)
	assert.Contains(t, all["Session"], "expires={expires}", "beside the key")
	assert.Contains(t, all["Token"], "expires={until}")
	assert.Contains(t, all["Offer"], "offer_expires={expires}")
	assert.Equal(t,
		map[string]any{
			"TableName":               "table",
			"TimeToLiveSpecification": map[string]any{"AttributeName": "expires", "Enabled": true},
		}, p.TimeToLive())
	p, err = Make(guideDesign())
	require.NoError(t, err)
	assert.Nil(t, p.TimeToLive())
}

func TestVectorIndexes(t *testing.T) {
	text := func(name string, values int64) Attribute {
		return Attribute{Name: name, Type: String, Values: values}
	}
	products := func(patterns ...Pattern) *Design {
		for i := range patterns {
			patterns[i].Name, patterns[i].Model, patterns[i].Similar = "p"+string(
				rune('0'+i)), "Product", "picture"
		}
		product := Model{Name: "Product", Key: []string{"id"}, Attributes: []Attribute{
			text("id", 0), text("brand", 5), text("kind", 50),
			{Name: "picture", Type: Vector, Dimensions: 3}}}
		return &Design{Table: "table", Models: []Model{product}, Patterns: patterns}
	}
	for _, c := range []struct {
		name      string
		design    *Design
		partition string
		filters   []string
	}{
		{"all items", products(Pattern{}), "", nil},
		{"the attribute with the most values is the partition",
			products(Pattern{Equal: []string{"brand", "kind"}}), "kind", []string{"brand"}},
		{"what all patterns name is the partition",
			products(Pattern{Equal: []string{"brand", "kind"}}, Pattern{Equal: []string{"brand"}}),
			"brand", []string{"kind"}},
		{"a pattern that names nothing", products(Pattern{Equal: []string{"brand"}}, Pattern{}), "",
			[]string{"brand"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Make(c.design)
			require.NoError(t, err)
			assert.Equal(t,
				[]VectorIndex{
					{Name: "VECTOR1", Attribute: "picture", Dimensions: 3, Distance: cosine,
						Partition: c.partition, Filters: c.filters},
				}, p.VectorIndexes)
			assert.Equal(t, SearchVectors, p.Queries[0].Operation)
		})
	}
	d := products(Pattern{})
	for _, name := range []string{"v1", "v2", "v3", "v4", "v5"} {
		d.Models[0].Attributes = append(d.Models[0].Attributes,
			Attribute{Name: name, Type: Vector, Dimensions: 3})
		d.Patterns = append(d.Patterns, Pattern{Name: name, Model: "Product", Similar: name})
	}
	_, err := Make(d)
	require.ErrorContains(t, err, "patterns[5].similar: a table has at most 5 vector indexes")
}
