package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBindBeginning checks which texts a request may give for an attribute that Begins names.
func TestBindBeginning(t *testing.T) {
	text, at := Attribute{Name: "title", Type: String}, Attribute{
		Name: "at", Type: String, Format: Timestamp,
	}
	model := Model{
		Name: "Post", Key: []string{"author", "id"},
		Attributes: []Attribute{{Name: "id", Type: String}, {Name: "author", Type: String}, text,
			at},
	}
	for _, c := range []struct{ name, begins, text, want, err string }{
		{"a text", "title", "A", "A", ""},
		{"a text with a separator, which a title may have", "title", "A#1", "A#1", ""},
		{"nothing", "title", "", "", "title is empty: a beginning has at least one character"},
		{"a part of a timestamp", "at", "2026-01", "2026-01", ""},
		{"what goes on into the next part of the key", "at", "2026-01-01T00:00:00Z#1", "",
			`no value has "#", which follows it in keys`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Make(&Design{Table: "posts", Models: []Model{model}, Patterns: []Pattern{
				{Name: "p", Model: "Post", Equal: []string{"author"}, Begins: c.begins},
			}})
			require.NoError(t, err)
			b, err := p.Queries[0].Bind(Row{"author": "ann", c.begins: c.text})
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, b.From)
		})
	}
}
