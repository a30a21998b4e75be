package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writing makes a TransactWriteItems of actions.
func writing(actions ...string) string {
	return `{"TransactItems":[` + strings.Join(actions, ",") + `]}`
}

// action makes an action on an item of table hash. members follow the Item of a Put, and the Key of
// other actions.
func action(kind, members string) string {
	what := `@key`
	if kind == "Put" {
		what = `"Item":{@pk}`
	}
	return `{"` + kind + `":{"TableName":"@hash",` + what + members + `}}`
}

// canceledWrites is a transaction that is canceled.
type canceledWrites struct {
	name    string
	src     string
	table   string
	given   []string
	in      string
	codes   string // the codes in the message
	reasons string // the list
}

const cancelSource = "API Reference, TransactWriteItems, TransactionCanceledException"

// runCanceled checks the whole answer of each case, and that the given items did not change.
func runCanceled(t *testing.T, op string, cases []canceledWrites) {
	t.Helper()
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			about := kase{src: or(k.src, cancelSource)}
			about.mark(t)
			key := newKey()
			text := func(s string) string { return expand(t, s, key) }
			shape := or(k.table, "hash")
			for _, item := range k.given {
				call(t, "PutItem", text(withTable(shape, `{"Item":`+item+`}`)))
			}
			before := allUnder(t, shape, key)
			assertBody(t, post(op, text(k.in)),
				http.StatusBadRequest, text(
					`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",`+
						`"Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [`+k.codes+`]","CancellationReasons":`+k.reasons+`}`))
			assert.Equal(t, before, allUnder(t, shape, key), "after %s\nsource: %s", shorten(k.in),
				or(k.src, cancelSource))
		})
	}
}

// allUnder reads the items of a partition key.
func allUnder(t *testing.T, shape, key string) any {
	return normal(
		call(t, "Query",
			expand(t, withTable(shape,
				`{"ConsistentRead":true,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"$k"}}}`), key))["Items"])
}

func TestTransactWriteItems(t *testing.T) {
	t.Parallel()
	const values = `,"ExpressionAttributeValues":{":v":{"N":"5"}}`
	run(t, defaults{
		src: "API Reference, TransactWriteItems", table: "hash", op: "TransactWriteItems",
	}, []kase{
		{name: "put", in: writing(`{"Put":{"TableName":"@hash","Item":{@pk,"a":{"N":"1"}}}}`),
			want: `{}`, then: `{@pk,"a":{"N":"1"}}`},
		{name: "put replaces", given: []string{`{@pk,"b":{"N":"1"}}`},
			in: writing(`{"Put":{"TableName":"@hash","Item":{@pk,"a":{"N":"1"}}}}`), want: `{}`,
			then: `{@pk,"a":{"N":"1"}}`},
		{name: "put with a condition that holds",
			in:   writing(action("Put", `,"ConditionExpression":"attribute_not_exists(pk)"`)),
			want: `{}`, then: `{@pk}`},
		{name: "update", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   writing(action("Update", `,"UpdateExpression":"SET b = a + :v"`+values)),
			want: `{}`, then: `{@pk,"a":{"N":"1"},"b":{"N":"6"}}`},
		{name: "update creates",
			in: writing(action("Update", `,"UpdateExpression":"ADD a :v"`+values)), want: `{}`,
			then: `{@pk,"a":{"N":"5"}}`},
		{name: "update with a condition that holds", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: writing(
				action("Update",
					`,"UpdateExpression":"SET #a = :v","ConditionExpression":"#a < :v","ExpressionAttributeNames":{"#a":"a"}`+values)), want: `{}`, then: `{@pk,"a":{"N":"5"}}`},
		{name: "delete", given: []string{`{@pk}`}, in: writing(action("Delete", "")), want: `{}`,
			then: "none"},
		{name: "delete of nothing", in: writing(action("Delete", "")), want: `{}`, then: "none"},
		{name: "delete with a condition that holds", given: []string{`{@pk,"a":{"N":"5"}}`},
			in: writing(action("Delete", `,"ConditionExpression":"a = :v"`+values)), want: `{}`,
			then: "none"},
		{name: "condition check", given: []string{`{@pk,"a":{"N":"5"}}`},
			in:   writing(action("ConditionCheck", `,"ConditionExpression":"a = :v"`+values)),
			want: `{}`, then: `{@pk,"a":{"N":"5"}}`},
		{name: "condition check of no item",
			in: writing(
				action("ConditionCheck", `,"ConditionExpression":"attribute_not_exists(a)"`)),
			want: `{}`, then: "none"},
		{name: "several tables, one by ARN", given: []string{`{@pk}`},
			in: writing(action("Update", `,"UpdateExpression":"SET a = :v"`+values),
				`{"Put":{"TableName":"@arn:comp","Item":{@pk,"sk":{"S":"1"}}}}`), want: `{}`,
			then: `{@pk,"a":{"N":"5"}}`},
		{name: "items of one partition", table: "comp",
			in: writing(`{"Put":{"TableName":"@comp","Item":{@pk,"sk":{"S":"1"}}}}`,
				`{"Delete":{"TableName":"@comp","Key":{@pk,"sk":{"S":"2"}}}}`), want: `{}`},
		{name: "100 actions", in: writing(hundred(100)), want: `{}`},
	})
}

