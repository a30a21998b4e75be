package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/expr/internal/memo"
)

type parseTest struct {
	name   string
	kind   Kind
	input  string
	result string // the tree printed again, or the error after "Invalid <kind>: "
}

const (
	noError  = true
	hasError = false
)

var parseTests = []struct {
	parseTest
	ok bool
}{
	{parseTest{"comparison", KindCondition, "a=:b", "a = :b"}, noError},
	{parseTest{"all comparators", KindCondition,
		"a=:b AND a<>:b AND a<:b AND a<=:b AND a>:b AND a>=:b",
		"a = :b AND a <> :b AND a < :b AND a <= :b AND a > :b AND a >= :b"}, noError},
	{parseTest{"white space", KindCondition, "\t a\n=\r:b ", "a = :b"}, noError},
	{parseTest{"keywords in any case", KindCondition,
		"not a = :a and b between :a And :b or c in (:a) OR d iN (:a,:b)",
		"NOT a = :a AND b BETWEEN :a AND :b OR c IN (:a) OR d IN (:a, :b)"}, noError},
	{parseTest{"parentheses", KindCondition, "(a = :b OR (c = :d)) AND e = :f",
		"(a = :b OR (c = :d)) AND e = :f"}, noError},
	{parseTest{"operand in parentheses", KindCondition, "( ( size ( a ) ) < b.c )",
		"((size(a)) < b.c)"}, noError},
	{parseTest{"right operand in parentheses", KindCondition, "a = (b)", "a = (b)"}, noError},
	{parseTest{"paths", KindCondition, "a . b [ 1 ] . #c = #d[0][2]", "a.b[1].#c = #d[0][2]"},
		noError},
	{parseTest{"functions", KindCondition,
		"attribute_exists(a) AND attribute_not_exists(a) AND attribute_type(a,:t) AND begins_with(a,:p) AND contains(a,:e) AND size(a)=:n",
		"attribute_exists(a) AND attribute_not_exists(a) AND attribute_type(a, :t) AND begins_with(a, :p) AND contains(a, :e) AND size(a) = :n"}, noError},
	{parseTest{"function name as attribute", KindCondition, "contains = :a", "contains = :a"},
		noError},
	{parseTest{"double negation", KindCondition, "NOT NOT a = :b", "NOT NOT a = :b"}, noError},
	{parseTest{"value and value", KindCondition, ":a = :b", ":a = :b"}, noError},

	{parseTest{"empty", KindCondition, "", "The expression can not be empty;"}, hasError},
	{parseTest{"blank", KindUpdate, "  ", `Syntax error; token: "<EOF>", near: "  "`}, hasError},
	{parseTest{"line feed", KindProjection, "\n", "Syntax error; token: \"<EOF>\", near: \"\n\""},
		hasError},
	{parseTest{"4 KB", KindProjection, strings.Repeat("a", 4096), strings.Repeat("a", 4096)},
		noError},
	{parseTest{"over 4 KB", KindProjection, strings.Repeat("a", 4097),
		"Expression size has exceeded the maximum allowed size;"}, hasError},
	{parseTest{"update over 4 KB", KindUpdate, "SET " + strings.Repeat("a", 4097),
		"Expression size has exceeded the maximum allowed size;"}, hasError},
	{parseTest{"condition over 4 KB", KindCondition, strings.Repeat("é", 2100),
		"Expression size has exceeded the maximum allowed size; expression size: 4200"}, hasError},
	{parseTest{"blanks over 4 KB", KindFilter, strings.Repeat(" ", 5000),
		"Expression size has exceeded the maximum allowed size; expression size: 5000"}, hasError},

	{parseTest{"operand alone", KindCondition, "a", `Syntax error; token: "<EOF>", near: "a"`},
		hasError},
	{parseTest{"end after an operator", KindCondition, "a =",
		`Syntax error; token: "<EOF>", near: "="`}, hasError},
	{parseTest{"end after white space", KindCondition, "a = ",
		`Syntax error; token: "<EOF>", near: "= "`}, hasError},
	{parseTest{"first token", KindUpdate, "INVALID SYNTAX HERE",
		`Syntax error; token: "INVALID", near: "INVALID SYNTAX"`}, hasError},
	{parseTest{"operator twice", KindCondition, "a = = :v",
		`Syntax error; token: "=", near: "= = :v"`}, hasError},
	{parseTest{"bad character", KindUpdate, "ADD hits : incr",
		`Syntax error; token: ":", near: "hits : incr"`}, hasError},
	{parseTest{"lone number sign", KindUpdate, "SET a = :a, #, b = :b",
		`Syntax error; token: "#", near: ", #,"`}, hasError},
	{parseTest{"dash in a name", KindUpdate, "SET book-price = :p",
		`Syntax error; token: "-", near: "book-price"`}, hasError},
	{parseTest{"underscore first", KindCondition, "_a = :a",
		`Syntax error; token: "_", near: "_a"`}, hasError},
	{parseTest{"number for an operand", KindUpdate, "SET a = if_not_exists(a, 0)",
		`Syntax error; token: "0", near: ", 0)"`}, hasError},
	{parseTest{"number for a name", KindProjection, "a.0.b",
		`Syntax error; token: "0", near: ".0."`}, hasError},
	{parseTest{"function between operands", KindFilter, "#a attribute_not_exists :c",
		`Syntax error; token: "attribute_not_exists", near: "#a attribute_not_exists :c"`},
		hasError},
	{parseTest{"value for an operator", KindFilter, "ten:abc-1 = :x",
		`Syntax error; token: ":abc", near: "ten:abc-"`}, hasError},
	{parseTest{"no assignment", KindUpdate, "SET #as, #Lambda = :a",
		`Syntax error; token: ",", near: "#as, #Lambda"`}, hasError},
	{parseTest{"no operands", KindCondition, "attribute_exists()",
		`Syntax error; token: ")", near: "()"`}, hasError},
	{parseTest{"NOT of an operand", KindCondition, "attribute_exists(a) AND NOT #b",
		`Syntax error; token: "<EOF>", near: "#b"`}, hasError},
	{parseTest{"AND of an operand", KindCondition, "a AND b = :b",
		`Syntax error; token: "AND", near: "a AND b"`}, hasError},
	{parseTest{"comparison of a comparison", KindCondition, "a = :b = :c",
		`Syntax error; token: "=", near: ":b = :c"`}, hasError},
	{parseTest{"comparison of a condition", KindCondition, "(a = :b) = :c",
		`Syntax error; token: "=", near: ") = :c"`}, hasError},
	{parseTest{"condition for an operand", KindCondition, "a = (b = :c)",
		`Syntax error; token: "=", near: "b = :c"`}, hasError},
	{parseTest{"open parenthesis", KindCondition, "attribute_exists(",
		`Syntax error; token: "<EOF>", near: "("`}, hasError},
	{parseTest{"closed parenthesis", KindCondition, "a = :a)",
		`Syntax error; token: ")", near: ":a)"`}, hasError},
	{parseTest{"not of our letters", KindCondition, "é = :a",
		`Syntax error; token: "é", near: "é ="`}, hasError},
	{parseTest{"IN without parentheses", KindCondition, "a IN :a",
		`Syntax error; token: ":a", near: "IN :a"`}, hasError},
	{parseTest{"keyword for a name", KindCondition, "in = :a",
		`Syntax error; token: "in", near: "in ="`}, hasError},
	{parseTest{"function of a placeholder", KindCondition, "#f(a)",
		`Syntax error; token: "(", near: "#f(a"`}, hasError},

	{parseTest{"redundant parentheses", KindCondition, "((a = :b))",
		"The expression has redundant parentheses;"}, hasError},
	{parseTest{"redundant parentheses of an operand", KindCondition, "((a)) = :b",
		"The expression has redundant parentheses;"}, hasError},
	{parseTest{"redundant parentheses on the right", KindCondition, "a = ((b))",
		"The expression has redundant parentheses;"}, hasError},
	{parseTest{"redundant parentheses in an update", KindUpdate, "SET a = ((b + :c))",
		"The expression has redundant parentheses;"}, hasError},
	{parseTest{"redundant parentheses before a syntax error", KindCondition, "((a = :b)) =",
		"The expression has redundant parentheses;"}, hasError},
	{parseTest{"redundant parentheses inside of a syntax error", KindCondition,
		"(((a = b)) and c = d", "The expression has redundant parentheses;"}, hasError},
	{parseTest{"redundant parentheses after a syntax error", KindCondition, "a = = b AND ((c = d))",
		`Syntax error; token: "=", near: "= = b"`}, hasError},

	{parseTest{"300 operators", KindCondition, operators(300), operators(300)}, noError},
	{parseTest{"301 operators", KindCondition, operators(301),
		"The expression contains too many operators; operator count: 301"}, hasError},
	{parseTest{"far more operators", KindCondition, strings.Repeat("NOT ", 600) + "a = :b",
		"The expression contains too many operators; operator count: 301"}, hasError},

	{parseTest{"reserved word", KindUpdate, "SET name = :n",
		"Attribute name is a reserved keyword; reserved keyword: name"}, hasError},
	{parseTest{"reserved word in any case", KindProjection, "a, Abort",
		"Attribute name is a reserved keyword; reserved keyword: Abort"}, hasError},
	{parseTest{"reserved word inside", KindCondition, "a.status = :s",
		"Attribute name is a reserved keyword; reserved keyword: status"}, hasError},
	{parseTest{"reserved function name", KindCondition, "size = :s",
		"Attribute name is a reserved keyword; reserved keyword: size"}, hasError},
	{parseTest{"keyword of updates for a name", KindCondition, "remove = :a",
		`Syntax error; token: "remove", near: "remove ="`}, hasError},
	{parseTest{"keyword of updates in a path", KindProjection, "a.Add",
		`Syntax error; token: "Add", near: ".Add"`}, hasError},
	{parseTest{"keyword of conditions for a name", KindUpdate, "SET between = :b",
		`Syntax error; token: "between", near: "SET between ="`}, hasError},
	{parseTest{"keyword of conditions in a projection", KindProjection, "a, not",
		`Syntax error; token: "not", near: ", not"`}, hasError},
	{parseTest{"index 00", KindUpdate, "REMOVE a[00]", `Syntax error; token: "0", near: "00]"`},
		hasError},
	{parseTest{"index 01", KindProjection, "a[01]", `Syntax error; token: "1", near: "01]"`},
		hasError},

	{parseTest{"unknown function", KindCondition, "foo(a)", "Invalid function name; function: foo"},
		hasError},
	{parseTest{"function name in capitals", KindCondition, "SIZE(a) = :n",
		"Invalid function name; function: SIZE"}, hasError},
	{parseTest{"unknown function in an update", KindUpdate, "SET a = foo(a)",
		"Invalid function name; function: foo"}, hasError},
	{parseTest{"function of updates", KindFilter, "list_append(a, b) = :c",
		"The function is not allowed in a condition expression; function: list_append"}, hasError},
	{parseTest{"function of conditions", KindUpdate, "SET a = size(a)",
		"The function is not allowed in an update expression; function: size"}, hasError},
	{parseTest{"value for a condition", KindCondition, "size(a)",
		"The function is not allowed to be used this way in an expression; function: size"},
		hasError},
	{parseTest{"condition for a value", KindCondition, "attribute_exists(a) = :b",
		"The function is not allowed to be used this way in an expression; function: attribute_exists"}, hasError},
	{parseTest{"condition for an operand of a function", KindCondition,
		"contains(a, contains(b, :c))",
		"The function is not allowed to be used this way in an expression; function: contains"},
		hasError},

	{parseTest{"list_append of list_append", KindUpdate,
		"SET a = list_append(list_append(:a, :b), :c)",
		"The function is not allowed to be used this way in an expression; function: list_append"},
		hasError},
	{parseTest{"list_append of list_append on the right", KindUpdate,
		"SET a = list_append(a, (list_append(b, :c)))",
		"The function is not allowed to be used this way in an expression; function: list_append"},
		hasError},

	{parseTest{"32 steps", KindProjection, "a" + strings.Repeat(".a", 31),
		"a" + strings.Repeat(".a", 31)}, noError},
	{parseTest{"33 steps", KindProjection, "a" + strings.Repeat(".a", 32),
		"The document path has too many nesting elements; nesting levels: 33"}, hasError},
	{parseTest{"large index", KindProjection, "a[99999999999]",
		"List index is not within the allowable range; index: [99999999999]"}, hasError},

	{parseTest{"clauses", KindUpdate, "set a=:a,b.c=d remove e[0],#f add g :g delete h :h",
		"SET a = :a, b.c = d REMOVE e[0], #f ADD g :g DELETE h :h"}, noError},
	{parseTest{"values of SET", KindUpdate,
		"SET a=b+:c, d=:e-f, g=if_not_exists(g,:g)+:h, i=list_append(if_not_exists(i,:j),:k)",
		"SET a = b + :c, d = :e - f, g = if_not_exists(g, :g) + :h, i = list_append(if_not_exists(i, :j), :k)"}, noError},
	{parseTest{"sum in parentheses", KindUpdate, "SET a = (b + :c)", "SET a = (b + :c)"}, noError},
	{parseTest{"two operators", KindUpdate, "SET a = b + :c + :d",
		`Syntax error; token: "+", near: ":c + :d"`}, hasError},
	{parseTest{"section twice", KindUpdate, "ADD x :one SET a = :a ADD y :one",
		`The "ADD" section can only be used once in an update expression;`}, hasError},
	{parseTest{"section twice, after a reserved word", KindUpdate, "SET size = :a SET b = :a",
		`Attribute name is a reserved keyword; reserved keyword: size`}, hasError},
	{parseTest{"section twice, after a reserved operand", KindUpdate,
		"SET a = if_not_exists(b.Size, :a) REMOVE c SET b = :a",
		`Attribute name is a reserved keyword; reserved keyword: Size`}, hasError},
	{parseTest{"section twice, before a reserved word", KindUpdate, "SET a = :a SET size = :a",
		`The "SET" section can only be used once in an update expression;`}, hasError},
	{parseTest{"section without action", KindUpdate, "SET",
		`Syntax error; token: "<EOF>", near: "SET"`}, hasError},
	{parseTest{"comma before a section", KindUpdate, "SET a = :a, REMOVE b",
		`Syntax error; token: "REMOVE", near: ", REMOVE b"`}, hasError},
	{parseTest{"ADD of a path", KindUpdate, "ADD a b", `Syntax error; token: "b", near: "a b"`},
		hasError},
	{parseTest{"condition in an update", KindUpdate, "SET a = b = c",
		`Syntax error; token: "=", near: "b = c"`}, hasError},

	{parseTest{"projection", KindProjection, "a,b.c , #d[1].e", "a, b.c, #d[1].e"}, noError},
	{parseTest{"projection of a function", KindProjection, "whatever(stuff)",
		`Syntax error; token: "(", near: "whatever(stuff"`}, hasError},
	{parseTest{"projection ends with a comma", KindProjection, "a,",
		`Syntax error; token: "<EOF>", near: ","`}, hasError},
	{parseTest{"projection of a value", KindProjection, ":a",
		`Syntax error; token: ":a", near: ":a"`}, hasError},
	{parseTest{"list index by name", KindProjection, "l[a]",
		`Syntax error; token: "a", near: "[a]"`}, hasError},
	{parseTest{"two characters", KindProjection, "!!", `Syntax error; token: "!", near: "!!"`},
		hasError},
}

