package conformance

import (
	"strings"
	"testing"
)

// reading makes a TransactGetItems of gets.
func reading(gets ...string) string { return `{"TransactItems":[` + strings.Join(gets, ",") + `]}` }

func TestTransactGetItems(t *testing.T) {
	t.Parallel()
	given := []string{`{@pk,"a":{"N":"1"},"b":{"L":[{"N":"2"},{"N":"3"}]}}`}
	get := func(more string) string { return `{"Get":{"TableName":"@hash",@key` + more + `}}` }
	none := `{"Get":{"TableName":"@hash","Key":{"pk":{"S":"$k-none"}}}}`
	const invalid = "ValidationException: "
	const oneError = invalid + "1 validation error detected: Value "
	const fail = " failed to satisfy constraint: "
	const sameItem = invalid + "Transaction request cannot include multiple operations on one item"
	run(t, defaults{
		src: "API Reference, TransactGetItems", table: "hash", op: "TransactGetItems",
	}, []kase{
		{name: "an item", given: given, in: reading(get("")),
			want: `{"Responses":[{"Item":` + given[0] + `}]}`},
		{name: "no item", in: reading(get("")), want: `{"Responses":[{}]}`},
		{name: "in the order of the request", given: given,
			in: reading(none, get(""),
				`{"Get":{"TableName":"@comp","Key":{@pk,"sk":{"S":"1"}}}}`),
			want: `{"Responses":[{},{"Item":` + given[0] + `},{}]}`},
		{name: "table by ARN", given: given, in: reading(`{"Get":{"TableName":"@arn:hash",@key}}`),
			want: `{"Responses":[{"Item":` + given[0] + `}]}`},
		{name: "projection", given: given,
			in: reading(
				get(`,"ProjectionExpression":"#b[1], a","ExpressionAttributeNames":{"#b":"b"}`)),
			want: `{"Responses":[{"Item":{"a":{"N":"1"},"b":{"L":[{"N":"3"}]}}}]}`},
		{name: "projection of nothing", src: "service facts 3.11", given: given,
			in: reading(get(`,"ProjectionExpression":"x"`)), want: `{"Responses":[{}]}`},
		{name: "projection of no item", in: reading(get(`,"ProjectionExpression":"x"`)),
			want: `{"Responses":[{}]}`},

		{name: "no TransactItems", raw: true, in: `{"TableName":"x"}`,
			err: oneError + "null at 'transactItems'" + fail + "Member must not be null"},
		{name: "nothing to get", raw: true, in: reading(),
			err: oneError + "'[]' at 'transactItems'" + fail +
				"Member must have length greater than or equal to 1"},
		{name: "101 gets",
			in:  reading(times(101, `{"Get":{"TableName":"@hash","Key":{"pk":{"S":"%d"}}}}`)),
			err: oneError + "'[TransactGetItem(*"},
		{name: "no Get", raw: true, in: reading(`{}`),
			err: oneError + "null at 'transactItems.1.member.get'" + fail +
				"Member must not be null"},
		{name: "no key", raw: true, in: reading(`{"Get":{"TableName":"@hash"}}`),
			err: oneError + "null at 'transactItems.1.member.get.key'" + fail +
				"Member must not be null"},
		{name: "no table", raw: true, in: reading(`{"Get":{@key}}`),
			err: oneError + "null at 'transactItems.1.member.get.tableName'" + fail +
				"Member must not be null"},
		{name: "one item twice", in: reading(get(""), none, get("")), err: sameItem},
		{name: "one item by name and ARN",
			in: reading(get(""), `{"Get":{"TableName":"@arn:hash",@key}}`), err: sameItem},
		{name: "unknown table", in: reading(get(""), `{"Get":{"TableName":"no-such-table",@key}}`),
			err: noSuchTable},
		{name: "bad projection", in: reading(get(`,"ProjectionExpression":"a,"`)),
			err: invalid + `Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","`},
		{name: "unused name",
			in: reading(get(`,"ProjectionExpression":"a","ExpressionAttributeNames":{"#a":"a"}`)),
			err: invalid +
				"Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
	})
	runCanceled(t, "TransactGetItems", []canceledWrites{
		{name: "key of another type",
			in:      reading(none, `{"Get":{"TableName":"@hash","Key":{"pk":{"N":"1"}}}}`),
			codes:   "None, ValidationError",
			reasons: `[{"Code":"None"},{"Code":"ValidationError","Message":"The provided key element does not match the schema"}]`},
		{name: "key with too much",
			in:      reading(`{"Get":{"TableName":"@hash","Key":{@pk,"sk":{"S":"1"}}}}`),
			codes:   "ValidationError",
			reasons: `[{"Code":"ValidationError","Message":"The provided key element does not match the schema"}]`},
	})
}

func TestTransactGetCapacity(t *testing.T) {
	t.Parallel()
	asking := func(what string, gets ...string) string {
		return strings.TrimSuffix(reading(gets...), "}") + `,"ReturnConsumedCapacity":"` +
			what + `"}`
	}
	get := `{"Get":{"TableName":"@hash",@key,"ProjectionExpression":"b"}}`
	answer := func(item, capacity string) string {
		return `{"Responses":[` + item + `],"ConsumedCapacity":[` + capacity + `]}`
	}
	run(t, defaults{
		src: "Developer Guide, Amazon DynamoDB Transactions: How it works, Capacity management; AWS CLI Command Reference, transact-get-items, Examples", table: "hash", op: "TransactGetItems",
	}, []kase{
		{name: "no item", in: asking("TOTAL", get),
			want: answer(`{}`, consumed("hash", "2", `,"ReadCapacityUnits":2`))},
		{name: "4 KB", given: []string{sized(4096)}, in: asking("TOTAL", get),
			want: answer(`{}`, consumed("hash", "2", `,"ReadCapacityUnits":2`))},
		{name: "4 KB and a byte", given: []string{sized(4097)}, in: asking("TOTAL", get),
			want: answer(`{}`, consumed("hash", "4", `,"ReadCapacityUnits":4`))},
		{name: "INDEXES", in: asking("INDEXES", get),
			want: answer(`{}`,
				consumed("hash", "2",
					`,"ReadCapacityUnits":2,"Table":{"CapacityUnits":2,"ReadCapacityUnits":2}`))},
		{name: "two tables",
			in: asking("TOTAL", get, `{"Get":{"TableName":"@comp","Key":{@pk,"sk":{"S":"1"}}}}`,
				`{"Get":{"TableName":"@comp","Key":{@pk,"sk":{"S":"2"}}}}`),
			want: answer(`{},{},{}`,
				consumed("hash", "2", `,"ReadCapacityUnits":2`)+`,`+consumed("comp", "4",
					`,"ReadCapacityUnits":4`))},
		{name: "NONE", in: asking("NONE", get), want: `{"Responses":[{}]}`},
	})
}
