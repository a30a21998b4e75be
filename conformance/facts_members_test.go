package conformance

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	withoutType   = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	manyTypes     = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	falseNull     = "One or more parameter values were invalid: Null attribute value types must have the value of true"
	noName        = "Empty attribute name"
	nullTable     = "Value null at 'tableName' failed to satisfy constraint: Member must not be null"
	wrongOperator = one + "One or more parameter values were invalid: Invalid comparison operator"
	onlyOld       = "ReturnValues can only be ALL_OLD or NONE"
)

// wrappedValue is a fault of :v in the words of the old layer.
func wrappedValue(text string) string {
	return invalidText + "ExpressionAttributeValues contains invalid value: " + text + " for key :v"
}

// detectedOf lists the faults of members.
func detectedOf(violations ...string) string {
	n := string(rune('0' + len(violations)))
	return invalidText + n + " validation errors detected: " + strings.Join(violations, "; ")
}

// TestFailedConditionWithItem checks the spelling of the member that has the text.
func TestFailedConditionWithItem(t *testing.T) {
	t.Parallel()
	const plain = `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}`
	const withItem = `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{@pk},"Message":"The conditional request failed"}`
	const old = `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`
	const fails = `"ConditionExpression":"attribute_not_exists(pk)"`
	for _, c := range []struct{ name, op, in, want string }{
		{"a put", "PutItem", `{"Item":{@pk},` + fails + old, withItem},
		{"an update", "UpdateItem", `{@key,` + fails + old, withItem},
		{"a delete", "DeleteItem", `{@key,` + fails + old, withItem},
		{"a delete without the item", "DeleteItem", `{@key,` + fails + `}`, plain},
		{"a statement", "ExecuteStatement",
			`{"Statement":"DELETE FROM \"@hash\" WHERE pk = '$k' AND a = 1"` + old, withItem},
		{"a statement without the item", "ExecuteStatement",
			`{"Statement":"DELETE FROM \"@hash\" WHERE pk = '$k' AND a = 1"}`, plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kase{src: "service facts F.1", err: c.want}
			k.mark(t)
			key := newKey()
			call(t, "PutItem", expand(t, withTable("hash", `{"Item":{@pk}}`), key))
			in := c.in
			if c.op != "ExecuteStatement" {
				in = withTable("hash", in)
			}
			r := post(c.op, expand(t, in, key))
			assert.Equal(t, http.StatusBadRequest, r.status)
			assert.Equal(t, expand(t, c.want, key), string(r.body))
		})
	}
}

// TestTruthInQuotes checks which strings are read as truth values.
func TestTruthInQuotes(t *testing.T) {
	t.Parallel()
	item := func(value string) string { return `{"Item":{@pk,"a":` + value + `}}` }
	var cases []kase
	for _, word := range []string{"true", "T", "yes", "Y", "TRUE", "Yes", "1", `\u0074`} {
		cases = append(cases, kase{name: word, raw: true, in: item(`{"BOOL":"` + word + `"}`),
			then: `{@pk,"a":{"BOOL":true}}`})
	}
	for _, word := range []string{"false", "F", "no", "N", "FALSE", "0"} {
		cases = append(cases, kase{name: word, raw: true, in: item(`{"BOOL":"` + word + `"}`),
			then: `{@pk,"a":{"BOOL":false}}`})
	}
	cases = append(cases, []kase{
		{name: "null", raw: true, in: item(`{"NULL":"Y"}`), then: `{@pk,"a":{"NULL":true}}`},
		{name: "in a list", raw: true, in: item(`{"L":[{"BOOL":"y"}]}`),
			then: `{@pk,"a":{"L":[{"BOOL":true}]}}`},
		{name: "another word", raw: true, in: item(`{"BOOL":"on"}`),
			err: "SerializationException: Unexpected token received from parser"},
		{name: "a list", src: "service facts F.4", raw: true, in: item(`{"BOOL":[]}`),
			err: "SerializationException"},
		{name: "a list for null", src: "service facts F.4", raw: true, in: item(`{"NULL":[]}`),
			err: "SerializationException"},
		{name: "a map", src: "service facts F.4", raw: true, in: item(`{"BOOL":{}}`),
			err: "SerializationException: Start of structure or map found where not expected"},
		{name: "in a batch", op: "BatchWriteItem", raw: true,
			in:   `{"RequestItems":{"@hash":[{"PutRequest":{"Item":{@pk,"a":{"BOOL":"t"}}}}]}}`,
			then: `{@pk,"a":{"BOOL":true}}`},
		{name: "as a parameter", op: "ExecuteStatement", raw: true,
			in:   `{"Statement":"INSERT INTO \"@hash\" VALUE {'pk': '$k', 'a': ?}","Parameters":[{"BOOL":"N"}]}`,
			then: `{@pk,"a":{"BOOL":false}}`},
	}...)
	run(t, defaults{src: "service facts F.2", table: "hash", op: "PutItem"}, cases)
}

