package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// articles is a model with a large attribute, read by its author.
func articles(pattern Pattern) *Design {
	pattern.Name, pattern.Model, pattern.Equal, pattern.Order = "of an author", "Article", []string{
		"author",
	}, "at"
	return &Design{
		Table: "articles",
		Models: []Model{{Name: "Article", Key: []string{"id"}, Items: 1000,
			Puts: 10, Attributes: []Attribute{
				{Name: "id", Type: String, Format: UUID},
				{Name: "author", Type: String, Mutable: true},
				{Name: "at", Type: String, Format: Timestamp},
				{Name: "title", Type: String, Bytes: 60}, {Name: "text", Type: String, Bytes: 9000},
			}}},
		Patterns: []Pattern{pattern,
			{Name: "one", Model: "Article", Equal: []string{"id"}, One: true}},
	}
}

// TestProjections checks that an index has the projection that costs least.
func TestProjections(t *testing.T) {
	for _, c := range []struct {
		name    string
		pattern Pattern
		want    Projection
		fetch   bool
	}{
		{"all attributes, often", Pattern{Rate: 100}, Projection{}, false},
		{"all attributes, hardly ever", Pattern{Rate: 0.01}, Projection{Type: KeysOnly}, true},
		{"what the keys have", Pattern{Rate: 100, Attributes: []string{"at", "id"}},
			Projection{Type: KeysOnly}, false},
		{"some attributes", Pattern{Rate: 100, Attributes: []string{"title", "at"}},
			Projection{Type: Include, Attributes: []string{"title"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := Make(articles(c.pattern))
			require.NoError(t, err)
			require.Len(t, plan.Indexes, 1)
			assert.Equal(t, c.want, plan.Indexes[0].Projection)
			assert.Equal(t, c.fetch, plan.Queries[0].Fetch)
		})
	}
}

// TestProjectionForSome checks that an index has what some of its patterns read, if copies of what
// another one reads would be dear.
func TestProjectionForSome(t *testing.T) {
	d := articles(Pattern{Rate: 0.01})
	d.Models = append(d.Models, Model{Name: "Note", Key: []string{"id"}, Items: 1000, Puts: 10,
		Attributes: []Attribute{{Name: "id", Type: String, Format: UUID},
			{Name: "by", Type: String, Mutable: true}, {Name: "line", Type: String}}})
	d.Patterns = append(d.Patterns,
		Pattern{Name: "notes", Model: "Note", Equal: []string{"by"}, Rate: 100},
		Pattern{Name: "a note", Model: "Note", Equal: []string{"id"}, One: true})
	plan, err := Make(d)
	require.NoError(t, err)
	require.Len(t, plan.Indexes, 1)
	assert.Equal(t, Projection{Type: Include, Attributes: []string{"line"}},
		plan.Indexes[0].Projection)
	assert.True(t, plan.Queries[0].Fetch)
	assert.False(t, plan.Queries[2].Fetch)
	assert.Contains(t, plan.Markdown(), "USD a month more")
}

// TestSmallSaving checks that an index has all attributes if leaving some out saves little.
func TestSmallSaving(t *testing.T) {
	d := articles(Pattern{Rate: 100, Attributes: []string{"title", "at"}})
	d.Models[0].Items = 1e9
	for i := range d.Models[0].Attributes {
		if a := &d.Models[0].Attributes[i]; a.Name == "text" {
			a.Bytes = 2
		}
	}
	plan, err := Make(d)
	require.NoError(t, err)
	assert.Equal(t, Projection{}, plan.Indexes[0].Projection)
}
