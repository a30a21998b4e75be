package bucket

import (
	"bytes"
	"strings"
	"testing"

	"github.com/amazon-ion/ion-go/ion"
	"github.com/stretchr/testify/require"
)

// TestIonGrowth: what takes the library more than linear time is refused as a damaged file.
func TestIonGrowth(t *testing.T) {
	record := "{Item:{pk:\"a\"}}\n"
	for _, c := range []struct{ name, file, want string }{
		{"a long integer", "{Item:{n:" + strings.Repeat("1", 1_500_000) + "}}",
			"a number has more"},
		{"a long decimal", "{Item:{n:-0." + strings.Repeat("1", 5000) + "}}", "a number has more"},
		{"a long hexadecimal", "{Item:{n:0x" + strings.Repeat("f", 5000) + "}}",
			"a number has more"},
		{"after quotes", `{Item:{'''it''s''':"\"",n:` + strings.Repeat("1", 5000) + "}}",
			"a number has more"},
		{"tables",
			strings.Repeat("$ion_symbol_table::{imports:$ion_symbol_table,symbols:[\"a\"]}\n",
				50_000), "symbol tables"},
		{"tables by number", strings.Repeat("$3 :: {imports:$3,symbols:[\"a\"]}\n"+record, 50_000),
			"symbol tables"},
		{"binary tables", "\xE0\x01\x00\xEA" + strings.Repeat(binaryTable("\x86\x71\x03"), 100_000),
			"symbol tables"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readIon([]byte(c.file))
			require.ErrorContains(t, err, c.want)
		})
	}
}

// binaryTable is a symbol table with a symbol of eight letters.
func binaryTable(imports string) string {
	content := imports + "\x87\xB9\x88abcdefgh" // symbols: a list with one string
	inner := "\xDE" + string([]byte{0x80 | byte(len(content))}) + content
	whole := "\x81\x83" + inner
	return "\xEE" + string([]byte{0x80 | byte(len(whole))}) + whole
}

// TestIonGrowthPassesOn: long texts, many annotations and tables that replace each other are fine.
func TestIonGrowthPassesOn(t *testing.T) {
	digits := strings.Repeat("1", 5000)
	for _, c := range []struct {
		name, file string
		records    int
	}{
		{"a long text", `{Item:{s:"` + digits + `"}}`, 1},
		{"a long text in three quotes", `{Item:{s:'''` + digits + `''' '''\'` + digits + `'''}}`,
			1},
		{"a long name", `{Item:{a` + digits + `:"x", '` + digits + `':1}}`, 1},
		{"bytes", "{Item:{b:{{" + strings.Repeat("1111////", 5000) + "}}}}", 1},
		{"comments", "// it's\n/* " + digits + " */ {Item:{s:1}}", 1},
		{"many numbers", strings.Repeat("{Item:{s:1234567890, l:$dynamodb_NS::[1,2]}}\n", 1000),
			1000},
		{"binary tables", "\xE0\x01\x00\xEA" + strings.Repeat(binaryTable(""), 50_000), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			records, err := readIon([]byte(c.file))
			require.NoError(t, err)
			require.Len(t, records, c.records)
		})
	}
}

// TestIonBinaryNumber: a long number is refused in the binary form as well.
func TestIonBinaryNumber(t *testing.T) {
	var file bytes.Buffer
	w := ion.NewBinaryWriter(&file)
	require.NoError(t, w.BeginStruct())
	require.NoError(t, w.FieldName(ion.NewSymbolTokenFromString("Item")))
	require.NoError(t, w.BeginStruct())
	require.NoError(t, w.FieldName(ion.NewSymbolTokenFromString("n")))
	require.NoError(t, w.WriteDecimal(ion.MustParseDecimal(strings.Repeat("1", 5000)+".")))
	require.NoError(t, w.EndStruct())
	require.NoError(t, w.EndStruct())
	require.NoError(t, w.Finish())
	_, err := readIon(file.Bytes())
	require.ErrorContains(t, err, "a number has more")
}