// hundred makes n puts.
func hundred(n int) string {
	return times(n, `{"Put":{"TableName":"@hash","Item":{"pk":{"S":"$k-%d"}}}}`)
}

func TestTransactWriteItemsIsAtomic(t *testing.T) { // API Reference, TransactWriteItems
	t.Parallel()
	key := newKey()
	item := func(n string) string { return `{"pk":{"S":"` + key + `"},"sk":{"S":"` + n + `"}}` }
	put := func(n, more string) string {
		return `{"Put":{"TableName":"@comp","Item":` + item(n) + more + `}}`
	}
	refuse(t, "TransactWriteItems",
		writing(put("1", ""), put("2", `,"ConditionExpression":"attribute_exists(pk)"`)),
		"TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]")
	assert.Empty(t, allUnder(t, "comp", key))
	call(t, "TransactWriteItems",
		writing(put("1", ""), put("2", `,"ConditionExpression":"attribute_not_exists(pk)"`)))
	assert.Len(t, allUnder(t, "comp", key), 2)
}

func TestTransactWriteItemsRefused(t *testing.T) {
	t.Parallel()
	const invalid = "ValidationException: "
	const oneAction = invalid + "TransactItems can only contain one of Check, Put, Update or Delete"
	const noAction = "ValidationException: Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
	const oneError = invalid + "1 validation error detected: Value "
	const sameItem = invalid + "Transaction request cannot include multiple operations on one item"
	const fail = " failed to satisfy constraint: "
	put, check := action("Put", ""), `,"ConditionExpression":"attribute_exists(pk)"`
	run(t, defaults{
		src: "API Reference, TransactWriteItems", table: "hash", op: "TransactWriteItems",
	}, []kase{
		{name: "no TransactItems", raw: true, in: `{"TableName":"x"}`,
			err: oneError + "null at 'transactItems'" + fail + "Member must not be null"},
		{name: "no action", raw: true, in: writing(),
			err: oneError + "'[]' at 'transactItems'" + fail +
				"Member must have length greater than or equal to 1"},
		{name: "101 actions", in: writing(hundred(101)), err: oneError + "'[TransactWriteItem(*"},
		{name: "no member", raw: true, src: "service facts 5.7", in: writing(`{}`), err: noAction,
			then: "none"},
		{name: "two members",
			in: writing(
				`{"Put":{"TableName":"@hash","Item":{@pk}},"Delete":{"TableName":"@hash",@key}}`),
			err: oneAction, then: "none"},
		{name: "check and update",
			in: writing(`{"ConditionCheck":{"TableName":"@hash",@key` + check +
				`},"Update":{"TableName":"@hash",@key,"UpdateExpression":"REMOVE a"}}`),
			err: oneAction, then: "none"},
		{name: "one bad element of two", raw: true, src: "service facts 5.7",
			in: writing(put, `{}`), err: noAction, then: "none"},
		{name: "check without condition", raw: true, in: writing(action("ConditionCheck", "")),
			err: oneError + "null at 'transactItems.1.member.conditionCheck.conditionExpression'" +
				fail + "Member must not be null"},
		{name: "update without expression", raw: true,
			in: writing(put, `{"Update":{"TableName":"@hash","Key":{"pk":{"S":"x"}}}}`),
			err: oneError + "null at 'transactItems.2.member.update.updateExpression'" + fail +
				"Member must not be null"},
		{name: "put without item", raw: true, in: writing(`{"Put":{"TableName":"@hash"}}`),
			err: oneError + "null at 'transactItems.1.member.put.item'" + fail +
				"Member must not be null"},
		{name: "delete without key", raw: true, in: writing(`{"Delete":{"TableName":"@hash"}}`),
			err: oneError + "null at 'transactItems.1.member.delete.key'" + fail +
				"Member must not be null"},
		{name: "unknown ReturnValuesOnConditionCheckFailure",
			in: writing(action("Put", `,"ReturnValuesOnConditionCheckFailure":"OLD"`)),
			err: oneError +
				"'OLD' at 'transactItems.1.member.put.returnValuesOnConditionCheckFailure'" + fail +
				"Member must satisfy enum value set: [ALL_OLD, NONE]"},
		{name: "token of 37 characters",
			in: `{"ClientRequestToken":"` + strings.Repeat("x", 37) + `","TransactItems":[` +
				put + `]}`,
			err: oneError + "'" + strings.Repeat("x", 37) + "' at 'clientRequestToken'" + fail +
				"Member must have length less than or equal to 36", then: "none"},
		{name: "empty token", raw: true,
			in: `{"ClientRequestToken":"","TransactItems":[` + put + `]}`,
			err: oneError + "'' at 'clientRequestToken'" + fail +
				"Member must have length greater than or equal to 1", then: "none"},
		{name: "two actions on one item", in: writing(put, action("Delete", "")), err: sameItem,
			then: "none"},
		{name: "check and update of one item", given: []string{`{@pk}`},
			in: writing(action("ConditionCheck", check),
				action("Update", `,"UpdateExpression":"SET a = pk"`)), err: sameItem,
			then: `{@pk}`},
		{name: "one item by name and ARN",
			in: writing(put, `{"Delete":{"TableName":"@arn:hash",@key}}`), err: sameItem,
			then: "none"},
		{name: "one item by equal numbers", table: "",
			in: writing(`{"Put":{"TableName":"@hashn","Item":{"pk":{"N":"1"}}}}`,
				`{"Delete":{"TableName":"@hashn","Key":{"pk":{"N":"1.0"}}}}`), err: sameItem},
		{name: "the same key in two tables is not the same item",
			in:   writing(put, `{"Delete":{"TableName":"@comp","Key":{@pk,"sk":{"S":"1"}}}}`),
			want: `{}`},
		{name: "unknown table",
			in:  writing(put, `{"Put":{"TableName":"no-such-table","Item":{@pk}}}`),
			err: noSuchTable, then: "none"},
		{name: "bad table name", in: writing(`{"Put":{"TableName":"a b","Item":{@pk}}}`),
			err: invalid +
				"1 validation error detected: Value 'a b' at 'transactItems.1.member.put.tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "bad condition", in: writing(action("Put", `,"ConditionExpression":"a ="`)),
			err:  invalid + `Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="`,
			then: "none"},
		{name: "bad update", in: writing(action("Update", `,"UpdateExpression":"SET a"`)),
			err:  invalid + `Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "a"`,
			then: "none"},
		{name: "empty condition",
			in:  writing(action("ConditionCheck", `,"ConditionExpression":""`)),
			err: invalid + "Invalid ConditionExpression: The expression can not be empty;"},
		{name: "unused value",
			in: writing(
				action("ConditionCheck", check+`,"ExpressionAttributeValues":{":v":{"N":"5"}}`)),
			err: invalid +
				"Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}"},
		{name: "bad number in an item",
			in:  writing(`{"Put":{"TableName":"@hash","Item":{@pk,"a":{"N":"x"}}}}`),
			err: invalid + "The parameter cannot be converted to a numeric value: x", then: "none"},
		{name: "item of more than 400 KB",
			in: writing(`{"Put":{"TableName":"@hash","Item":{@pk,"a":{"S":"` +
				strings.Repeat("x", 400<<10) + `"}}}}`),
			err: invalid + "Item size has exceeded the maximum allowed size", then: "none"},
	})
}

