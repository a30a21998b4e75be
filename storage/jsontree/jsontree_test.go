package jsontree

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	const text = ` {"a": [1, "x", null], "b": {"c": true}, "a": {}}`
	n, err := Read([]byte(text), 2)
	require.NoError(t, err)
	assert.Equal(t, Node{Begin: 1, End: 2, Value: Object{
		{"a", 5, Node{Begin: 7, End: 8, Value: []Node{
			{json.Number("1"), 8, 9}, {"x", 11, 14}, {nil, 16, 20}}}},
		{"b", 26, Node{Begin: 28, End: 29, Value: Object{{"c", 32, Node{true, 34, 38}}}}},
		{"a", 44, Node{Begin: 46, End: 47, Value: Object{}}},
	}}, n)
	assert.Equal(t, &n.Value.(Object)[2], n.Value.(Object).Twice())
	assert.Nil(t, n.Value.(Object)[:2].Twice())
	n, err = Read([]byte(`[{"a": [{"b": 1, "b": 2}]}]`), 4)
	require.NoError(t, err)
	assert.Equal(t, &Member{"b", 20, Node{json.Number("2"), 22, 23}}, n.Twice())
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, path string
		offset           int
		err              error
	}{
		{"nothing", "", "", 0, ErrEnds},
		{"an open list", `{"a": [1`, "a", 8, ErrEnds},
		{"an open text", `{"a": "x`, "a", 6, ErrEnds},
		{"a member without a value", `{"a"`, "a", 4, ErrEnds},
		{"two values", `{} 1`, "", 4, ErrMore},
		{"too deep", `{"a": [[1]]}`, "a[0]", 8, ErrDeep},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.text), 2)
			assert.Equal(t, &Error{c.offset, c.path, c.err}, err)
		})
	}
	for _, text := range []string{`{a: 1}`, `[1,]`, `{"a" 1}`, `[1 2]`, `tru`, `{"a": 01}`, `]`} {
		_, err := Read([]byte(text), 2)
		var e *Error
		assert.ErrorAs(t, err, &e, text)
	}
}

// FuzzRead: a document has the values that encoding/json reads.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`{"a": [1, "x", null, true], "b": {}}`, `[[]]`, `"\u00e9"`, `1e5`, `{"a"`,
		strings.Repeat("[", 200)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := Read(text, 100)
		if err != nil {
			return
		}
		var want any
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		require.NoError(t, d.Decode(&want))
		assert.Equal(t, want, plain(n))
	})
}

// plain returns a node as encoding/json has it, which takes the last of two members with one name.
func plain(n Node) any {
	switch v := n.Value.(type) {
	case Object:
		all := map[string]any{}
		for _, m := range v {
			all[m.Name] = plain(m.Value)
		}
		return all
	case []Node:
		all := []any{}
		for _, e := range v {
			all = append(all, plain(e))
		}
		return all
	}
	return n.Value
}
