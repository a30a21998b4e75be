package conformance

import (
	"fmt"
	"strings"
	"testing"
)

const emptyValue = "ValidationException: One or more parameter values are not valid. "

// Empty key values refuse a transaction as a whole. Key values of another type cancel it.
func TestEmptyKeysInTransactions(t *testing.T) {
	t.Parallel()
	of := func(table, kind, members string) string {
		return `{"` + kind + `":{"TableName":"@` + table + `",` + members + `}}`
	}
	good := `{"Put":{"TableName":"@hash","Item":{@pk}}}`
	const exists = `,"ConditionExpression":"attribute_exists(pk)"`
	const key = emptyValue + "The AttributeValue for a key attribute cannot contain an empty "
	run(t, defaults{src: "service facts 5.1", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "Put", in: writing(of("hash", "Put", `"Item":{"pk":{"S":""}}`)),
			err: key + "string value. Key: pk"},
		{name: "Update",
			in: writing(
				of("hash", "Update", `"Key":{"pk":{"S":""}},"UpdateExpression":"REMOVE a"`)),
			err: key + "string value. Key: pk"},
		{name: "Delete", in: writing(of("hash", "Delete", `"Key":{"pk":{"S":""}}`)),
			err: key + "string value. Key: pk"},
		{name: "ConditionCheck",
			in:  writing(of("hash", "ConditionCheck", `"Key":{"pk":{"S":""}}`+exists)),
			err: key + "string value. Key: pk"},
		{name: "binary", in: writing(of("hashb", "Delete", `"Key":{"pk":{"B":""}}`)),
			err: key + "binary value. Key: pk"},
		{name: "sort key", in: writing(of("comp", "Put", `"Item":{@pk,"sk":{"S":""}}`)),
			err: key + "string value. Key: sk"},
		{name: "beside a good action",
			in:  writing(good, of("hash", "Delete", `"Key":{"pk":{"S":""}}`)),
			err: key + "string value. Key: pk", then: "none"},
	})
	const updated = emptyValue +
		"The update expression attempted to update a secondary index key to a value that is not supported. " +
		"The AttributeValue for a key attribute cannot contain an empty "
	run(t, defaults{src: "service facts 5.2", table: "global", op: "TransactWriteItems"}, []kase{
		{name: "Put", in: writing(of("global", "Put", `"Item":{@pk,"sk":{"S":"1"},"gp":{"S":""}}`)),
			err: emptyValue +
				"A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gall, IndexKey: gp"},
		{name: "Put, binary",
			in: writing(of("global", "Put", `"Item":{@pk,"sk":{"S":"1"},"gb":{"B":""}}`)),
			err: emptyValue +
				"A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: gbin, IndexKey: gb"},
		{name: "Update",
			in: writing(
				of("global", "Update",
					`"Key":{@pk,"sk":{"S":"1"}},"UpdateExpression":"SET gp = :v","ExpressionAttributeValues":{":v":{"S":""}}`)), err: updated + "string value."},
		{name: "Update, binary",
			in: writing(
				of("global", "Update",
					`"Key":{@pk,"sk":{"S":"1"}},"UpdateExpression":"SET gb = :v","ExpressionAttributeValues":{":v":{"B":""}}`)), err: updated + "binary value."},
	})
}

// Of several actions with a validation error only the first has a reason.
func TestFirstValidationErrorCancels(t *testing.T) {
	t.Parallel()
	wrong := `{"Delete":{"TableName":"@hash","Key":{"pk":{"N":"1"}}}}`
	lost := `{"ConditionCheck":{"TableName":"@hash","Key":{"pk":{"S":"$k-none"}},"ConditionExpression":"attribute_exists(pk)"}}`
	good := `{"Put":{"TableName":"@hash","Item":{@pk}}}`
	const reason = `{"Code":"ValidationError","Message":"The provided key element does not match the schema"}`
	runCanceled(t, "TransactWriteItems", []canceledWrites{
		{name: "two wrong keys", in: writing(wrong, wrong), codes: "ValidationError, None",
			reasons: `[` + reason + `,{"Code":"None"}]`},
		{name: "a failed condition before", in: writing(lost, wrong),
			codes: "None, ValidationError", reasons: `[{"Code":"None"},` + reason + `]`},
		{name: "a failed condition after", in: writing(wrong, lost, good),
			codes:   "ValidationError, None, None",
			reasons: `[` + reason + `,{"Code":"None"},{"Code":"None"}]`},
		{name: "of several kinds",
			in: writing(
				`{"Update":{"TableName":"@hash",@key,"UpdateExpression":"SET pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}}}}`, wrong), codes: "ValidationError, None",
			reasons: `[{"Code":"ValidationError","Message":"One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"},{"Code":"None"}]`},
	})
	const same = "ValidationException: Transaction request cannot include multiple operations on one item"
	run(t, defaults{src: "service facts 5.3", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "duplicate targets before key schema", in: writing(wrong, good, good), err: same},
		{name: "missing table before duplicate targets",
			in:  writing(good, good, `{"Delete":{"TableName":"no-such-table","Key":{@pk}}}`),
			err: noSuchTable},
	})
}

