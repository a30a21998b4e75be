package design

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSwitchReasons checks that a step says why reads switch to a query that looks like the old one.
func TestSwitchReasons(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(d *Design)
		pattern string
		because string
	}{
		{"other attributes", func(d *Design) { d.Patterns[0].Attributes = []string{"title", "at"} }, "of an author", "it reads title, at"},
		{"all attributes", func(d *Design) { d.Patterns[1].Attributes = nil }, "one", "it reads all attributes"},
		{"strong consistency", func(d *Design) { d.Patterns[1].Consistent = true }, "one", "its reads are strongly consistent"},
		{"two reasons", func(d *Design) { d.Patterns[1].Attributes, d.Patterns[1].Consistent = []string{"text"}, true }, "one",
			"its reads are strongly consistent, and it reads text"},
		{"another primary key of the other model", func(d *Design) { d.Models[1].Key = []string{"tag", "of"} }, "of an author", "the table is articles_v2"},
		{"an attribute that is no more", func(d *Design) {
			d.Models[0].Attributes = slices.Delete(d.Models[0].Attributes, 3, 4)
			d.Patterns[1].Attributes = []string{"text"}
		}, "of an author", "title of Article is no longer stored as title"},
		{"an attribute in a key of its own", func(d *Design) {
			d.Patterns = append(d.Patterns, Pattern{Name: "titled", Model: "Article", Equal: []string{"title"}})
		}, "of an author", "title of Article is no longer stored as title, but as GSI2PK"},
		{"another query", func(d *Design) { d.Patterns[0].Order = "title" }, "of an author", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			make := func(change func(d *Design)) *Plan {
				d := articles(Pattern{})
				d.Patterns[1].Attributes = []string{"title"}
				d.Models = append(d.Models, Model{Name: "Tag", Key: []string{"tag"}, Attributes: []Attribute{
					{Name: "tag", Type: String, Format: UUID}, {Name: "of", Type: String, Format: UUID, Of: "Article.id"},
				}})
				change(d)
				plan, err := Make(d)
				require.NoError(t, err)
				return plan
			}
			m, err := Diff(make(func(*Design) {}), make(c.change))
			require.NoError(t, err)
			step := switchOf(t, m, c.pattern)
			assert.Equal(t, c.because, step.Because)
			if c.because != "" {
				assert.Contains(t, step.String(), step.Query+", because "+c.because)
			}
		})
	}
}

// switchOf returns the step that switches the reads of a pattern.
func switchOf(t *testing.T, m *Migration, pattern string) Step {
	t.Helper()
	for _, s := range m.Steps {
		if s.Kind == SwitchReads && s.Pattern == pattern {
			return s
		}
	}
	require.Fail(t, "there is no such step", "%s in %v", pattern, m.Steps)
	return Step{}
}