func TestTransactWriteItemsSize(t *testing.T) { // API Reference, TransactWriteItems: 4 MB in all
	t.Parallel()
	large := newTable(t, shapes["hash"])
	put := func(n int) string {
		return writing(
			times(n, `{"Put":{"TableName":"`+large.name+`","Item":{"pk":{"S":"%d"},"a":{"S":"`+
				strings.Repeat("x", 380<<10)+`"}}}}`))
	}
	call(t, "TransactWriteItems", put(10))
	refuse(t, "TransactWriteItems", put(11), "ValidationException: *")
}

func TestTransactWriteItemsCanceled(t *testing.T) {
	t.Parallel()
	const failed = `{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"}`
	bad := func(message string) string {
		return `[{"Code":"ValidationError","Message":"` + message + `"}]`
	}
	const five = `,"ExpressionAttributeValues":{":v":{"N":"5"}}`
	full := []string{`{@pk,"a":{"N":"1"},"s":{"S":"text"}}`}
	exists, old :=
		`,"ConditionExpression":"attribute_exists(pk)"`,
		`,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`
	never := `,"ConditionExpression":"attribute_not_exists(pk)"`
	other := `{"Put":{"TableName":"@hash","Item":{"pk":{"S":"$k-2"}}}}`
	big := strings.Repeat("x", 300<<10)
	on := func(table, kind, members string) string {
		return writing(`{"` + kind + `":{"TableName":"@` + table + `",` + members + `}}`)
	}
	runCanceled(t, "TransactWriteItems", []canceledWrites{
		{name: "put", in: writing(action("Put", exists)), codes: "ConditionalCheckFailed",
			reasons: `[` + failed + `]`},
		{name: "update", in: writing(action("Update", exists+`,"UpdateExpression":"SET a = pk"`)),
			codes: "ConditionalCheckFailed", reasons: `[` + failed + `]`},
		{name: "delete", in: writing(action("Delete", exists)), codes: "ConditionalCheckFailed",
			reasons: `[` + failed + `]`},
		{name: "condition check", in: writing(action("ConditionCheck", exists)),
			codes: "ConditionalCheckFailed", reasons: `[` + failed + `]`},
		{name: "reasons in the order of the actions", given: full,
			in: writing(other, action("Delete", never),
				`{"Put":{"TableName":"@hash","Item":{"pk":{"S":"$k-3"}}}}`),
			codes:   "None, ConditionalCheckFailed, None",
			reasons: `[{"Code":"None"},` + failed + `,{"Code":"None"}]`},
		{name: "more than one reason", given: full,
			in: writing(action("Update", `,"UpdateExpression":"SET s = s + :v"`+five),
				`{"Put":{"TableName":"@hash","Item":{"pk":{"S":"$k-3"}}`+exists+`}}`),
			src: "service facts 5.9", codes: "ValidationError, None",
			reasons: `[{"Code":"ValidationError","Message":"An operand in the update expression has an incorrect data type"},{"Code":"None"}]`},

		{name: "put, with the item", given: full, in: writing(action("Put", never+old)),
			codes:   "ConditionalCheckFailed",
			reasons: `[{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":` + full[0] + `}]`},
		{name: "update, with the item", given: full,
			in:      writing(action("Update", never+old+`,"UpdateExpression":"SET a = s"`)),
			codes:   "ConditionalCheckFailed",
			reasons: `[{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":` + full[0] + `}]`},
		{name: "delete, with the item", given: full,
			in: writing(other, action("Delete", never+old)), codes: "None, ConditionalCheckFailed",
			reasons: `[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":` + full[0] + `}]`},
		{name: "condition check, with the item", given: full,
			in: writing(action("ConditionCheck", never+old)), codes: "ConditionalCheckFailed",
			reasons: `[{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":` + full[0] + `}]`},
		{name: "NONE, without the item", given: full,
			in:    writing(action("Put", never+`,"ReturnValuesOnConditionCheckFailure":"NONE"`)),
			codes: "ConditionalCheckFailed", reasons: `[` + failed + `]`},
		{name: "with the item, which is not there", in: writing(action("Put", exists+old)),
			codes: "ConditionalCheckFailed", reasons: `[` + failed + `]`},

		{name: "missing key", in: on("hash", "Put", `"Item":{"a":{"S":"$k"}}`),
			codes: "ValidationError",
			reasons: bad(
				"One or more parameter values were invalid: Missing the key pk in the item")},
		{name: "key of another type", in: on("hash", "Put", `"Item":{"pk":{"N":"1"}}`),
			codes: "ValidationError",
			reasons: bad(
				"One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N")},
		{name: "key with too much", in: on("hash", "Delete", `"Key":{@pk,"sk":{"S":"1"}}`),
			codes:   "ValidationError",
			reasons: bad("The provided key element does not match the schema")},
		{name: "key with too little", table: "comp",
			in: on("comp", "ConditionCheck", `@key`+exists), codes: "ValidationError",
			reasons: bad("The provided key element does not match the schema")},
		{name: "update of the key",
			in:    writing(action("Update", `,"UpdateExpression":"SET pk = :v"`+five)),
			codes: "ValidationError",
			reasons: bad(
				"One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key")},
		{name: "index key of another type", table: "global",
			in:    on("global", "Put", `"Item":{@pk,"sk":{"S":"1"},"gp":{"N":"1"}}`),
			codes: "ValidationError",
			reasons: bad(
				"One or more parameter values were invalid: Type mismatch for Index Key gp Expected: S Actual: N IndexName: gall")},
		{name: "bad key and good action",
			in:      writing(other, `{"Delete":{"TableName":"@hash","Key":{"pk":{"N":"1"}}}}`),
			codes:   "None, ValidationError",
			reasons: `[{"Code":"None"},{"Code":"ValidationError","Message":"The provided key element does not match the schema"}]`},

		{name: "operand of another type", given: full,
			in:      writing(action("Update", `,"UpdateExpression":"SET a = s + :v"`+five)),
			codes:   "ValidationError",
			reasons: bad("An operand in the update expression has an incorrect data type")},
		{name: "attribute that does not exist", given: full,
			in:    writing(action("Update", `,"UpdateExpression":"SET a = x"`)),
			codes: "ValidationError",
			reasons: bad(
				"The provided expression refers to an attribute that does not exist in the item")},
		{name: "path that does not exist", given: full,
			in:    writing(action("Update", `,"UpdateExpression":"SET x.y = :v"`+five)),
			codes: "ValidationError",
			reasons: bad(
				"The document path provided in the update expression is invalid for update")},
		{name: "number overflow", given: []string{`{@pk,"a":{"N":"9E125"}}`},
			in: writing(
				action("Update",
					`,"UpdateExpression":"SET a = a + :v","ExpressionAttributeValues":{":v":{"N":"9E125"}}`)), codes: "ValidationError",
			reasons: bad(
				"Number overflow. Attempting to store a number with magnitude larger than supported range")},
		{name: "item that grows too large", given: []string{`{@pk,"a":{"S":"` + big + `"}}`},
			in:      writing(action("Update", `,"UpdateExpression":"SET b = a"`)),
			codes:   "ValidationError",
			reasons: bad("Item size to update has exceeded the maximum allowed size")},
		{name: "update of an index key to another type", table: "global",
			given: []string{`{@pk,"sk":{"S":"1"},"n":{"N":"1"}}`},
			in: on("global", "Update",
				`"Key":{@pk,"sk":{"S":"1"}},"UpdateExpression":"SET gp = n"`),
			codes: "ValidationError",
			reasons: bad(
				"The update expression attempted to update the secondary index key to unsupported type")},
	})
}

