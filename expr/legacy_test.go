package expr

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

// legacyTerm reads "a EQ <value> <value>...", values in wire form without spaces.
func legacyTerm(t *testing.T, text string) LegacyTerm {
	fields := strings.Fields(text)
	term := LegacyTerm{Attribute: fields[0], Op: fields[1]}
	for _, v := range fields[2:] {
		term.Values = append(term.Values, newValue(t, v))
	}
	return term
}

func TestLegacyConditionChecks(t *testing.T) {
	const invalid = "One or more parameter values were invalid: "
	tests := []struct{ name, term, err string }{
		{"EQ of any type", `a EQ {"M":{}}`, ""},
		{"NE of any type", `a NE {"SS":["a"]}`, ""},
		{"EQ of none", `a EQ`,
			invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
		{"EQ of two", `a EQ {"S":"a"} {"S":"b"}`,
			invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
		{"NULL of one", `a NULL {"S":"a"}`,
			invalid + "Invalid number of argument(s) for the NULL ComparisonOperator"},
		{"NOT_NULL of one", `a NOT_NULL {"S":"a"}`,
			invalid + "Invalid number of argument(s) for the NOT_NULL ComparisonOperator"},
		{"BETWEEN of one", `a BETWEEN {"S":"a"}`,
			invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
		{"IN of none", `a IN`,
			invalid + "Invalid number of argument(s) for the IN ComparisonOperator"},
		{"IN of 100", `a IN` + strings.Repeat(` {"N":"1"}`, 100), ""},
		{"IN of 101", `a IN` + strings.Repeat(` {"N":"1"}`, 101),
			invalid + "Invalid number of argument(s) for the IN ComparisonOperator"},
		{"LT of a set", `a LT {"SS":["a"]}`,
			invalid + "ComparisonOperator LT is not valid for SS AttributeValue type"},
		{"GE of BOOL", `a GE {"BOOL":true}`,
			invalid + "ComparisonOperator GE is not valid for BOOL AttributeValue type"},
		{"IN of a list", `a IN {"L":[]}`,
			invalid + "ComparisonOperator IN is not valid for L AttributeValue type"},
		{"CONTAINS of a set", `a CONTAINS {"NS":["1"]}`,
			invalid + "ComparisonOperator CONTAINS is not valid for NS AttributeValue type"},
		{"NOT_CONTAINS of a map", `a NOT_CONTAINS {"M":{}}`,
			invalid + "ComparisonOperator NOT_CONTAINS is not valid for M AttributeValue type"},
		{"BEGINS_WITH of a number", `a BEGINS_WITH {"N":"1"}`,
			invalid + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
		{"IN of two types", `a IN {"N":"1"} {"S":"1"}`,
			invalid + "AttributeValues inside AttributeValueList must be of same type"},
		{"BETWEEN of two types", `a BETWEEN {"N":"1"} {"S":"1"}`,
			invalid + "AttributeValues inside AttributeValueList must be of same type"},
		{"BETWEEN turned round", `a BETWEEN {"N":"2"} {"N":"1"}`,
			"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewLegacyCondition([]LegacyTerm{legacyTerm(t, tt.term)}, "AND")
			requireError(t, tt.err, err)
		})
	}
}

func TestLegacyMatch(t *testing.T) {
	tests := []struct{ name, holds, fails string }{
		{"EQ", `n EQ {"N":"5.0"}; ss EQ {"SS":["y","x"]}`,
			`n EQ {"N":"6"}; n EQ {"S":"5"}; absent EQ {"N":"5"}`},
		{"NE", `n NE {"N":"6"}; n NE {"S":"5"}; absent NE {"S":"5"}`, `n NE {"N":"5"}`},
		{"LE LT GE GT", `n LE {"N":"5"}; n LT {"N":"6"}; n GE {"N":"5"}; n GT {"N":"4"}`,
			`n LE {"N":"4"}; n LT {"N":"5"}; n GE {"N":"6"}; n GT {"N":"5"}; s GT {"N":"1"}; absent LT {"N":"1"}`},
		{"BETWEEN", `n BETWEEN {"N":"4"} {"N":"5"}`, `n BETWEEN {"N":"1"} {"N":"4"}`},
		{"IN", `n IN {"N":"4"} {"N":"5"}`, `n IN {"N":"4"}; absent IN {"N":"4"}`},
		{"NULL", `absent NULL; n NOT_NULL; nul NOT_NULL`, `n NULL; absent NOT_NULL; nul NULL`},
		{"CONTAINS", `s CONTAINS {"S":"ell"}; ns CONTAINS {"N":"2"}; l CONTAINS {"S":"x"}`,
			`s CONTAINS {"S":"z"}; absent CONTAINS {"S":"z"}`},
		{"NOT_CONTAINS",
			`s NOT_CONTAINS {"S":"z"}; ns NOT_CONTAINS {"N":"9"}; n NOT_CONTAINS {"N":"5"}`,
			`s NOT_CONTAINS {"S":"ell"}; absent NOT_CONTAINS {"S":"z"}`},
		{"BEGINS_WITH", `s BEGINS_WITH {"S":"he"}; b BEGINS_WITH {"B":"AQ=="}`,
			`s BEGINS_WITH {"S":"el"}; n BEGINS_WITH {"S":"5"}`},
	}
	it := newItem(t, testItem)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var terms []LegacyTerm
			for _, text := range strings.Split(tt.holds, "; ") {
				terms = append(terms, legacyTerm(t, text))
			}
			for i := range terms {
				c, err := NewLegacyCondition(terms[i:i+1], "AND")
				require.NoError(t, err)
				require.True(t, c.Match(it), "%v", terms[i])
			}
			all, err := NewLegacyCondition(terms, "AND")
			require.NoError(t, err)
			require.True(t, all.Match(it))
			for _, text := range strings.Split(tt.fails, "; ") {
				failing := legacyTerm(t, text)
				c, err := NewLegacyCondition([]LegacyTerm{failing}, "OR")
				require.NoError(t, err)
				require.False(t, c.Match(it), text)
				c, err = NewLegacyCondition(append(terms[:len(terms):len(terms)], failing), "AND")
				require.NoError(t, err)
				require.False(t, c.Match(it), text)
				c, err = NewLegacyCondition(append(terms[:len(terms):len(terms)], failing), "OR")
				require.NoError(t, err)
				require.True(t, c.Match(it), text)
			}
		})
	}
}

