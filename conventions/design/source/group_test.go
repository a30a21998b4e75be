package source

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// TestModelsOfTables shows what names the models of a table: not the codes with which keys begin,
// and not states.
func TestModelsOfTables(t *testing.T) {
	airports := []string{"NRT", "HND", "KIX", "ITM", "CTS", "FUK", "OKA", "NGO", "KOJ", "HIJ"}
	for _, c := range []struct {
		name string
		item func(n int) map[string]string
		want []string
	}{
		{"a type, beside keys that begin with data", func(n int) map[string]string {
			return map[string]string{"pk": fmt.Sprintf("%s#%d", airports[n%10], n),
				"sk": fmt.Sprint(n), "type": []string{"Flight", "Gate", "Crew", "Bag"}[n%4],
				"note": "a"}
		}, []string{"Bag", "Crew", "Flight", "Gate"}},
		{"a state that begins the key of an index", func(n int) map[string]string {
			return map[string]string{"pk": fmt.Sprintf("JOB#%d", n), "sk": fmt.Sprintf("JOB#%d", n),
				"gpk":  fmt.Sprintf("%s#q%d", []string{"OPEN", "DONE", "FAILED"}[n%3], n%5),
				"note": "a"}
		}, []string{"Job"}},
		{"a kind of what one model has", func(n int) map[string]string {
			return map[string]string{"pk": fmt.Sprintf("ORDER#%d", n),
				"sk":   fmt.Sprintf("ORDER#%d", n),
				"type": []string{"gift", "own"}[n%2], "note": "a"}
		}, []string{"Order"}},
		{"airports that begin keys, without a type", func(n int) map[string]string {
			return map[string]string{"pk": fmt.Sprintf("%s#%d", airports[n%10], n),
				"sk": fmt.Sprintf("FLIGHT#%d", n), "note": "a", "gate": "b"}
		}, []string{"Flight"}},
		{"a state that begins the table's key", func(n int) map[string]string {
			state := []string{"OPEN", "DONE"}[n%2]
			return map[string]string{"pk": fmt.Sprintf("%s#q%d", state, n%5),
				"sk": fmt.Sprintf("JOB#%d", n), "state": state, "note": "a"}
		}, []string{"Job"}},
		{"models with the word of their keys as the type", func(n int) map[string]string {
			kind := []string{"USER", "GROUP"}[n%2]
			return map[string]string{"pk": fmt.Sprintf("%s#%d", kind, n),
				"sk": fmt.Sprintf("%s#%d", kind, n), "type": kind, "note": "a"}
		}, []string{"Group", "User"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := Table{Name: "test", Key: design.Key{Partition: "pk", Sort: "sk"},
				Indexes: []TableIndex{{Name: "g", Key: design.Key{Partition: "gpk"}}}}
			for n := range 200 {
				it := Item{Attributes: map[string]Value{}}
				for name, text := range c.item(n) {
					it.Attributes[name] = Value{Type: "S", Text: text, Bytes: len(text)}
				}
				table.Items = append(table.Items, it)
			}
			draft, err := ReadTable(table)
			require.NoError(t, err)
			var names []string
			for _, m := range draft.Design.Models {
				names = append(names, m.Name)
			}
			assert.ElementsMatch(t, c.want, names)
		})
	}
}
