package transfers_test

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/transfers"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestKeepCR: cells come back as they were written, also those with line ends of other systems.
func TestKeepCR(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cell := rapid.StringOfN(rapid.RuneFrom([]rune("\r\n\",ab")), 0, 8, -1)
		cells := rapid.SliceOfN(cell, 2, 2)
		records := rapid.SliceOfN(cells, 1, 3).Draw(rt, "records")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "line end")
		var text strings.Builder
		for _, r := range records {
			for i, cell := range r {
				r[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			text.WriteString(strings.Join(r, ",") + end)
		}
		for name, in := range map[string]io.Reader{
			"all":          strings.NewReader(text.String()),
			"byte by byte": iotest.OneByteReader(strings.NewReader(text.String())),
		} {
			got, err := csv.NewReader(transfers.KeepCR(in)).ReadAll()
			require.NoError(rt, err, name)
			for _, r := range got {
				for i, cell := range r {
					r[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
			}
			assert.Equal(rt, records, got, name)
		}
	})
}
