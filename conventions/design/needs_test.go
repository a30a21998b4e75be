package design

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAsked checks what queries ask for.
func TestAsked(t *testing.T) {
	for _, c := range []struct {
		name    string
		pattern Pattern
		want    []string
	}{
		{"all attributes", Pattern{Rate: 100}, nil},
		{"an attribute of an INCLUDE projection", Pattern{Rate: 100, Attributes: []string{"title"}},
			[]string{"PK", "title"}},
		{"an attribute in a key of the index", Pattern{Rate: 100, Attributes: []string{"at"}},
			[]string{"PK", "GSI1SK"}},
		{"keys of an index, before BatchGetItem",
			Pattern{Rate: 0.01, Attributes: []string{"title", "text"}}, nil},
		{"shards, which a reader merges by the key of the index",
			Pattern{Rate: 100, Attributes: []string{"title"}, Shards: 2},
			[]string{"PK", "GSI1PK", "GSI1SK", "title"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := Make(articles(c.pattern))
			require.NoError(t, err)
			assert.Equal(t, c.want, plan.Queries[0].Attributes)
			bounds, err := plan.Queries[0].BindAll(Row{"author": "ann"})
			require.NoError(t, err)
			_, in := bounds[0].Request("articles", func(v any) any { return v })
			assert.Equal(t, c.want != nil, in["ProjectionExpression"] != nil)
			names := in["ExpressionAttributeNames"].(map[string]string)
			for n, name := range c.want {
				assert.Equal(t, name, names[AskedName(n)])
			}
		})
	}
}

// TestAskedForTooMuch checks that a query asks for all attributes if it names too many for an
// expression.
func TestAskedForTooMuch(t *testing.T) {
	for _, c := range []struct {
		more  int
		asked bool
	}{{maxAsked - 1, true}, {maxAsked, false}} {
		d := articles(Pattern{Rate: 10_000})
		for i := range c.more {
			name := fmt.Sprint("attribute", i)
			d.Models[0].Attributes = append(d.Models[0].Attributes,
				Attribute{Name: name, Type: String})
			d.Patterns[0].Attributes = append(d.Patterns[0].Attributes, name)
		}
		plan, err := Make(d)
		require.NoError(t, err)
		q := &plan.Queries[0]
		assert.Equal(t, c.asked, q.Attributes != nil)
		assert.LessOrEqual(t, len(q.ProjectionExpression()), 4096)
	}
}