func TestLegacyConditionAttributes(t *testing.T) {
	c, err := NewLegacyCondition(
		[]LegacyTerm{legacyTerm(t, "a NULL"), legacyTerm(t, "b.c NOT_NULL")}, "OR")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b.c"}, c.Attributes())
	require.False(t, c.Nests())
	require.False(t, c.Nested("b"))
}

func TestLegacyKeyCondition(t *testing.T) {
	tests := []struct {
		name, term string
		want       KeyTerm
		err        string
	}{
		{"EQ", `a EQ {"S":"x"}`, KeyTerm{Name: "a", Op: "=", Value: `{"S":"x"}`}, ""},
		{"LE", `a LE {"N":"1"}`, KeyTerm{Name: "a", Op: "<=", Value: `{"N":"1"}`}, ""},
		{"LT", `a LT {"N":"1"}`, KeyTerm{Name: "a", Op: "<", Value: `{"N":"1"}`}, ""},
		{"GE", `a GE {"N":"1"}`, KeyTerm{Name: "a", Op: ">=", Value: `{"N":"1"}`}, ""},
		{"GT", `a GT {"N":"1"}`, KeyTerm{Name: "a", Op: ">", Value: `{"N":"1"}`}, ""},
		{"BEGINS_WITH", `a BEGINS_WITH {"S":"x"}`,
			KeyTerm{Name: "a", Op: "begins_with", Value: `{"S":"x"}`}, ""},
		{"BETWEEN", `a BETWEEN {"N":"1"} {"N":"2"}`,
			KeyTerm{Name: "a", Op: "BETWEEN", Value: `{"N":"1"}`, Hi: `{"N":"2"}`}, ""},
		{"NE, which no index serves", `a NE {"S":"x"}`, KeyTerm{Name: "a", Op: "NE"}, ""},
		{"NULL, which no index serves", `a NULL`, KeyTerm{Name: "a", Op: "NULL"}, ""},
		{"CONTAINS, which no index serves", `a CONTAINS {"S":"x"}`,
			KeyTerm{Name: "a", Op: "CONTAINS"}, ""},
		{"IN, which no index serves", `a IN {"S":"x"}`, KeyTerm{Name: "a", Op: "IN"}, ""},
		{"number of values", `a EQ`, KeyTerm{},
			"One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms, err := NewLegacyKeyCondition([]LegacyTerm{legacyTerm(t, tt.term)})
			requireError(t, tt.err, err)
			if tt.err == "" {
				require.Equal(t, []KeyTerm{tt.want}, terms)
				require.Equal(t, tt.want.Value != "", terms[0].Indexable())
			}
		})
	}
}