// TestLooseRequests checks that a value that only the old layer can read leaves the whole request
// to it.
func TestLooseRequests(t *testing.T) {
	t.Parallel()
	const loose = `"b":{"BOOL":"true"}`
	values := func(v string) string { return `"ExpressionAttributeValues":{":v":` + v + `}` }
	update := func(v string) string {
		return `{@key,"UpdateExpression":"SET a = :v",` + values(v) + `}`
	}
	query := func(v string) string {
		return `{"KeyConditionExpression":"pk = :v",` + values(v) + `}`
	}
	const number = "The parameter cannot be converted to a numeric value: "
	run(t, defaults{src: "service facts F.5", table: "hash", op: "PutItem"}, []kase{
		{name: "a false null in quotes", raw: true, in: `{"Item":{@pk,"a":{"NULL":"no"}}}`,
			err: invalidText + falseNull},
		{name: "a false null without quotes", raw: true, in: `{"Item":{@pk,"a":{"NULL":false}}}`,
			err: one + falseNull},
		{name: "two types", raw: true, in: `{"Item":{@pk,"a":{"S":"x","N":"1"}}}`,
			err: invalidText + manyTypes},
		{name: "two types and a bad number", raw: true,
			in: `{"Item":{@pk,"a":{"N":"abc","S":"x"}}}`, err: invalidText + number + "abc"},
		{name: "a bad number beside another value", raw: true,
			in: `{"Item":{@pk,"a":{"N":"abc"},` + loose + `}}`, err: invalidText + number + "abc"},
		{name: "a bad number without one", raw: true, in: `{"Item":{@pk,"a":{"N":"abc"}}}`,
			err: one + number + "abc"},
		{name: "a repeated element", raw: true,
			in:  `{"Item":{@pk,"a":{"SS":["y","x","y"]},` + loose + `}}`,
			err: invalidText + "One or more parameter values were invalid: Input collection [y, x, y] contains duplicates."},
		{name: "a value of an update", op: "UpdateItem", raw: true,
			in: update(`{"S":"x","N":"1"}`), err: wrappedValue(manyTypes)},
		{name: "a bad number of an update", op: "UpdateItem", raw: true,
			in: update(`{"N":"abc","S":"x"}`), err: wrappedValue(number + "abc")},
		{name: "a value of a delete", op: "DeleteItem", raw: true,
			in:  `{@key,"ConditionExpression":"a = :v",` + values(`{"NULL":"no"}`) + `}`,
			err: wrappedValue(falseNull)},
		{name: "a value of a query", op: "Query", raw: true, in: query(`{"S":"x","N":"1"}`),
			err: wrappedValue(manyTypes)},
		{name: "an operator", raw: true,
			in:  `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"IN","AttributeValueList":[{"BOOL":"true"}]}}}`,
			err: invalidText + "One or more parameter values were invalid: ComparisonOperator IN is not valid for BOOL AttributeValue type"},
		{name: "an update of an attribute", op: "UpdateItem", raw: true,
			in:  `{@key,"AttributeUpdates":{"a":{"Value":{"S":"x","N":"1"}}}}`,
			err: invalidText + manyTypes},
		{name: "a key of a delete", op: "DeleteItem", raw: true,
			in: `{"Key":{"pk":{"S":"x","N":"1"}}}`, err: invalidText + manyTypes},

		{name: "an empty value", src: "service facts F.7", raw: true, in: `{"Item":{@pk,"a":{}}}`,
			err: invalidText + withoutType},
		{name: "a null of a type", src: "service facts F.7", raw: true,
			in: `{"Item":{@pk,"a":{"S":null}}}`, err: invalidText + withoutType},
		{name: "an empty expected value", src: "service facts F.7", raw: true,
			in: `{"Item":{@pk},"Expected":{"a":{"Value":{}}}}`, err: invalidText + withoutType},
		{name: "an empty value of a query", src: "service facts F.7", op: "Query", raw: true,
			in: query(`{}`), err: wrappedValue(withoutType)},
		{name: "an empty value of a delete", src: "service facts F.7", op: "DeleteItem", raw: true,
			in: `{@key,"ConditionExpression":"a = :v",` + values(`{}`) + `}`, err: wrappedValue(withoutType)},
		{name: "an empty attribute of an update", src: "service facts F.7", op: "UpdateItem",
			raw: true, in: `{@key,"AttributeUpdates":{"a":{"Value":{}}}}`,
			err: invalidText + withoutType},
	})
}

