package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestValues reads JSON that is not one item a line, with the format found by its content.
func TestValues(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an item over lines", "{\n  \"pk\": {\n \"S\": \"a\"}\n}\n{\n\"pk\": {\"S\": \"b\"}}", "a b"},
		{"a plain item over lines", "{\n  \"pk\": \"a\"\n}\n", "a"},
		{"a list", `[{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]`, "a b"},
		{"a plain list", `[{"pk": "a"}, {"pk": "b"}]`, "a b"},
		{"an empty list", `[]`, ""},
		{"two lists", "[{\"pk\": \"a\"}]\n[{\"pk\": \"b\"}]", "a b"},
		{"a batch", `{"t": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}, {"PutRequest": {"Item": {"pk": {"S": "b"}}}}]}`, "a b"},
		{"a request", `{"RequestItems": {"t": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]}}`, "a"},
		{"a list of requests", `[{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]`, "a"},
		{"a put over lines", "{\n\"TableName\": \"t\", \"Item\": {\"pk\": {\"S\": \"a\"}}}", "a"},
		{"two tables", `{"t": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}], "u": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]}`,
			"f: item 1: the requests are for more than one table"},
		{"a delete", `{"t": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}}}}]}`,
			"f: item 1: a DeleteRequest deletes, and an import only writes"},
		{"a put of nothing", `{"t": [{"PutRequest": {}}]}`,
			`f: item 1: an item is an object, such as {"pk":{"S":"a"}}`},
		{"a put of nothing after an item", `{"t": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}, {"PutRequest": {}}]}`,
			`f: item 2: an item is an object, such as {"pk":{"S":"a"}}`},
		{"a list without a comma", `[{"pk": "a"} {"pk": "b"}]`,
			"f: item 2: not JSON: '{' where ',' should be"},
		{"a list with two commas", `[{"pk": "a"},, {"pk": "b"}]`,
			"f: item 2: not JSON: unexpected end of JSON input"},
		{"a list with a comma at its end", `[{"pk": "a"},]`,
			"f: item 2: not JSON: unexpected end of JSON input"},
		{"a list in a list", `[{"pk": "a"}, [{"pk": "b"}]]`, "f: item 2: an item is an object"},
		{"a text with brackets", `[{"pk": "]}\"["}, {"pk": "b"}]`, `]}\"[ b`},
		{"a model", `{"ModelName": "m", "DataModel": [{"TableName": "t", "TableData": [{"pk": {"S": "a"}},
			{"pk": {"S": "b"}}]}, {"TableName": "u"}]}`, "a b"},
		{"a model without items", "{\n\"ModelName\": \"m\", \"DataModel\": []}",
			"f: item 1: the model of NoSQL Workbench has no items"},
		{"a model with two tables", `{"ModelName": "m", "DataModel": [{"TableName": "t", "TableData": [{"pk": {"S": "a"}}]},
			{"TableName": "u", "TableData": [{"pk": {"S": "b"}}]}]}`,
			"f: item 1: the model has items of more than one table, t and u: \"kugiri serve --seed\" begins with them all"},
		{"a model with too many tables", `{"DataModel": [{}` + strings.Repeat(",{}", 10_000) + "]}",
			"f: item 1: a model has at most 10000 tables"},
		{"a template", "{\n\"Resources\": {}, \"Description\": \"d\"}",
			"f: item 1: this is a template: \"kugiri apply\" makes its tables"},
		{"a list without its end", `[{"pk": "a"}, {"pk": "b"}`, "f: item 3: not JSON: unexpected EOF"},
		{"Ion", "$ion_1_0 {Item:{}}", "f: cannot tell the format: it begins with \"$ion_1_0 {Item:{\", " +
			"which is no item in JSON; name one of jsonl, plain, scan and csv with --format"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := allOf(c.text)
			if err != nil {
				got = err.Error()
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestZstandard reads a file that is compressed with Zstandard.
func TestZstandard(t *testing.T) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	require.NoError(t, err)
	_, err = z.Write([]byte(`{"pk":{"S":"a"}}`))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	in, err := Decompressed(&b)
	require.NoError(t, err)
	text, err := io.ReadAll(in)
	require.NoError(t, err)
	assert.Equal(t, `{"pk":{"S":"a"}}`, string(text))
}

// TestLongValues: a value, an item or a record without an end takes no more memory than its limit,
// and what is long in all but not in one of them is read.
func TestLongValues(t *testing.T) {
	after := func(begin string) *bufio.Reader {
		return bufio.NewReader(io.MultiReader(strings.NewReader(begin), endless{}))
	}
	for _, c := range []struct {
		name   string
		format Format
		begin  string
		limit  int
	}{
		{"line", JSONLines, `{"pk":{"S":"`, maxLine},
		{"plain line", Plain, `{"pk":"`, maxLine},
		{"element of a list", JSONLines, `["`, maxValue},
		{"plain element of a list", Plain, `[{"pk":"`, maxValue},
		{"item of a scan", ScanJSON, `{"Items":[{"pk":{"S":"`, maxLine},
		{"member of a scan", ScanJSON, `{"LastEvaluatedKey":{"pk":{"S":"`, maxLine},
		{"name of a member of a scan", ScanJSON, `{"`, maxLine},
		{"header of CSV", CSV, "", maxLine},
		{"record of CSV", CSV, "pk\n", maxLine},
		{"cell of CSV", CSV, "pk\n\"", maxLine},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, since runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := NewReader(c.format, "f", after(c.begin), nil)
			if err == nil {
				_, err = r.Next()
			}
			require.ErrorContains(t, err, fmt.Sprintf("is longer than %d bytes", c.limit))
			runtime.ReadMemStats(&since)
			assert.Less(t, since.TotalAlloc-before.TotalAlloc, uint64(8*c.limit+(1<<20)))
		})
	}
}

