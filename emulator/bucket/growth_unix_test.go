//go:build unix

package bucket_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/growth"
)

// TestCostsGrowWithFiles: no part of a file makes it cost more than its length is worth, in the
// time that the process computes. Ion's numbers and symbol tables have bounds: see TestIonGrowth.
func TestCostsGrowWithFiles(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it is slow: run it with TEST_FULL=true")
	}
	each := func(n int, of func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(of(i))
		}
		return b.String()
	}
	same := func(text string) func(int) string { return func(int) string { return text } }
	for _, c := range []struct {
		name, format, begin string
		more                func(i int) string
		end                 string
	}{
		{"records on lines", "DYNAMODB_JSON", "", same(`{"Item":{"pk":{"S":"a"}}}` + "\n"), ""},
		{"records on a line", "DYNAMODB_JSON", "", same(`{"Item":{"pk":{"S":"a"}}}`), ""},
		{"empty lines", "DYNAMODB_JSON", "", same("\n"), ""},
		{"attributes", "DYNAMODB_JSON", `{"Item":{`,
			func(i int) string { return fmt.Sprintf(`"a%d":{"S":"v"},`, i) }, `"z":{"S":""}}}`},
		{"open brackets", "DYNAMODB_JSON", "", same(`{"L":[`), ""},
		{"backslashes", "DYNAMODB_JSON", `{"Item":"`, same(`\\`), `"}`},
		{"Ion records", "ION", "", same(`{Item:{pk:"a"}}` + "\n"), ""},
		{"Ion attributes", "ION", `{Item:{`,
			func(i int) string { return fmt.Sprintf(`a%d:"v",`, i) }, `z:""}}`},
		{"Ion lists", "ION", `{Item:{l:[`, same(`1.,`), `]}}`},
		{"Ion brackets", "ION", "", same(`{Item:[`), ""},
		{"Ion comments", "ION", "", same("/* x */ // y\n"), ""},
		{"Ion annotations", "ION", `{Item:{a:`, same(`b::`), `"c"}}`},
		{"Ion long texts", "ION", `{Item:{a:`, same(`'''x''' `), `}}`},
		{"lines of CSV", "CSV", "pk,v\n", same("a,b\n"), ""},
		{"columns of CSV", "CSV", "pk", func(i int) string { return fmt.Sprint(",c", i) }, "\na\n"},
		{"the same columns of CSV", "CSV", "pk", same(",c"), "\na\n"},
		{"quotes of CSV", "CSV", "pk\n\"", same(`""`), "\"\n"},
		{"lines in quotes of CSV", "CSV", "pk\n\"", same("x\n"), "\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cost := func(n int) time.Duration {
				x := newBucketTest(t)
				x.add("o", c.begin+each(n, c.more)+c.end)
				begin := growth.CPU()
				x.read(&transfers.Source{Format: c.format})
				return growth.CPU() - begin
			}
			const size, tries = 20_000, 20
			const floor = 20 * time.Millisecond
			var small, large time.Duration
			for range tries {
				small, large = cost(size), cost(4*size)
				if large < floor || large < 7*max(small, floor/4) {
					return
				}
			}
			assert.Fail(t, "the cost grows too fast", "%v for %d, %v for %d", small, size, large,
				4*size)
		})
	}
}
