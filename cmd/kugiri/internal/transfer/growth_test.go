package transfer

import (
	"bufio"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/storage/growth"
)

// TestMemoryGrowsWithImports: no part of a file makes a reader allocate more than its length is
// worth: twice the file at most 2.5 times as much. Allocations are counted, so that nothing depends
// on how busy the machine is.
func TestMemoryGrowsWithImports(t *testing.T) {
	for _, c := range []struct {
		name             string
		format           Format
		begin, more, end string
	}{
		{"lines", JSONLines, "", `{"pk":{"S":"a"}}` + "\n", ""},
		{"empty lines", JSONLines, "", "\n", ""},
		{"attributes", JSONLines, `{"a":{"S":""}`, `,"a%d":{"S":"v"}`, "}"},
		{"elements", JSONLines, `{"l":{"L":[{"N":"1"}`, `,{"N":"1"}`, "]}}"},
		{"a text", JSONLines, `{"a":{"S":"`, "x", `"}}`},
		{"escapes", JSONLines, `{"a":{"S":"`, `\u0001`, `"}}`},
		{"brackets", JSONLines, `{"a":`, `{"L":[`, ""},
		{"a set", JSONLines, `{"a":{"SS":["x"`, `,"%d"`, `]}}`},
		{"plain lines", Plain, "", `{"pk":"a"}` + "\n", ""},
		{"plain attributes", Plain, `{"a":1`, `,"a%d":1`, "}"},
		{"plain elements", Plain, `{"l":[1`, ",1", "]}"},
		{"items of a list", JSONLines, "[", `{"pk":{"S":"a"}},`, `{"pk":{"S":"a"}}]`},
		{"requests", JSONLines, `{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}`,
			`,{"PutRequest":{"Item":{"pk":{"S":"a%d"}}}}`, "]}"},
		{"items of a scan", ScanJSON, `{"Items":[`, `{"pk":{"S":"a"}},`, `{"pk":{"S":"a"}}]}`},
		{"answers of a scan", ScanJSON, "", `{"Items":[]}`, ""},
		{"blanks of a scan", ScanJSON, "{", " ", `"Items":[]}`},
		{"records of CSV", CSV, "pk\n", "a\n", ""},
		{"columns of CSV", CSV, "pk", ",c%d", "\n"},
		{"cells of CSV", CSV, "pk\n\"", `""`, "\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			allocated := func(n int) uint64 {
				text := growth.Text(c.begin, c.more, c.end, n)
				var before, since runtime.MemStats
				runtime.ReadMemStats(&before)
				r, err := NewReader(c.format, "f", bufio.NewReader(strings.NewReader(text)), nil)
				for err == nil {
					_, err = r.Next()
				}
				runtime.ReadMemStats(&since)
				return since.TotalAlloc - before.TotalAlloc
			}
			const size, fixed = 5_000, 256 << 10
			small, large := allocated(size), allocated(2*size)
			assert.LessOrEqual(t, large, small*5/2+fixed)
		})
	}
}
