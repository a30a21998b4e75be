package emulator

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// scanned is a Scan of a table, with more members.
func scanned(table, more string) string { return `{"TableName":"` + table + `"` + more + `}` }

// TestScanStartKeyOfSegments: each segment takes the start keys of its own part of the table only.
func TestScanStartKeyOfSegments(t *testing.T) {
	x := newReadTest(t)
	const key = `{"pk":{"S":"p"},"sk":{"N":"1"}}`
	taken := 0
	for i := range 5 {
		answer := x.do("Scan",
			scanned("reads",
				fmt.Sprintf(`,"ExclusiveStartKey":%s,"TotalSegments":5,"Segment":%d`, key, i)))
		if answer == `{"Items":[],"Count":0,"ScannedCount":0}` {
			taken++
			continue
		}
		assert.Equal(t,
			fmt.Sprintf(
				"%s: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 5 Segment: %d", startWrong, i), answer)
	}
	assert.Equal(t, 1, taken)
}