// TestUnnamedKeys checks that an empty name in a key is found before the table.
func TestUnnamedKeys(t *testing.T) {
	t.Parallel()
	const key = `"Key":{"":{"S":"x"},@pk}`
	const table = `"TableName":"no-such-table"`
	run(t, defaults{src: "service facts F.8", table: "hash"}, []kase{
		{name: "a get", op: "GetItem", in: `{` + table + `,` + key + `}`,
			err: invalidText + noName},
		{name: "a delete", op: "DeleteItem", in: `{` + table + `,` + key + `}`, err: one + noName},
		{name: "an update", op: "UpdateItem", in: `{` + table + `,` + key + `}`, err: one + noName},
		{name: "a batch of gets", op: "BatchGetItem",
			in:  `{"RequestItems":{"no-such-table":{"Keys":[{"":{"S":"x"},@pk}]}}}`,
			err: invalidText + noName},
		{name: "a batch of writes", op: "BatchWriteItem",
			in:  `{"RequestItems":{"no-such-table":[{"DeleteRequest":{` + key + `}}]}}`,
			err: invalidText + noName},
		{name: "a start key", op: "Query",
			in:  `{` + table + `,"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}},"ExclusiveStartKey":{"":{"S":"x"},@pk}}`,
			err: invalidText + noName},
		{name: "a start key of a scan", op: "Scan",
			in:  `{` + table + `,"ExclusiveStartKey":{"":{"S":"x"},@pk}}`,
			err: invalidText + noName},
		{name: "a delete in a transaction", op: "TransactWriteItems",
			in:  `{"TransactItems":[{"Delete":{` + table + `,` + key + `}}]}`,
			err: invalidText + noName},
		{name: "an update in a transaction", op: "TransactWriteItems",
			in:  `{"TransactItems":[{"Update":{` + table + `,` + key + `,"UpdateExpression":"REMOVE a"}}]}`,
			err: invalidText + noName},
		{name: "a check in a transaction", op: "TransactWriteItems",
			in:  `{"TransactItems":[{"ConditionCheck":{` + table + `,` + key + `,"ConditionExpression":"attribute_exists(a)"}}]}`,
			err: invalidText + noName},
		{name: "a get in a transaction", op: "TransactGetItems",
			in:  `{"TransactItems":[{"Get":{` + table + `,` + key + `}}]}`,
			err: invalidText + noName},
	})
}