func TestLegacyUpdate(t *testing.T) {
	tests := []struct {
		name           string
		action, value  string
		old, want, err string
	}{
		{"PUT", "PUT", `{"S":"new"}`, `{"a":{"N":"1"}}`, `{"a":{"S":"new"}}`, ""},
		{"PUT is the default", "", `{"S":"new"}`, `{"b":{"N":"1"}}`,
			`{"a":{"S":"new"},"b":{"N":"1"}}`, ""},
		{"ADD a number", "ADD", `{"N":"2"}`, `{"a":{"N":"1"}}`, `{"a":{"N":"3"}}`, ""},
		{"ADD a number to nothing", "ADD", `{"N":"2"}`, `{"b":{"N":"1"}}`,
			`{"a":{"N":"2"},"b":{"N":"1"}}`, ""},
		{"ADD to a set", "ADD", `{"SS":["x"]}`, `{"a":{"SS":["y"]}}`, `{"a":{"SS":["x","y"]}}`, ""},
		{"ADD to a list", "ADD", `{"L":[{"N":"2"}]}`, `{"a":{"L":[{"N":"1"}]}}`,
			`{"a":{"L":[{"N":"1"},{"N":"2"}]}}`, ""},
		{"DELETE", "DELETE", ``, `{"a":{"N":"1"},"b":{"N":"1"}}`, `{"b":{"N":"1"}}`, ""},
		{"DELETE from a set", "DELETE", `{"SS":["x"]}`, `{"a":{"SS":["x","y"]}}`,
			`{"a":{"SS":["y"]}}`, ""},
		{"DELETE a whole set", "DELETE", `{"SS":["x"]}`, `{"a":{"SS":["x"]},"b":{"N":"1"}}`,
			`{"b":{"N":"1"}}`, ""},
		{"DELETE from nothing", "DELETE", `{"SS":["x"]}`, `{"b":{"N":"1"}}`, `{"b":{"N":"1"}}`, ""},
		{"PUT of nothing", "PUT", ``, ``, ``,
			"One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
		{"ADD of nothing", "ADD", ``, ``, ``,
			"One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
		{"ADD of a string", "ADD", `{"S":"x"}`, ``, ``,
			"One or more parameter values were invalid: ADD action is not supported for the type S"},
		{"DELETE of a string", "DELETE", `{"S":"x"}`, ``, ``,
			"One or more parameter values were invalid: DELETE action with value is not supported for the type S"},
		{"ADD to another type", "ADD", `{"N":"2"}`, `{"a":{"S":"1"}}`, ``,
			"Type mismatch for attribute to update"},
		{"DELETE from another type", "DELETE", `{"SS":["2"]}`, `{"a":{"NS":["1"]}}`, ``,
			"Type mismatch for attribute to update"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := NewLegacyUpdate(
				[]LegacyUpdate{{Attribute: "a", Action: tt.action, Value: newValue(t, tt.value)}})
			if err != nil {
				requireError(t, tt.err, err)
				return
			}
			require.Equal(t, []string{"a"}, u.Attributes())
			got, err := u.Apply(newItem(t, tt.old))
			requireError(t, tt.err, err)
			require.Equal(t, newItem(t, tt.want), got)
		})
	}
}

func TestLegacyUpdateOfMany(t *testing.T) {
	var updates []LegacyUpdate
	for _, name := range strings.Split("c b a.b d", " ") {
		updates = append(updates,
			LegacyUpdate{Attribute: name, Value: newValue(t, `{"S":"`+name+`"}`)})
	}
	u, err := NewLegacyUpdate(updates)
	require.NoError(t, err)
	got, err := u.Apply(newItem(t, `{"pk":{"S":"k"}}`))
	require.NoError(t, err)
	want := newItem(t,
		`{"a.b":{"S":"a.b"},"b":{"S":"b"},"c":{"S":"c"},"d":{"S":"d"},"pk":{"S":"k"}}`)
	require.Equal(t, want, got)
	require.Equal(t, item.JSON(`{"a.b":{"S":"a.b"},"b":{"S":"b"},"c":{"S":"c"},"d":{"S":"d"}}`),
		u.Touched(got))
}
