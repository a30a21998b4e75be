package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// statement writes a request of ExecuteStatement, or one statement of a batch or transaction.
// members are further members. A parameter is given as "?" and its value.
func statement(text string, members ...string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return `{"Statement":` + strings.Join(append([]string{string(quoted)}, members...), ",") + `}`
}

// parameters writes the member Parameters.
func parameters(values ...string) string {
	return `"Parameters":[` + strings.Join(values, ",") + `]`
}

func answered(items ...string) string { return `{"Items":[` + strings.Join(items, ",") + `]}` }

const (
	noWrite       = "ValidationException: Where clause does not contain a mandatory equality on all key attributes"
	conditionFail = conditionFailed
	onlySelects   = "API Reference, ExecuteStatement, Limit and NextToken: of reads"
	keyType       = "ValidationException: Key attribute's data type should match its data type in table's schema: Key "
	malformed     = "ValidationException: Statement wasn't well formed, can't be processed: *"
)

func TestPartiQLInsert(t *testing.T) {
	t.Parallel()
	run(t, defaults{
		src: "Developer Guide, PartiQL insert statements for DynamoDB", table: "hash",
		op: "ExecuteStatement",
	}, []kase{
		{name: "an item", in: statement(`INSERT INTO "@hash" VALUE {'pk': '$k', 'a': 1}`),
			want: answered(), then: `{@pk,"a":{"N":"1"}}`},
		{name: "literals of every type",
			in: statement(
				`insert into "@hash" value {'pk':'$k','s':'it''s','n':-1.50,'t':true,'f':FALSE,'z':null,'l':[1,'a',[]],'m':{'x':{}},'ss':<<'b','a'>>,'ns':<<2,1>>}`),
			want: answered(),
			then: `{@pk,"s":{"S":"it's"},"n":{"N":"-1.5"},"t":{"BOOL":true},"f":{"BOOL":false},"z":{"NULL":true},"l":{"L":[{"N":"1"},{"S":"a"},{"L":[]}]},"m":{"M":{"x":{"M":{}}}},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]}}`},
		{name: "parameters",
			in: statement(`INSERT INTO "@hash" VALUE {'pk': ?, 'b': ?, 's': ?}`,
				parameters(`{"S":"$k"}`, `{"B":"AQ=="}`, `{"BS":["AQ=="]}`)), want: answered(),
			then: `{@pk,"b":{"B":"AQ=="},"s":{"BS":["AQ=="]}}`},
		{name: "an item that exists", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`),
			err:  "DuplicateItemException: Duplicate primary key exists in table",
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "Limit", src: onlySelects,
			in:  statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`, `"Limit":1`),
			err: "ValidationException: *", then: "none"},
		{name: "NextToken", src: onlySelects,
			in:  statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`, `"NextToken":"abc"`),
			err: "ValidationException: *", then: "none"},
		{name: "an empty list of parameters", src: "API Reference, ExecuteStatement, Parameters",
			raw: true,
			in:  `{"Statement":"INSERT INTO \"@hash\" VALUE {'pk': '$k'}","Parameters":[]}`,
			err: "ValidationException: 1 validation error detected: Value '[]' at 'parameters' failed to satisfy constraint: Member must have length greater than or equal to 1", then: "none"},
		{name: "without a key", in: statement(`INSERT INTO "@hash" VALUE {'a': 1}`),
			err: "ValidationException: One or more parameter values were invalid: Missing the key pk in the item"},
		{name: "a key of another type", in: statement(`INSERT INTO "@hash" VALUE {'pk': 1}`),
			src: "service facts A.3", err: keyType + "pk"},
		{name: "unknown table", in: statement(`INSERT INTO "no-such-table" VALUE {'pk': 'a'}`),
			err: noSuchTable},
		{name: "too few parameters", in: statement(`INSERT INTO "@hash" VALUE {'pk': ?}`),
			err: "ValidationException: Number of parameters in request and statement don't match."},
		{name: "more parameters", src: "service facts A.14",
			in:   statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`, parameters(`{"S":"a"}`)),
			want: answered(), then: `{@pk}`},
		{name: "capacity",
			in: statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`,
				`"ReturnConsumedCapacity":"TOTAL"`),
			want: `{"Items":[],"ConsumedCapacity":` + consumed("hash", "1", "") + `}`},
	})
}

func TestPartiQLUpdate(t *testing.T) {
	t.Parallel()
	given := []string{
		`{@pk,"n":{"N":"1"},"l":{"L":[{"N":"1"}]},"s":{"SS":["a","b"]},"m":{"M":{"x":{"N":"1"}}}}`,
	}
	update := func(clauses string) string { return statement(`UPDATE "@hash" ` + clauses) }
	run(t, defaults{
		src: "Developer Guide, PartiQL update statements for DynamoDB", table: "hash",
		op: "ExecuteStatement",
	}, []kase{
		{name: "SET", given: given[:1], in: update(`SET n = 2 SET "x" = 'y' WHERE pk = '$k'`),
			want: answered(),
			then: `{@pk,"n":{"N":"2"},"x":{"S":"y"},"l":{"L":[{"N":"1"}]},"s":{"SS":["a","b"]},"m":{"M":{"x":{"N":"1"}}}}`},
		{name: "REMOVE", given: given, in: update(`REMOVE l REMOVE s REMOVE m.x WHERE pk = '$k'`),
			then: `{@pk,"n":{"N":"1"},"m":{"M":{}}}`},
		{name: "arithmetic", given: []string{`{@pk,"n":{"N":"1"}}`},
			in:   update(`SET n = n + 4 SET d = n - 3 WHERE pk = '$k'`),
			then: `{@pk,"n":{"N":"5"},"d":{"N":"-2"}}`},
		{name: "list_append", given: []string{`{@pk,"l":{"L":[{"N":"1"}]}}`},
			in:   update(`SET l = list_append(l, [2]) WHERE pk = '$k'`),
			then: `{@pk,"l":{"L":[{"N":"1"},{"N":"2"}]}}`},
		{name: "set_add", given: []string{`{@pk,"s":{"SS":["a"]}}`},
			in:   update(`SET s = set_add(s, <<'b'>>) WHERE pk = '$k'`),
			then: `{@pk,"s":{"SS":["a","b"]}}`},
		{name: "set_delete", given: []string{`{@pk,"s":{"SS":["a","b"]}}`},
			in:   update(`SET s = set_delete(s, <<'b'>>) WHERE pk = '$k'`),
			then: `{@pk,"s":{"SS":["a"]}}`},
		{name: "set_add of a number", given: given,
			in: update(`SET n = set_add(n, 1) WHERE pk = '$k'`), src: "service facts 2.14",
			err: "ValidationException: The second argument to SET_ADD must be a value with type SET at *"},
		{name: "elements and members", given: given,
			in:   update(`SET l[0] = 'x' SET m['x'] = 'y' REMOVE s REMOVE n WHERE pk = '$k'`),
			then: `{@pk,"l":{"L":[{"S":"x"}]},"m":{"M":{"x":{"S":"y"}}}}`},
		{name: "parameters", given: []string{`{@pk}`},
			in: statement(`UPDATE "@hash" SET a = ? WHERE pk = ?`,
				parameters(`{"B":"AQ=="}`, `{"S":"$k"}`)), then: `{@pk,"a":{"B":"AQ=="}}`},
		{name: "RETURNING ALL OLD", given: []string{`{@pk,"a":{"N":"1"},"b":{"N":"1"}}`},
			in:   update(`SET a = 2 WHERE pk = '$k' RETURNING ALL OLD *`),
			want: answered(`{@pk,"a":{"N":"1"},"b":{"N":"1"}}`)},
		{name: "RETURNING ALL NEW", given: []string{`{@pk,"a":{"N":"1"},"b":{"N":"1"}}`},
			in:   update(`SET a = 2 WHERE pk = '$k' RETURNING ALL NEW *`),
			want: answered(`{@pk,"a":{"N":"2"},"b":{"N":"1"}}`)},
		{name: "RETURNING MODIFIED OLD", given: []string{`{@pk,"a":{"N":"1"},"b":{"N":"1"}}`},
			in:   update(`SET a = 2 WHERE pk = '$k' RETURNING MODIFIED OLD *`),
			want: answered(`{"a":{"N":"1"}}`)},
		{name: "RETURNING MODIFIED NEW", given: []string{`{@pk,"a":{"N":"1"},"b":{"N":"1"}}`},
			in:   update(`SET a = 2 WHERE pk = '$k' RETURNING MODIFIED NEW *`),
			want: answered(`{"a":{"N":"2"}}`)},
		{name: "RETURNING of a missing item", given: []string{`{@pk}`},
			in: update(`SET a = 2 WHERE pk = '$k' RETURNING MODIFIED OLD *`), want: answered()},
		{name: "no such item", in: update(`SET a = 2 WHERE pk = '$k'`), err: conditionFail,
			then: "none"},
		{name: "a condition that holds", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: update(`SET a = 2 WHERE pk = '$k' AND a = 1`), then: `{@pk,"a":{"N":"2"}}`},
		{name: "a condition that does not hold", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: update(`SET a = 2 WHERE pk = '$k' AND a > 1`), err: conditionFail,
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "Limit", src: onlySelects, given: []string{`{@pk}`},
			in:  statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k'`, `"Limit":1`),
			err: "ValidationException: *", then: `{@pk}`},
		{name: "NextToken", src: onlySelects, given: []string{`{@pk}`},
			in:  statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k'`, `"NextToken":"abc"`),
			err: "ValidationException: *", then: `{@pk}`},
		{name: "without WHERE", in: update(`SET a = 2`), err: noWrite},
		{name: "without the key", in: update(`SET a = 2 WHERE a = 1`), err: noWrite},
		{name: "without all of the key", table: "comp",
			in: statement(`UPDATE "@comp" SET a = 2 WHERE pk = '$k'`), err: noWrite},
		{name: "keys by OR", in: update(`SET a = 2 WHERE pk = '$k' OR pk = 'x'`), err: noWrite},
		{name: "keys by a range", in: update(`SET a = 2 WHERE pk > '$k'`), err: noWrite},
		{name: "the key first or last", given: []string{`{@pk}`},
			in: update(`SET a = 2 WHERE b IS MISSING AND '$k' = pk`), then: `{@pk,"a":{"N":"2"}}`},
		{name: "the key itself", given: []string{`{@pk}`},
			in:  update(`SET pk = 'x' WHERE pk = '$k'`),
			err: updatedKey},
		{name: "a missing attribute", given: []string{`{@pk}`},
			in:  update(`SET a = b + 1 WHERE pk = '$k'`),
			err: "ValidationException: The provided expression refers to an attribute that does not exist in the item"},
		{name: "capacity", given: []string{`{@pk}`},
			in: statement(`UPDATE "@hash" SET a = 1 WHERE pk = '$k'`,
				`"ReturnConsumedCapacity":"TOTAL"`),
			want: `{"Items":[],"ConsumedCapacity":` + consumed("hash", "1", "") + `}`},
	})
}

