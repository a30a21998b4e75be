package expr

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// exactCharge is the charge of an update on an item.
func exactCharge(t testing.TB, u *Update, it string) int {
	c := charger{u: u, old: newItem(t, it)}
	return c.update()
}

func TestCharge(t *testing.T) {
	const values = `{":s":{"S":"0123456789"},":n":{"N":"12.5"},":m":{"M":{"ab":{"N":"0"},"c":{"S":"xyz"}}},":l":{"L":[{"S":"a"},{"NULL":true}]},":ss":{"SS":["aa","bbb","cccc"]}}`
	for _, tt := range []struct {
		name, input, item string
		want              int
	}{
		{"SET of a value", "SET b = :s", ``, 3 + 19 + 1 + 10},
		{"the attribute's name counts, not its placeholder", "SET #x = :s", ``, 3 + 19 + 9 + 10},
		{"a value counts at each use", "SET b = :s, c = :s", ``, 3 + 2*(19+1+10)},
		{"a map", "SET b = :m", ``, 3 + 19 + 1 + (3 + (1 + 2 + 1) + (1 + 1 + 3))},
		{"a list", "SET b = :l", ``, 3 + 19 + 1 + (3 + (1 + 1) + (1 + 1))},
		{"a nested target", "SET ab.cde[12].#x = :s", ``,
			3 + 19 + (2 + (4 + 3) + (4 + 2) + (4 + 9)) + 10},
		{"a path", "SET b = abc", `{"abc":{"S":"long, and free"}}`, 3 + 19 + 1 + (1 + 14 + 3)},
		{"a nested path", "SET b = abc[10].#x", ``, 3 + 19 + 1 + (1 + 14 + 3 + 14 + 2 + 14 + 9)},
		{"a sum", "SET b = b + :n", ``, 3 + 19 + 1 + 34 + (1 + 14 + 1) + 3},
		{"a difference", "SET b = :n - b", ``, 3 + 19 + 1 + 37 + 3 + (1 + 14 + 1)},
		{"if_not_exists", "SET b = if_not_exists(ab, :s)", ``, 3 + 19 + 1 + 39 + (1 + 14 + 2) + 10},
		{"list_append", "SET b = list_append(if_not_exists(b, :l), :l)", ``,
			3 + 19 + 1 + 37 + (39 + (1 + 14 + 1) + 7) + 7},
		{"ADD of a number", "ADD abc :n", ``, 3 + 19 + 3 + 3},
		{"ADD of a set", "ADD b :ss", ``, 3 + 19 + 1 + 9},
		{"ADD of members of which some are there", "ADD b :ss", `{"b":{"SS":["bbb","x"]}}`,
			3 + 19 + 1 + 6},
		{"ADD of nothing new", "ADD b :ss", `{"b":{"SS":["aa","bbb","cccc"]}}`, 3 + 19 + 1},
		{"REMOVE", "REMOVE abc, d[7]", ``, 3 + (1 + 3) + (1 + 1 + 4 + 1)},
		{"DELETE", "DELETE abc :ss", ``, 3 + 1 + 3},
		{"all clauses", "SET b = :s REMOVE c ADD d :n DELETE e :ss", ``,
			3 + (19 + 1 + 10) + (1 + 1) + (19 + 1 + 3) + (1 + 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := newScope(t, "#x=nine_char", values).Update(tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.want, exactCharge(t, u, tt.item))
			require.False(t, u.ChargeExceeds(tt.want, newItem(t, tt.item)))
			require.True(t, u.ChargeExceeds(tt.want-1, newItem(t, tt.item)))
		})
	}
}

// The rough charge, which is taken first, is never less than the exact one.
func TestRoughCharge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &script{t, object{}}
		var texts []string
		for _, section := range []string{"SET", "ADD"} {
			texts = append(texts, section+" "+s.action(section, anyPath(t)).text)
		}
		u, err := s.scope(t).Update(strings.Join(texts, " "))
		if err != nil {
			t.Skip("the paths clash")
		}
		c := charger{u: u, old: rapidItem(t, anyItem().Draw(t, "item"))}
		exact := c.update()
		c.rough = true
		require.GreaterOrEqual(t, c.update(), exact)
	})
}
