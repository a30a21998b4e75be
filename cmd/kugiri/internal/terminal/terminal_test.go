package terminal

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	for _, c := range []struct {
		name  string
		table Table
		want  string
	}{
		{"no rows", Table{Header: []string{"A", "B"}}, "A  B\n"},
		{"numbers to the right",
			Table{[]string{"NAME", "N"}, [][]string{{"a", "1"}, {"longer", "1000"}}},
			"NAME       N\na          1\nlonger  1000\n"},
		{"other text to the left", Table{[]string{"N"}, [][]string{{"1"}, {"none"}}},
			"N\n1\nnone\n"},
		{"letters of several bytes", Table{[]string{"A", "B"}, [][]string{{"é", "x"}, {"ab", "y"}}},
			"A   B\né   x\nab  y\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, c.table.Write(&out))
			assert.Equal(t, c.want, out.String())
		})
	}
}

func TestStyle(t *testing.T) {
	assert.Equal(t, "\x1b[31mx\x1b[0m", Style{colors: true}.Red("x"))
	assert.Equal(t, "x", StyleOf(new(bytes.Buffer)).Red("x"))
}

func TestCount(t *testing.T) {
	for n, text := range map[int64]string{0: "0 items", 1: "1 item", 2: "2 items"} {
		assert.Equal(t, text, Count(n, "item"))
	}
}
