package proof

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

const guide = "../../conventions/design/designfile/testdata/design.yaml"

func guidePlan(t testing.TB) *design.Plan {
	t.Helper()
	plan, err := designfile.PlanFile(guide)
	require.NoError(t, err)
	return plan
}

// TestGuide verifies the plan of the guide's example.
func TestGuide(t *testing.T) {
	report, err := Verify(guidePlan(t), Options{})
	require.NoError(t, err)
	require.Len(t, report.Patterns, 6)
	for _, p := range report.Patterns {
		assert.Empty(t, p.Failures, p.Name)
		assert.Positive(t, p.Items, p.Name)
	}
}

// TestMutations checks that a verification notices each decision that is undone.
func TestMutations(t *testing.T) {
	all := Mutate(guidePlan(t), Options{})
	require.GreaterOrEqual(t, len(all), 8)
	for _, m := range all {
		assert.NotEmpty(t, m.Found, m.Name)
	}
}
