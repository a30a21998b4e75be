package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSearchCondition(t *testing.T) {
	const comparator = "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression"
	const operand = "Invalid SearchConditionExpression: A condition must compare one attribute with one value"
	pk, year := KeyTerm{Name: "pk", Op: "=", Value: `{"S":"b"}`}, KeyTerm{
		Name: "y", Op: "=", Value: `{"N":"2"}`,
	}
	tests := []struct {
		name, input string
		terms       []KeyTerm
		err         string
	}{
		{"one", "#p = :s", []KeyTerm{pk}, ""},
		{"two", "#p = :s AND y = :n", []KeyTerm{pk, year}, ""},
		{"parentheses", "(y = :n) AND (#p = :s)", []KeyTerm{year, pk}, ""},
		{"the value first", ":s = #p", []KeyTerm{pk}, ""},

		{"less", "y < :n", nil, comparator},
		{"unequal", "y <> :n", nil, comparator},
		{"between", "y BETWEEN :n1 AND :n", nil, comparator},
		{"in", "#p = :s AND y IN (:n)", nil, comparator},
		{"or", "#p = :s OR y = :n", nil, "Invalid operator used in SearchConditionExpression: OR"},
		{"not", "NOT y = :n", nil, "Invalid operator used in SearchConditionExpression: NOT"},
		{"a function", "begins_with(#p, :s)", nil,
			"Invalid operator used in SearchConditionExpression: begins_with"},
		{"a size", "size(#p) = :n", nil, operand},
		{"two attributes", "#p = y", nil, operand},
		{"two values", ":s = :s2", nil, operand},
		{"a nested attribute", "#p.a = :s", nil,
			"Invalid SearchConditionExpression: SearchConditionExpression cannot have conditions on nested attributes"},
		{"an attribute twice", "y = :n AND y = :n1", nil,
			"Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per attribute"},
		{"syntax", "#p = ", nil,
			`Invalid SearchConditionExpression: Syntax error; token: "<EOF>", near: "= "`},
		{"nothing", "", nil, "Invalid SearchConditionExpression: The expression can not be empty;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms, err := newScope(t, "#p=pk", checkValues).SearchCondition(tt.input)
			requireError(t, tt.err, err)
			require.Equal(t, tt.terms, terms)
		})
	}
}
