package source

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/render"
)

// policyOf returns the policy of a plan.
func policyOf(t *testing.T, plan *design.Plan) string {
	files, err := render.Files(plan)
	require.NoError(t, err)
	i := slices.IndexFunc(files, func(f render.File) bool { return f.Name == "policy.yaml" })
	require.GreaterOrEqual(t, i, 0)
	return string(files[i].Content)
}

// TestPolicyOfPlan checks that the policy of a planned table comes back as its design: the same
// models, whose keys hold the same attributes, and all patterns. The policy does not say how much
// of a sort key their requests name. No policy can tell the keys of the guide's example apart: its
// posts, comments and likes are under their ids.
func TestPolicyOfPlan(t *testing.T) {
	for _, file := range []string{"../../../emulator/proof/testdata/shop.yaml",
		"../../../emulator/proof/testdata/game.yaml", "testdata/policy.yaml"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			plan, err := designfile.PlanFile(file)
			require.NoError(t, err)
			text := policyOf(t, plan)
			d, err := Read([]byte(text), Options{})
			require.NoError(t, err, text)
			written := string(designfile.Write(&d.Design, d.Comments))
			require.Len(t, d.Design.Models, len(plan.Design.Models), written)
			for i, m := range plan.Design.Models {
				found := d.Design.Models[i]
				assert.Equal(t, m.Name, found.Name)
				assert.Subset(t, found.Key, m.Key, written)
			}
			for _, p := range plan.Design.Patterns {
				found := slices.ContainsFunc(d.Design.Patterns, func(q design.Pattern) bool {
					return q.Model == p.Model &&
						(slices.Equal(q.Equal, p.Equal) ||
							slices.Equal(append(slices.Clone(q.Equal), q.Order), p.Equal))
				})
				assert.True(t, found || p.One, "%+v in\n%s", p, written)
			}
			again, err := design.Make(&d.Design)
			require.NoError(t, err, written)
			assert.LessOrEqual(t, len(again.Indexes), len(plan.Indexes), written)
		})
	}
}
