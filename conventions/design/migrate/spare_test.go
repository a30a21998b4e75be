package migrate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	"github.com/kugiri-db/kugiri/expr"
)

// TestOldSpareKeys checks that a table keeps sort keys that have the name of their model twice, as
// plans wrote them before: Complaint#complaint.
func TestOldSpareKeys(t *testing.T) {
	files, err := filepath.Glob("../published/*.yaml")
	require.NoError(t, err)
	some := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".table.yaml") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			d, err := designfile.Parse(text)
			require.NoError(t, err)
			plan, err := design.Make(d)
			require.NoError(t, err)
			if !nameTwice(plan) {
				t.Skip("no sort key is the name of a model")
			}
			some++
			m, err := migrate.Make(d, locked(t, plan))
			require.NoError(t, err)
			assert.Equal(t, migrate.Nothing, m.Change(), m.Because)
			assert.Empty(t, m.Steps)
			for i, e := range plan.Entities {
				assert.Equal(t, e.Keys, m.New.Entities[i].Keys)
			}
			more, err := designfile.Parse(text)
			require.NoError(t, err)
			OneMore(more)
			m, err = migrate.Make(more, locked(t, plan))
			require.NoError(t, err)
			assert.LessOrEqual(t, m.Change(), migrate.IndexAdded, m.Because)
		})
	}
	assert.Positive(t, some)
}

// nameTwice writes the sort keys of a plan that are the name of their model as Complaint#complaint,
// and reports whether there are any.
func nameTwice(p *design.Plan) (some bool) {
	twice := func(v design.Value) design.Value {
		if len(v) != 1 || v[0].Attribute != "" || !strings.HasSuffix(v[0].Text, "#") {
			return v
		}
		some = true
		return append(v, design.Part{Text: strings.ToLower(strings.TrimSuffix(v[0].Text, "#"))})
	}
	for i := range p.Entities {
		for j := range p.Entities[i].Keys {
			if s := &p.Entities[i].Keys[j]; s.Name == p.Key.Sort {
				s.Value = twice(s.Value)
			}
		}
	}
	for i := range p.Queries {
		if s := &p.Queries[i].Sort; s.Name == p.Key.Sort && s.Operator == expr.KeyEqual {
			s.From = twice(s.From)
		}
	}
	return some
}
