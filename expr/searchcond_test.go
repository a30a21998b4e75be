package expr

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage/item"
)

func TestSearchCondition(t *testing.T) {
	const operand = "Invalid SearchConditionExpression: A condition must compare one attribute with values"
	values := map[string]item.Value{":s": `{"S":"b"}`, ":n": `{"N":"2"}`, ":n1": `{"N":"1"}`}
	term := func(name, op, value string) KeyTerm { return KeyTerm{Name: name, Op: op, Value: values[value]} }
	pk, year := term("pk", "=", ":s"), term("y", "=", ":n")
	tests := []struct {
		name, input string
		equal, more []KeyTerm // terms: equal and then more
		err         string
	}{
		{"one", "#p = :s", []KeyTerm{pk}, nil, ""},
		{"two", "#p = :s AND y = :n", []KeyTerm{pk, year}, nil, ""},
		{"parentheses", "(y = :n) AND (#p = :s)", []KeyTerm{year, pk}, nil, ""},
		{"the value first", ":s = #p", []KeyTerm{pk}, nil, ""},
		{"an attribute twice", "y = :n AND y = :n1", []KeyTerm{year}, []KeyTerm{term("y", "=", ":n1")}, ""},
		{"less", "#p = :s AND y < :n", []KeyTerm{pk}, []KeyTerm{term("y", "<", ":n")}, ""},
		{"less, the value first", "#p = :s AND :n > y", []KeyTerm{pk}, []KeyTerm{term("y", "<", ":n")}, ""},
		{"unequal", "y <> :n", nil, []KeyTerm{term("y", "<>", ":n")}, ""},
		{"between", "y BETWEEN :n1 AND :n", nil, []KeyTerm{term("y", "BETWEEN", ":n1"), term("y", "BETWEEN", ":n")}, ""},
		{"in", "#p = :s AND y IN (:n, :n1)", []KeyTerm{pk}, []KeyTerm{term("y", "IN", ":n"), term("y", "IN", ":n1")}, ""},
		{"or", "#p = :s OR y = :n", nil, []KeyTerm{pk, year}, ""},
		{"and with or", "#p = :s AND (y = :n OR y = :n1)", []KeyTerm{pk}, []KeyTerm{year, term("y", "=", ":n1")}, ""},
		{"not", "NOT y = :n", nil, []KeyTerm{year}, ""},
		{"and below not", "NOT (#p = :s AND y = :n)", nil, []KeyTerm{pk, year}, ""},
		{"a prefix", "begins_with(#p, :s)", nil, []KeyTerm{term("pk", "begins_with", ":s")}, ""},

		{"another function", "contains(#p, :s)", nil, nil, "Invalid operator used in SearchConditionExpression: contains"},
		{"a function below or", "y = :n OR attribute_exists(#p)", nil, nil, "Invalid operator used in SearchConditionExpression: attribute_exists"},
		{"a size", "size(#p) = :n", nil, nil, operand},
		{"two attributes", "#p = y", nil, nil, operand},
		{"two values", ":s = :s2", nil, nil, operand},
		{"between attributes", "y BETWEEN :n1 AND #p", nil, nil, operand},
		{"in, the value first", ":n IN (y, :n1)", nil, nil, operand},
		{"a nested attribute", "#p.a = :s", nil, nil, "SearchConditionExpressions cannot have conditions on nested attributes"},
		{"syntax", "#p = ", nil, nil, `Invalid SearchConditionExpression: Syntax error; token: "<EOF>", near: "= "`},
		{"nothing", "", nil, nil, "Invalid SearchConditionExpression: The expression can not be empty;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := newScope(t, "#p=pk", checkValues).SearchCondition(tt.input)
			requireError(t, tt.err, err)
			if err != nil {
				return
			}
			require.Equal(t, tt.equal, c.Equal)
			require.Equal(t, slices.Concat(tt.equal, tt.more), c.Terms)
			require.Equal(t, tt.more != nil, c.Filter() != nil)
		})
	}
}

// TestSearchPartition: a search must name one partition, whatever else its condition says.
func TestSearchPartition(t *testing.T) {
	const none = "Invalid SearchConditionExpression: SearchConditionExpression must have a condition on the HASH key of SearchSchema: pk"
	const comparator = "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression"
	tests := []struct{ name, input, err string }{
		{"equal", "#p = :s", ""},
		{"with a filter", "y < :n AND #p = :s", ""},
		{"none", "y = :n", none},
		{"one of two", "#p = :s OR y = :n", none},
		{"not", "NOT #p = :s", none},
		{"twice", "#p = :s AND #p = :s2", "Invalid SearchConditionExpression: SearchConditionExpressions must only contain one condition on the HASH key of SearchSchema"},
		{"less", "#p < :s", comparator},
		{"a prefix", "begins_with(#p, :s)", comparator},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := newScope(t, "#p=pk", checkValues).SearchCondition(tt.input)
			require.NoError(t, err)
			requireError(t, tt.err, c.CheckPartition("pk"))
		})
	}
}
