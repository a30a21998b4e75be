package emulator

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawnTypes are names after IS: the nine of the service, others that PartiQL knows, and none.
var drawnTypes = []string{"MISSING", "NULL", "BOOLEAN", "BOOL", "BLOB", "STRING", "NUMERIC",
	"STRUCT", "TUPLE", "LIST", "INT", "INTEGER", "INT4", "BIGINT", "SMALLINT", "FLOAT", "REAL",
	"DOUBLE PRECISION", "DOUBLE", "DECIMAL", "DECIMAL(3, 1)", "CHAR", "VARCHAR(3)",
	"CHARACTER VARYING(2)", "TIMESTAMP",
	"DATE", "SYMBOL", "BAG", "ANY", "SET", "MAP", "FOO", ""}

// statementGrammar draws statements from the grammar of PartiQL and from just beside it.
type statementGrammar struct {
	*rapid.T
	parameters []string
}

func (g *statementGrammar) one(of ...string) string {
	return rapid.SampledFrom(of).Draw(g.T, "part")
}

func (g *statementGrammar) value(depth int) string {
	kind := rapid.IntRange(0, 13).Draw(g.T, "value")
	if depth == 0 {
		kind = min(kind, 8)
	}
	switch kind {
	case 0, 1, 2:
		return g.one(`'p1'`, `'s1'`, `''`, `'😀'`, `'it''s'`)
	case 3, 4:
		return g.one("1", "-1", "1.5", "1e2147483646", "1e2147483647", "1e-200", "007", "- 1", "+2")
	case 5:
		return g.one("NULL", "MISSING", "TRUE", "false")
	case 6, 7:
		g.parameters = append(g.parameters, g.one(
			`{"S":"p1"}`, `{"N":"1"}`, `{"N":"1e2147483646"}`,
			`{"BOOL":"T"}`, `{"L":[{"S":"x"}]}`, `{"M":{}}`, `{"SS":["a","b"]}`,
			`{"NULL":true}`, `{}`))
		return "?"
	case 8:
		return g.path()
	case 9:
		return "[" + g.list(depth) + "]"
	case 10:
		return "<<" + g.list(depth) + ">>"
	case 11:
		return "{" + g.one(`'k'`, `''`, `k`, `"k"`) + ": " + g.value(depth-1) + "}"
	case 12:
		return "size(" + g.value(depth-1) + ")" + g.one("", " + 1", " || 'x'")
	}
	return "(" + g.value(depth-1) + ")"
}

func (g *statementGrammar) list(depth int) string {
	var values []string
	for range rapid.IntRange(0, 3).Draw(g.T, "length") {
		values = append(values, g.value(depth-1))
	}
	return strings.Join(values, ", ")
}

func (g *statementGrammar) path() string {
	return g.one("pk", "sk", "a", "l[0]", "m.k", `"a"`, `"A"."k"[1]`, "l[-1]", "m.*",
		"ranged.a", "$x")
}

func (g *statementGrammar) condition(depth int) string {
	kind := rapid.IntRange(0, 11).Draw(g.T, "condition")
	if depth == 0 {
		kind = min(kind, 6)
	}
	switch kind {
	case 0, 1:
		return "pk = " + g.value(1)
	case 2:
		return g.value(1) + g.one(" = ", " <> ", " < ", " >= ", " != ", " LIKE ", " ") + g.value(1)
	case 3:
		return g.value(1) + g.one(" IS ", " IS NOT ", " NOT IS ") + g.one(drawnTypes...)
	case 4:
		return g.value(1) + g.one(" IN ", " NOT IN ") + g.one("[", "(", "<<") + g.list(1) +
			g.one("]", ")", ">>")
	case 5:
		return g.value(1) + " BETWEEN " + g.value(1) + " AND " + g.value(1)
	case 6:
		return g.one("begins_with", "contains", "attribute_type", "attribute_exists", "EXISTS",
			"size", "f") +
			"(" + g.list(2) + ")"
	case 7:
		return "NOT " + g.condition(depth-1)
	case 8:
		return "(" + g.condition(depth-1) + ")"
	case 9: // the number of operators is near its limit
		n := rapid.SampledFrom([]int{148, 149, 150, 299, 300}).Draw(g.T, "operators")
		return "pk = 'p1'" + strings.Repeat(g.one(" AND a = 1", " OR a = 1", " AND NOT a = 1"), n)
	}
	return g.condition(depth-1) + g.one(" AND ", " OR ") + g.condition(depth-1)
}

func (g *statementGrammar) where() string {
	return g.one("", " WHERE ", " WHERE ", " WHERE ", " where pk = 'p1' AND sk = 's1' AND ") +
		g.condition(2)
}

