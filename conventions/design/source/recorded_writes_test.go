package source

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// TestRecordedWrites shows what recorded writes say of a model.
func TestRecordedWrites(t *testing.T) {
	text := func(v string) Value { return Value{Type: "S", Text: v, Bytes: len(v)} }
	key := func(n int) map[string]Value {
		return map[string]Value{"pk": text(fmt.Sprintf("JOB#%d", n)), "sk": text("JOB#")}
	}
	table := func(w TableWrite) Table {
		t := Table{Name: "jobs", Key: design.Key{Partition: "pk", Sort: "sk"},
			Writes:  []TableWrite{w},
			Indexes: []TableIndex{{Name: "g", Key: design.Key{Partition: "gpk"}}}}
		for n := range 30 {
			it := Item{Attributes: key(n)}
			it.Attributes["gpk"], it.Attributes["note"] = text(fmt.Sprintf("S#%d", n%3)), text("a")
			t.Items = append(t.Items, it)
		}
		return t
	}
	for _, c := range []struct {
		name  string
		write TableWrite
		want  design.Model // Puts, Updates, Deletes and Changes
		warns string
	}{
		{"an attribute of an item", TableWrite{Kind: Update, Changed: []string{"note"}, Rate: 2,
			Examples: []WrittenKey{{Key: key(1)}, {Key: key(2)}}},
			design.Model{Changes: []design.Change{{Of: []string{"note"}, Rate: 2}}}, ""},
		{"the key of an index, of an item that is not in the sample",
			TableWrite{Kind: Update, Changed: []string{"gpk", "note"}, Rate: 1,
				Examples: []WrittenKey{{Key: key(99)}}},
			design.Model{Changes: []design.Change{{Of: []string{"note", "sId"}, Rate: 1}}}, ""},
		{"an attribute that no item has", TableWrite{Kind: Update, Changed: []string{"by"}, Rate: 1,
			Examples: []WrittenKey{{Key: key(1)}}},
			design.Model{Changes: []design.Change{{Of: []string{"by"}, Rate: 1}}},
			"Job.by: no item that was looked at has it"},
		{"a put", TableWrite{Kind: Put, Rate: 3, Examples: []WrittenKey{{Key: key(1)}}},
			design.Model{Puts: 3}, ""},
		{"a delete", TableWrite{Kind: Delete, Rate: 0.12345, Examples: []WrittenKey{{Key: key(1)}}},
			design.Model{Deletes: 0.123}, ""},
		{"an item of no model", TableWrite{Kind: Delete, Rate: 1,
			Examples: []WrittenKey{{Key: map[string]Value{"pk": text("X"), "sk": text("Y")}}}},
			design.Model{}, `a write of the key "X" is of no model`},
	} {
		t.Run(c.name, func(t *testing.T) {
			draft, err := ReadTable(table(c.write))
			require.NoError(t, err)
			require.Len(t, draft.Design.Models, 1)
			m := &draft.Design.Models[0]
			assert.Equal(t, c.want, design.Model{Puts: m.Puts, Updates: m.Updates,
				Deletes: m.Deletes, Changes: m.Changes})
			for _, change := range m.Changes {
				for _, name := range change.Of {
					assert.True(t, m.Attribute(name).Mutable, name)
				}
			}
			if c.warns != "" {
				assert.Contains(t, fmt.Sprint(draft.Warnings), c.warns)
			} else {
				assert.NotContains(t, fmt.Sprint(draft.Warnings), "a write of")
			}
		})
	}
}