// deep returns a value inside the given number of lists.
func deep(levels int) string {
	return strings.Repeat(`{"L":[`, levels) + `{"N":"1"}` + strings.Repeat(`]}`, levels)
}

func TestOrderOfChecksInActions(t *testing.T) {
	t.Parallel()
	const (
		tooDeep = "ValidationException: Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
		syntax  = `ValidationException: Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="`
		unnamed = "ValidationException: Empty attribute name"
	)
	put := func(item, more string) string {
		return `{"Put":{"TableName":"@hash","Item":{` + item + `}` + more + `}}`
	}
	bad := `,"ConditionExpression":"a ="`
	run(t, defaults{src: "service facts 5.3", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "syntax before depth of a key",
			in: writing(`{"Delete":{"TableName":"@hash","Key":{"pk":` +
				deep(33) + `}` + bad + `}}`), err: syntax},
		{name: "syntax before depth of an item", in: writing(put(`@pk,"a":`+deep(33), bad)),
			err: syntax},
		{name: "syntax of an update before depth of a key",
			in: writing(`{"Update":{"TableName":"@hash","Key":{"pk":` + deep(33) +
				`},"UpdateExpression":"SET a ="}}`),
			err: `ValidationException: Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "="`},
		{name: "a bad value before syntax", src: "service facts F.29",
			in:  writing(put(`@pk`, `,"ExpressionAttributeValues":{":v":{"N":"x"}}`+bad)),
			err: wrappedValue(notConverted + ": x")},
		{name: "a bad value of an update before syntax of a condition", src: "service facts F.29",
			in: writing(
				`{"Update":{"TableName":"@hash",@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"N":"x"}}` + bad + `}}`),
			err: wrappedValue(notConverted + ": x")},
		{name: "empty name before depth", raw: true,
			in: writing(put(`@pk,"":{"S":"x"},"a":`+deep(33), "")), err: unnamed},
		{name: "empty name after depth", raw: true,
			in: writing(put(`@pk,"a":`+deep(33)+`,"":{"S":"x"}`, "")), err: unnamed},
		{name: "empty map key before depth", raw: true,
			in: writing(put(`@pk,"a":{"M":{"":{"S":"x"}}},"b":`+deep(33), "")), err: tooDeep},
		{name: "empty map key after depth", raw: true,
			in: writing(put(`@pk,"a":`+deep(33)+`,"b":{"M":{"":{"S":"x"}}}`, "")), err: tooDeep},
		{name: "an earlier action first",
			in: writing(put(`@pk,"a":`+deep(33), ""), put(`"pk":{"S":"$k-2"}`, bad)), err: tooDeep},
		{name: "a later action later",
			in: writing(put(`"pk":{"S":"$k-2"}`, bad), put(`@pk,"a":`+deep(33), "")), err: syntax},
		{name: "empty name alone", src: "service facts 5.4", raw: true,
			in: writing(put(`@pk,"":{"S":"x"}`, "")), err: unnamed},
	})
}

