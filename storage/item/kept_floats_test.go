package item

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// TestKeptFloats: a Scratch appends the floats of any value, as the value itself does, in all
// requests that keep them or not.
func TestKeptFloats(t *testing.T) {
	element := rapid.OneOf(
		rapid.StringMatching(`\{"N":"-?[0-9]\.[0-9]{0,8}[1-9]"\}`),
		rapid.StringMatching(`\{"N":"0\.[0-9]{9,20}[1-9]"\}`),
		rapid.SampledFrom(
			[]string{`{"N":"0"}`, `{"N":"1e-05"}`, `{"N":"12.50"}`, `{"N": "0.5"}`, `{"S":"0.5"}`,
				`{"L":[{"N":"0.5"}]}`}),
	)
	rapid.Check(t, func(t *rapid.T) {
		m := new(Scratch)
		for range 4 {
			lists := rapid.SliceOfN(rapid.SliceOfN(element, 0, 12), 1, 3).Draw(t, "lists")
			values := parseLists(t, m, lists)
			if rapid.Bool().Draw(t, "wanted") {
				for _, v := range values {
					want, wantOK := v.AppendFloats([]float32{7})
					got, ok := m.AppendFloats([]float32{7}, v)
					require.Equal(t, wantOK, ok)
					if ok {
						require.Equal(t, want, got)
					}
				}
			}
			m.Reset()
		}
	})
}

// parseLists parses an item with an attribute for each list, and returns their values.
func parseLists(t require.TestingT, m *Scratch, lists [][]string) (values []Value) {
	text := `{`
	for i, list := range lists {
		text += fmt.Sprintf(`"a%d":{"L":[%s]},`, i, strings.Join(list, ","))
	}
	s := jsontext.NewScanner(text + `"z":{"S":"` + strings.Repeat("z", readAhead) + `"}}`)
	parsed, err := m.ParseAttributes(&s)
	require.NoError(t, err)
	require.Nil(t, parsed.Invalid)
	for i := range lists {
		values = append(values, parsed.Item.Get(fmt.Sprintf("a%d", i)))
	}
	return values
}

// TestKeepFloats: parsing keeps floats if the request before it wanted them.
func TestKeepFloats(t *testing.T) {
	m := new(Scratch)
	lists := [][]string{{`{"N":"0.5"}`, `{"N":"0.25"}`}}
	for _, step := range []struct {
		name         string
		wanted, kept bool
	}{
		{"the first request", true, false},
		{"the second", false, true},
		{"the third", false, false},
	} {
		v := parseLists(t, m, lists)[0]
		require.Equal(t, step.kept, len(m.floats.floats) == 2, step.name)
		if step.wanted {
			_, ok := m.AppendFloats(nil, v)
			require.True(t, ok)
		}
		m.Reset()
		require.Empty(t, m.floats.floats)
	}
}
