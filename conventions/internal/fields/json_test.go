package fields

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenJSON(t *testing.T) {
	d, root, err := OpenJSON(
		[]byte("{\n  \"a\": \"\\/\\ud83d\\ude00\",\n  \"b\": [1, 1.5, true, null, {\"c\": 9223372036854775808}]\n}\n"))
	require.NoError(t, err)
	var text string
	var tags []string
	d.Each(root, func(name string, f Field) {
		if name == "a" {
			d.ReadText(f, &text)
		}
		for _, e := range f.Elements() {
			tags = append(tags, e.Tag)
		}
	})
	require.NoError(t, d.Err())
	assert.Equal(t, "/😀", text)
	assert.Equal(t, []string{"!!int", "!!float", "!!bool", "!!null", "!!map"}, tags)
	b, _ := root.Member("b")
	c, ok := b.Elements()[4].Member("c")
	require.True(t, ok)
	assert.Equal(t, "b[4].c", c.Path())
	assert.Equal(t, "!!float", c.Tag)
	assert.Equal(t, 3, c.Line)
}

func TestOpenJSONErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "line 1: the file ends too early"},
		{"an object that does not end", "{\"a\": [1,\n", "the file ends too early"},
		{"a second value", "{}\n{}", "line 2: the file goes on after its JSON value"},
		{"a name that is no text", "{\n1: 2}", "line 2: invalid character '1'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := OpenJSON([]byte(c.text))
			require.ErrorContains(t, err, c.want)
		})
	}
}