// The size of a transaction is that of its request, not that of the stored items.
func TestTransactionPayload(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 100<<10)
	var deletions, puts []string
	for i := range 50 {
		key := fmt.Sprintf(`"pk":{"S":"$k-%d"}`, i)
		deletions = append(deletions, `{"Delete":{"TableName":"@hash","Key":{`+key+`}}}`)
		puts = append(puts, `{"Put":{"TableName":"@hash","Item":{`+key+`,"a":{"S":"`+large+`"}}}}`)
	}
	run(t, defaults{src: "service facts 5.8", table: "hash", op: "TransactWriteItems"}, []kase{
		{name: "puts of 5 MB", in: writing(puts...),
			err: "ValidationException: Transaction payload size cannot exceed*"},
	})
	key := newKey()
	for _, half := range [][]string{puts[:25], puts[25:]} {
		call(t, "TransactWriteItems", expand(t, writing(half...), key))
	}
	call(t, "TransactWriteItems", expand(t, writing(deletions...), key))
}

func TestFactsOfBatches(t *testing.T) {
	t.Parallel()
	const schema = wrongKey
	write := func(item string) string {
		return `{"RequestItems":{"@comp":[{"PutRequest":{"Item":{` + item + `}}}]}}`
	}
	run(t, defaults{src: "service facts 4.1", table: "comp", op: "BatchWriteItem"}, []kase{
		{name: "no partition key", in: write(`"sk":{"S":"1"}`), err: schema},
		{name: "no sort key", in: write(`@pk,"a":{"S":"1"}`), err: schema},
		{name: "sort key of another type", in: write(`@pk,"sk":{"N":"1"}`), err: schema},
		{name: "partition key that is a list", in: write(`"pk":{"L":[]},"sk":{"S":"1"}`),
			err: schema},
		{name: "sort key that is a set", in: write(`@pk,"sk":{"SS":["1"]}`), err: schema},
		{name: "empty sort key", in: write(`@pk,"sk":{"S":""}`),
			err: emptyValue +
				"The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"},
	})
	many := func(n int) string { return times(n, `{"pk":{"S":"%d"}}`) }
	const keys = "ValidationException: 1 validation error detected: Value at 'RequestItems.@hash.member.Keys' failed to satisfy constraint: Member must have length "
	run(t, defaults{src: "service facts 4.2", op: "BatchGetItem"}, []kase{
		{name: "101 keys", in: `{"RequestItems":{"@hash":{"Keys":[` + many(101) + `]}}}`,
			err: keys + "less than or equal to 100"},
		{name: "no keys", raw: true, in: `{"RequestItems":{"@hash":{"Keys":[]}}}`,
			err: keys + "greater than or equal to 1"},
		{name: "no tables", src: "service facts 4.3", raw: true, in: `{"RequestItems":{}}`,
			err: "ValidationException: 1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},
	})
	run(t, defaults{src: "service facts 4.7", table: "hash", op: "BatchGetItem"}, []kase{
		{name: "expression for one table, legacy for another",
			in:  `{"RequestItems":{"@hash":{"Keys":[{@pk}],"ProjectionExpression":"a"},"@hashn":{"Keys":[{"pk":{"N":"1"}}],"AttributesToGet":["a"]}}}`,
			err: "ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{name: "empty projection before duplicates", src: "service facts 4.8",
			in:  `{"RequestItems":{"@hash":{"Keys":[{@pk},{@pk}],"ProjectionExpression":""}}}`,
			err: "ValidationException: Invalid ProjectionExpression: The expression can not be empty;"},
		{name: "empty names before duplicates", src: "service facts 4.8", raw: true,
			in: `{"RequestItems":{"@hash":{"Keys":[{@pk},{@pk}],"ProjectionExpression":"a","ExpressionAttributeNames":{}}}}`, err: "ValidationException: ExpressionAttributeNames must not be empty"},
		{name: "repeated attribute before duplicates", src: "service facts 4.8",
			in:  `{"RequestItems":{"@hash":{"Keys":[{@pk},{@pk}],"AttributesToGet":["a","a"]}}}`,
			err: "ValidationException: One or more parameter values were invalid: Duplicate value in attribute name: a"},
	})
}

// The error of a fault in the keys of several indexes names a global index.
func TestIndexNamedByFaults(t *testing.T) {
	t.Parallel()
	shape := keys("pk:S", "sk:S", "x:S") + `,"LocalSecondaryIndexes":[` +
		index("aaa", "ALL", "pk", "x") + `],"GlobalSecondaryIndexes":[` +
		index("zzz", "ALL", "x") + `]`
	table := newTable(t, shape).name
	const mismatch = "One or more parameter values were invalid: Type mismatch for Index Key x Expected: S Actual: N IndexName: zzz"
	item := `"Item":{@pk,"sk":{"S":"1"},"x":{"N":"1"}}`
	update := `"Key":{@pk,"sk":{"S":"1"}},"UpdateExpression":"SET x = :v","ExpressionAttributeValues":{":v":{"N":"1"}}`
	run(t, defaults{src: "service facts 3.10", table: "hash"}, []kase{
		{name: "PutItem", op: "PutItem", in: `{"TableName":"` + table + `",` + item + `}`,
			err: "ValidationException: " + mismatch},
		{name: "UpdateItem", op: "UpdateItem", in: `{"TableName":"` + table + `",` + update + `}`,
			err: "ValidationException: " + mismatch},
		{name: "BatchWriteItem", op: "BatchWriteItem",
			in:  `{"RequestItems":{"` + table + `":[{"PutRequest":{` + item + `}}]}}`,
			err: "ValidationException: " + mismatch},
		{name: "empty value", op: "PutItem",
			in: `{"TableName":"` + table + `","Item":{@pk,"sk":{"S":"1"},"x":{"S":""}}}`,
			err: emptyValue +
				"A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: zzz, IndexKey: x"},
	})
	runCanceled(t, "TransactWriteItems", []canceledWrites{
		{name: "Put", in: writing(`{"Put":{"TableName":"` + table + `",` + item + `}}`),
			codes:   "ValidationError",
			reasons: `[{"Code":"ValidationError","Message":"` + mismatch + `"}]`},
		{name: "Update", in: writing(`{"Update":{"TableName":"` + table + `",` + update + `}}`),
			codes:   "ValidationError",
			reasons: `[{"Code":"ValidationError","Message":"` + mismatch + `"}]`},
	})
}

// TestChargeOfAReplay (service facts P.8): a replay reads what the first call was charged for, not
// what is stored now.
func TestChargeOfAReplay(t *testing.T) {
	t.Parallel()
	send := private(t)
	long := strings.Repeat("x", 9000)
	const body = `{"ClientRequestToken":"$t","ReturnConsumedCapacity":"TOTAL","TransactItems":[$a]}`
	transacts := func(name, op, token, actions string, units int) step {
		return step{name: name, op: op,
			body: strings.NewReplacer("$t", token, "$a", actions).Replace(body),
			has:  fmt.Sprintf(`{"ConsumedCapacity":[{"CapacityUnits":%d}]}`, units)}
	}
	const write = "TransactWriteItems"
	put := `{"Put":{"TableName":"table","Item":{"pk":{"S":"a"},"v":{"S":"` + long + `"}}}}`
	drop := `{"Delete":{"TableName":"table","Key":{"pk":{"S":"a"}}}}`
	small := `{"Put":{"TableName":"table","Item":{"pk":{"S":"b"}}}}`
	follow(t, send, []step{
		{name: "table", op: "CreateTable", body: `{"TableName":"table",` + keys("pk:S") + `}`},
		transacts("a large item and a small one", write, "t1", put+","+small, 18+2),
		transacts("again", write, "t1", put+","+small, 6+2),
		transacts("a delete", write, "t2", drop, 18),
		transacts("a delete again", write, "t2", drop, 6),
		transacts("what is gone by now", write, "t1", put+","+small, 6+2),
		transacts("a small item", write, "t3", small, 2),
		{name: "which grows", op: "PutItem",
			body: `{"TableName":"table","Item":{"pk":{"S":"b"},"v":{"S":"` + long + `"}}}`},
		transacts("a small item again", write, "t3", small, 2),
	})
	const statement = `{"ClientRequestToken":"t4","ReturnConsumedCapacity":"TOTAL","TransactStatements":[{"Statement":"DELETE FROM \"table\" WHERE pk = 'b'"}]}`
	follow(t, send, []step{
		{name: "a statement", op: "ExecuteTransaction", body: statement,
			has: `{"ConsumedCapacity":[{"CapacityUnits":18}]}`},
		{name: "a statement again", op: "ExecuteTransaction", body: statement,
			has: `{"ConsumedCapacity":[{"CapacityUnits":6}]}`},
	})
}