func TestTransactWriteCapacity(t *testing.T) {
	t.Parallel()
	const src = "Developer Guide, Amazon DynamoDB Transactions: How it works, Capacity management; AWS CLI Command Reference, transact-write-items, Examples"
	const total = `,"ReturnConsumedCapacity":"TOTAL"}`
	asking := func(actions ...string) string {
		return strings.TrimSuffix(writing(actions...), "}") + total
	}
	units := func(n string) string {
		return `{"ConsumedCapacity":[` + consumed("hash", n, `,"WriteCapacityUnits":`+n) + `]}`
	}
	put := func(n int) string { return `{"Put":{"TableName":"@hash","Item":` + sized(n) + `}}` }
	full := `{"Put":{"TableName":"@global","Item":{@pk,"sk":{"S":"1"},"gp":{"S":"c"}}}}`
	both := func(n string) string {
		return `{"CapacityUnits":` + n + `,"WriteCapacityUnits":` + n + `}`
	}
	run(t, defaults{src: src, table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "put of 1 KB", in: asking(put(1024)), want: units("2")},
		{name: "put of 1 KB and a byte", in: asking(put(1025)), want: units("4")},
		{name: "put over a larger item", given: []string{sized(5000)}, in: asking(put(100)),
			want: units("10")},
		{name: "update", given: []string{sized(3000)},
			in: asking(action("Update", `,"UpdateExpression":"REMOVE a"`)), want: units("6")},
		{name: "delete", given: []string{sized(3000)}, in: asking(action("Delete", "")),
			want: units("6")},
		{name: "delete of nothing", in: asking(action("Delete", "")), want: units("2")},
		{name: "condition check", given: []string{sized(3000)},
			in:   asking(action("ConditionCheck", `,"ConditionExpression":"attribute_exists(pk)"`)),
			want: units("6")},
		{name: "two tables",
			in: asking(`{"Delete":{"TableName":"@comp","Key":{@pk,"sk":{"S":"1"}}}}`, put(100),
				`{"Delete":{"TableName":"@comp","Key":{@pk,"sk":{"S":"2"}}}}`),
			want: `{"ConsumedCapacity":[` +
				consumed("comp", "4", `,"WriteCapacityUnits":4`) + `,` + consumed("hash", "2",
				`,"WriteCapacityUnits":2`) + `]}`},
		{name: "table by ARN", in: asking(`{"Put":{"TableName":"@arn:hash","Item":{@pk}}}`),
			want: `{"ConsumedCapacity":[{"TableName":"@arn:hash","CapacityUnits":2,"WriteCapacityUnits":2}]}`},
		{name: "INDEXES", table: "global", in: strings.Replace(asking(full), "TOTAL", "INDEXES", 1),
			want: `{"ConsumedCapacity":[` +
				consumed("global", "3",
					`,"WriteCapacityUnits":3,"Table":`+both("2")+
						`,"GlobalSecondaryIndexes":{"gall":`+both("1")+`}`) + `]}`},
		{name: "local indexes", table: "local",
			in: strings.Replace(
				asking(`{"Put":{"TableName":"@local","Item":{@pk,"sk":{"S":"1"},"lk":{"S":"a"}}}}`),
				"TOTAL", "INDEXES", 1),
			want: `{"ConsumedCapacity":[` +
				consumed("local", "4",
					`,"WriteCapacityUnits":4,"Table":`+both("2")+
						`,"LocalSecondaryIndexes":{"lall":`+
						both("1")+`,"lkeys":`+both("1")+`}`) + `]}`},
		{name: "an index key that changes", table: "global",
			given: []string{`{@pk,"sk":{"S":"1"},"gp":{"S":"b"}}`}, in: asking(full),
			want: `{"ConsumedCapacity":[` +
				consumed("global", "4", `,"WriteCapacityUnits":4`) + `]}`},
		{name: "NONE", in: strings.Replace(asking(put(10+12)), "TOTAL", "NONE", 1), want: `{}`},
	})
	metrics := `{"ItemCollectionKey":{@pk},"SizeEstimateRangeGB":[0,1]}`
	local := func(n string) string {
		return `{"Put":{"TableName":"@local","Item":{@pk,"sk":{"S":"` + n + `"}}}}`
	}
	const size = `,"ReturnItemCollectionMetrics":"SIZE"}`
	run(t, defaults{
		src: "API Reference, TransactWriteItems, ItemCollectionMetrics", table: "local",
		op: "TransactWriteItems",
	}, []kase{
		{name: "one collection",
			in:   strings.TrimSuffix(writing(local("1"), local("2")), "}") + size,
			want: `{"ItemCollectionMetrics":{"@local":[` + metrics + `]}}`},
		{name: "a check modifies nothing",
			in: strings.TrimSuffix(
				writing(`{"ConditionCheck":{"TableName":"@local","Key":{@pk,"sk":{"S":"1"}},"ConditionExpression":"attribute_not_exists(pk)"}}`), "}") + size, want: `{}`},
		{name: "table without local indexes", table: "hash",
			in: strings.TrimSuffix(writing(put(100)), "}") + size, want: `{}`},
	})
}