// operators is a condition with n operators.
func operators(n int) string {
	return strings.Repeat("NOT ", (n+1)%2) + "a = b" + strings.Repeat(" OR a = b", (n-1)/2)
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.ok == hasError {
				require.EqualError(t, bindNothing(tt.kind, tt.input),
					"Invalid "+string(tt.kind)+": "+tt.result)
				return
			}
			tree, err := parse(tt.kind, tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.result, tree.String())
			again, err := parse(tt.kind, tt.result)
			require.NoError(t, err)
			require.Equal(t, tt.result, again.String())
		})
	}
}

// bindNothing parses and binds an expression without any names and values.
func bindNothing(kind Kind, src string) (err error) {
	var s Scope
	switch kind.grammar() {
	case grammarCondition:
		_, err = s.Condition(kind, src)
	case grammarUpdate:
		_, err = s.Update(src)
	case grammarPaths:
		_, err = s.Projection(src)
	}
	return err
}

func TestPrecedence(t *testing.T) {
	tests := []struct{ name, input, result string }{
		{"AND before OR", "a = :x OR b = :x AND c = :x", "(a OR (b AND c))"},
		{"AND before OR, first", "a = :x AND b = :x OR c = :x", "((a AND b) OR c)"},
		{"NOT before AND", "NOT a = :x AND b = :x", "((NOT a) AND b)"},
		{"parentheses", "(a = :x OR b = :x) AND NOT (c = :x OR d = :x)",
			"((a OR b) AND (NOT (c OR d)))"},
		{"BETWEEN takes the first AND", "a BETWEEN :x AND :y AND b = :x", "(a AND b)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := parse(KindCondition, tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.result, shape(&tree.root))
		})
	}
}

