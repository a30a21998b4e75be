package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// mistake is a term of a condition with its error.
type mistake struct{ term, message string }

// Mistakes of the two phases: those of the first end the parse.
var (
	parseMistakes = []mistake{
		{"((a = :s))", "The expression has redundant parentheses;"},
		{"a = = :s", `Syntax error; token: "=", near: "= = :s"`},
		{"remove = :s", `Syntax error; token: "remove", near: "*`},
		{"a[01] = :s", `Syntax error; token: "1", near: "01]"`},
	}
	boundMistakes = []mistake{
		{"name = :s", "Attribute name is a reserved keyword; reserved keyword: name"},
		{"a.size = :s", "Attribute name is a reserved keyword; reserved keyword: size"},
		{"foo(a)", "Invalid function name; function: foo"},
		{"if_not_exists(a, :s) = :s",
			"The function is not allowed in a condition expression; function: if_not_exists"},
		{"size(a)",
			"The function is not allowed to be used this way in an expression; function: size"},
		{"contains(a, :s) = :bool",
			"The function is not allowed to be used this way in an expression; function: contains"},
		{"a = :undefined",
			"An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"#undefined = :s",
			"An expression attribute name used in the document path is not defined; attribute name: #undefined"},
		{"a.b < a.b",
			"The first operand must be distinct from the remaining operands for this operator or function; operator: <, first operand: [a, b]"},
		{"begins_with(a)",
			"Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1"},
		{"attribute_exists(:s)",
			"Operator or function requires a document path; operator or function: attribute_exists"},
		{"size(:n) = :n",
			"Incorrect operand type for operator or function; operator or function: size, operand type: N"},
		{"a < :bool",
			"Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{"attribute_type(a, :s)",
			"Invalid attribute type name found; type: b, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
		{"a BETWEEN :n AND :n1",
			"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
	}
)

// requireMistake requires that every kind of condition reports the mistake.
func requireMistake(t *testing.T, src string, want mistake) {
	t.Helper()
	for _, kind := range []Kind{KindCondition, KindFilter, KindKeyCondition} {
		_, err := newScope(t, "", checkValues).Condition(kind, src)
		require.Error(t, err, src)
		prefix := "Invalid " + string(kind) + ": "
		if start, open := cutStar(want.message); open {
			require.Contains(t, err.Error(), prefix+start, src)
		} else {
			require.Equal(t, prefix+want.message, err.Error(), src)
		}
	}
}

func cutStar(s string) (start string, open bool) {
	if n := len(s) - 1; s[n] == '*' {
		return s[:n], true
	}
	return s, false
}

// Within a phase the mistake further left is reported: service facts 3.6, 12.5, B.7 and B.12.
func TestOrderOfMistakes(t *testing.T) {
	for _, mistakes := range [][]mistake{parseMistakes, boundMistakes} {
		for _, left := range mistakes {
			for _, right := range mistakes {
				for _, src := range []string{
					left.term + " AND " + right.term,
					"a = :s OR " + left.term + " OR c = :s OR " + right.term,
					"NOT " + left.term + " AND NOT (a = :s AND " + right.term + ")",
				} {
					requireMistake(t, src, left)
				}
			}
		}
	}
}

// A mistake of the parse is reported wherever it is.
func TestOrderOfPhases(t *testing.T) {
	for _, parsed := range parseMistakes {
		for _, bound := range boundMistakes {
			requireMistake(t, parsed.term+" AND "+bound.term, parsed)
			requireMistake(t, bound.term+" AND "+parsed.term, parsed)
		}
	}
}

// If one mistake is inside another, the outer one is reported if it is about the place of a
// function or about distinct operands (service facts 12.5). Otherwise the inner one is.
func TestOrderInside(t *testing.T) {
	for _, tt := range []struct{ name, src, message string }{
		{"unknown function of a reserved word", "foo(name)",
			"Invalid function name; function: foo"},
		{"unknown function of an undefined value", "foo(:undefined) = :s",
			"Invalid function name; function: foo"},
		{"misplaced function of a reserved word", "size(name)",
			"The function is not allowed to be used this way in an expression; function: size"},
		{"function of updates of an undefined value", "list_append(a, :undefined) = :s",
			"The function is not allowed in a condition expression; function: list_append"},
		{"misplaced function of an unknown function", "contains(attribute_exists(foo(a)), :s)",
			"The function is not allowed to be used this way in an expression; function: attribute_exists"},
		{"distinct and reserved", "name = name",
			"The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [name]"},
		{"distinct and undefined", "a IN (:undefined, a)",
			"The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [a]"},
		{"undefined twice", "#u = #u",
			"An expression attribute name used in the document path is not defined; attribute name: #u"},
		{"two undefined", "#u = #w",
			"An expression attribute name used in the document path is not defined; attribute name: #u"},
		{"undefined in a wrong number of operands", "contains(a, :undefined, b)",
			"An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"undefined in bounds", "a BETWEEN :bool AND :undefined",
			"An expression attribute value used in expression is not defined; attribute value: :undefined"},
		{"reserved word in a function without a path", "attribute_exists(size(status))",
			"Attribute name is a reserved keyword; reserved keyword: status"},
	} {
		t.Run(tt.name,
			func(t *testing.T) { requireMistake(t, tt.src, mistake{message: tt.message}) })
	}
}

// Paths of a projection: overlaps come before conflicts (service facts 12.5).
func TestProjectionChecks(t *testing.T) {
	const (
		overlap  = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
		conflict = "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
	)
	for _, tt := range []struct{ name, src, message string }{
		{"overlap", "a, b, a", overlap + "[a], path two: [a]"},
		{"conflict", "a.b, a[0]", conflict + "[a, b], path two: [a, [0]]"},
		{"overlap after a conflict", "a.b, a[0], c, c.d", overlap + "[c], path two: [c, d]"},
		{"two conflicts", "a.b, a[0], c[1], c.d", conflict + "[a, b], path two: [a, [0]]"},
		{"overlap after a conflict among many", "a.b, a[0], c, d, e, f, g, h, i, e.x",
			overlap + "[e], path two: [e, x]"},
		{"reserved word after an undefined name", "#u, name",
			"Attribute name is a reserved keyword; reserved keyword: name"},
		{"undefined name after a reserved word", "a.name, #u",
			"Attribute name is a reserved keyword; reserved keyword: name"},
		{"reserved word and overlap", "a, a, name",
			"Attribute name is a reserved keyword; reserved keyword: name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := new(Scope).Projection(tt.src)
			require.EqualError(t, err, "Invalid ProjectionExpression: "+tt.message)
		})
	}
}