func TestClientRequestToken(t *testing.T) { // API Reference, TransactWriteItems, ClientRequestToken
	t.Parallel()
	key, token := newKey(), newToken()
	add := func(token, n, more string) string {
		return `{"ClientRequestToken":"` + token +
			`","TransactItems":[{"Update":{"TableName":"@hash","Key":{"pk":{"S":"` + key + `"}},` +
			`"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"` +
			n + `"}}}}]` + more + `}`
	}
	counted := func(want string) {
		t.Helper()
		answer := call(t, "GetItem",
			`{"TableName":"@hash","ConsistentRead":true,"Key":{"pk":{"S":"`+key+`"}}}`)
		assert.Equal(t, want, textAt(t, answer["Item"], "n"))
	}
	const total = `,"ReturnConsumedCapacity":"TOTAL"`
	first := call(t, "TransactWriteItems", add(token, "1", total))
	assert.Equal(t,
		normal(parseJSON(
			expand(t, `{"ConsumedCapacity":[`+consumed("hash", "2", `,"WriteCapacityUnits":2`)+`]}`,
				""))), normal(first))
	again := call(t, "TransactWriteItems", add(token, "1", total))
	assert.Equal(t,
		normal(parseJSON(
			expand(t, `{"ConsumedCapacity":[`+consumed("hash", "2", `,"ReadCapacityUnits":2`)+`]}`,
				""))), normal(again))
	counted("1")
	refuse(t, "TransactWriteItems", add(token, "2", total),
		"IdempotentParameterMismatchException: *")
	counted("1")
	call(t, "TransactWriteItems", add(token+"-other", "2", total))
	counted("3")
}

