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
		item.New(item.Attribute{Name: ":v", Value: item.Number(one)},
			item.Attribute{Name: ":w", Value: item.String("w")}))
	require.NoError(t, err)
	return s
}

func TestConditionDemandsValue(t *testing.T) {
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
			assert.Equal(t, c.want, cond.Demands("version", [2]string{"pk", "sk"}).Value)
		})
	}
}

func TestConditionDemands(t *testing.T) {
	const version, w = item.Value(`{"N":"1"}`), item.Value(`{"S":"w"}`)
	for _, c := range []struct {
		name, src string
		want      Demand
	}{
		{"a value", "version = :v", Demand{Value: version}},
		{"a value and more", "#o = :w AND version = :v", Demand{Value: version}},
		{"no item, by its partition key", "attribute_not_exists(pk)", Demand{Absent: true}},
		{"no item, by its sort key", "#o = :w AND attribute_not_exists(sk)", Demand{Absent: true}},
		{"no attribute", "attribute_not_exists(#v)", Demand{Absent: true}},
		{"no item, or a value", "attribute_not_exists(pk) OR version = :v", Demand{version, true}},
		{"the same value twice", "version = :v OR version = :v AND #o = :w",
			Demand{Value: version}},
		{"two values", "version = :v OR version = :w", Demand{}},
		{"a value, or anything", "version = :v OR #o = :w", Demand{}},
		{"no item, or anything", "attribute_not_exists(pk) OR attribute_exists(pk)", Demand{}},
		{"no other attribute", "attribute_not_exists(#o)", Demand{}},
		{"no part of the attribute", "attribute_not_exists(version.a)", Demand{}},
		{"an item", "attribute_exists(pk)", Demand{}},
		{"negated", "NOT attribute_not_exists(pk)", Demand{}},
		{"the stricter of two", "(attribute_not_exists(pk) OR version = :w) AND version = :w",
			Demand{Value: w}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cond, err := requiresScope(t).Condition(KindCondition, c.src)
			require.NoError(t, err)
			assert.Equal(t, c.want, cond.Demands("version", [2]string{"pk", "sk"}))
		})
	}
}

func TestUpdateIncrement(t *testing.T) {
	const one = item.Value(`{"N":"1"}`)
	for _, c := range []struct {
		name, src   string
		want, first item.Value
	}{
		{"ADD", "ADD version :v", one, `{"N":"0"}`},
		{"SET", "SET version = version + :v", one, ""},
		{"SET by a name", "SET #o = :w, #v = #v + :v", one, ""},
		{"SET the other way round", "SET version = :v + version", one, ""},
		{"SET with a first value", "SET version = if_not_exists(version, :v) + :v", one, one},
		{"SET with another attribute as first value",
			"SET version = if_not_exists(version, #o) + :v", "", ""},
		{"less", "SET version = version - :v", "", ""},
		{"another's value", "SET version = #o + :v", "", ""},
		{"another's first value", "SET version = if_not_exists(#o, :v) + :v", "", ""},
		{"assigned", "SET version = :v", "", ""},
		{"removed", "REMOVE version", "", ""},
		{"another", "ADD #o :v", "", ""},
		{"nested", "SET version.a = version.a + :v", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := requiresScope(t).Update(c.src)
			require.NoError(t, err)
			n, first := u.Increment("version")
			assert.Equal(t, []item.Value{c.want, c.first}, []item.Value{n, first})
		})
	}
}