func (g *statementGrammar) statement() string {
	table := g.one(`"ranged"`, `"indexed"`, `"indexed"."gsi1"`, `none`, `"none"`, ``)
	switch rapid.IntRange(0, 7).Draw(g.T, "statement") {
	case 0, 1:
		return g.one("SELECT ", "select ", "SELECT ALL ", "SELECT DISTINCT ") +
			g.one("*", "pk, a", "a.b[0]", "COUNT(*)", "size(a)", "", "VALUE a", "a AS b") +
			" FROM " + table +
			g.where() + g.one("", " ORDER BY sk", " ORDER BY sk NULLS FIRST",
			" ORDER BY pk DESC NULLS LAST", " LIMIT 1", ";")
	case 2:
		return "INSERT INTO " + table + " VALUE " + g.value(3) + g.one("",
			" ON CONFLICT DO NOTHING", " RETURNING ALL OLD *")
	case 3:
		return "UPDATE " + table + g.one(" SET ", " REMOVE ", " SET a = 1 REMOVE ",
			" REMOVE l[0] REMOVE ",
			" REMOVE l[0], ", " SET a = 1, a = 1, ") +
			g.path() + g.one("", " = ") + g.value(2) + g.where() +
			g.one("", " RETURNING MODIFIED NEW *", " RETURNING ALL OLD *", " RETURNING x")
	case 4, 5:
		return "DELETE FROM " + table + g.where() + g.one("", " RETURNING ALL OLD *")
	case 6:
		return g.one("EXISTS(", "FROM ", "INSRT INTO ", "DROP TABLE ", "SLECT * FROM ",
			"UPDTE ") + table + g.where() + g.one("", ")")
	}
	return g.value(3) + g.one("", ".x", "[0]", " IS NULL", " BAR", ", BAR", ";")
}

// cut draws a statement that perhaps lacks its beginning, its end or a word.
func (g *statementGrammar) cut() string {
	text := g.statement()
	words := strings.Split(text, " ")
	switch at := rapid.IntRange(0, len(words)-1).Draw(g.T, "word"); rapid.IntRange(0, 5).
		Draw(g.T, "cut") {
	case 0:
		return strings.Join(words[:at], " ")
	case 1:
		return strings.Join(words[at:], " ")
	case 2:
		return strings.Join(append(words[:at:at], words[at+1:]...), " ")
	}
	return text
}

// TestStatementsOfTheGrammar sends statements that are almost those of the grammar: each has an
// answer or an error of the service, whichever operation it comes with.
func TestStatementsOfTheGrammar(t *testing.T) {
	x := newItemTest(t)
	answered := func(rt *rapid.T, op, body string) {
		answer := x.do(op, body)
		require.NotContains(rt, answer, "InternalServerError", "%s %s", op, body)
		code, _, isError := strings.Cut(answer, ":")
		require.True(rt, json.Valid([]byte(answer)) || isError &&
			(strings.HasSuffix(code, "Exception") || strings.HasSuffix(code, "Error")),
			"%s %s: %s", op, body, answer)
	}
	rapid.Check(t, func(rt *rapid.T) {
		g := &statementGrammar{T: rt}
		text, err := json.Marshal(g.cut())
		require.NoError(rt, err)
		one := fmt.Sprintf(`{"Statement":%s`, text)
		if g.parameters != nil {
			one += `,"Parameters":[` + strings.Join(g.parameters, ",") + "]"
		}
		if rapid.Bool().Draw(rt, "old") {
			one += `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`
		}
		one += "}"
		answered(rt, "ExecuteStatement", one)
		answered(rt, "ExecuteStatement", resumed(x, one))
		answered(rt, "BatchExecuteStatement", `{"Statements":[`+one+`,`+one+`]}`)
		answered(rt, "ExecuteTransaction", `{"TransactStatements":[`+one+`]}`)
	})
}

// resumed is a statement that goes on after the first item, if it selects several, with a blank
// more or without.
func resumed(x *requestTest, one string) string {
	limited := strings.TrimSuffix(one, "}") + `,"Limit":1`
	var page struct{ NextToken string }
	if json.Unmarshal([]byte(x.do("ExecuteStatement", limited+"}")), &page) != nil {
		return one
	}
	if len(one)%2 == 0 {
		limited = strings.Replace(limited, "FROM", " FROM", 1)
	}
	return limited + fmt.Sprintf(`,"NextToken":%q}`, page.NextToken)
}

// TestStatementsDoNotGrow: statements that are refused leave nothing behind.
func TestStatementsDoNotGrow(t *testing.T) {
	x := newItemTest(t)
	send := func(from, to int) {
		for i := from; i < to; i++ {
			x.do("ExecuteStatement",
				fmt.Sprintf(`{"Statement":"SELECT * FROM \"none\" WHERE a%d IS FOO"}`, i))
			x.do("ExecuteStatement",
				fmt.Sprintf(`{"Statement":"SELECT * FROM \"none\" WHERE a%d IS INT"}`, i))
		}
	}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	send(0, 5000)
	before := held()
	send(5000, 25000)
	require.Less(t, held(), before+4<<20)
}
