package conformance

import (
	"fmt"
	"strings"
	"testing"
)

const (
	illFormed     = "ValidationException: Statement wasn't well formed, can't be processed: "
	invalidText   = "ValidationException: "
	overlapping   = "Overlapping conditions with range keys are not supported in where clause"
	tooManyReads  = "Too many decomposed read operations for a given query."
	missingKey    = "The provided key element does not match the schema"
	cancelledFor  = "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons "
	overflow      = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflow     = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	notConverted  = "The parameter cannot be converted to a numeric value"
	scalars       = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	unsupportedIn = "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"
)

func at0(text string) string { return "Validation failed in TransactStatements[0]: " + text }

// literals writes the n literals 'v0', 'v1' ...
func literals(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("'v%d'", i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

func TestPartiQLForms(t *testing.T) {
	t.Parallel()
	given := []string{`{@pk,"a":{"N":"1"}}`}
	from := func(clauses string, members ...string) string {
		return statement(`FROM "@hash" `+clauses, members...)
	}
	run(t, defaults{src: "service facts 2.1", table: "hash", op: "ExecuteStatement"}, []kase{
		{name: "FROM and SET", given: given, in: from(`WHERE pk = '$k' SET a = 2, b = 'x'`),
			want: answered(), then: `{@pk,"a":{"N":"2"},"b":{"S":"x"}}`},
		{name: "FROM, SET and REMOVE, in any case", given: given,
			in: from(`where pk = '$k' remove a set b = a + 1 remove c`), want: answered(),
			then: `{@pk,"b":{"N":"2"}}`},
		{name: "FROM and a condition that holds", given: given,
			in: from(`WHERE a = 1 AND pk = '$k' SET a = 3`), want: answered(),
			then: `{@pk,"a":{"N":"3"}}`},
		{name: "FROM and a condition that fails", given: given,
			in: from(`WHERE pk = '$k' AND a > 1 SET a = 3`), err: conditionFail, then: given[0]},
		{name: "FROM and no item", in: from(`WHERE pk = '$k' SET a = 3`), err: conditionFail,
			then: "none"},
		{name: "FROM and RETURNING", given: given,
			in:   from(`WHERE pk = '$k' SET b = ? RETURNING ALL NEW *`, parameters(`{"S":"y"}`)),
			want: answered(`{@pk,"a":{"N":"1"},"b":{"S":"y"}}`)},
		{name: "FROM in a transaction", op: "ExecuteTransaction", given: given,
			in: transaction(from(`WHERE pk = '$k' REMOVE a`)), want: responses(), then: `{@pk}`},
		{name: "FROM in a batch", op: "BatchExecuteStatement", given: given,
			in:   batch(from(`WHERE pk = '$k' SET a = 4 RETURNING MODIFIED NEW *`)),
			want: responses(`{"TableName":"@hash","Item":{"a":{"N":"4"}}}`)},
		{name: "an unknown word", src: "service facts 2.5",
			in:  statement(`SLECT * FROM "@hash"`),
			err: illFormed + "Expected data manipulation"},
		{name: "an alias", src: "service facts 2.6",
			in:  statement(`SELECT * FROM "@hash" AS h WHERE pk = 'a'`),
			err: invalidText + "Aliasing is not supported"},
		{name: "an alias of DELETE", src: "service facts 2.6",
			in:  statement(`DELETE FROM "@hash" h WHERE pk = 'a'`),
			err: invalidText + "Aliasing is not supported"},
		{name: "an alias of INSERT", src: "service facts 2.6",
			in:  statement(`INSERT INTO "@hash" h VALUE {'pk': 'a'}`),
			err: illFormed + "Unexpected token after expression"},
		{name: "an alias of a column", src: "service facts A.22",
			in:  statement(`SELECT a AS b FROM "@hash"`),
			err: invalidText + "Aliasing is not supported"},
		{name: "an alias and no table", src: "service facts F.59",
			in:  statement(`SELECT * FROM "no-such-table" x`),
			err: invalidText + "Aliasing is not supported"},
		{name: "another comment", src: "service facts 2.7",
			in: statement(`SELECT * FROM "@hash" # all`), err: illFormed},
		{name: "an open comment", src: "service facts 2.7",
			in: statement(`SELECT * /* FROM "@hash"`), err: illFormed},
		{name: "a large exponent", src: "service facts 2.7",
			in: statement(`SELECT * FROM "@hash" WHERE a = 1.5e-2147483648`), err: illFormed},
		{name: "RETURNING of DELETE", src: "service facts 2.9", given: given,
			in: statement(`DELETE FROM "@hash" WHERE pk = '$k' RETURNING ALL NEW *`),
			err: invalidText +
				"Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.", then: given[0]},
		{name: "EXISTS alone", src: "service facts A.19",
			in:  statement(`EXISTS(SELECT * FROM "@hash" WHERE pk = 'a' AND b = 1)`),
			err: invalidText + "EXISTS can only be used in ExecuteTransaction write requests."},
		{name: "COUNT", src: "service facts A.22", in: statement(`SELECT COUNT(*) FROM "@hash"`),
			err: invalidText + "Unexpected path component at 1:8:5"},
		{name: "no tuple", src: "service facts A.23",
			in:  statement(`INSERT INTO "@hash" VALUE ?`, parameters(`{"M":{"pk":{"S":"$k"}}}`)),
			err: invalidText + "Unsupported format in item expression.*", then: "none"},
		{name: "a name twice", src: "service facts A.23",
			in:  statement(`INSERT INTO "@hash" VALUE {'pk': '$k', 'a': 1, 'a': 1}`),
			err: invalidText + "Duplicate keys in tuple. Key: a under root at *", then: "none"},
	})
}

func TestPartiQLLiterals(t *testing.T) {
	t.Parallel()
	given := []string{`{@pk,"n":{"N":"5"},"s":{"SS":["x"]},"l":{"L":[{"N":"7"},{"N":"8"}]}}`}
	set := func(value string, members ...string) string {
		return statement("UPDATE \"@hash\"\nSET a = "+value+` WHERE pk = '$k'`, members...)
	}
	maps := func(n int) string { return strings.Repeat(`{'a':`, n) + "1" + strings.Repeat("}", n) }
	lists := func(n int) string { return strings.Repeat(`{"L":[`, n) + strings.Repeat("]}", n) }
	const tooDeep = "Nesting Levels have exceeded supported limits"
	const nested = tooDeep + ": Attributes in the item have nested levels beyond supported limit"
	run(t, defaults{src: "service facts 2.8", table: "hash", op: "ExecuteStatement"}, []kase{
		{name: "a large number", in: set(`4e126`), err: invalidText + overflow + " under root"},
		{name: "a small number in a map", in: set(`{'k': {'m': 1e-131}}`),
			err: invalidText + underflow + " under root.k.m"},
		{name: "a long number in a list",
			in: set(`[1, 1234567890123456789012345678901234567890123]`),
			err: invalidText +
				"Attempting to store more than 38 significant digits in a Number under root[1]"},
		{name: "a number in WHERE", in: statement(`SELECT * FROM "@hash" WHERE n = -1e200`),
			err: invalidText + overflow + " under root"},
		{name: "a number in INSERT",
			in:  statement(`INSERT INTO "@hash" VALUE {'pk': '$k', 'n': 1e200}`),
			err: invalidText + overflow + " under root"},
		{name: "in a transaction", src: "service facts A.8", op: "ExecuteTransaction",
			in: transaction(set(`4e126`)), err: invalidText + at0(overflow+" under root")},
		{name: "an empty bag", src: "service facts 2.10", in: set(`<<>>`),
			err: invalidText + "Empty bags are not supported"},
		{name: "a large number for a parameter", src: "service facts 2.15",
			in:  set(`?`, parameters(`{"N":"7e9999999999"}`)),
			err: invalidText + notConverted + ": 7e9999999999"},
		{name: "a number that wraps", src: "service facts 2.15",
			in: set(`?`, parameters(`{"L":[{"N":"1e2147483647"}]}`)), err: invalidText + underflow},
		{name: "no number", src: "service facts 2.15",
			in:  statement(`SELECT * FROM "@hash" WHERE n = ?`, parameters(`{"N":""}`)),
			err: invalidText + notConverted},
		{name: "no number in a transaction", src: "service facts 2.15", op: "ExecuteTransaction",
			in:  transaction(set(`?`, parameters(`{"N":"x"}`))),
			err: invalidText + notConverted + ": x"},
		{name: "no number in a batch", src: "service facts 2.15", op: "BatchExecuteStatement",
			in: batch(set(`?`, parameters(`{"NS":["x"]}`))),
			want: responses(`{"Error":{"Code":"ValidationError","Message":"` +
				notConverted + `: x"}}`)},
		{name: "a scale past 32 bits", src: "service facts 1.6",
			in:  set(`?`, parameters(`{"M":{"k":{"N":"-3e-2147483648"}}}`)),
			err: invalidText + notConverted + ": -3e-2147483648"},
		{name: "a magnitude that wraps", src: "service facts 1.6", op: "ExecuteTransaction",
			in:  transaction(set(`?`, parameters(`{"NS":["12e2147483646"]}`))),
			err: invalidText + underflow},
		{name: "depth before a number", src: "service facts 1.10",
			in: set(`?`, parameters(lists(32), `{"N":"x"}`)), err: invalidText + nested},
		{name: "a number before depth", src: "service facts 1.10",
			in:  set(`?`, parameters(`{"L":[{"N":"x"},`+lists(32)+`]}`)),
			err: invalidText + notConverted + ": x"},
		{name: "a number too deep", src: "service facts 1.10",
			in:  set(`?`, parameters(strings.Replace(lists(32), "[]", `[{"N":"x"}]`, 1))),
			err: invalidText + nested},
		{name: "31 levels", src: "service facts A.11", given: given, in: set(maps(31)),
			want: answered()},
		{name: "32 levels", src: "service facts A.11", given: given, in: set(maps(32)),
			err: invalidText + tooDeep + " under root" + strings.Repeat(".a", 31)},
		{name: "300 levels", src: "service facts A.11", in: set(maps(300)),
			err: invalidText + tooDeep + " under root" + strings.Repeat(".a", 31)},
		{name: "32 levels of lists", src: "service facts A.11",
			in: statement(`INSERT INTO "@hash" VALUE {'pk': '$k', 'x': ` +
				strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`),
			err: invalidText + tooDeep + " under root" + strings.Repeat("[0]", 31)},
		{name: "an item too deep", src: "service facts A.11", given: []string{`{@pk,"m":{"M":{}}}`},
			in:  statement(`UPDATE "@hash" SET m.deep = ? WHERE pk = '$k'`, parameters(lists(31))),
			err: invalidText + tooDeep},
		{name: "an item too deep in a batch", src: "service facts A.11",
			op: "BatchExecuteStatement", given: []string{`{@pk,"m":{"M":{}}}`},
			in: batch(statement(`UPDATE "@hash" SET m.deep = ? WHERE pk = '$k'`,
				parameters(lists(31)))), want: responses(failed("ValidationError", tooDeep))},
		{name: "a parameter in a list", src: "service facts A.12",
			in:  set(`[1, ?]`, parameters(`{"S":"x"}`)),
			err: invalidText + "Unsupported data type: Parameter under key root[1] at 2:13:1"},
		{name: "a parameter in a bag", src: "service facts A.12",
			in:  set(`<<?>>`, parameters(`{"S":"x"}`)),
			err: invalidText + unsupportedIn + " at 2:11:1"},
		{name: "parameters in IN", src: "service facts A.12", given: given,
			in: statement(`SELECT pk FROM "@hash" WHERE pk = '$k' AND n IN [?, 2]`,
				`"ConsistentRead":true`, parameters(`{"N":"5"}`)), want: answered(`{@pk}`)},
		{name: "a bag of two types", src: "service facts A.13", in: set(`<<1, 'a'>>`),
			err: invalidText + unsupportedIn},
		{name: "a bag of truths", src: "service facts A.13", in: set(`<<true>>`),
			err: invalidText + unsupportedIn + " at 2:11:4"},
		{name: "equal numbers", src: "service facts A.13", in: set(`<<10, 1e1>>`),
			err: invalidText +
				"One or more parameter values were invalid: Input collection [10, 1e1] contains duplicates! under root"},
		{name: "parameters first", src: "service facts A.14",
			in: statement(`UPDATE "@hash" SET WHERE`, parameters(`{"SS":["a","a"]}`)),
			err: invalidText +
				"One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
		{name: "too few parameters", src: "service facts A.14", in: set(`?`),
			err: invalidText + "Number of parameters in request and statement don't match."},
		{name: "signs", src: "service facts A.16", given: given,
			in: statement(
				`SELECT pk FROM "@hash" WHERE pk = '$k' AND n BETWEEN - 2 AND +5 AND n IN [- - 5] AND n > -/* c */1`, `"ConsistentRead":true`), want: answered(`{@pk}`)},
		{name: "the sign of a path", src: "service facts A.16",
			in: statement(`SELECT * FROM "@hash" WHERE n = -m`), err: invalidText + "*"},
		{name: "an index below zero", src: "service facts A.17",
			in: statement(`SELECT l[-1] FROM "@hash"`),
			err: invalidText +
				"List index is not within the allowable range; index: [-1] at 1:11:1"},
		{name: "an index of minus zero", src: "service facts A.17", given: given,
			in:   statement(`SELECT l[-0] FROM "@hash" WHERE pk = '$k'`, `"ConsistentRead":true`),
			want: answered(`{"l[0]":{"N":"7"}}`)},
		{name: "a large index", src: "service facts A.17",
			in: statement(`SELECT a, l[2147483648] FROM "@hash"`),
			err: invalidText +
				"List index is not within the allowable range; index: [2147483648] at 1:13:10"},
	})
}

func TestPartiQLFunctions(t *testing.T) {
	t.Parallel()
	given := []string{
		`{@pk,"n":{"N":"5"},"s":{"SS":["x"]},"f":{"S":"x"},"yes":{"BOOL":true},"m":{"M":{"a":{"N":"1"}}}}`,
	}
	find := func(condition string) string {
		return statement("SELECT pk FROM \"@hash\"\nWHERE pk = '$k' AND "+condition,
			`"ConsistentRead":true`)
	}
	set := func(clause string, members ...string) string {
		return statement("UPDATE \"@hash\"\nSET "+clause+" WHERE pk = '$k'", members...)
	}
	found, none := answered(`{@pk}`), answered()
	const misplacedAppend = "The function is not allowed to be used this way in an expression; function: list_append"
	const orderOfTruth = "Incorrect operand type for operator or function; operator or function: %s, operand type: BOOL"
	cases := []kase{
		{name: "update where it exists", given: given,
			in:   statement(`UPDATE "@hash" SET n = 6 WHERE pk = '$k' AND attribute_exists(m.a)`),
			want: none},
		{name: "update where it does not", given: given,
			in: statement(
				`UPDATE "@hash" SET n = 6 WHERE pk = '$k' AND Attribute_Not_Exists("m"."a")`),
			err: conditionFail, then: given[0]},
		{name: "update of no item",
			in:  statement(`UPDATE "@hash" SET n = 6 WHERE pk = '$k' AND attribute_not_exists(pk)`),
			err: conditionFail, then: "none"},
		{name: "delete where it does not", given: given,
			in:  statement(`DELETE FROM "@hash" WHERE pk = '$k' AND attribute_exists(g)`),
			err: conditionFail, then: given[0]},
		{name: "in a transaction", op: "ExecuteTransaction", given: given,
			in: transaction(
				statement(`UPDATE "@hash" SET n = 6 WHERE pk = '$k' AND attribute_exists(g)`)),
			err: cancelledFor + "[ConditionalCheckFailed]", then: given[0]},
		{name: "of a literal", src: "service facts 2.13", in: find(`attribute_exists('x')`),
			err: invalidText +
				"Operator or function requires a document path; operator or function: attribute_exists"},
		{name: "of a parameter", src: "service facts 2.13",
			in: statement(`SELECT * FROM "@hash" WHERE attribute_not_exists(?)`,
				parameters(`{"S":"a"}`)),
			err: invalidText +
				"Operator or function requires a document path; operator or function: attribute_not_exists"},
		{name: "two operands", src: "service facts 2.13", in: find(`attribute_exists(n, f)`),
			err: invalidText +
				"Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2"},
		{name: "one operand of list_append", src: "service facts 2.13", given: given,
			in: set(`f = list_append(f)`),
			err: invalidText +
				"Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1"},
		{name: "list_append of list_append", src: "service facts 8.3", given: given,
			in:  set(`l = list_append(list_append(l, [1]), [2])`),
			err: invalidText + misplacedAppend, then: given[0]},
		{name: "list_append of list_append on the right", src: "service facts 8.3",
			op: "ExecuteTransaction", given: given,
			in:  transaction(set(`l = list_append([2], (list_append(l, [1])))`)),
			err: invalidText + at0(misplacedAppend), then: given[0]},
		{name: "no operand", src: "service facts 2.13", in: find(`begins_with()`),
			err: invalidText +
				"Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 0"},
		{name: "a function as a column", src: "service facts 2.13",
			in:  statement(`SELECT n, Size(f) FROM "@hash"`),
			err: invalidText + "Unexpected path component at 1:11:4"},
		{name: "an unknown function", src: "service facts 2.13",
			in:  statement("SELECT * FROM \"@hash\" WHERE\n NOT Upper_Case(f)"),
			err: invalidText + "Unrecognized function: upper_case at 2:6:10"},
		{name: "EXISTS", src: "service facts 2.13",
			in:  statement("SELECT * FROM \"@hash\" WHERE\nEXISTS(f)"),
			err: invalidText + "Unrecognized function: exists at 2:1:6"},
		{name: "set_delete in WHERE", src: "service facts 2.13",
			in:  statement("SELECT * FROM \"@hash\" WHERE\nset_delete(s, <<'x'>>)"),
			err: invalidText + "Unrecognized function: set_delete at 2:1:10"},
		{name: "a function in INSERT", src: "service facts 2.13",
			in:  statement("INSERT INTO \"@hash\" VALUE\n{'pk': '$k', 'a': set_add(s, <<'x'>>)}"),
			err: invalidText + "Unsupported data type: set_add under key root at *", then: "none"},
		{name: "a keyword for a step", src: "service facts 2.13",
			in: find(`attribute_exists(m.inner)`), err: illFormed + "Invalid path dot component"},
		{name: "another attribute", src: "service facts 2.14", given: given,
			in: set(`t = set_add(s, <<'y'>>)`),
			err: invalidText +
				"The first argument to SET_ADD must equal the assignment value at 2:9:7"},
		{name: "no set", src: "service facts 2.14", given: given, in: set(`s = set_delete(s, 'x')`),
			err: invalidText +
				"The second argument to SET_DELETE must be a value with type SET at 2:20:1"},
		{name: "no set as a parameter", src: "service facts 2.14", given: given,
			in: set(`s = set_add(s, ?)`, parameters(`{"L":[]}`)),
			err: invalidText +
				"The second argument to SET_ADD must be a value with type SET at 2:17:1"},
		{name: "three operands", src: "service facts 2.14", given: given,
			in:  set(`s = set_add(s, <<'y'>>, 1)`),
			err: invalidText + "SET_ADD must have exactly two arguments at 2:9:7"},
		{name: "a set of another type", src: "service facts 2.14", given: given,
			in:   set(`s = set_add(s, <<1>>)`),
			err:  invalidText + "An operand in the update expression has an incorrect data type",
			then: given[0]},
		{name: "equal members", src: "service facts 2.14", given: given,
			in: set(`s = set_add(s, <<'y', 'y'>>)`),
			err: invalidText +
				"One or more parameter values were invalid: Input collection [y, y] contains duplicates."},
		{name: "types of attribute_type", src: "service facts A.20",
			in: find(`attribute_type(n, 'NUM')`),
			err: invalidText +
				"Invalid attribute type name found; type: NUM, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
		{name: "order of a truth", src: "service facts A.15", in: find(`(n = 5) > 1`),
			err: invalidText + fmt.Sprintf(orderOfTruth, ">")},
		{name: "between truths", src: "service facts A.15",
			in:  find(`attribute_exists(n) BETWEEN 0 AND 1`),
			err: invalidText + fmt.Sprintf(orderOfTruth, "BETWEEN")},
	}
	for src, conditions := range map[string]map[string]string{
		"service facts 2.11": {
			`attribute_exists(n)`: found, `ATTRIBUTE_EXISTS("m"."a")`: found,
			`attribute_exists(m.b)`: none, `NOT attribute_not_exists(f)`: found,
			`(attribute_exists(g) OR n = 5)`: found, `attribute_not_exists(g) = true`: found,
			`attribute_exists(f) = false`: none,
		},
		"service facts 2.12": {
			`yes IS BOOL`: found, `n IS BOOL`: none, `g IS STRING`: none, `f IS STRING`: found,
			`f IS NOT string`: none, `n IS NOT STRING`: found,
			`g IS MISSING`: found, `g IS NULL`: none, `f IS NOT MISSING`: found,
		},
		"service facts A.15": {
			`contains(f, 'z') = false`: found, `(n BETWEEN 0 AND 5) = true`: found,
			`(n = 5 OR f = 'y') = false`: none, `true = attribute_exists(n)`: found,
			`attribute_exists(n) IN [true, false]`:      found,
			`attribute_exists(n) = attribute_exists(f)`: found, `attribute_exists(n) = yes`: found,
			`attribute_exists(n) = 1`: none, `(f = 'x') <> 'x'`: found, `(NOT n = 4) = true`: found,
			`yes = (n > 9)`: none,
		},
	} {
		for condition, want := range conditions {
			cases = append(cases,
				kase{name: condition, src: src, given: given, in: find(condition), want: want})
		}
	}
	run(t, defaults{src: "service facts 2.11", table: "hash", op: "ExecuteStatement"}, cases)
}

func TestPartiQLKeys(t *testing.T) {
	t.Parallel()
	one := func(sk, more string) string {
		return `{"pk":{"S":"parts"},"sk":{"S":"` + sk + `"}` + more + `}`
	}
	a, b, c := one("1", `,"f":{"S":"x"}`), one("2", `,"f":{"S":"y"}`), one("3", "")
	other := `{"pk":{"S":"parts2"},"sk":{"S":"1"}}`
	load(t, "parts", a, b, c, other)
	find := func(condition string) string {
		return statement(`SELECT * FROM "@parts" WHERE `+condition, `"ConsistentRead":true`)
	}
	cases := []kase{
		{name: "51 partitions", src: "service facts A.2", in: find(`pk IN ` + literals(51)),
			err: invalidText + tooManyReads},
		{name: "51 sort keys", src: "service facts A.2",
			in: find(`pk = 'parts' AND sk IN ` + literals(51)), err: invalidText + tooManyReads},
		{name: "52 pairs", src: "service facts A.2",
			in:  find(`sk IN ['1', '2'] AND pk IN ` + literals(26)),
			err: invalidText + tooManyReads},
		{name: "in a batch", src: "service facts A.2", op: "BatchExecuteStatement",
			in: batch(find(`pk IN ` + literals(60))),
			want: `{"Responses":[{"Error":{"Code":"ValidationError","Message":"` +
				tooManyReads + `"}}]}`},
		{name: "50 sort keys", src: "service facts A.2",
			in: find(`pk = 'parts' AND sk IN ` + literals(50)), want: answered()},
		{name: "51 partitions of a scan", src: "service facts A.2",
			in:   find(`(pk IN ` + literals(51) + ` OR f = 'no such') AND sk = 'x'`),
			want: answered()},
		{name: "100 values of another attribute", src: "service facts A.2",
			in: find(`pk = 'parts' AND f IN ` + literals(100)), want: answered()},
		{name: "101 operands", src: "service facts A.2", op: "ExecuteTransaction",
			in: transaction(
				statement(`SELECT * FROM "@parts" WHERE pk = 'a' AND sk = 'b' AND f IN ` +
					literals(101))),
			err: invalidText + at0(
				"The IN operator is provided with too many operands; number of operands: 101")},
		{name: "overlaps in a transaction", op: "ExecuteTransaction",
			in:  transaction(statement(`SELECT * FROM "@parts" WHERE pk = 'a' OR pk = 'a'`)),
			err: invalidText + at0(overlapping)},
		{name: "a wrong type", src: "service facts A.3", in: find(`pk = 1 OR pk = 'a'`),
			err: keyType + "pk"},
		{name: "a wrong sort key", src: "service facts A.3",
			in: find(`pk = 'a' AND sk IN ['1', 2]`), err: keyType + "sk"},
		{name: "an order of partitions", src: "service facts A.3", in: find(`pk > 1`),
			want: answered()},
		{name: "update with a wrong type", src: "service facts A.3",
			in:  statement(`UPDATE "@parts" SET f = 1 WHERE pk = 'a' AND sk = 1`),
			err: keyType + "sk"},
		{name: "delete with a wrong type", src: "service facts A.3",
			in: statement(`DELETE FROM "@parts" WHERE pk = ? AND sk = 'a'`,
				parameters(`{"B":"AQ=="}`)), err: keyType + "pk"},
		{name: "insert with a wrong type", src: "service facts A.3",
			in:  statement(`INSERT INTO "@parts" VALUE {'pk': 'a', 'sk': null}`),
			err: keyType + "sk"},
		{name: "a wrong type in a transaction", src: "service facts A.3", op: "ExecuteTransaction",
			in:  transaction(statement(`DELETE FROM "@parts" WHERE pk = 'a' AND sk = 1`)),
			err: cancelledFor + "[ValidationError]"},
		{name: "two values", src: "service facts A.4",
			in: statement(`DELETE FROM "@parts" WHERE pk = 'a' AND sk = '1' AND sk = '2'`),
			err: invalidText +
				"Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported"},
		{name: "two values of the partition key", src: "service facts A.4",
			in: statement(`UPDATE "@parts" SET f = 1 WHERE pk = 'a' AND sk = '1' AND 'b' = pk`),
			err: invalidText +
				"Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported"},
		{name: "a value twice", src: "service facts A.4",
			in:   statement(`DELETE FROM "@parts" WHERE pk = 'a' AND sk = '1' AND sk = '1'`),
			want: answered()},
		{name: "ordered by the partition key", src: "service facts A.18",
			in: find(`pk = 'parts' ORDER BY pk ASC`), want: answered(c, b, a)},
		{name: "ordered by the partition key, descending", src: "service facts A.18",
			in: find(`pk = 'parts' AND sk < '3' ORDER BY pk DESC`), want: answered(b, a)},
		{name: "ordered by both", src: "service facts A.18",
			in: find(`pk IN ['parts2', 'parts'] ORDER BY pk, sk`), want: answered(a, b, c, other)},
		{name: "ordered by the sort key of two partitions", src: "service facts A.18",
			in: find(`pk IN ['parts2', 'parts'] ORDER BY sk`),
			err: invalidText +
				"Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."},
		{name: "ordered by another attribute", src: "service facts A.18",
			in:  find(`pk = 'parts' ORDER BY f`),
			err: invalidText + "Attribute f in ORDER BY clause must be part of the primary key"},
		{name: "a column of the key", src: "service facts 8.8",
			in: statement(`SELECT f, pk.a FROM "@parts"`), err: invalidText + scalars + "Key: pk"},
		{name: "a column of an index key", src: "service facts 8.8", table: "global",
			in:  statement(`SELECT gs[0] FROM "@global" WHERE pk = 'a' AND sk = 'a'`),
			err: invalidText + scalars + "IndexKey: gs"},
		{name: "a column of a key through an index", src: "service facts 8.8", table: "global",
			in:  statement(`SELECT sk.a FROM "@global"."gall" WHERE gp = 'a'`),
			err: invalidText + scalars + "Key: sk"},
		{name: "a column of the key in a batch", src: "service facts 8.8",
			op: "BatchExecuteStatement",
			in: batch(statement(`SELECT sk[1] FROM "@parts" WHERE pk = 'a' AND sk = 'b'`)),
			want: `{"Responses":[{"Error":{"Code":"ValidationError","Message":"` +
				scalars + `Key: sk"}}]}`},
		{name: "a column of the key in a transaction", src: "service facts 8.8",
			op:  "ExecuteTransaction",
			in:  transaction(statement(`SELECT sk[1] FROM "@parts" WHERE pk = 'a' AND sk = 'b'`)),
			err: cancelledFor + "[ValidationError]"},
		{name: "a condition on a part of the key", src: "service facts 8.8",
			in: find(`pk = 'a' AND sk.a = 1`), err: invalidText + scalars + "Key: sk"},
		{name: "sort keys in order", src: "service facts A.1",
			in: find(`pk = 'parts' AND sk IN ['3', '1'] ORDER BY sk DESC`), want: answered(c, a)},
	}
	for condition, want := range map[string]string{
		`pk IN ['parts', 'parts']`:                                            "",
		`pk = 'parts' OR pk = 'parts'`:                                        "",
		`pk = 'parts' AND (sk > '0' OR sk < '5')`:                             "",
		`pk = 'parts' AND (sk = '1' OR f = 'x')`:                              "",
		`(pk = 'parts' AND f = 'x') OR (pk = 'parts' AND f = 'y')`:            "",
		`pk = 'parts' AND (begins_with(sk, '1') OR sk = '12')`:                "",
		`pk = 'parts' AND (sk BETWEEN '1' AND '2' OR sk >= '2')`:              "",
		`pk = 'parts' AND (sk = '1' OR sk = '2')`:                             answered(a, b),
		`pk = 'parts' AND sk IN ['1', '2']`:                                   answered(a, b),
		`pk = 'parts' AND (sk < '1' OR sk > '1' OR sk = '1')`:                 answered(a, b, c),
		`pk = 'parts' AND NOT sk = '1'`:                                       answered(b, c),
		`pk = 'parts' AND sk <> '1'`:                                          answered(b, c),
		`pk = 'parts' AND sk = '1' AND sk > '0'`:                              answered(a),
		`pk = 'parts' AND (f = 'x' OR f = 'y')`:                               answered(a, b),
		`pk = 'parts' AND ((sk > '0' AND sk < '2') OR sk >= '3')`:             answered(a, c),
		`pk = 'parts' AND (pk = 'parts2' OR f = 'x')`:                         answered(a),
		`(pk = 'parts' OR sk = '1') AND begins_with(pk, 'parts') AND f = 'y'`: answered(b),
	} {
		k := kase{name: condition, in: find(condition), want: want}
		if want == "" {
			k.err = invalidText + overlapping
		}
		cases = append(cases, k)
	}
	run(t, defaults{src: "service facts A.1", table: "parts", op: "ExecuteStatement"}, cases)
}

func TestPartiQLTransactionRules(t *testing.T) {
	t.Parallel()
	const key = "Select statements within ExecuteTransaction must specify the primary key in the where clause."
	const batchKey = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
	const existsAlone = "EXISTS() must contain a single item read with additional condition"
	find := func(condition string) string {
		return statement(`SELECT * FROM "@comp" WHERE ` + condition)
	}
	insert := func(pk string) string {
		return statement(`INSERT INTO "@comp" VALUE {'pk': '` + pk + `', 'sk': 'a'}`)
	}
	unknown := statement(`DELETE FROM "no-such-table"."x-idx" WHERE pk = 'a'`)
	unknownReturning := statement(`DELETE FROM "no-such-table" WHERE pk = 'a' RETURNING ALL OLD *`)
	batchFails := func(message string) string {
		return responses(`{"Error":{"Code":"ValidationError","Message":"` + message + `"}}`)
	}
	run(t, defaults{src: "service facts 2.3", table: "comp", op: "ExecuteTransaction"}, []kase{
		{name: "a read of a partition", in: transaction(find(`pk = 'a'`)),
			err: invalidText + at0(key)},
		{name: "a read without WHERE", in: transaction(statement(`SELECT * FROM "@comp"`)),
			err: invalidText + at0(key)},
		{name: "the second statement",
			in:  transaction(find(`pk = 'a' AND sk = 'b'`), find(`pk = 'a' AND sk > 'b'`)),
			err: invalidText + "Validation failed in TransactStatements[1]: " + key},
		{name: "a key and a function",
			in:  transaction(find(`pk = 'a' AND sk = 'b' AND attribute_exists(f)`)),
			err: invalidText + at0(key)},
		{name: "a key and a comparison", src: "service facts A.5",
			in:  transaction(find(`pk = 'a' AND sk = 'b' AND f = 'x'`)),
			err: invalidText + at0(key)},
		{name: "a key and another", src: "service facts A.5",
			in:  transaction(find(`pk = 'a' AND sk = 'b' AND pk = 'b'`)),
			err: invalidText + at0(key)},
		{name: "a key and IN of another", src: "service facts A.5",
			in:  transaction(find(`pk IN ['b'] AND pk = 'a' AND sk = 'b'`)),
			err: invalidText + at0(key)},
		{name: "a key twice and parentheses", src: "service facts A.5",
			in: transaction(find(`(pk = 'a') AND (sk = 'b' AND 'a' = pk)`)), want: responses(`{}`)},
		{name: "a key by IN", src: "service facts A.5",
			in: transaction(find(`pk IN ['a'] AND sk IN ['b']`)), want: responses(`{}`)},
		{name: "a key by IN of two", src: "service facts A.5",
			in: transaction(find(`pk IN ['a', 'c'] AND sk = 'b'`)), err: invalidText + at0(key)},
		{name: "a key by IN in a batch", src: "service facts A.5", op: "BatchExecuteStatement",
			in: batch(find(`pk IN ['a'] AND sk = 'b'`)), want: responses(`{"TableName":"@comp"}`)},
		{name: "a key and a comparison in a batch", src: "service facts A.5",
			op: "BatchExecuteStatement", in: batch(find(`pk = 'a' AND sk = 'b' AND f > 1`)),
			want: batchFails(batchKey)},
		{name: "a function in a batch", src: "service facts 2.4", op: "BatchExecuteStatement",
			in:   batch(find(`pk = 'a' AND sk = 'b' AND attribute_not_exists(f)`)),
			want: batchFails(batchKey)},
		{name: "an index", table: "global",
			in:  transaction(statement(`SELECT * FROM "@global"."gkeys" WHERE gp = 'a'`)),
			err: invalidText + at0("Reads on indices are not supported within transactions.")},
		{name: "RETURNING",
			in: transaction(
				statement(`UPDATE "@comp" SET a = 1 WHERE pk = 'a' AND sk = 'b' RETURNING MODIFIED OLD *`)), err: invalidText + at0("RETURNING clause is not supported in ExecuteTransaction.")},
		{name: "an order by no key", src: "service facts A.18",
			in: transaction(find(`pk = 'a' AND sk = 'b' ORDER BY f`)),
			err: invalidText + at0(
				"Attribute f in ORDER BY clause must be part of the primary key")},
		{name: "an order of EXISTS by no key", src: "service facts A.18",
			in: transaction(
				statement(`EXISTS(SELECT * FROM "@comp" WHERE pk = 'a' AND sk = 'b' AND f = 1 ORDER BY f)`)), err: invalidText + at0("Attribute f in ORDER BY clause must be part of the primary key")},
		{name: "an order by the sort key", src: "service facts A.18",
			in: transaction(find(`pk = 'a' AND sk = 'b' ORDER BY sk DESC`)), want: responses(`{}`)},
		{name: "columns that the item lacks", src: "service facts 3.11", table: "hash",
			given: []string{`{@pk,"a":{"N":"1"}}`},
			in:    transaction(statement(`SELECT b, a.c FROM "@hash" WHERE pk = '$k'`)),
			want:  responses(`{}`)},
		{name: "columns that the item lacks in a batch", src: "service facts 3.11", table: "hash",
			op: "BatchExecuteStatement", given: []string{`{@pk}`},
			in: batch(
				statement(`SELECT b FROM "@hash" WHERE pk = '$k'`, `"ConsistentRead":true`)),
			want: responses(`{"TableName":"@hash","Item":{}}`)},
		{name: "EXISTS with a key alone",
			in: transaction(
				statement(`EXISTS(SELECT * FROM "@comp" WHERE pk = 'a' AND sk = 'b')`)),
			err: invalidText + at0(existsAlone)},
		{name: "EXISTS with IN", src: "service facts A.5",
			in: transaction(
				statement(`EXISTS(SELECT * FROM "@comp" WHERE pk IN ['a'] AND sk IN ['b'] AND f = 1)`)), err: invalidText + at0(existsAlone)},
		{name: "no such table", src: "service facts A.6",
			in:  transaction(insert("$k"), unknownReturning),
			err: cancelledFor + "[None, ResourceNotFound]"},
		{name: "no such table to read", src: "service facts A.6",
			in: transaction(statement(`SELECT * FROM "no-such-table"."x-idx" WHERE pk = 'a'`),
				statement(`SELECT * FROM "no-such-table"`)),
			err: cancelledFor + "[ResourceNotFound, ResourceNotFound]"},
		{name: "an index of no table", src: "service facts 2.20", in: transaction(unknown),
			err: invalidText + at0("This operation is not supported on an index")},
		{name: "a refusal beside it", src: "service facts A.6",
			in: transaction(unknownReturning,
				statement(`DELETE FROM "@comp" WHERE pk = 'a' RETURNING ALL OLD *`)),
			err: invalidText +
				"Validation failed in TransactStatements[1]: RETURNING clause is not supported in ExecuteTransaction."},
		{name: "writes without a key", src: "service facts A.7",
			in: transaction(statement(`DELETE FROM "@comp" WHERE pk = 'a'`), insert("$k"),
				statement(`UPDATE "@comp" SET f = 1 WHERE pk IN ['a'] AND sk = '1'`)),
			err: cancelledFor + "[ValidationError, None, ValidationError]"},
		{name: "two values of a key", src: "service facts A.4",
			in: transaction(
				statement(`DELETE FROM "@comp" WHERE pk = 'a' AND sk = '1' AND sk = '2'`),
				statement(`DELETE FROM "@comp" WHERE pk = 'a' AND sk = '1'`)),
			err: cancelledFor + "[ValidationError, None]"},
		{name: "operand types", src: "service facts A.8",
			in: transaction(
				statement(`UPDATE "@comp" SET n = n + [1] WHERE pk = 'a' AND sk = 'b'`)),
			err: invalidText + at0(
				"Incorrect operand type for operator or function; operator or function: +, operand type: L")},
		{name: "equal members", src: "service facts A.8",
			in: transaction(
				statement(`UPDATE "@comp" SET n = <<1, 1>> WHERE pk = 'a' AND sk = 'b'`)),
			err: invalidText + at0(
				"One or more parameter values were invalid: Input collection [1, 1] contains duplicates! under root")},
		{name: "reads and writes", src: "service facts A.9",
			in: transaction(insert("$k"), find(`pk = 'a' AND sk = 'b'`)),
			err: invalidText +
				"ExecuteTransaction API does not support both read and write operations in the same request."},
		{name: "reads and writes in a batch", src: "service facts A.9", op: "BatchExecuteStatement",
			in: batch(insert("$k"), find(`pk = 'a' AND sk = 'b'`)),
			err: invalidText +
				"Read and write requests together in the same batch is not supported."},
		{name: "an item twice", src: "service facts A.10", op: "BatchExecuteStatement",
			in:  batch(insert("$k"), statement(`DELETE FROM "@comp" WHERE pk = '$k' AND sk = 'a'`)),
			err: invalidText + "Provided list of item keys contains duplicates"},
		{name: "an item twice to read", src: "service facts A.10", op: "BatchExecuteStatement",
			in:  batch(find(`pk = 'a' AND sk = 'b'`), find(`sk = 'b' AND pk IN ['a']`)),
			err: invalidText + "Provided list of item keys contains duplicates"},
		{name: "an item twice and a refusal", src: "service facts A.10",
			op: "BatchExecuteStatement",
			in: batch(statement(`DELETE FROM "@comp" WHERE pk = 'a' AND sk = 'b'`),
				statement(`DELETE FROM "@comp" WHERE pk = 'a' AND sk = 'b' AND sk = 'c'`)),
			want: responses(`{"TableName":"@comp"}`,
				`{"Error":{"Code":"ValidationError","Message":"Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported"}}`)},
	})
}

func TestPartiQLTransactionReasons(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct{ statement, code, message string }{
		"no key": {`DELETE FROM "@comp" WHERE sk = 'a'`, "ValidationError", missingKey},
		"a wrong key": {`DELETE FROM "@comp" WHERE pk = 'a' AND sk = 1`, "ValidationError",
			missingKey},
		"no table": {`DELETE FROM "no-such-table" WHERE pk = 'a'`, "ResourceNotFound",
			"Requested resource not found"},
		"a deep value": {`UPDATE "@comp" SET m.x = ` +
			strings.Repeat("[", 31) + strings.Repeat("]", 31) +
			` WHERE pk = 'reasons' AND sk = 'a'`, "ValidationError",
			"Nesting Levels have exceeded supported limits"},
		"two sort keys": {`DELETE FROM "@comp" WHERE pk = 'a' AND sk = '1' AND sk = '2'`,
			"ValidationError",
			"Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported"},
	} {
		t.Run(name, func(t *testing.T) {
			load(t, "comp", `{"pk":{"S":"reasons"},"sk":{"S":"a"},"m":{"M":{}}}`)
			answer := post("ExecuteTransaction", expand(t, transaction(statement(k.statement)), ""))
			reason := at(t, parseJSON(string(answer.body)), "CancellationReasons").([]any)[0]
			if code, message := at(t, reason, "Code"), at(t, reason, "Message"); code != k.code ||
				message != k.message {
				t.Errorf("%s: %s", code, message)
			}
		})
	}
}

func TestPartiQLIndexQualifiers(t *testing.T) {
	t.Parallel()
	row := func(pk, gs, more string) string {
		return `{"pk":{"S":"` + pk + `"},"sk":{"S":"a"},"gp":{"S":"qual"},"gs":{"N":"` + gs +
			`"},"inc":{"S":"i"}` + more + `}`
	}
	load(t, "global", row("qual1", "1", `,"x":{"S":"v"}`), row("qual2", "2", ""))
	load(t, "local", `{"pk":{"S":"qual"},"sk":{"S":"a"},"lk":{"S":"1"},"x":{"S":"v"}}`)
	find := func(from, condition string, members ...string) string {
		return statement(`SELECT pk FROM `+from+` WHERE `+condition, members...)
	}
	lacks := func(index, names string) string {
		return invalidText + "One or more parameter values were invalid: Secondary index " + index +
			" does not project one or more filter attributes: [" + names + "]"
	}
	const multiKeys = "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys."
	both := answered(`{"pk":{"S":"qual1"}}`, `{"pk":{"S":"qual2"}}`)
	const gkeys, lkeys = `"@global"."gkeys"`, `"@local"."lkeys"`
	run(t, defaults{src: "service facts 2.18", table: "global", op: "ExecuteStatement"}, []kase{
		{name: "three components", src: "service facts 2.16", in: find(`"a"."b"."c"`, `pk = 'a'`),
			err: invalidText + "A path may contain at most 2 components in the FROM clause"},
		{name: "an empty index", src: "service facts 2.16",
			in:  find(`"no-such-table".""`, `pk = 'a'`),
			err: invalidText + "Path component cannot be an empty string"},
		{name: "an empty table", src: "service facts 2.16", in: find(`"".gkeys`, `pk = 'a'`),
			err: invalidText + "Path component cannot be an empty string"},
		{name: "the table's name for an index", src: "service facts 2.17",
			in:  find(`"@global"."@global"`, `pk = 'a'`, `"ConsistentRead":true`),
			err: invalidText + "The table does not have the specified index"},
		{name: "a consistent scan", src: "service facts 2.17",
			in: find(gkeys, `gs > 1`, `"ConsistentRead":true`),
			err: invalidText +
				"Strongly consistent read is not supported on Global Secondary Indexes"},
		{name: "insert", src: "service facts 2.20",
			in:  statement(`INSERT INTO "@global"."none" VALUE {'pk': 'a'}`),
			err: invalidText + "FROM clause may only contain a single table name*"},
		{name: "update", src: "service facts 2.20",
			in:  statement(`UPDATE ` + gkeys + ` SET a = 1 WHERE pk = 'a'`),
			err: invalidText + "This operation is not supported on an index"},
		{name: "delete", src: "service facts 2.20",
			in:  statement(`DELETE FROM ` + gkeys + ` WHERE pk = 'a'`),
			err: invalidText + "This operation is not supported on an index"},
		{name: "several attributes", src: "service facts 2.21", table: "multi",
			in:  statement(`SELECT COUNT(*) FROM "@multi"."mall" WHERE a = 1`),
			err: invalidText + multiKeys},
		{name: "several attributes in a batch", src: "service facts 2.21", table: "multi",
			op: "BatchExecuteStatement", in: batch(find(`"@multi"."mall"`, `a = 'x'`)),
			want: responses(`{"Error":{"Code":"ValidationError","Message":"` + multiKeys + `"}}`)},
		{name: "several attributes and a mistake", src: "service facts 2.21", table: "multi",
			in: statement(`SELECT FROM "@multi"."mall"`), err: illFormed + "Expected identifier or an expression but found unexpected keyword 'from' in a select list."},

		{name: "a filter beside the key", in: find(gkeys, `gp = 'qual' AND x = 'v'`),
			err: lacks("gkeys", "x")},
		{name: "a filter beside IN", in: find(gkeys, `x IS MISSING AND gp IN ['qual']`),
			err: lacks("gkeys", "x")},
		{name: "a filter beside a range",
			in:  find(gkeys, `gp = 'qual' AND gs BETWEEN 1 AND 2 AND NOT begins_with(x, 'v')`),
			err: lacks("gkeys", "x")},
		{name: "a filter on a local index", table: "local",
			in: find(lkeys, `pk = 'qual' AND attribute_exists(x)`), err: lacks("lkeys", "x")},
		{name: "a filter on a projected attribute",
			in: find(`"@global"."ginc"`, `gp = 'qual' AND inc = 'i' AND sk = 'a'`), want: both},
		{name: "a scan", in: find(gkeys, `gs < 3 AND begins_with(pk, 'qual') AND x = 'v'`),
			want: answered()},
		{name: "a scan with NOT", in: find(gkeys, `begins_with(pk, 'qual') AND NOT x = 'v'`),
			want: both},
		{name: "a scan by OR", in: find(gkeys, `(gp = 'qual' AND x IS MISSING) OR x = 'v'`),
			want: both},
		{name: "a scan of a local index", table: "local",
			in:   find(lkeys, `begins_with(pk, 'qual') AND NOT x = 'v'`),
			want: answered(`{"pk":{"S":"qual"}}`)},
		{name: "an order of partitions", src: "service facts A.21",
			in: find(gkeys, `gp > 'qua' AND gp < 'quam' AND x IS MISSING`), want: both},
		{name: "branches", src: "service facts A.21",
			in: find(gkeys, `(gp = 'y' OR gp = 'z') AND zz = '1'`), err: lacks("gkeys", "zz")},
		{name: "the first of two branches", src: "service facts A.21",
			in:  find(gkeys, `(gp = 'b' AND u1 = '1') OR (gp = 'q' AND u2 = '1')`),
			err: lacks("gkeys", "u2")},
		{name: "the first of two branches, exchanged", src: "service facts A.21",
			in:  find(gkeys, `(gp = 'q' AND u1 = '1') OR (gp = 'b' AND u2 = '1')`),
			err: lacks("gkeys", "u1")},
		{name: "a branch that is not checked", src: "service facts A.21",
			in:   find(`"@global"."ginc"`, `(gp = 'y' AND inc = '1') OR (gp = 'z' AND aa = '1')`),
			want: answered()},
		{name: "a branch that nothing satisfies", src: "service facts A.21",
			in: find(gkeys, `gp = 'y' AND (gp = 'z' OR zz = '1')`), want: answered()},
		{name: "names", src: "service facts A.21",
			in:  find(`"@global"."ginc"`, `gp = 'y' AND b = '1' AND (a = '2' OR inc = '3')`),
			err: lacks("ginc", "a, b")},
		{name: "names in the order of the statement", src: "service facts A.21",
			in:  find(gkeys, `gp = 'y' AND (zz = '1' OR aa = '2' OR mm = '3')`),
			err: lacks("gkeys", "zz, aa, mm")},
		{name: "a name twice", src: "service facts A.21",
			in:  find(gkeys, `gp = 'y' AND zz = '1' AND (zz > '0' OR mm = zz)`),
			err: lacks("gkeys", "zz, mm")},
		{name: "columns", src: "service facts 2.19",
			in: statement(`SELECT x, a FROM ` + gkeys + ` WHERE gp = 'qual'`),
			err: invalidText +
				"One or more parameter values were invalid: Global secondary index gkeys does not project [x, a]"},
		{name: "columns of a local index", src: "service facts 2.19", table: "local",
			in:   statement(`SELECT x FROM ` + lkeys + ` WHERE pk = 'qual'`),
			want: answered(`{"x":{"S":"v"}}`)},
		{name: "overlaps", src: "service facts A.1",
			in: find(gkeys, `gp = 'qual' AND (gs > 1 OR gs < 5)`), err: invalidText + overlapping},
	})
}

// TestPartiQLBatchFailures: what batches answer and count for statements that fail.
func TestPartiQLBatchFailures(t *testing.T) {
	t.Parallel()
	given := []string{`{@pk,"a":{"N":"1"}}`}
	fail := statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k' AND a = 5`)
	good := statement(`INSERT INTO "@comp" VALUE {'pk': '$k', 'sk': 'a'}`)
	insert := func(pk string) string {
		return statement(`INSERT INTO "@global" VALUE {'pk': '` + pk + `', 'sk': 'a', 'gp': 'g'}`)
	}
	counted := func(mode string, statements ...string) string {
		return `{"ReturnConsumedCapacity":"` + mode + `",` + batch(statements...)[1:]
	}
	const condition, twice = conditionFailedText, "Duplicate primary key exists in table"
	of := func(code, message, table string) string {
		return `{"Error":{"Code":"` +
			code + `","Message":"` + message + `"},"TableName":"` + table + `"}`
	}
	large := `{@pk,"sk":{"S":"a"},"a":{"S":"` + strings.Repeat("x", 5000) + `"}}`
	global := func(total, table string) string {
		return `,"ConsumedCapacity":[` +
			consumed("global", total,
				`,"Table":{"CapacityUnits":`+table+
					`},"GlobalSecondaryIndexes":{"gall":{"CapacityUnits":1}}`) + `]}`
	}
	both := func(capacity string) string {
		return `{"Responses":[{"TableName":"@global"},` +
			of("DuplicateItem", twice, "@global") + `]` + capacity
	}
	const wholeKey = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
	run(t, defaults{src: "service facts P.1", table: "hash", op: "BatchExecuteStatement"}, []kase{
		{name: "none succeeds", given: given, in: counted("TOTAL", fail),
			want: responses(of("ConditionalCheckFailed", condition, "@hash"))},
		{name: "none succeeds, with indexes", given: given, in: counted("INDEXES", fail),
			want: responses(of("ConditionalCheckFailed", condition, "@hash"))},
		{name: "one of two", src: "service facts P.2", table: "global",
			given: []string{`{@pk,"sk":{"S":"a"}}`},
			in:    counted("INDEXES", insert("$k-2"), insert("$k")), want: both(global("3", "1"))},
		{name: "one of two, of 5 KB", src: "service facts P.2", table: "global",
			given: []string{large}, in: counted("INDEXES", insert("$k-2"), insert("$k")),
			want: both(global("7", "1"))},
		{name: "none on one of two tables", src: "service facts P.3", given: given,
			in: counted("TOTAL", fail, good),
			want: `{"Responses":[` + of("ConditionalCheckFailed", condition, "@hash") +
				`,{"TableName":"@comp"}],"ConsumedCapacity":[` + consumed("comp", "1", "") + `]}`},
		{name: "the old item", src: "service facts F.40", given: given,
			in: batch(
				strings.Replace(fail, `{`, `{"ReturnValuesOnConditionCheckFailure":"ALL_OLD",`, 1)),
			want: responses(strings.Replace(of("ConditionalCheckFailed", condition, "@hash"),
				`"Message"`, `"Item":{@pk,"a":{"N":"1"}},"Message"`, 1))},
		{name: "a read without the key", src: "service facts P.5",
			in:   batch(statement(`SELECT * FROM "@hash" WHERE a = 2`)),
			want: responses(`{"Error":{"Code":"ValidationError","Message":"` + wholeKey + `"}}`)},
		{name: "no table", src: "service facts P.5",
			in: batch(statement(`DELETE FROM "no-such-table" WHERE pk = '$k'`)),
			want: responses(
				`{"Error":{"Code":"ResourceNotFound","Message":"Requested resource not found"}}`)},
		{name: "order of a type without order", src: "service facts P.6", op: "ExecuteStatement",
			in:  statement(`SELECT * FROM "no-such-table" WHERE a < true`),
			err: "ValidationException: *"},
		{name: "order of a list", src: "service facts P.6", op: "ExecuteStatement",
			in: statement(`SELECT * FROM "no-such-table" WHERE a BETWEEN ? AND ?`,
				parameters(`{"L":[]}`, `{"L":[]}`)), err: "ValidationException: *"},
		{name: "order of a set", src: "service facts P.6", op: "ExecuteStatement",
			in: statement(`SELECT * FROM "no-such-table" WHERE pk = 'a' AND a >= ?`,
				parameters(`{"SS":["a"]}`)), err: "ValidationException: *"},
		{name: "insert into an index", src: "service facts P.7", op: "ExecuteStatement",
			in:  statement(`INSERT INTO "@hash"."none" VALUE {'pk': 'a'}`),
			err: "ValidationException: FROM clause may only contain a single table name in data manipulation statements*"},
	})
	items := []string{`{@pk,"sk":{"S":"a"}}`, `{@pk,"sk":{"S":"b"}}`}
	either := func(one, two string) string {
		return statement(`SELECT sk FROM "@comp" WHERE pk = '$k' AND (`+one+`) OR pk = '$k' AND (`+
			two+`)`, `"ConsistentRead":true`)
	}
	a, b := `{"sk":{"S":"a"}}`, `{"sk":{"S":"b"}}`
	run(t, defaults{src: "service facts M.9", table: "comp", op: "ExecuteStatement"}, []kase{
		{name: "not equal", given: items, in: either(`sk = 'a'`, `NOT sk = 'a'`),
			want: answered(a, b)},
		{name: "unequal", given: items, in: either(`sk <> 'a'`, `sk = 'b'`), want: answered(b)},
		{name: "no such beginning", given: items,
			in: either(`sk = 'a'`, `NOT begins_with(sk, 'a')`), want: answered(a, b)},
		{name: "none of", given: items, in: either(`sk = 'b'`, `NOT sk IN ['a', 'c']`),
			want: answered(b)},
		{name: "not greater", given: items, in: either(`sk = 'b'`, `NOT sk > 'a'`),
			want: answered(a, b)},
		{name: "beside the partition alone", given: items,
			in: statement(`SELECT sk FROM "@comp" WHERE pk = '$k' OR pk = '$k' AND NOT sk = 'a'`,
				`"ConsistentRead":true`), want: answered(a, b)},
		{name: "of two partitions among others", given: items,
			in: statement(`SELECT sk FROM "@comp" WHERE pk = '$k-1' AND sk = 'a' OR pk = '$k-2' `+
				`AND sk = 'a' OR pk = '$k-1' AND NOT sk = 'c' OR pk = '$k' AND NOT sk = 'c' `+
				`OR pk = '$k' AND sk = 'a'`, `"ConsistentRead":true`), want: answered(a, b)},
	})
}
