package conformance

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestTransactionConflicts sends requests while a transaction is open that puts "written" and
// checks "checked": Developer Guide, "Amazon DynamoDB Transactions: How it works", "Transaction
// conflict handling" and "Isolation levels"; API Reference, TransactWriteItems,
// TransactionInProgressException. Only Kugiri can hold a transaction open, so the test starts it
// whatever the server under test.
func TestTransactionConflicts(t *testing.T) {
	t.Parallel()
	during := func() {}
	x := newStreamTest(t, emulator.WithTransactionHook(func(string) { during() }))
	x.table("table", "KEYS_ONLY")
	for _, pk := range []string{"written", "checked", "free"} {
		x.put("table", pk, "old")
	}
	const (
		conflict = "TransactionConflictException: Transaction is ongoing for the item"
		canceled = "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]"
		item     = `"Item":{"pk":{"S":"written"}}`
		checked  = `"Key":{"pk":{"S":"checked"}}`
		free     = `"Key":{"pk":{"S":"free"}}`
		set      = `,"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}`
		open     = `{"ClientRequestToken":"open","TransactItems":[
			{"Put":{"TableName":"table","Item":{"pk":{"S":"written"},"v":{"S":"new"}}}},
			{"ConditionCheck":{"TableName":"table",` + checked +
			`,"ConditionExpression":"attribute_exists(pk)"}}]}`
	)
	cases := []struct{ name, op, body, has, err string }{
		{name: "put", op: "PutItem", body: `{"TableName":"table",` + item + `}`, err: conflict},
		{name: "update of a checked item", op: "UpdateItem",
			body: `{"TableName":"table",` + checked + set + `}`, err: conflict},
		{name: "delete of a checked item", op: "DeleteItem",
			body: `{"TableName":"table",` + checked + `}`, err: conflict},
		{name: "batch", op: "BatchWriteItem",
			body: `{"RequestItems":{"table":[{"PutRequest":{` + item + `}}]}}`,
			has:  `{"UnprocessedItems":{"table":[{"PutRequest":{` + item + `}}]}}`},
		{name: "write transaction", op: "TransactWriteItems",
			body: `{"TransactItems":[{"Delete":{"TableName":"table",` + checked + `}}]}`,
			err:  canceled},
		{name: "read transaction", op: "TransactGetItems",
			body: `{"TransactItems":[{"Get":{"TableName":"table",` + checked + `}}]}`,
			err:  canceled},
		{name: "statement", op: "ExecuteStatement",
			body: `{"Statement":"DELETE FROM \"table\" WHERE pk = 'written'"}`, err: conflict},
		{name: "the same token", op: "TransactWriteItems", body: open,
			err: "TransactionInProgressException: *"},
		{name: "another item", op: "UpdateItem", body: `{"TableName":"table",` + free + set + `}`},
		{name: "get", op: "GetItem",
			body: `{"TableName":"table","ConsistentRead":true,"Key":{"pk":{"S":"written"}}}`,
			has:  `{"Item":{"v":{"S":"old"}}}`},
		{name: "scan", op: "Scan",
			body: `{"TableName":"table","FilterExpression":"v = :v","ExpressionAttributeValues":{":v":{"S":"new"}}}`, has: `{"Count":0}`},
	}
	met := 0
	during = func() {
		during = func() {}
		for _, c := range cases {
			answer, err := invoke(context.Background(), x.data, c.op, c.body)
			met++
			if c.err != "" {
				assertError(t, c.err, err, c.name)
			} else if assert.NoError(t, err, c.name) && c.has != "" {
				assertHas(t, c.has, answer)
			}
		}
	}
	x.do("TransactWriteItems", open)
	assert.Equal(t, len(cases), met)
	assertHas(t, `{"Item":{"v":{"S":"new"}}}`,
		x.do("GetItem", `{"TableName":"table","Key":{"pk":{"S":"written"}}}`))
	x.do("PutItem", `{"TableName":"table",`+item+`}`)
}
