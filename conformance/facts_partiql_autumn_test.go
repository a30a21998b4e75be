package conformance

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// where is a SELECT with a WHERE clause, from a table that is not there.
func where(clause string, members ...string) string {
	return statement(`SELECT * FROM "no-such-table" WHERE `+clause, members...)
}

// TestPartiQLBeforeTheTable checks what is refused before the table is looked up.
func TestPartiQLBeforeTheTable(t *testing.T) {
	t.Parallel()
	const missing = invalidText + "MISSING must be compared using IS operator"
	const bag = invalidText + unsupportedIn
	isType := func(class, at string) string {
		return invalidText + "Unsupported data type for IS operator: " + class +
			". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at " + at
	}
	operators := func(n int) string {
		return invalidText + "The expression contains too many operators; operator count: " + strconv.Itoa(n)
	}
	joined := func(term, op string, n int) string {
		return "pk = 'a'" + strings.Repeat(" "+op+" "+term, n)
	}
	const numeric = "One or more parameter values were invalid: Numeric sets may not contain null under root"
	const truth = "WHERE clause must contain an expression that resolves to a boolean"
	const operand = invalidText + "Incorrect operand type for operator or function; operator or function: "
	const noPathName = "Path component cannot be an empty string"
	insert := func(value string) string { return statement(`INSERT INTO "no-such-table" VALUE ` + value) }
	set := func(value string) string {
		return statement(`UPDATE "no-such-table" SET x = ` + value + ` WHERE pk = 'a'`)
	}
	run(t, defaults{src: "service facts F.59", op: "ExecuteStatement"}, []kase{
		{name: "an operand of begins_with", in: where(`begins_with(s, 1)`),
			err: operand + "begins_with, operand type: N"},
		{name: "a number", in: where(`a = 1e200`), err: invalidText + overflow + " under root"},
		{name: "a path among its operands", in: where(`s IN [s]`),
			err: invalidText + "The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [s]"},
		{name: "bounds", in: where(`a BETWEEN 2 AND 1`),
			err: invalidText + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{name: "a literal for a path", in: where(`attribute_exists('a')`),
			err: invalidText + "Operator or function requires a document path; operator or function: attribute_exists"},
		{name: "the count of operands", in: where(`attribute_exists(a, b)`),
			err: invalidText + "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2"},
		{name: "the name of a type", in: where(`attribute_type(a, 'X')`),
			err: invalidText + "Invalid attribute type name found; type: X, valid types: *"},
		{name: "an unknown function", in: where(`foo(a)`),
			err: invalidText + "Unrecognized function: foo at 1:37:3"},
		{name: "COUNT", in: statement(`SELECT COUNT(*) FROM "no-such-table"`),
			err: invalidText + "Unexpected path component at 1:8:5"},
		{name: "the first argument of set_add", in: set(`set_add(y, <<1>>)`),
			err: invalidText + "The first argument to SET_ADD must equal the assignment value at 1:32:7"},
		{name: "nothing wrong", in: where(`a = 1`), err: noSuchTable},
		{name: "in a transaction", op: "ExecuteTransaction",
			in:  transaction(where(`begins_with(s, 1)`)),
			err: invalidText + at0("Incorrect operand type for operator or function; operator or function: begins_with, operand type: N")},

		{name: "301 operators", src: "service facts F.44", in: where(joined("x = 1", "AND", 150)),
			err: operators(301)},
		{name: "299 operators", src: "service facts F.44", in: where(joined("x = 1", "OR", 149)),
			err: noSuchTable},
		{name: "NOT IN", src: "service facts F.44",
			in: where(joined("x NOT IN [1, 2, 3]", "AND", 100)), err: operators(301)},
		{name: "BETWEEN", src: "service facts F.44",
			in: where(joined("x BETWEEN 1 AND 2", "AND", 150)), err: operators(301)},
		{name: "operators of DELETE", src: "service facts F.44",
			in:  statement(`DELETE FROM "no-such-table" WHERE ` + joined("x = 1", "AND", 150)),
			err: operators(301)},

		{name: "MISSING", src: "service facts F.46", in: where(`s = MISSING`), err: missing},
		{name: "MISSING on the left", src: "service facts F.46", in: where(`MISSING <> s`),
			err: missing},
		{name: "MISSING before another operand", src: "service facts F.46",
			in: where(`begins_with(s, 1) AND s = MISSING`), err: missing},

		{name: "an integer", src: "service facts F.47",
			in:  statement(`SELECT * FROM "Tab" WHERE abc IS INT`),
			err: isType("IntegerType", "1:27:3")},
		{name: "no integer", src: "service facts F.47",
			in:  statement(`SELECT * FROM "Tab" WHERE a IS NOT BIGINT`),
			err: isType("Integer8Type", "1:27:1")},
		{name: "DOUBLE PRECISION", src: "service facts F.47", in: where(`a IS DOUBLE PRECISION`),
			err: isType("DoublePrecisionType", "1:37:1")},
		{name: "VARCHAR with a length", src: "service facts F.47",
			in: where(`a IS CHARACTER VARYING(10)`), err: isType("CharacterVaryingType", "1:37:1")},
		{name: "a bag", src: "service facts F.47", in: where(`a IS BAG`),
			err: isType("BagType", "1:37:1")},
		{name: "DOUBLE", src: "service facts F.47", in: where(`a IS DOUBLE`),
			err: illFormed + "Expected type name"},
		{name: "NUMBER", src: "service facts F.47", in: where(`a IS NUMBER`),
			err: illFormed + "Expected type name"},
		{name: "NUMERIC", src: "service facts F.47", in: where(`a IS NUMERIC`), err: noSuchTable},
		{name: "TUPLE", src: "service facts F.47", in: where(`a IS NOT TUPLE`), err: noSuchTable},

		{name: "a number after a string", src: "service facts F.52", in: where(`a = <<'a', 1>>`),
			err: bag + " at 1:48:1"},
		{name: "a string after a number", src: "service facts F.52", in: where(`a = <<1, 'a'>>`),
			err: bag},
		{name: "a list after a number", src: "service facts F.52", in: where(`a = <<1, [1]>>`),
			err: bag},
		{name: "a parameter in a bag", src: "service facts F.53",
			in:  statement(`SELECT * FROM "Tab" WHERE a = <<1, ?>>`, parameters(`{"N":"1"}`)),
			err: invalidText + "Unsupported data type: Parameter under key root at 1:36:1"},
		{name: "a parameter as the first member", src: "service facts F.53",
			in: where(`a = <<?>>`, parameters(`{"N":"1"}`)), err: bag + " at 1:43:1"},
		{name: "null after a number", src: "service facts F.53", in: set(`<<1, NULL>>`),
			err: invalidText + numeric},
		{name: "null in a map", src: "service facts F.53", in: set(`{'x': <<1, NULL>>}`),
			err: invalidText + numeric + ".x"},
		{name: "null in a list", src: "service facts F.53", in: set(`[<<1, NULL>>]`),
			err: invalidText + numeric + "[0]"},
		{name: "an empty key of a map", src: "service facts F.55",
			in: insert(`{'pk': 'a', 'm': {'': 1e200}}`), err: invalidText + noPathName},
		{name: "an empty name of an item", src: "service facts F.55", in: insert(`{'': 1}`),
			err: invalidText + noPathName},
		{name: "an empty key in a transaction", src: "service facts F.55", op: "ExecuteTransaction",
			in:  transaction(insert(`{'pk': 'a', 'm': {'': 1}}`)),
			err: invalidText + at0(noPathName)},
		{name: "a number that underflows", src: "service facts F.58", in: where(`a = 1e2147483646`),
			err: invalidText + underflow + " under root"},
		{name: "a parameter that underflows", src: "service facts F.58",
			in: where(`a = ?`, parameters(`{"N":"1e2147483646"}`)), err: invalidText + underflow},
		{name: "a repeat of a string", src: "service facts F.68",
			in:  where(`a = <<'b', 'a', 'b'>>`),
			err: invalidText + "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates."},
		{name: "a repeat of a number", src: "service facts F.68", in: where(`a = <<2, 2.0>>`),
			err: invalidText + "One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root"},

		{name: "size alone", src: "service facts F.65", in: where(`size(s)`),
			err: invalidText + truth},
		{name: "size beside AND", src: "service facts F.65", in: where(`a = 1 AND size(s)`),
			err: operand + "AND, operand type: N"},
		{name: "size after NOT", src: "service facts F.65", in: where(`NOT size(s)`),
			err: operand + "NOT, operand type: N"},
		{name: "a sum", src: "service facts F.65", in: where(`size(s) + 1 = 4`),
			err: invalidText + "Unsupported operator in Condition Expression. Operator: +"},
		{name: "size before IS", src: "service facts F.65", in: where(`size(s) IS MISSING`),
			err: invalidText + "The left hand side argument to IS must be a Variable Reference, Literal, or Path"},
	})
}

// TestPartiQLTexts checks how statements that cannot be read are refused.
func TestPartiQLTexts(t *testing.T) {
	t.Parallel()
	var cases []kase
	for text, kind := range map[string]string{
		`FOO`: "Id", `(FOO)`: "Id", `"FOO"`: "Id",
		`FOO.BAR`: "Path", `FOO[0]`: "Path", `FOO.*`: "Path",
		`FOO IS NULL`: "IsType", `1`: "Lit", `'a'`: "Lit", `TRUE`: "Lit",
		`NULL`: "Lit", `-1`: "Lit",
		`MISSING`: "Missing", `[1]`: "List", `{'a': 1}`: "Struct", `<<1>>`: "Bag", `?`: "Parameter",
	} {
		cases = append(cases, kase{name: text, in: statement(text),
			err: invalidText + "Unsupported operation: " + kind})
	}
	for _, text := range []string{`INSRT INTO "T" VALUE {'pk': 'a'}`, `UPDTE "T" SET a = 1`, `DELET FROM "T"`,
		`SELEC pk FROM "T"`, `DROP TABLE "T"`, `CREATE TABLE t`, `FOO BAR`, `FOO, BAR`} {
		cases = append(cases, kase{name: text, in: statement(text),
			err: illFormed + "Unexpected token after expression"})
	}
	for text, end := range map[string]string{
		`SELECT * FROM`:   "Unexpected term",
		`SELECT FROM "T"`: "Expected identifier or an expression but found unexpected keyword 'from' in a select list.",
		`INSERT`:          "Unexpected keyword", `DELETE`: "Expected FROM after DELETE",
		`SELECT * FROM "T" WHERE IS NULL`: "Unexpected operator",
		`SELECT * FROM "T" WHERE s =`:     "Missing right-hand side expression of infix operator",
		`SELECT * FROM "T" WHERE NOT`:     "Unexpected term",
	} {
		cases = append(cases, kase{name: text, src: "service facts F.70", in: statement(text),
			err: illFormed + end})
	}
	emoji := func(n int) string {
		const around = `SELECT * FROM "no-such-table" WHERE a = ''`
		long := "'" + strings.Repeat("😀", n-len(around)) + "'"
		return `{"Statement":` + quote(strings.Replace(around, "''", long, 1)) + `}`
	}
	cases = append(cases, []kase{
		{name: "two paths of REMOVE", src: "service facts F.49",
			in:  statement(`UPDATE "T" REMOVE l[0], l[1] WHERE pk = 'a'`),
			err: illFormed + "Unexpected token after expression"},
		{name: "8,192 code points", src: "service facts F.67", in: emoji(8192), err: noSuchTable},
		{name: "8,193 code points", src: "service facts F.67", in: emoji(8193),
			err: one + "Value 'SELECT *"},
		{name: "the order of members", src: "service facts F.43", raw: true,
			in: `{"Statement":"","Limit":0,"ReturnConsumedCapacity":"X","Parameters":[],"ReturnValuesOnConditionCheckFailure":"X"}`,
			err: detectedOf("Value 'X' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]",
				"Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
				"Value '' at 'statement' failed to satisfy constraint: Member must have length greater than or equal to 1",
				oldCapacity,
				"Value '[]' at 'parameters' failed to satisfy constraint: Member must have length greater than or equal to 1")},
	}...)
	run(t, defaults{src: "service facts F.50", op: "ExecuteStatement"}, cases)
}

// TestPartiQLKeysOfNoType checks keys that are compared with values that no key can have, two
// conditions on the sort key, and the order of NULLS.
func TestPartiQLKeysOfNoType(t *testing.T) {
	t.Parallel()
	noKey := func(name, kind string) string {
		return invalidText + "Key value must be of type S, N, or B. Key name: " + name + ", Key type: " + kind
	}
	from := func(clause string, members ...string) string {
		return statement(`SELECT * FROM "@comp" WHERE `+clause, members...)
	}
	given := []string{`{@pk,"sk":{"S":"1"}}`, `{@pk,"sk":{"S":"2"}}`}
	both := answered(given...)
	run(t, defaults{src: "service facts F.56", op: "ExecuteStatement", table: "comp"}, []kase{
		{name: "a boolean", in: from(`pk = true`), err: noKey("pk", "BOOL")},
		{name: "a list as a parameter", in: from(`pk = ?`, parameters(`{"L":[]}`)),
			err: noKey("pk", "L")},
		{name: "a sort key", in: from(`pk = 'a' AND sk = NULL`), err: noKey("sk", "NULL")},
		{name: "a scan", in: from(`pk = ? OR a = 1`, parameters(`{"BOOL":true}`)),
			err: noKey("pk", "BOOL")},
		{name: "an index", table: "global",
			in:  statement(`SELECT * FROM "@global"."gall" WHERE gp = {'a': 1}`),
			err: noKey("gp", "M")},
		{name: "a wrong type", in: from(`pk = 1`),
			err: invalidText + "Key attribute's data type should match its data type in table's schema: Key pk"},
		{name: "two conditions beside a whole partition", src: "service facts F.62", given: given,
			in: from(`pk = '$k' AND sk > '0' AND sk < '3' OR pk = '$k'`), want: both},
		{name: "two conditions beside a part", src: "service facts F.62", given: given,
			in: from(`pk = '$k' AND sk > '0' AND sk < '2' OR pk = '$k' AND sk >= '1'`), want: both},
		{name: "NULLS FIRST", src: "service facts F.64", given: given,
			in: from(`pk = '$k' ORDER BY sk NULLS FIRST`), want: both},
		{name: "NULLS LAST", src: "service facts F.64", given: given,
			in: from(`pk = '$k' ORDER BY sk DESC NULLS LAST`), want: answered(given[1], given[0])},
		{name: "DELETE of no item in a transaction that is canceled", src: "service facts F.41",
			op: "ExecuteTransaction",
			in: transaction(statement(`DELETE FROM "@comp" WHERE pk = '$k' AND sk = '1' AND a = 1`),
				statement(`UPDATE "@comp" SET a = 1 WHERE pk = '$k' AND sk = '2'`)),
			err: cancelledFor + "[ConditionalCheckFailed, ConditionalCheckFailed]"},
		{name: "DELETE by the key alone in a transaction that is canceled", src: "service facts F.41",
			op: "ExecuteTransaction",
			in: transaction(statement(`DELETE FROM "@comp" WHERE pk = '$k' AND sk = '1'`),
				statement(`UPDATE "@comp" SET a = 1 WHERE pk = '$k' AND sk = '2'`)),
			err: cancelledFor + "[None, ConditionalCheckFailed]"},
		{name: "DELETE of no item in a transaction that commits", src: "service facts F.41",
			op:   "ExecuteTransaction",
			in:   transaction(statement(`DELETE FROM "@comp" WHERE pk = '$k' AND sk = '1' AND a = 1`)),
			want: responses()},
	})
}

// TestPartiQLTokens checks which statements take a token back.
func TestPartiQLTokens(t *testing.T) {
	t.Parallel()
	key := newKey()
	for _, sk := range []string{"1", "2", "3"} {
		call(t, "PutItem", expand(t, `{"TableName":"@comp","Item":{@pk,"sk":{"S":"`+sk+`"},"l":{"L":[]}}}`, key))
	}
	const text = `SELECT * FROM "@comp" WHERE pk = '$k' AND sk > ?`
	zero := parameters(`{"S":"0"}`)
	same := statement(text, zero)
	list := statement(text+` AND l = ?`, parameters(`{"S":"0"}`, `{"L":[]}`))
	other := invalidText + "NextToken does not match request"
	for _, c := range []struct{ name, src, first, second, err string }{
		{"the same", "service facts F.37", same, same, ""},
		{"a blank", "service facts F.37", same, statement(text+" ", zero), other},
		{"a keyword", "service facts F.37", same, strings.Replace(same, "SELECT", "select", 1),
			other},
		{"a semicolon", "service facts F.37", same, statement(text+";", zero), other},
		{"another parameter", "service facts F.38", same,
			statement(text, parameters(`{"S":"00"}`)), other},
		{"a list", "service facts F.38", list, list, other},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kase{src: c.src, err: c.err}
			k.mark(t)
			limited := func(s string) string {
				return strings.TrimSuffix(expand(t, s, key), "}") + `,"Limit":1}`
			}
			token, _ := call(t, "ExecuteStatement", limited(c.first))["NextToken"].(string)
			assert.NotEmpty(t, token)
			in := strings.TrimSuffix(limited(c.second), "}") + `,"NextToken":"` + token + `"}`
			if c.err != "" {
				refuse(t, "ExecuteStatement", in, c.err)
				return
			}
			assert.Len(t, call(t, "ExecuteStatement", in)["Items"], 1)
		})
	}
}