// TestManyValues: the limits are of one value each, not of the file.
func TestManyValues(t *testing.T) {
	long := strings.Repeat("a", 300_000)
	for _, c := range []struct {
		format            Format
		begin, item, rest string
	}{
		{ScanJSON, `{"Items":[`, `{"pk":{"S":"` + long + `"}},`, `{"pk":{"S":"a"}}]}`},
		{CSV, "pk\n", long + "\n", "a\n"},
		{JSONLines, "[", `{"pk":{"S":"` + long + `"}},`, `{"pk":{"S":"a"}}]`},
	} {
		t.Run(string(c.format), func(t *testing.T) {
			const n = 20 // more than maxLine together
			text := c.begin + strings.Repeat(c.item, n) + c.rest
			r, err := NewReader(c.format, "f", bufio.NewReader(strings.NewReader(text)), nil)
			require.NoError(t, err)
			for range n + 1 {
				_, err := r.Next()
				require.NoError(t, err)
			}
			_, err = r.Next()
			require.ErrorIs(t, err, io.EOF)
		})
	}
}

// TestLongItem: an item that is longer than any that a table takes is not decoded.
func TestLongItem(t *testing.T) {
	text := `[{"pk":{"L":[` + strings.Repeat(`{"N":"1"},`, maxLine/10) + `{"N":"1"}]}}]`
	_, err := newValues("f", strings.NewReader(text), false).Next()
	require.ErrorIs(t, err, errLongItem)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func allOf(text string) (string, error) {
	in := bufio.NewReaderSize(strings.NewReader(text), 64<<10)
	f, err := DetectFormat("f", in)
	if err != nil {
		return "", err
	}
	r, err := NewReader(f, "f", in, nil)
	if err != nil {
		return "", err
	}
	var all []string
	for {
		s, err := r.Next()
		if errors.Is(err, io.EOF) {
			return strings.Join(all, " "), nil
		}
		if err != nil {
			return "", err
		}
		all = append(all, strings.Trim(string(marshalPlain(s.Item))[len(`{"pk":`):], `"}`))
	}
}

// TestManyValuesOfAnItem: an item with more values than any that a table takes is not decoded, and
// takes little memory.
func TestManyValuesOfAnItem(t *testing.T) {
	for _, c := range []struct {
		name              string
		format            Format
		begin, value, end string
	}{
		{"maps", JSONLines, `{"pk":{"L":[`, `{"M":{}}`, `]}}`},
		{"a set", JSONLines, `{"pk":{"SS":[`, `""`, `]}}`},
		{"plain maps", Plain, `{"pk":[`, `{}`, `]}`},
		{"plain numbers", Plain, `{"pk":[`, `1`, `]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(values int) error {
				text := c.begin + strings.Repeat(c.value+",", values-1) + c.value + c.end
				r, err := NewReader(c.format, "f", bufio.NewReader(strings.NewReader(text)), nil)
				require.NoError(t, err)
				_, err = r.Next()
				return err
			}
			require.NoError(t, read(maxValues-1)) // the list counts as well
			require.ErrorContains(t, read(maxValues), "more than 409600 values")
		})
	}
}
