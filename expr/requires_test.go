package expr

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func requiresScope(t *testing.T) *Scope {
	one, err := item.ParseDecimal("1")
	require.NoError(t, err)
	s, err := NewScope([]Name{{"#v", "version"}, {"#o", "other"}},
		item.New(item.Attribute{Name: ":v", Value: item.Number(one)}, item.Attribute{Name: ":w", Value: item.String("w")}))
	require.NoError(t, err)
	return s
}

func TestConditionRequires(t *testing.T) {
	const version = item.Value(`{"N":"1"}`)
	for _, c := range []struct {
		name, src string
		want      item.Value
	}{
		{"alone", "version = :v", version},
		{"a name", "#v = :v", version},
		{"the other way round", ":v = version", version},
		{"with others", "#o = :w AND (attribute_exists(a) AND version = :v)", version},
		{"one of two", "version = :v OR #o = :w", ""},
		{"negated", "NOT version = :v", ""},
		{"another comparison", "version <= :v", ""},
		{"another attribute", "#o = :v", ""},
		{"nested", "version.a = :v", ""},
		{"its size", "size(version) = :v", ""},
		{"another attribute's value", "version = #o", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cond, err := requiresScope(t).Condition(KindCondition, c.src)
			require.NoError(t, err)
			assert.Equal(t, c.want, cond.Requires("version"))
		})
	}
}

func TestUpdateIncrement(t *testing.T) {
	const one = item.Value(`{"N":"1"}`)
	for _, c := range []struct {
		name, src string
		want      item.Value
	}{
		{"ADD", "ADD version :v", one},
		{"SET", "SET version = version + :v", one},
		{"SET by a name", "SET #o = :w, #v = #v + :v", one},
		{"SET the other way round", "SET version = :v + version", one},
		{"SET with a first value", "SET version = if_not_exists(version, :v) + :v", one},
		{"less", "SET version = version - :v", ""},
		{"another's value", "SET version = #o + :v", ""},
		{"another's first value", "SET version = if_not_exists(#o, :v) + :v", ""},
		{"assigned", "SET version = :v", ""},
		{"removed", "REMOVE version", ""},
		{"another", "ADD #o :v", ""},
		{"nested", "SET version.a = version.a + :v", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := requiresScope(t).Update(c.src)
			require.NoError(t, err)
			assert.Equal(t, c.want, u.Increment("version"))
		})
	}
}
