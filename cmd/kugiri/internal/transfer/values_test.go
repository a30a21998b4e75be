package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
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
		{"a model", "{\n\"ModelName\": \"m\", \"DataModel\": []}",
			"f: item 1: this is a model of NoSQL Workbench: \"kugiri serve --seed\" begins with its items"},
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

// TestLongValue: a value without an end takes no more memory than the limit.
func TestLongValue(t *testing.T) {
	_, err := newValues("f", io.MultiReader(strings.NewReader("[\""), endless{}), false).Next()
	require.ErrorIs(t, err, errLongValue)
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
