package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
)

// TestGrow takes the steps from the tables of published designs to those with an unrelated model,
// as the planner plans them from what is there.
func TestGrow(t *testing.T) {
	for _, name := range []string{"shop", "social", "ticketing"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../../conventions/design/published",
				name+".yaml"))
			require.NoError(t, err)
			old, err := designfile.Plan(text)
			require.NoError(t, err)
			d, err := designfile.Parse([]byte(strings.Replace(string(text), "\npatterns:\n", `
  - name: Audit
    key: [id]
    items: 1000
    attributes: [id, {name: who, values: 10}, {name: when, format: timestamp}]
patterns:
  - {name: audits of somebody, model: Audit, equal: [who], order: when, rate: 1}
  - {name: an audit, model: Audit, equal: [id], one: true, rate: 1}
`, 1)))
			require.NoError(t, err)
			m, err := migrate.Make(d, old)
			require.NoError(t, err)
			assert.NotEqual(t, migrate.Copied, m.Change())
			r, err := VerifyMigration(m, Options{})
			require.NoError(t, err)
			assert.True(t, r.OK(), r.FirstFailure())
			p, err := Verify(m.New, Options{})
			require.NoError(t, err)
			assert.True(t, p.OK())
		})
	}
}