// TestEnumerationsOfTheNewLayer checks the texts and the order of unknown enumerations.
func TestEnumerationsOfTheNewLayer(t *testing.T) {
	t.Parallel()
	const table = `"TableName":"no-such-table"`
	action := func(a string) string {
		return `{` + table + `,@key,"AttributeUpdates":{"z":{"Action":"` + a + `","Value":{"N":"1"}}}}`
	}
	const unknown = `"Expected":{"a":{"ComparisonOperator":"XX","AttributeValueList":[{"S":"x"}]}}`
	const badOperator = "One or more parameter values were invalid: Invalid comparison operator"
	const noJoin = "ConditionalOperator cannot be used without Filter or Expected"
	const oneJoin = "ConditionalOperator can only be used when Filter or Expected has two or more elements"
	const mixing = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {ConditionalOperator} Expression parameters: {"
	const expectOne = `"Expected":{"a":{"Exists":false}}`
	const expectTwo = `"Expected":{"a":{"Exists":false},"b":{"Exists":false}}`
	const condition = `"ConditionExpression":"attribute_exists(a)"`
	const nor = `"ConditionalOperator":"NOR"`
	const and = `"ConditionalOperator":"AND"`
	const keyed = `"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}}`
	const oldKeyed = `"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}`
	filter := func(names ...string) string {
		list := make([]string, len(names))
		for i, name := range names {
			list[i] = `"` + name + `":{"ComparisonOperator":"NOT_NULL"}`
		}
		return `"QueryFilter":{` + strings.Join(list, ",") + `}`
	}
	const failure = "Value 'X' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"
	run(t, defaults{src: "service facts F.10", table: "hash", op: "UpdateItem"}, []kase{
		{name: "an action in small letters", raw: true, in: action("put"),
			err: one + "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"},
		{name: "an unknown action", raw: true, in: action("BOGUS"),
			err: one + "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"},

		{name: "an operator of a put", src: "service facts F.11", op: "PutItem", raw: true,
			in: `{"Item":{@pk},` + unknown + `}`, err: one + badOperator},
		{name: "an operator of an update", src: "service facts F.11", raw: true,
			in: `{@key,` + unknown + `}`, err: one + badOperator},
		{name: "an operator of a delete", src: "service facts F.11", op: "DeleteItem", raw: true,
			in: `{@key,` + unknown + `}`, err: one + badOperator},
		{name: "an operator of a query", src: "service facts F.11", op: "Query", raw: true,
			in:  `{"KeyConditions":{"pk":{"ComparisonOperator":"XX","AttributeValueList":[{"S":"x"}]}}}`,
			err: invalidText + badOperator},
		{name: "an operator of a scan", src: "service facts F.11", op: "Scan", raw: true,
			in:  `{"ScanFilter":{"a":{"ComparisonOperator":"XX"}}}`,
			err: one + "Value 'XX' at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"},

		{name: "return values of a delete beside another enumeration", src: "service facts F.17",
			op: "DeleteItem", raw: true,
			in:  `{@key,"ReturnValues":"ALL_NEW","ReturnConsumedCapacity":"X"}`,
			err: detectedOf(oldCapacity, onlyOld)},
		{name: "return values of a delete after a short name", src: "service facts F.17",
			op: "DeleteItem", raw: true, in: `{"TableName":"ab",@key,"ReturnValues":"UPDATED_NEW"}`,
			err: detectedOf("Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3", onlyOld)},
		{name: "return values of a delete before values", src: "service facts F.17",
			op: "DeleteItem", raw: true,
			in:  `{@key,"ReturnValues":"ALL_NEW","ExpressionAttributeValues":{":v":{"S":"x"}}}`,
			err: one + onlyOld},
		{name: "return values of a delete before a mixture", src: "service facts F.17",
			op: "DeleteItem", raw: true,
			in:  `{@key,"ReturnValues":"ALL_NEW",` + expectOne + `,` + condition + `}`,
			err: one + onlyOld},
		{name: "return values of a put before a mixture", src: "service facts F.17", op: "PutItem",
			raw: true, in: `{"Item":{@pk},"ReturnValues":"ALL_NEW",` + expectOne + `,` + condition + `}`,
			err: one + onlyOld},

		{name: "an unknown value for a failure", src: "service facts F.19", raw: true,
			in:  `{@key,"ReturnValuesOnConditionCheckFailure":"X"}`,
			err: invalidText + failure},
		{name: "an unknown value for a failure beside another enumeration",
			src: "service facts F.19", raw: true,
			in:  `{@key,"ReturnValuesOnConditionCheckFailure":"X","ReturnConsumedCapacity":"X"}`,
			err: invalidText + failure},

		{name: "an operator that joins nothing", src: "service facts F.20", raw: true,
			in: `{@key,` + nor + `}`, err: one + noJoin},
		{name: "an operator for one condition", src: "service facts F.20", raw: true,
			in: `{@key,` + nor + `,` + expectOne + `}`, err: one + oneJoin},
		{name: "an operator for two conditions", src: "service facts F.20", raw: true,
			in: `{@key,` + nor + `,` + expectTwo + `}`, err: one + newOperator},
		{name: "an operator beside an expression", src: "service facts F.20", raw: true,
			in: `{@key,` + nor + `,` + condition + `}`, err: one + mixing + "ConditionExpression}"},
		{name: "an operator of a put that joins nothing", src: "service facts F.20", op: "PutItem",
			raw: true, in: `{"Item":{@pk},` + nor + `}`, err: one + noJoin},
		{name: "an operator of a delete for one condition", src: "service facts F.20",
			op: "DeleteItem", raw: true, in: `{@key,` + nor + `,` + expectOne + `}`,
			err: one + oneJoin},
		{name: "a known operator of a delete for one condition", src: "service facts F.20",
			op: "DeleteItem", raw: true, in: `{@key,` + and + `,` + expectOne + `}`,
			err: one + oneJoin},
		{name: "an operator of a query that joins nothing", src: "service facts F.20", op: "Query",
			raw: true, in: `{` + oldKeyed + `,` + nor + `}`, err: invalidText + noJoin},
		{name: "an operator of a query for one condition", src: "service facts F.20", op: "Query",
			raw: true, in: `{` + oldKeyed + `,` + filter("a") + `,` + nor + `}`,
			err: invalidText + oneJoin},
		{name: "an operator of a query for two conditions", src: "service facts F.20", op: "Query",
			raw: true, in: `{` + oldKeyed + `,` + filter("a", "b") + `,` + nor + `,"Select":"S"}`,
			err: invalidText + newOperator},
		{name: "an operator of a query beside an expression", src: "service facts F.20",
			op: "Query", raw: true, in: `{` + keyed + `,` + nor + `}`,
			err: invalidText + mixing + "KeyConditionExpression}"},

		{name: "two enumerations of an update", src: "service facts F.23", raw: true,
			in:  `{@key,"ReturnConsumedCapacity":"X","ReturnItemCollectionMetrics":"M"}`,
			err: one + oldMetrics},
	})
}

// TestMembersThatAreMissing checks that a request without a table goes to the old layer, and how
// names with two faults are reported.
func TestMembersThatAreMissing(t *testing.T) {
	t.Parallel()
	const keyed = `"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}}`
	const limit = "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
	const short = "Value 'a!' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"
	const pattern = "Value 'a!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	const sized = "Expression size has exceeded the maximum allowed size;"
	long := strings.Repeat("a", 4090)
	run(t, defaults{src: "service facts F.16", op: "Query"}, []kase{
		{name: "an update and an enumeration", op: "UpdateItem", raw: true,
			in: `{@key,"ReturnValues":"Y"}`, err: detectedOf(nullTable, oldReturn)},
		{name: "a query and a limit", raw: true, in: `{` + keyed + `,"Limit":0}`,
			err: detectedOf(nullTable, limit)},
		{name: "a query, a limit and Select", raw: true,
			in:  `{` + keyed + `,"Limit":0,"Select":"S"}`,
			err: detectedOf("Value 'S' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]", nullTable, limit)},
		{name: "a query, a limit and an empty name", raw: true,
			in: `{"TableName":"",` + keyed + `,"Limit":0}`,
			err: detectedOf("Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
				"Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1")},

		{name: "two faults in the name of a get", src: "service facts F.22", op: "GetItem",
			raw: true, in: `{"TableName":"a!",@key}`, err: one + short},
		{name: "two faults in the name of a put", src: "service facts F.22", op: "PutItem",
			raw: true, in: `{"TableName":"a!","Item":{@pk}}`, err: one + short},
		{name: "two faults in the name of a delete", src: "service facts F.22", op: "DeleteItem",
			raw: true, in: `{"TableName":"a!",@key}`, err: one + short},
		{name: "two faults in the name of a query", src: "service facts F.22", raw: true,
			in: `{"TableName":"a!",` + keyed + `}`, err: one + short},
		{name: "two faults in the name of an update", src: "service facts F.22", op: "UpdateItem",
			raw: true, in: `{"TableName":"a!",@key}`, err: detectedOf(pattern, short)},
		{name: "two faults in the name of a scan", src: "service facts F.22", op: "Scan", raw: true,
			in: `{"TableName":"a!"}`, err: detectedOf(pattern, short)},

		{name: "a long key condition", src: "service facts F.14", table: "hash",
			in:  `{"KeyConditionExpression":"pk = :v` + long + `"}`,
			err: invalidText + "Invalid KeyConditionExpression: " + sized},
		{name: "a long filter of a query", src: "service facts F.14", table: "hash",
			in:  `{` + keyed + `,"FilterExpression":"attribute_exists(` + long + `)"}`,
			err: invalidText + "Invalid FilterExpression: " + sized},
		{name: "a long condition of a put", src: "service facts F.14", table: "hash", op: "PutItem",
			in:  `{"Item":{@pk},"ConditionExpression":"attribute_exists(` + long + `)"}`,
			err: one + "Invalid ConditionExpression: " + sized},
		{name: "a long filter of a scan", src: "service facts F.14", table: "hash", op: "Scan",
			in:  `{"FilterExpression":"attribute_exists(` + long + `)"}`,
			err: invalidText + "Invalid FilterExpression: " + sized + " expression size: 4108"},
		{name: "a long condition in a transaction", src: "service facts F.14",
			op:  "TransactWriteItems",
			in:  `{"TransactItems":[{"Delete":{"TableName":"@hash",@key,"ConditionExpression":"attribute_exists(` + long + `)"}}]}`,
			err: invalidText + "Invalid ConditionExpression: " + sized + " expression size: 4108"},

		{name: "a start key of another type", src: "service facts F.13", table: "hash",
			in: `{` + keyed + `,"ExclusiveStartKey":{"pk":{"N":"1"}}}`, err: invalidText + "The provided starting key is invalid"},
		{name: "a start key of another type in an index", src: "service facts F.13",
			table: "global",
			in:    `{"IndexName":"gall","KeyConditionExpression":"gp = :v","ExpressionAttributeValues":{":v":{"S":"x"}},"ExclusiveStartKey":{"gp":{"S":"x"},"pk":{"N":"1"},"sk":{"S":"1"}}}`,
			err:   invalidText + "The provided starting key is invalid"},
		{name: "a start key of another type in the key of an index", src: "service facts F.13",
			table: "global",
			in:    `{"IndexName":"gall","KeyConditionExpression":"gp = :v","ExpressionAttributeValues":{":v":{"S":"x"}},"ExclusiveStartKey":{"gp":{"N":"1"},"pk":{"S":"1"},"sk":{"S":"1"}}}`,
			err:   invalidText + "The provided starting key is invalid"},
	})
}

// TestStagesOfTransactions checks what a transaction reports of several faults.
func TestStagesOfTransactions(t *testing.T) {
	t.Parallel()
	write := func(actions string, members string) string {
		return `{"TransactItems":[` + actions + `]` + members + `}`
	}
	const bad = `{"Delete":{"TableName":"my!table",@key}}`
	const capacity = `,"ReturnConsumedCapacity":"X"`
	const set = `{"SS":["b","a","b"]}`
	const duplicates = "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates."
	name := func(path, value, rule string) string {
		return "Value '" + value + "' at '" + path + ".tableName' failed to satisfy constraint: Member must " + rule
	}
	const length = "have length greater than or equal to 3"
	const pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	deep := strings.Repeat(`{"L":[`, 40) + `{"S":"x"}` + strings.Repeat(`]}`, 40)
	long := strings.Repeat("a", 4090)
	const emptyKey = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
	run(t, defaults{src: "service facts F.25", op: "TransactWriteItems"}, []kase{
		{name: "a name and an enumeration", raw: true, in: write(bad, capacity),
			err: one + oldCapacity},
		{name: "a name and an enumeration of an action", raw: true,
			in:  write(`{"Delete":{"TableName":"my!table",@key,"ReturnValuesOnConditionCheckFailure":"X"}}`, ""),
			err: one + "Value 'X' at 'transactItems.1.member.delete.returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"},
		{name: "a name and an action without content", raw: true, in: write(bad+`,{}`, ""),
			err: invalidText + "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"},
		{name: "no actions and an enumeration", raw: true, in: write("", capacity),
			err: one + "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "no gets and an enumeration", op: "TransactGetItems", raw: true,
			in:  write("", capacity),
			err: one + "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{name: "a name of a get and an enumeration", op: "TransactGetItems", raw: true,
			in: write(`{"Get":{"TableName":"my!table",@key}}`, capacity), err: one + oldCapacity},
		{name: "a name of a get and a missing get", op: "TransactGetItems", raw: true,
			in:  write(`{"Get":{"TableName":"my!table",@key}},{}`, ""),
			err: one + "Value null at 'transactItems.2.member.get' failed to satisfy constraint: Member must not be null"},
		{name: "two faults of a name", src: "service facts F.26", raw: true,
			in: write(`{"Delete":{"TableName":"a!",@key}}`, ""),
			err: detectedOf(name("transactItems.1.member.delete", "a!", length),
				name("transactItems.1.member.delete", "a!", pattern))},
		{name: "two faults of a name of a get", src: "service facts F.26", op: "TransactGetItems",
			raw: true, in: write(`{"Get":{"TableName":"a!",@key}}`, ""),
			err: detectedOf(name("transactItems.1.member.get", "a!", length),
				name("transactItems.1.member.get", "a!", pattern))},

		{name: "an empty key of a get", src: "service facts F.28", op: "TransactGetItems",
			in:  write(`{"Get":{"TableName":"@hash","Key":{"pk":{"S":""}}}}`, ""),
			err: cancelledFor + "[ValidationError]"},
		{name: "an empty binary key of a get", src: "service facts F.28", op: "TransactGetItems",
			in:  write(`{"Get":{"TableName":"@hashb","Key":{"pk":{"B":""}}}}`, ""),
			err: cancelledFor + "[ValidationError]"},
		{name: "an empty key of a delete", src: "service facts F.28",
			in:  write(`{"Delete":{"TableName":"@hash","Key":{"pk":{"S":""}}}}`, ""),
			err: invalidText + emptyKey},
		{name: "an empty key of INSERT", src: "service facts F.61", op: "ExecuteTransaction",
			in:  transaction(statement(`INSERT INTO "@hash" VALUE {'pk': ''}`)),
			err: cancelledFor + "[ValidationError]"},
		{name: "an empty key of DELETE", src: "service facts F.61", op: "ExecuteTransaction",
			in:  transaction(statement(`DELETE FROM "@hash" WHERE pk = ''`)),
			err: cancelledFor + "[ValidationError]"},

		{name: "a value and the syntax", src: "service facts F.29",
			in:  write(`{"Delete":{"TableName":"@hash",@key,"ConditionExpression":"s = = :t","ExpressionAttributeValues":{":t":`+set+`}}}`, ""),
			err: invalidText + "ExpressionAttributeValues contains invalid value: " + duplicates + " for key :t"},
		{name: "an empty set and the syntax of an update", src: "service facts F.29", raw: true,
			in:  write(`{"Update":{"TableName":"@hash",@key,"UpdateExpression":"SET s = = :t","ExpressionAttributeValues":{":t":{"SS":[]}}}}`, ""),
			err: invalidText + "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :t"},
		{name: "a deep value and the size", src: "service facts F.29",
			in:  write(`{"ConditionCheck":{"TableName":"@hash",@key,"ConditionExpression":"attribute_exists(`+long+`)","ExpressionAttributeValues":{":t":`+deep+`}}}`, ""),
			err: invalidText + "ExpressionAttributeValues contains invalid value: " + nestingText + " for key :t"},

		{name: "names and values of a put", src: "service facts H.2",
			in:   write(`{"Put":{"TableName":"@hash","Item":{@pk},"ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":v":{"N":"1"}}}}`, ""),
			want: `{}`, table: "hash", then: `{@pk}`},
		{name: "names and values of a delete", src: "service facts H.2",
			in:   write(`{"Delete":{"TableName":"@hash",@key,"ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":v":{"N":"1"}}}}`, ""),
			want: `{}`},
		{name: "names of a get", src: "service facts H.2", op: "TransactGetItems",
			in: write(`{"Get":{"TableName":"@hash",@key,"ExpressionAttributeNames":{"#a":"a"}}}`, ""), want: `{"Responses":[{}]}`},
	})
}

// TestEchoedValues checks how a constraint's text prints attribute values.
func TestEchoedValues(t *testing.T) {
	t.Parallel()
	none := func(set string) string {
		var list []string
		for _, f := range strings.Fields("s n b iNT dECIMAL dOUBLE sS nS bS iNTSET dECIMALSET dOUBLESET m l nULL bOOL") {
			name, _, _ := strings.Cut(set, "=")
			if name == f {
				list = append(list, set)
			} else {
				list = append(list, f+"=null")
			}
		}
		return "AttributeValue(" + strings.Join(list, ", ") + ")"
	}
	put := func(value string) string {
		return `{"RequestItems":{"my!table":[{"PutRequest":{"Item":{"a":` + value + `}}}]}}`
	}
	echo := func(value string) string {
		return one + "Value '{my!table=[WriteRequest(putRequest=PutRequest(item={a=" + value +
			"}, workloadProfileName=null), deleteRequest=null)]}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
	}
	run(t, defaults{src: "service facts F.31", op: "BatchWriteItem"}, []kase{
		{name: "a string", in: put(`{"S":"w0"}`), err: echo(none("s=w0"))},
		{name: "a number", in: put(`{"N":"1.50"}`), err: echo(none("n=1.5"))},
		{name: "a boolean", in: put(`{"BOOL":true}`), err: echo(none("bOOL=true"))},
		{name: "a map", in: put(`{"M":{"x":{"S":"y"}}}`),
			err: echo(none("m={x=" + none("s=y") + "}"))},
		{name: "a set", in: put(`{"SS":["x","y"]}`), err: echo(none("sS=[x, y]"))},
	})
}

// TestDefaultsOfTokens checks which requests with a token are the same.
func TestDefaultsOfTokens(t *testing.T) {
	t.Parallel()
	k := kase{src: "service facts F.34", err: "IdempotentParameterMismatchException"}
	k.mark(t)
	send := func(op, request string) {
		token, key := newToken(), newKey()
		text := func(failure string) string {
			filled := strings.NewReplacer("@failure", failure, "@token", token).Replace(request)
			return expand(t, filled, key)
		}
		call(t, op, text(""))
		call(t, op, text(`,"ReturnValuesOnConditionCheckFailure":"NONE"`))
		refuse(t, op, text(`,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`),
			"IdempotentParameterMismatchException: *")
	}
	send("ExecuteTransaction", `{"ClientRequestToken":"@token","TransactStatements":[`+
		`{"Statement":"DELETE FROM \"@hash\" WHERE pk = '$k'"@failure}]}`)
	send("TransactWriteItems", `{"ClientRequestToken":"@token","TransactItems":[`+
		`{"Delete":{"TableName":"@hash",@key@failure}}]}`)
}

// TestDefinitionsOfIndexes checks that definitions are counted, and those of the request alone.
func TestDefinitionsOfIndexes(t *testing.T) {
	t.Parallel()
	made, other := newTable(t, keys("pk:S")), newTable(t, keys("pk:S"))
	add := func(to *table, definitions, schema string) string {
		return `{"TableName":"` + to.name + `","AttributeDefinitions":[` + definitions +
			`],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"gix","KeySchema":[` + schema +
			`],"Projection":{"ProjectionType":"ALL"}}}]}`
	}
	const m2 = `{"AttributeName":"m2","AttributeType":"S"}`
	const none = invalidText + "Invalid KeySchema: Some index key attribute have no definition"
	two := `{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"m2","KeyType":"RANGE"}`
	run(t, defaults{src: "service facts F.32", op: "UpdateTable"}, []kase{
		{name: "the table's key", in: add(made, m2, two), err: none},
		{name: "no definitions", in: add(made, "", `{"AttributeName":"pk","KeyType":"HASH"}`), err: none},
		{name: "a new table", op: "CreateTable",
			in: `{"TableName":"` + made.name + `-new",` + keys("pk:S") +
				`,"GlobalSecondaryIndexes":[` + index("gix", "ALL", "pk", "m2") + `]}`, err: none},
	})
	call(t, "UpdateTable", add(other, m2, `{"AttributeName":"m2","KeyType":"HASH"}`))
}
