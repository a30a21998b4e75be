package patternfile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/traffic"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []traffic.Pattern
		err      string
	}{
		{"nothing", "", nil, ""},
		{"all members",
			"patterns:\n- {name: a, table: t, index: i, operation: Query, keyCondition: \"pk = ?\"}",
			[]traffic.Pattern{
				{Name: "a", Table: "t", Index: "i", Operation: "Query", Key: "pk = ?"},
			}, ""},
		{"JSON", `{"patterns":[{"name":"a","table":"t"}]}`,
			[]traffic.Pattern{{Name: "a", Table: "t"}}, ""},
		{"a member that is not known", "patterns:\n- {name: a, tabel: t}", nil,
			"line 2: field tabel not found"},
		{"no name", "patterns:\n- {table: t}", nil, "number 1 has no name"},
		{"no table", "patterns:\n- {name: a}", nil, `"a" has no table`},
		{"a name twice", "patterns:\n- {name: a, table: t}\n- {name: a, table: u}", nil,
			`two with the name "a"`},
		{"no operation on items", "patterns:\n- {name: a, table: t, operation: ListTables}", nil,
			`"ListTables" is no operation on items`},
		{"two documents", "patterns: []\n---\npatterns: []", nil, "more than one document"},
		{"too large", "# " + strings.Repeat("x", 1<<20), nil, "larger than 1048576 bytes"},
		{"no YAML", "\x00", nil, "access patterns: yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := patternfile.Read(strings.NewReader(c.in))
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("patterns:\n- {name: a, table: t, index: i, operation: Query, keyCondition: \"pk = ?\"}")
	f.Fuzz(func(t *testing.T, in string) {
		patterns, err := patternfile.Read(strings.NewReader(in))
		if err != nil {
			return
		}
		for _, p := range patterns {
			assert.NotEmpty(t, p.Name)
			assert.NotEmpty(t, p.Table)
		}
	})
}
