package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewScope(t *testing.T) {
	many := make([]Name, 40)
	for i := range many {
		many[i] = Name{fmt.Sprint("#n", i), fmt.Sprint("a", i)}
	}
	tests := []struct {
		name   string
		names  []Name
		values string
		err    string
	}{
		{name: "nothing given"},
		{name: "names and values", names: []Name{{"#a", "x"}, {"#0_Z", "y"}},
			values: `{":a":{"S":"x"},":0":{"N":"1"}}`},
		{name: "many names", names: many},
		{name: "no names", names: []Name{}, values: `{}`,
			err: "ExpressionAttributeNames must not be empty"},
		{name: "no values", values: `{}`, err: "ExpressionAttributeValues must not be empty"},
		{name: "name without number sign", names: []Name{{"x", "a"}},
			err: `ExpressionAttributeNames contains invalid key: Syntax error; key: "x"`},
		{name: "name of a number sign", names: []Name{{"#", "a"}},
			err: `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{name: "empty name", names: []Name{{"", "a"}},
			err: `ExpressionAttributeNames contains invalid key: Syntax error; key: ""`},
		{name: "name with a dash", names: []Name{{"#a", "a"}, {"#sryLiyD8D-", "a"}},
			err: `ExpressionAttributeNames contains invalid key: Syntax error; key: "#sryLiyD8D-"`},
		{name: "value without colon", values: `{"a":{"S":"x"}}`,
			err: `ExpressionAttributeValues contains invalid key: Syntax error; key: "a"`},
		{name: "value with number sign", values: `{"#a":{"S":"x"}}`,
			err: `ExpressionAttributeValues contains invalid key: Syntax error; key: "#a"`},
		{name: "placeholder of 255 bytes", names: []Name{{"#" + strings.Repeat("a", 254), "x"}}},
		{name: "placeholder of 256 bytes", names: []Name{{"#" + strings.Repeat("a", 255), "x"}},
			err: `ExpressionAttributeNames contains invalid key: The key has exceeded the maximum allowed size; key: "#` + strings.Repeat("a", 255) + `"`},
		{name: "2 MB", names: []Name{{"#a", strings.Repeat("x", 2<<20-2)}}},
		{name: "over 2 MB", names: []Name{{"#a", strings.Repeat("x", 2<<20-5)}},
			values: `{":a":{"S":"xx"}}`,
			err:    "Expression attribute names and values have exceeded the maximum allowed size;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewScope(tt.names, newItem(t, tt.values))
			requireError(t, tt.err, err)
		})
	}
}

func TestUnused(t *testing.T) {
	tests := []struct {
		name      string
		names     string
		values    string
		condition string
		err       string
	}{
		{"all used", "#a=x", `{":a":{"N":"1"}}`, "#a = :a AND #a <> :a", ""},
		{"name", "#b=y #a=x #c=z", `{":a":{"N":"1"}}`, "#a = :a",
			"Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}"},
		{"value", "#a=x", `{":a":{"N":"1"},":b":{"N":"1"}}`, "#a = :a",
			"Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}"},
		{"names go before values", "#a=x", `{":a":{"N":"1"}}`, "x = y",
			"Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScope(t, tt.names, tt.values)
			_, err := s.Condition(KindFilter, tt.condition)
			require.NoError(t, err)
			requireError(t, tt.err, s.Unused())
		})
	}
}

func TestManyNamesAndValues(t *testing.T) {
	var names, values, terms []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("#n%d=a%d", i, i))
		values = append(values, fmt.Sprintf(`":v%d":{"N":"%d"}`, i, i))
		terms = append(terms, fmt.Sprintf("#n%d = :v%d", i, i))
	}
	s := newScope(t, strings.Join(names, " "), "{"+strings.Join(values, ",")+"}")
	c, err := s.Condition(KindCondition, strings.Join(terms, " OR "))
	require.NoError(t, err)
	require.NoError(t, s.Unused())
	require.True(t, c.Match(newItem(t, `{"a49":{"N":"49"}}`)))
	require.False(t, c.Match(newItem(t, `{"a49":{"N":"48"}}`)))
	require.Len(t, c.Attributes(), 50)
}
