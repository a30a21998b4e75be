package proof

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// TestLargeValues: a short design with large values makes neither a proof nor a load large.
func TestLargeValues(t *testing.T) {
	notUnderRace(t)
	design := func(bytes, puts int) []byte {
		return fmt.Appendf(nil, "table: tab\nmodels:\n  - name: M\n    key: [id]\n    items: 1000000\n"+
			"    puts: %d\n    attributes: [id, {name: v, bytes: %d}]\n"+
			"patterns:\n  - {name: p, model: M, equal: [id], one: true, rate: 1}\n", puts, bytes)
	}
	plan, err := designfile.Plan(design(380_000, 1))
	require.NoError(t, err)
	v := newVerification(plan, Options{Rows: 5000}, nil)
	assert.LessOrEqual(t, v.rows["M"]*380_000, int64(MaxStored))
	report, err := Verify(plan, Options{Rows: 30, Requests: 3})
	require.NoError(t, err)
	assert.True(t, report.OK(), report.Patterns)

	plan, err = designfile.Plan(design(380_000, 10_000))
	require.NoError(t, err)
	_, err = Load(plan, LoadOptions{Options: Options{Rows: 100}, Seconds: 10})
	assert.ErrorContains(t, err, "MB, and at most 1024 are stored")

	_, err = designfile.Plan(design(1_000_000_000, 1))
	assert.ErrorContains(t, err, "want at most 1,048,576")
}