func TestPartiQLDelete(t *testing.T) {
	t.Parallel()
	given := []string{`{@pk,"a":{"N":"1"}}`}
	run(t, defaults{
		src: "Developer Guide, PartiQL delete statements for DynamoDB", table: "hash",
		op: "ExecuteStatement",
	}, []kase{
		{name: "an item", given: given, in: statement(`DELETE FROM "@hash" WHERE pk = '$k'`),
			want: answered(), then: "none"},
		{name: "RETURNING ALL OLD", given: given,
			in:   statement(`DELETE FROM "@hash" WHERE pk = '$k' RETURNING ALL OLD *`),
			want: answered(given[0]), then: "none"},
		{name: "RETURNING of no item",
			in:   statement(`DELETE FROM "@hash" WHERE pk = '$k' RETURNING ALL OLD *`),
			want: answered()},
		{name: "no item", in: statement(`DELETE FROM "@hash" WHERE pk = '$k'`), want: answered()},
		{name: "no item and a condition",
			in: statement(`DELETE FROM "@hash" WHERE pk = '$k' AND a = 1`), want: answered()},
		{name: "a condition that holds", given: given,
			in: statement(`DELETE FROM "@hash" WHERE pk = '$k' AND a = 1`), want: answered(),
			then: "none"},
		{name: "a condition that does not hold", given: given,
			in: statement(`DELETE FROM "@hash" WHERE pk = '$k' AND a = 2`), err: conditionFail,
			then: given[0]},
		{name: "Limit", src: onlySelects, given: given,
			in:  statement(`DELETE FROM "@hash" WHERE pk = '$k'`, `"Limit":1`),
			err: "ValidationException: *", then: given[0]},
		{name: "NextToken", src: onlySelects, given: given,
			in:  statement(`DELETE FROM "@hash" WHERE pk = '$k'`, `"NextToken":"abc"`),
			err: "ValidationException: *", then: given[0]},
		{name: "without the key", in: statement(`DELETE FROM "@hash" WHERE a = 2`), err: noWrite},
		{name: "without WHERE", in: statement(`DELETE FROM "@hash"`), err: noWrite},
	})
}

