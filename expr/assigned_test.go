package expr

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func TestAssigned(t *testing.T) {
	one := item.String("1")
	s, err := NewScope([]Name{{"#n", "named"}}, item.New(item.Attribute{Name: ":v", Value: one}))
	require.NoError(t, err)
	u, err := s.Update("SET a = :v, #n = :v, b = c, d = if_not_exists(d, :v), m.x = :v REMOVE e")
	require.NoError(t, err)
	legacy, err := NewLegacyUpdate(
		[]LegacyUpdate{{"a", "PUT", one}, {"b", "DELETE", ""},
			{"c", "ADD", item.Value(`{"N":"1"}`)}})
	require.NoError(t, err)
	for _, tc := range []struct {
		name      string
		update    *Update
		attribute string
		want      item.Value
	}{
		{"a value", u, "a", one},
		{"by a placeholder", u, "named", one},
		{"another attribute", u, "b", ""},
		{"a function", u, "d", ""},
		{"a nested path", u, "m", ""},
		{"removed", u, "e", ""},
		{"not there", u, "x", ""},
		{"legacy put", legacy, "a", one},
		{"legacy delete", legacy, "b", ""},
		{"legacy add", legacy, "c", item.Value(`{"N":"1"}`)},
	} {
		t.Run(tc.name,
			func(t *testing.T) { assert.Equal(t, tc.want, tc.update.Assigned(tc.attribute)) })
	}
}
