package budget

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckMarks(t *testing.T) {
	for _, c := range []struct {
		name, more string
		most       int // how often a text may have it
	}{
		{"elements", "0,", MaxMarks},
		{"lines", "x\n", MaxMarks},
		{"members", `"a":0,`, MaxMarks / 2},
		{"lists in lists", "[", MaxMarks},
		{"dashes", "- ", MaxMarks},
		{"what is within names does not count", "a-b-c ", 10 * MaxMarks},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, CheckMarks([]byte(strings.Repeat(c.more, c.most))))
			if c.most <= MaxMarks {
				require.ErrorContains(t, CheckMarks([]byte(strings.Repeat(c.more, c.most+1))),
					"may have 131072")
			}
		})
	}
}