func TestPartiQLSelect(t *testing.T) {
	t.Parallel()
	item := func(sk, more string) string {
		return `{"pk":{"S":"partiql"},"sk":{"S":"` + sk + `"}` + more + `}`
	}
	a := item("a", `,"n":{"N":"1"},"s":{"SS":["x"]},"m":{"M":{"l":{"L":[{"N":"7"},{"N":"8"}]}}}`)
	ab := item("ab", `,"n":{"N":"2"},"z":{"NULL":true}`)
	b := item("b", `,"n":{"N":"3"},"t":{"S":"text"}`)
	other := `{"pk":{"S":"partiql2"},"sk":{"S":"a"},"n":{"N":"4"}}`
	load(t, "comp", a, ab, b, other)
	where := func(condition string) string {
		return statement(`SELECT * FROM "@comp" WHERE pk = 'partiql' AND `+condition,
			`"ConsistentRead":true`)
	}
	selected := func(columns string) string {
		return statement(`SELECT `+columns+` FROM "@comp" WHERE pk = 'partiql' AND sk = 'a'`,
			`"ConsistentRead":true`)
	}
	run(t, defaults{
		src:   "Developer Guide, PartiQL select statements, operators and functions for DynamoDB",
		table: "comp", op: "ExecuteStatement",
	}, []kase{
		{name: "partition",
			in:   statement(`SELECT * FROM "@comp" WHERE pk = 'partiql'`, `"ConsistentRead":true`),
			want: answered(a, ab, b)},
		{name: "no such partition", in: statement(`SELECT * FROM "@comp" WHERE pk = 'none'`),
			want: answered()},
		{name: "key", in: where(`sk = 'ab'`), want: answered(ab)},
		{name: "sort key range", in: where(`sk > 'a' AND sk <= 'b'`), want: answered(ab, b)},
		{name: "sort key between", in: where(`sk BETWEEN 'ab' AND 'b'`), want: answered(ab, b)},
		{name: "sort key begins_with", in: where(`begins_with(sk, 'a')`), want: answered(a, ab)},
		{name: "sort key swapped", in: where(`'b' <= sk`), want: answered(b)},
		{name: "sort key in", in: where(`sk IN ['a', 'b']`), want: answered(a, b)},
		{name: "attribute", in: where(`n >= 2`), want: answered(ab, b)},
		{name: "not equal", in: where(`n <> 2`), want: answered(a, b)},
		{name: "not equal, the other way", in: where(`n != 2`), want: answered(a, b)},
		{name: "or", in: where(`(n = 1 OR n = 3)`), want: answered(a, b)},
		{name: "not", in: where(`NOT n = 1`), want: answered(ab, b)},
		{name: "in", in: where(`n IN (1, 3)`), want: answered(a, b)},
		{name: "not in", in: where(`n NOT IN [1, 3]`), want: answered(ab)},
		{name: "between", in: where(`n BETWEEN 2 AND 3`), want: answered(ab, b)},
		{name: "missing", in: where(`t IS MISSING`), want: answered(a, ab)},
		{name: "not missing", in: where(`t IS NOT MISSING`), want: answered(b)},
		{name: "null", in: where(`z IS NULL`), want: answered(ab)},
		{name: "contains", in: where(`contains(s, 'x')`), want: answered(a)},
		{name: "attribute_type", in: where(`attribute_type(t, 'S')`), want: answered(b)},
		{name: "size", in: where(`size(t) = 4`), want: answered(b)},
		{name: "nested", in: where(`m.l[1] = 8`), want: answered(a)},
		{name: "functions in capitals", in: where(`BEGINS_WITH(t, 'te')`), want: answered(b)},
		{name: "partitions by OR",
			in: statement(
				`SELECT * FROM "@comp" WHERE (pk = 'partiql' AND sk = 'b') OR pk = 'partiql2'`,
				`"ConsistentRead":true`), want: answered(b, other)},
		{name: "partitions by IN",
			in: statement(`SELECT * FROM "@comp" WHERE pk IN ['partiql2', 'partiql'] AND sk = 'a'`,
				`"ConsistentRead":true`), want: answered(other, a)},
		{name: "columns", in: selected(`n, sk, none`),
			want: answered(`{"sk":{"S":"a"},"n":{"N":"1"}}`)},
		{name: "a column twice", in: selected(`n, n`), want: answered(`{"n":{"N":"1"}}`)},
		{name: "a nested column", in: selected(`m.l, n`),
			want: answered(`{"l":{"L":[{"N":"7"},{"N":"8"}]},"n":{"N":"1"}}`)},
		{name: "descending",
			in: statement(`SELECT * FROM "@comp" WHERE pk = 'partiql' ORDER BY sk DESC`,
				`"ConsistentRead":true`), want: answered(b, ab, a)},
		{name: "ascending",
			in: statement(`SELECT * FROM "@comp" WHERE pk = 'partiql' ORDER BY sk ASC`,
				`"ConsistentRead":true`), want: answered(a, ab, b)},
		{name: "ordered by the partition key",
			in: statement(
				`SELECT * FROM "@comp" WHERE pk IN ['partiql', 'partiql2'] AND sk = 'a' ORDER BY pk DESC`, `"ConsistentRead":true`), want: answered(other, a)},
		{name: "ordered without WHERE", in: statement(`SELECT * FROM "@comp" ORDER BY sk`),
			err: "ValidationException: Must have WHERE clause in the statement when using ORDER BY clause."},
		{name: "ordered without a partition key",
			in:  statement(`SELECT * FROM "@comp" WHERE n = 1 ORDER BY sk`),
			err: "ValidationException: Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."},
		{name: "ordered by a non-key attribute",
			in:  statement(`SELECT * FROM "@comp" WHERE pk = 'partiql' ORDER BY n`),
			src: "service facts A.18",
			err: "ValidationException: Attribute n in ORDER BY clause must be part of the primary key"},
		{name: "parameters",
			in: statement(`SELECT * FROM "@comp" WHERE pk = ? AND n IN [?, ?]`,
				`"ConsistentRead":true`, parameters(`{"S":"partiql"}`, `{"N":"1"}`, `{"N":"2"}`)),
			want: answered(a, ab)},
		{name: "capacity",
			in: statement(`SELECT * FROM "@comp" WHERE pk = 'partiql' AND sk = 'a'`,
				`"ConsistentRead":true`, `"ReturnConsumedCapacity":"TOTAL"`),
			want: `{"Items":[` + a + `],"ConsumedCapacity":` + consumed("comp", "1", "") + `}`},
		{name: "capacity of two partitions",
			in: statement(`SELECT * FROM "@comp" WHERE pk IN ['partiql', 'none'] AND sk = 'a'`,
				`"ReturnConsumedCapacity":"TOTAL"`),
			want: `{"Items":[` + a + `],"ConsumedCapacity":` + consumed("comp", "1", "") + `}`},
		{name: "a key of another type", in: statement(`SELECT * FROM "@comp" WHERE pk = 1`),
			src: "service facts A.3", err: keyType + "pk"},
		{name: "no such index", in: statement(`SELECT * FROM "@comp"."nothing"`),
			src: "service facts 2.17",
			err: "ValidationException: The table does not have the specified index"},
		{name: "no such table", in: statement(`SELECT * FROM "no-such-table"`),
			err: noSuchTable},
		{name: "a bad name of a table", in: statement(`SELECT * FROM "a b"`),
			err: "ValidationException: 1 validation error detected: Value 'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "no statement", in: statement(`GIVE ME ALL`), err: malformed},
		{name: "a hyphen in a plain name", src: "awsdocs/aws-sdk-for-javascript-v3, issue 98",
			in: statement(`UPDATE Payment-dev SET active=? WHERE subscriptionId=?`,
				parameters(`{"BOOL":false}`, `{"S":"x"}`)),
			err: "ValidationException: Statement wasn't well formed, can't be processed: Expected data manipulation"},
		{name: "columns and values", src: "passren/PyDynamoDB, issue 26",
			in: statement(`INSERT INTO urls (key, secret_key) VALUES (?, ?)`,
				parameters(`{"S":"x"}`, `{"S":"x"}`)),
			err: "ValidationException: Statement wasn't well formed, can't be processed: Unexpected keyword"},
		{name: "a reserved word", in: statement(`SELECT user FROM "@comp"`), err: malformed},
		{name: "no table", in: statement(`SELECT * FROM`), err: malformed},
		{name: "no columns", in: statement(`SELECT FROM "@comp"`), err: malformed},
		{name: "two statements", in: statement(`SELECT * FROM "@comp"; SELECT * FROM "@comp"`),
			err: malformed},
		{name: "an alias of a column", in: statement(`SELECT n AS m FROM "@comp"`),
			err: "ValidationException: *"},
		{name: "an aggregate", in: statement(`SELECT COUNT(*) FROM "@comp"`),
			err: "ValidationException: *"},
		{name: "DISTINCT", in: statement(`SELECT DISTINCT n FROM "@comp"`),
			err: "ValidationException: *"},
		{name: "GROUP BY", in: statement(`SELECT n FROM "@comp" GROUP BY n`),
			err: "ValidationException: *"},
		{name: "a join", in: statement(`SELECT * FROM "@comp", "@hash"`),
			err: "ValidationException: *"},
		{name: "a string that does not end", in: statement(`SELECT * FROM "@comp" WHERE pk = 'a`),
			err: "ValidationException: *"},
		{name: "a member of a map without quotes",
			in:  statement(`INSERT INTO "@comp" VALUE {pk: 'a', 'sk': 'b'}`),
			err: "ValidationException: *"},
		{name: "a value that is no map", in: statement(`INSERT INTO "@comp" VALUE 'a'`),
			err: "ValidationException: *"},
		{name: "an index too large",
			in:  statement(`SELECT * FROM "@comp" WHERE l[99999999999] = 1`),
			err: "ValidationException: *"},
		{name: "too deep",
			in: statement(`SELECT * FROM "@comp" WHERE ` +
				strings.Repeat("(", 1000) + "n = 1" + strings.Repeat(")", 1000)),
			err: "ValidationException: *"},
		{name: "LIMIT is a parameter", in: statement(`SELECT * FROM "@comp" LIMIT 1`),
			err: malformed},
		{name: "EXISTS by itself",
			in:  statement(`EXISTS(SELECT * FROM "@comp" WHERE pk = 'a' AND sk = 'b')`),
			err: "ValidationException: EXISTS can only be used in ExecuteTransaction write requests."},
		{name: "WHERE that is no condition", in: statement(`SELECT * FROM "@comp" WHERE n`),
			err: "ValidationException: *"},
		{name: "arithmetic in WHERE", in: statement(`SELECT * FROM "@comp" WHERE n + 1 = 2`),
			err: "ValidationException: *"},
		{name: "an update's function in WHERE",
			in:  statement(`SELECT * FROM "@comp" WHERE set_add(s, <<'x'>>)`),
			err: "ValidationException: *"},
		{name: "order of lists", in: statement(`SELECT * FROM "@comp" WHERE n < [1]`),
			err: "ValidationException: *"},
		{name: "a bad parameter",
			in:  statement(`SELECT * FROM "@comp" WHERE n = ?`, parameters(`{"N":"x"}`)),
			err: notNumericFault},
		{name: "more than 100 in IN",
			in:  statement(`SELECT * FROM "@comp" WHERE n IN [` + strings.Repeat("1,", 100) + `1]`),
			err: "ValidationException: The IN operator is provided with too many operands; number of operands: 101"},
		{name: "an empty statement", raw: true, in: `{"Statement":""}`,
			err: "ValidationException: 1 validation error detected: Value '' at 'statement' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "too long a statement", in: statement(strings.Repeat(" ", 8193)),
			err: "ValidationException: 1 validation error detected: Value *"},
		{name: "a token of nobody's", in: statement(`SELECT * FROM "@comp"`, `"NextToken":"abc"`),
			err: "ValidationException: *"},
	})
}

func TestPartiQLIndex(t *testing.T) {
	t.Parallel()
	item := func(pk, gs, more string) string {
		return `{"pk":{"S":"` + pk + `"},"sk":{"S":"a"},"gp":{"S":"partiql"},"gs":{"N":"` +
			gs + `"}` + more + `}`
	}
	one, two := item("pq1", "1", `,"x":{"N":"1"}`), item("pq2", "2", `,"x":{"N":"2"}`)
	load(t, "global", one, two)
	run(t, defaults{
		src: "Developer Guide, PartiQL select statements for DynamoDB, index", table: "global",
		op: "ExecuteStatement",
	}, []kase{
		{name: "query",
			in:   statement(`SELECT pk FROM "@global"."gkeys" WHERE gp = 'partiql' AND gs > 1`),
			want: answered(`{"pk":{"S":"pq2"}}`)},
		{name: "all that it holds",
			in: statement(
				`SELECT * FROM "@global"."gkeys" WHERE gp = 'partiql' ORDER BY gs DESC`),
			want: answered(item("pq2", "2", ""), item("pq1", "1", ""))},
		{name: "an attribute that it lacks",
			in:  statement(`SELECT x FROM "@global"."gkeys" WHERE gp = 'partiql'`),
			err: "ValidationException: One or more parameter values were invalid: Global secondary index gkeys does not project [x]"},
		{name: "consistent",
			in: statement(`SELECT * FROM "@global"."gkeys" WHERE gp = 'partiql'`,
				`"ConsistentRead":true`), src: "service facts 2.17",
			err: "ValidationException: Strongly consistent read is not supported on Global Secondary Indexes"},
		{name: "capacity",
			in: statement(`SELECT pk FROM "@global"."gkeys" WHERE gp = 'partiql' AND gs = 1`,
				`"ReturnConsumedCapacity":"TOTAL"`),
			want: `{"Items":[{"pk":{"S":"pq1"}}],"ConsumedCapacity":` +
				consumed("global", "0.5", "") + `}`},
	})
}

func TestPartiQLOtherIndexes(t *testing.T) {
	t.Parallel()
	multi := func(pk, b, c string) string {
		return `{"pk":{"S":"` + pk + `"},"a":{"S":"partiql"},"b":{"S":"` +
			b + `"},"c":{"N":"` + c + `"},"d":{"S":"d"}}`
	}
	load(t, "multi", multi("pm1", "x", "1"), multi("pm2", "x", "2"), multi("pm3", "y", "1"))
	local := func(pk, sk, lk string) string {
		return `{"pk":{"S":"` + pk + `"},"sk":{"S":"` + sk + `"},"lk":{"S":"` + lk +
			`"},"x":{"S":"` + sk + `"}}`
	}
	load(t, "local", local("pl1", "a", "2"), local("pl1", "b", "1"), local("pl2", "a", "3"))
	from := func(text string) string { return `SELECT ` + text }
	run(t, defaults{
		src: "Developer Guide, PartiQL select statements for DynamoDB, index", table: "multi",
		op: "ExecuteStatement",
	}, []kase{
		{name: "scan",
			in: statement(from(`pk FROM "@multi" WHERE c = 2 AND begins_with(pk, 'pm')`),
				`"ConsistentRead":true`), want: answered(`{"pk":{"S":"pm2"}}`)},
		{name: "local index", table: "local",
			in: statement(from(`x FROM "@local"."lkeys" WHERE pk IN ['pl1', 'pl2'] AND lk <> '4'`),
				`"ConsistentRead":true`),
			want: answered(`{"x":{"S":"b"}}`, `{"x":{"S":"a"}}`, `{"x":{"S":"a"}}`)},
		{name: "local index, all that it holds", table: "local",
			in: statement(from(`* FROM "@local"."lkeys" WHERE pk = 'pl2'`),
				`"ConsistentRead":true`),
			want: answered(`{"pk":{"S":"pl2"},"sk":{"S":"a"},"lk":{"S":"3"}}`)},
	})
}

// TestPartiQLPages: API Reference, ExecuteStatement, Limit and NextToken; Developer
// Guide, "PartiQL operators", IN.
func TestPartiQLPages(t *testing.T) {
	t.Parallel()
	var items, keys []string
	for i := range 12 {
		key := fmt.Sprintf("pages%02d", i)
		keys = append(keys, "'"+key+"'")
		items = append(items, `{"pk":{"S":"`+key+`"},"sk":{"S":"a"}}`,
			`{"pk":{"S":"`+key+`"},"sk":{"S":"b"}}`)
	}
	load(t, "comp", items...)
	in := `SELECT * FROM "@comp" WHERE pk IN [` + strings.Join(keys, ",") + `]`
	for _, k := range []struct {
		name, text, members string
		pages               []int
	}{
		{"IN has pages of 10", in, "", []int{10, 10, 4}},
		{"Limit", in, `,"Limit":7`, []int{7, 7, 7, 3}},
		{"Limit at the end of a partition", `SELECT * FROM "@comp" WHERE pk = 'pages00'`,
			`,"Limit":1`, []int{1, 1, 0}},
		{"Limit of one item", `SELECT * FROM "@comp" WHERE pk = 'pages00' AND sk = 'a'`,
			`,"Limit":1`, []int{1}},
		{"backwards",
			`SELECT * FROM "@comp" WHERE pk = 'pages00' OR pk = 'pages01' ORDER BY pk DESC, sk DESC`, `,"Limit":3`, []int{3, 1}},
	} {
		t.Run(k.name, func(t *testing.T) {
			request := strings.TrimSuffix(statement(k.text), "}") + `,"ConsistentRead":true` +
				k.members
			var pages []int
			seen := map[string]bool{}
			for token := ""; ; {
				answer := call(t, "ExecuteStatement", request+token+"}")
				found := at(t, answer, "Items").([]any)
				pages = append(pages, len(found))
				for _, it := range found {
					seen[encode(it)] = true
				}
				if answer["NextToken"] == nil {
					assert.Nil(t, answer["LastEvaluatedKey"])
					break
				}
				require.NotNil(t, answer["LastEvaluatedKey"])
				require.Less(t, len(pages), 10)
				token = fmt.Sprintf(`,"NextToken":%q`, answer["NextToken"])
			}
			assert.Equal(t, k.pages, pages)
			total := 0
			for _, n := range k.pages {
				total += n
			}
			assert.Len(t, seen, total)
		})
	}
	first := call(t, "ExecuteStatement", statement(in))
	require.NotNil(t, first["NextToken"])
	// aws-sdk-js-v3, issue 4424
	refuse(t, "ExecuteStatement",
		statement(`SELECT * FROM "@comp" WHERE pk = 'pages00'`,
			fmt.Sprintf(`"NextToken":%q`, first["NextToken"])),
		"ValidationException: NextToken does not match request")
}
