package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func batch(statements ...string) string {
	return `{"Statements":[` + strings.Join(statements, ",") + `]}`
}

// failed returns the answer of a statement for the table hash. It names the table only if the
// statement was run (service facts P.5).
func failed(code, message string) string {
	table := `,"TableName":"@hash"`
	if code == "ValidationError" {
		table = ""
	}
	return `{"Error":{"Code":"` + code + `","Message":"` + message + `"}` + table + `}`
}

func responses(all ...string) string { return `{"Responses":[` + strings.Join(all, ",") + `]}` }

func TestPartiQLBatch(t *testing.T) {
	t.Parallel()
	const key = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
	find := statement(`SELECT * FROM "@hash" WHERE pk = '$k'`, `"ConsistentRead":true`)
	given := []string{`{@pk,"a":{"N":"1"}}`}
	run(t, defaults{
		src: "API Reference, BatchExecuteStatement; Developer Guide, Running batch operations with PartiQL for DynamoDB", table: "hash", op: "BatchExecuteStatement",
	}, []kase{
		{name: "reads", given: given,
			in: batch(find, statement(`SELECT * FROM "@hash" WHERE pk = 'nobody'`)),
			want: responses(`{"TableName":"@hash","Item":{@pk,"a":{"N":"1"}}}`,
				`{"TableName":"@hash"}`)},
		{name: "columns", given: given,
			in: batch(
				statement(`SELECT a FROM "@hash" WHERE pk = '$k'`, `"ConsistentRead":true`)),
			want: responses(`{"TableName":"@hash","Item":{"a":{"N":"1"}}}`)},
		{name: "a read with a condition", src: "service facts A.5", given: given,
			in: batch(statement(`SELECT * FROM "@hash" WHERE pk = '$k' AND a = 1`,
				`"ConsistentRead":true`)), want: responses(failed("ValidationError", key))},
		{name: "a read without the key", in: batch(statement(`SELECT * FROM "@hash" WHERE a = 2`)),
			want: responses(failed("ValidationError", key))},
		{name: "a read of two keys",
			in:   batch(statement(`SELECT * FROM "@hash" WHERE pk IN ['a', 'b']`)),
			want: responses(failed("ValidationError", key))},
		{name: "writes", given: given,
			in: batch(statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k' RETURNING ALL NEW *`),
				statement(`INSERT INTO "@hash" VALUE {'pk': '$k-2'}`),
				statement(`DELETE FROM "@hash" WHERE pk = '$k-3'`)),
			want: responses(`{"TableName":"@hash","Item":{@pk,"a":{"N":"2"}}}`,
				`{"TableName":"@hash"}`, `{"TableName":"@hash"}`), then: `{@pk,"a":{"N":"2"}}`},
		{name: "each fails by itself", given: given,
			in: batch(statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`),
				statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k-2' AND a = 5`),
				statement(`INSERT INTO "@hash" VALUE {'pk': '$k-3'}`)),
			want: responses(failed("DuplicateItem", "Duplicate primary key exists in table"),
				failed("ConditionalCheckFailed", conditionFailedText),
				`{"TableName":"@hash"}`), then: given[0]},
		{name: "ReturnValuesOnConditionCheckFailure", given: given,
			in: batch(statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k' AND a = 5`,
				`"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`)),
			want: responses(
				`{"Error":{"Code":"ConditionalCheckFailed","Item":{@pk,"a":{"N":"1"}},"Message":"The conditional request failed"},"TableName":"@hash"}`)},
		{name: "no such table", in: batch(statement(`DELETE FROM "no-such-table" WHERE pk = '$k'`)),
			want: responses(
				`{"Error":{"Code":"ResourceNotFound","Message":"Requested resource not found"}}`)},
		{name: "reads and writes",
			in:  batch(find, statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`)),
			err: "ValidationException: Read and write requests together in the same batch is not supported.", then: "none"},
		{name: "capacity", given: given,
			in: `{"ReturnConsumedCapacity":"TOTAL","Statements":[` +
				find + `,` + statement(`SELECT * FROM "@hash" WHERE pk = '$k-2'`,
				`"ConsistentRead":true`) + `]}`,
			want: `{"Responses":[{"TableName":"@hash","Item":{@pk,"a":{"N":"1"}}},{"TableName":"@hash"}],"ConsumedCapacity":[` + consumed("hash", "2", "") + `]}`},
		{name: "capacity of writes", given: given,
			in: `{"ReturnConsumedCapacity":"TOTAL","Statements":[` +
				statement(`UPDATE "@hash" SET a = 3 WHERE pk = '$k'`) + `,` + statement(
				`INSERT INTO "@hash" VALUE {'pk': '$k-2'}`) + `]}`,
			want: `{"Responses":[{"TableName":"@hash"},{"TableName":"@hash"}],"ConsumedCapacity":[` + consumed("hash", "2", "") + `]}`, then: `{@pk,"a":{"N":"3"}}`},
		{name: "capacity of a failed request",
			src: "API Reference, BatchExecuteStatement, ConsumedCapacity: of the entire operation; Developer Guide, Capacity unit consumption for write operations: conditions that evaluate to false", given: []string{`{@pk,"a":{"S":"` + strings.Repeat("x", 3000) + `"}}`},
			in: `{"ReturnConsumedCapacity":"TOTAL","Statements":[` +
				statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k' AND a = 5`) + `,` + statement(
				`UPDATE "@hash" SET a = 2 WHERE pk = '$k-2'`) + `,` + statement(
				`DELETE FROM "@hash" WHERE a = 2`) + `,` + statement(
				`DELETE FROM "no-such-table" WHERE pk = '$k'`) + `]}`,
			want: `{"Responses":[` + strings.Join([]string{failed("ConditionalCheckFailed",
				conditionFailedText),
				failed("ConditionalCheckFailed", conditionFailedText),
				failed("ValidationError",
					"Where clause does not contain a mandatory equality on all key attributes"),
				`{"Error":{"Code":"ResourceNotFound","Message":"Requested resource not found"}}`},
				",") + `]}`},
		{name: "too many", in: batch(many(26, find)...),
			err: "ValidationException: 1 validation error detected: Value *"},
		{name: "none", raw: true, in: `{"Statements":[]}`,
			err: "ValidationException: 1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: Member must have length greater than or equal to 1"},
	})
}