// TestClientRequestTokenOfReorderedMembers: the members of JSON objects have no order (RFC 8259,
// 4), and the SDK for Go writes those of maps in a random order. Only the content counts (API
// Reference, TransactWriteItems, ClientRequestToken).
func TestClientRequestTokenOfReorderedMembers(t *testing.T) {
	t.Parallel()
	token := newToken()
	first := expand(t, `{"ClientRequestToken":"`+token+`","TransactItems":[`+
		`{"Update":{"TableName":"@hash",@key,"UpdateExpression":"SET #a = :a, #b = :b","ExpressionAttributeNames":{"#a":"a","#b":"b"},"ExpressionAttributeValues":{":a":{"N":"1"},":b":{"SS":["x","y"]}}}},`+
		`{"Put":{"TableName":"@hash","Item":{"pk":{"S":"$k-2"},"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}}},"ConditionExpression":"attribute_not_exists(#pk) AND attribute_not_exists(#x)","ExpressionAttributeNames":{"#pk":"pk","#x":"x"}}},`+
		`{"Delete":{"TableName":"@comp","Key":{@pk,"sk":{"S":"1"}},"ConditionExpression":"attribute_not_exists(#c) OR #d = :d","ExpressionAttributeNames":{"#c":"c","#d":"d"},"ExpressionAttributeValues":{":d":{"N":"1"}}}},`+
		`{"ConditionCheck":{"TableName":"@comp","Key":{@pk,"sk":{"S":"2"}},"ConditionExpression":"attribute_not_exists(#c) AND attribute_not_exists(#d)","ExpressionAttributeNames":{"#c":"c","#d":"d"}}}]}`, newKey())
	again := first
	for _, swap := range [][2]string{
		{`"#a":"a","#b":"b"`, `"#b":"b","#a":"a"`},
		{`":a":{"N":"1"},":b":{"SS":["x","y"]}`, `":b":{"SS":["y","x"]},":a":{"N":"1"}`},
		{`"#pk":"pk","#x":"x"`, `"#x":"x","#pk":"pk"`},
		{`"x":{"N":"1"},"y":{"N":"2"}`, `"y":{"N":"2"},"x":{"N":"1"}`},
		{`"#c":"c","#d":"d"`, `"#d":"d","#c":"c"`},
	} {
		require.Contains(t, again, swap[0])
		again = strings.ReplaceAll(again, swap[0], swap[1])
	}
	call(t, "TransactWriteItems", first)
	call(t, "TransactWriteItems", again)
	refuse(t, "TransactWriteItems", strings.Replace(again, `"#c":"c"`, `"#c":"cc"`, 1),
		"IdempotentParameterMismatchException: *")
}

