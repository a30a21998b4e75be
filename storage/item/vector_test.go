package item

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFloats(t *testing.T) {
	cases := []struct {
		name   string
		value  Value
		floats []float32
		ok     bool
	}{
		{"empty", `{"L":[]}`, nil, true},
		{"numbers", `{"L":[{"N":"1"},{"N":"-0.5"},{"N":"0"}]}`, []float32{1, -0.5, 0}, true},
		{"higher precision", `{"L":[{"N":"0.12345678901234567890"}]}`, []float32{0.12345679}, true},
		{"greatest", Value(`{"L":[{"N":"34028234` + strings.Repeat("0", 31) + `"}]}`),
			[]float32{3.4028234e38}, true},
		{"too great", Value(`{"L":[{"N":"35` + strings.Repeat("0", 37) + `"}]}`), nil, false},
		{"too small", Value(`{"L":[{"N":"0.` + strings.Repeat("0", 60) + `1"}]}`), []float32{0},
			true},
		{"string", `{"L":[{"N":"1"},{"S":"1"}]}`, nil, false},
		{"null", `{"L":[{"NULL":true}]}`, nil, false},
		{"list", `{"L":[{"L":[{"N":"1"}]}]}`, nil, false},
		{"set", `{"NS":["1","2"]}`, nil, false},
		{"map", `{"M":{}}`, nil, false},
		{"number", `{"N":"1"}`, nil, false},
		{"nothing", "", nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := c.value.AppendFloats(nil)
			n, counted := c.value.CountFloats()
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.ok, counted)
			if ok {
				require.Equal(t, c.floats, got)
				require.Equal(t, len(c.floats), n)
				again, ok := Floats(got).AppendFloats(nil)
				require.True(t, ok)
				require.Equal(t, got, again)
			}
		})
	}
	negativeZero := []float32{0}
	negativeZero[0] = -negativeZero[0]
	require.Equal(t, Value(`{"L":[{"N":"0"},{"N":"0.1"}]}`), Floats(append(negativeZero, 0.1)))
	require.Equal(t, Value(`{"L":[{"N":"0.0"},{"N":"0.1"}]}`),
		ShownFloats(append(negativeZero, 0.1)))
}