// shape prints each condition as its first attribute, with every junction in parentheses.
func shape(n *node) string {
	switch n.op {
	case opNot:
		return "(NOT " + shape(&n.kids[0]) + ")"
	case opAnd, opOr:
		kids := make([]string, len(n.kids))
		for i := range n.kids {
			kids[i] = shape(&n.kids[i])
		}
		return "(" + strings.Join(kids, " "+n.op.String()+" ") + ")"
	}
	return n.kids[0].path[0].name
}

func TestReservedWords(t *testing.T) {
	words := strings.Fields(reservedWords)
	require.Len(t, words, 573) // Developer Guide, "Reserved words in DynamoDB"
	for _, word := range words {
		require.True(t, isReserved(strings.ToLower(word)), word)
	}
	for _, word := range []string{"remove", "pk", "attribute_exists", "names_"} {
		require.False(t, isReserved(word), word)
	}
}

func TestTreeSharesNothing(t *testing.T) {
	src := []byte("SET a.b = #c + :d")
	tree, err := parse(KindUpdate, string(src))
	require.NoError(t, err)
	same, err := parseCached(KindUpdate, string(src))
	require.NoError(t, err)
	require.Equal(t, tree.String(), same.String())
	again, err := parseCached(KindUpdate, string(src))
	require.NoError(t, err)
	require.Same(t, same, again, "the second time the tree comes from the cache")
}

func TestCacheKeepsGrammarsApart(t *testing.T) {
	_, err := parseCached(KindProjection, "kept_apart")
	require.NoError(t, err)
	_, err = parseCached(KindCondition, "kept_apart")
	require.EqualError(t, err,
		`Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "kept_apart"`)
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	used, err := parseCached(KindProjection, "used_often")
	require.NoError(t, err)
	long := strings.Repeat("y", 1000)
	for i := range 2 * memo.Shards * memo.Generations * 16 << 10 / len(long) {
		_, err := parseCached(KindProjection, fmt.Sprint(long, i))
		require.NoError(t, err)
		again, err := parseCached(KindProjection, "used_often")
		require.NoError(t, err)
		require.Same(t, used, again)
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(string(tt.kind), tt.input)
	}
	f.Fuzz(func(t *testing.T, kind, src string) {
		k := Kind(kind)
		tree, err := parse(k, src)
		if err != nil {
			require.IsType(t, Error(""), err)
			return
		}
		printed := tree.String()
		if len(printed) > maxExpressionBytes {
			return // single spaces may make it longer than it was
		}
		again, err := parse(k, printed)
		require.NoError(t, err, printed)
		require.Equal(t, printed, again.String())
	})
}