func many(n int, s string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

func transaction(statements ...string) string {
	return `{"TransactStatements":[` + strings.Join(statements, ",") + `]}`
}

func TestPartiQLTransaction(t *testing.T) {
	t.Parallel()
	given := []string{`{@pk,"a":{"N":"1"}}`}
	find := statement(`SELECT * FROM "@hash" WHERE pk = '$k'`)
	exists := func(condition string) string {
		return statement(`EXISTS(SELECT * FROM "@hash" WHERE pk = '$k' AND ` + condition + `)`)
	}
	insert := statement(`INSERT INTO "@hash" VALUE {'pk': '$k-2'}`)
	const cancelled = "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons "
	run(t, defaults{
		src: "API Reference, ExecuteTransaction; Developer Guide, Performing transactions with PartiQL for DynamoDB", table: "hash", op: "ExecuteTransaction",
	}, []kase{
		{name: "reads", given: given,
			in:   transaction(find, statement(`SELECT a FROM "@hash" WHERE pk = '$k-none'`)),
			want: responses(`{"Item":{@pk,"a":{"N":"1"}}}`, `{}`)},
		{name: "columns", given: given,
			in:   transaction(statement(`SELECT a FROM "@hash" WHERE pk = '$k'`)),
			want: responses(`{"Item":{"a":{"N":"1"}}}`)},
		{name: "writes", given: given,
			in:  transaction(statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k'`), insert),
			src: "service facts 2.2", want: responses(), then: `{@pk,"a":{"N":"2"}}`},
		{name: "a deletion", given: given,
			in:   transaction(statement(`DELETE FROM "@hash" WHERE pk = '$k'`), insert),
			then: "none"},
		{name: "RETURNING",
			src: "Developer Guide, Performing transactions with PartiQL for DynamoDB, Return values: none for writes", given: given, in: transaction(insert, statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k' RETURNING ALL NEW *`)), err: "ValidationException: *", then: given[0]},
		{name: "RETURNING of a deletion",
			src: "Developer Guide, Performing transactions with PartiQL for DynamoDB, Return values: none for writes", given: given, in: transaction(statement(`DELETE FROM "@hash" WHERE pk = '$k' RETURNING ALL OLD *`)), err: "ValidationException: *", then: given[0]},
		{name: "EXISTS that holds", given: given, in: transaction(exists(`a = 1`), insert),
			want: responses(), then: given[0]},
		{name: "EXISTS that does not hold", given: given, in: transaction(insert, exists(`a = 2`)),
			err: cancelled + "[None, ConditionalCheckFailed]"},
		{name: "EXISTS of a missing item", given: given,
			in:  transaction(insert, exists(`a IS MISSING`)),
			err: cancelled + "[None, ConditionalCheckFailed]"},
		{name: "an item that exists", given: given,
			in: transaction(statement(`INSERT INTO "@hash" VALUE {'pk': '$k-2'}`),
				statement(`INSERT INTO "@hash" VALUE {'pk': '$k'}`)),
			err: cancelled + "[None, DuplicateItem]", then: given[0]},
		{name: "the same item twice", given: given,
			in: transaction(statement(`UPDATE "@hash" SET a = 2 WHERE pk = '$k'`),
				exists(`a = 1`)),
			err: "ValidationException: Transaction request cannot include multiple operations on one item", then: given[0]},
		{name: "reads and writes", given: given, in: transaction(find, insert),
			err: "ValidationException: ExecuteTransaction API does not support both read and write operations in the same request."},
		{name: "a read without WHERE", in: transaction(statement(`SELECT * FROM "@hash"`)),
			err: "ValidationException: Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify the primary key in the where clause."},
		{name: "a read of an index", src: "API Reference, TransactGetItems: no indexes",
			table: "global",
			in: transaction(
				statement(`SELECT * FROM "@global"."gkeys" WHERE gp = '$k' AND gs = 1`)),
			err: "ValidationException: *"},
		{name: "a read of an index by the key of its table",
			src: "API Reference, TransactGetItems: no indexes", table: "global",
			in: transaction(
				statement(`SELECT * FROM "@global"."gkeys" WHERE pk = '$k' AND sk = 'a'`)),
			err: "ValidationException: *"},
		{name: "capacity of reads", given: given,
			in: `{"ReturnConsumedCapacity":"TOTAL","TransactStatements":[` + find + `]}`,
			want: `{"Responses":[{"Item":{@pk,"a":{"N":"1"}}}],"ConsumedCapacity":[` +
				consumed("hash", "2", `,"ReadCapacityUnits":2`) + `]}`},
		{name: "capacity of writes", given: given,
			in:  `{"ReturnConsumedCapacity":"TOTAL","TransactStatements":[` + insert + `]}`,
			src: "service facts 2.2",
			want: `{"Responses":[],"ConsumedCapacity":[` +
				consumed("hash", "2", `,"WriteCapacityUnits":2`) + `]}`},
		{name: "too many", in: transaction(many(101, find)...),
			err: "ValidationException: 1 validation error detected: Value *"},
	})
}

// TestPartiQLTransactionToken: API Reference, ExecuteTransaction, ClientRequestToken.
func TestPartiQLTransactionToken(t *testing.T) {
	t.Parallel()
	key, token := newKey(), newToken()
	call(t, "PutItem", expand(t, withTable("hash", `{"Item":{@pk,"n":{"N":"1"}}}`), key))
	add := func(n string) string {
		return expand(t,
			`{"ClientRequestToken":"`+token+`","TransactStatements":[`+
				statement(`UPDATE "@hash" SET n = n + `+n+` WHERE pk = '$k'`)+`]}`, key)
	}
	call(t, "ExecuteTransaction", add("1"))
	call(t, "ExecuteTransaction", add("1"))
	assert.Equal(t, wantedItem(expand(t, `{@pk,"n":{"N":"2"}}`, key)), itemAt(t, "hash", key),
		"the second was a repetition")
	refuse(t, "ExecuteTransaction", add("2"), "IdempotentParameterMismatchException: *")
}