// the transaction did nothing to repeat
func TestClientRequestTokenOfACanceledTransaction(t *testing.T) {
	t.Parallel()
	key := newKey()
	in := fmt.Sprintf(
		`{"ClientRequestToken":%q,"TransactItems":[{"Update":{"TableName":"@hash","Key":{"pk":{"S":%q}},"UpdateExpression":"SET a = pk","ConditionExpression":"attribute_exists(pk)"}}]}`, newToken(), key)
	refuse(t, "TransactWriteItems", in, "TransactionCanceledException: *")
	call(t, "PutItem", `{"TableName":"@hash","Item":{"pk":{"S":"`+key+`"}}}`)
	call(t, "TransactWriteItems", in)
	answer := call(t, "GetItem",
		`{"TableName":"@hash","ConsistentRead":true,"Key":{"pk":{"S":"`+key+`"}}}`)
	require.Equal(t, key, textAt(t, answer["Item"], "a"))
}

// TestCancellationReasonsInTheSDK checks the reasons in the form of the SDK.
func TestCancellationReasonsInTheSDK(t *testing.T) {
	t.Parallel()
	key := newKey()
	body := expand(t,
		writing(`{"Put":{"TableName":"@hash","Item":{"pk":{"S":"$k-2"}}}}`,
			action("Put",
				`,"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"`)), key)
	call(t, "PutItem", expand(t, `{"TableName":"@hash","Item":{@pk}}`, key))
	_, err := send("TransactWriteItems", body, false)
	var canceled *types.TransactionCanceledException
	require.ErrorAs(t, err, &canceled)
	assert.Equal(t, []types.CancellationReason{
		{Code: aws.String("None")},
		{Code: aws.String("ConditionalCheckFailed"),
			Message: aws.String(conditionFailedText),
			Item: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: key},
			}},
	}, canceled.CancellationReasons)
}

// TestTokenOutlivesItsTable: API Reference, TransactWriteItems, ClientRequestToken: for ten minutes
// after a request, an identical one with the token changes nothing. Nothing says that a token ends
// with its table.
func TestTokenOutlivesItsTable(t *testing.T) {
	t.Parallel()
	const create = `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`
	const write = `{"ClientRequestToken":"fixed","TransactItems":[{"Put":{"TableName":"orders","Item":{"pk":{"S":"1"}}}}]}`
	follow(t, private(t), []step{
		{"create", "CreateTable", create, "", ""},
		{"write", "TransactWriteItems", write, "", ""},
		{"delete", "DeleteTable", `{"TableName":"orders"}`, "", ""},
		{"create again", "CreateTable", create, "", ""},
		{"write again", "TransactWriteItems", write, "", ""},
		{"read", "Scan", `{"TableName":"orders"}`, `{"Count":0}`, ""},
	})
}
