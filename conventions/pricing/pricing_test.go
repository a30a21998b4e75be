package pricing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPrices checks that prices with a wrong field are refused.
func TestPrices(t *testing.T) {
	const good = `{"region": "r", "date": "2026-01-31", "source": "s", "currency": "EUR", "readRequestUnits": 1, "writeRequestUnits": 1,
		"readCapacityUnitHours": 1, "writeCapacityUnitHours": 1, "storageGBMonths": 1, "utilization": 1, "streamReads": 1,
		"infrequentAccess": {"readRequestUnits": 1, "writeRequestUnits": 1, "readCapacityUnitHours": 1, "writeCapacityUnitHours": 1, "storageGBMonths": 2}}`
	for _, c := range []struct{ name, from, to, says string }{
		{"an unknown field", `"region"`, `"place"`, "place"},
		{"no region", `"r"`, `""`, "region is missing"},
		{"no day", "2026-01-31", "2026", `date is "2026"`},
		{"no price", `"storageGBMonths": 1`, `"storageGBMonths": 0`, "storageGBMonths is 0"},
		{"no price of Standard-IA", `"storageGBMonths": 2`, `"storageGBMonths": 0`,
			"infrequentAccess.storageGBMonths is 0"},
		{"a price below 0", `"streamReads": 1`, `"streamReads": -1`, "streamReads is -1"},
		{"too much in use", `"utilization": 1`, `"utilization": 70`, "utilization is 70"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(good))
			require.NoError(t, err)
			_, err = Parse([]byte(strings.Replace(good, c.from, c.to, 1)))
			require.ErrorContains(t, err, c.says)
		})
	}
}
