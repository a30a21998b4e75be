package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The rules for keys with several attributes, except conditions and order, which
// TestMultiAttributeKeys covers.

const multiKeys = "Developer Guide, Global secondary indexes, Multi-attribute keys"

func TestMultiAttributeKeyRules(t *testing.T) {
	t.Parallel()
	schema := func(attributes string, elements ...string) string {
		return definition(attributes, "pk:HASH",
			onDemand+`,"GlobalSecondaryIndexes":[{"IndexName":"several","KeySchema":[`+
				strings.Join(elements, ",")+`],"Projection":{"ProjectionType":"ALL"}}]`)
	}
	run(t, defaults{src: multiKeys, op: "CreateTable"}, []kase{ // the texts are not on record
		{name: "an attribute twice, HASH",
			in:  schema("pk:S a:S", element("a", "HASH"), element("a", "HASH")),
			err: "ValidationException: *"},
		{name: "an attribute twice, HASH and RANGE",
			in: schema("pk:S a:S b:S", element("a", "HASH"), element("b", "HASH"),
				element("a", "RANGE")), err: "ValidationException: *"},
		{name: "an attribute twice, RANGE",
			in: schema("pk:S a:S b:S", element("a", "HASH"), element("b", "RANGE"),
				element("b", "RANGE")), err: "ValidationException: *"},
		{name: "an attribute without definition",
			in:  schema("pk:S a:S", element("a", "HASH"), element("b", "HASH")),
			err: "ValidationException: *"},
		{name: "a definition without use",
			in:  schema("pk:S a:S b:S c:S", element("a", "HASH"), element("b", "HASH")),
			err: "ValidationException: One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: [*"},
		{name: "RANGE attributes alone",
			in:  schema("pk:S a:S b:S", element("a", "RANGE"), element("b", "RANGE")),
			err: "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{name: "a table of two HASH attributes",
			in:  definition("pk:S a:S b:S", "pk:HASH a:HASH b:RANGE", onDemand),
			err: "ValidationException: *"},
		{name: "a table of two RANGE attributes",
			in:  definition("pk:S a:S b:S", "pk:HASH a:RANGE b:RANGE", onDemand),
			err: "ValidationException: *"},
		{name: "a local index of two RANGE attributes",
			in: definition("pk:S sk:S a:S b:S", "pk:HASH sk:RANGE",
				onDemand+`,"LocalSecondaryIndexes":[{"IndexName":"several","KeySchema":[`+
					element("pk", "HASH")+`,`+element("a", "RANGE")+`,`+element("b", "RANGE")+
					`],"Projection":{"ProjectionType":"ALL"}}]`), err: "ValidationException: *"},
	})
}

func TestMultiAttributeReads(t *testing.T) {
	t.Parallel()
	stored := []string{
		`{"pk":{"S":"r1"},"a":{"S":"R"},"b":{"S":"R"},"c":{"N":"1"},"d":{"S":"x"}}`,
		`{"pk":{"S":"r2"},"a":{"S":"R"},"b":{"S":"R"},"c":{"N":"2"},"d":{"S":"x"}}`,
	}
	load(t, "multi", stored...)
	query := func(more string) string {
		return `{"IndexName":"mall","KeyConditionExpression":"a = :a AND b = :a","ExpressionAttributeValues":{":a":{"S":"R"}}` + more + `}`
	}
	from := func(attributes string) string {
		return query(`,"ExclusiveStartKey":{` + attributes + `}`)
	}
	condition := func(name, op, values string) string {
		return `"` + name + `":{"ComparisonOperator":"` + op + `","AttributeValueList":[` +
			values + `]}`
	}
	equal := condition("a", "EQ", `{"S":"R"}`) + "," + condition("b", "EQ", `{"S":"R"}`)
	const filterOnKey = "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: d"
	run(t, defaults{src: multiKeys, table: "multi", op: "Query"}, []kase{
		{name: "start key",
			in:   from(`"pk":{"S":"r1"},"a":{"S":"R"},"b":{"S":"R"},"c":{"N":"1"},"d":{"S":"x"}`),
			want: answerOf(stored[1])},
		{name: "start key that is no item",
			in:  from(`"pk":{"S":"r0"},"a":{"S":"R"},"b":{"S":"R"},"c":{"N":"1.5"},"d":{"S":""}`),
			err: "ValidationException: *"},
		{name: "start key without a HASH attribute",
			in:  from(`"pk":{"S":"r1"},"a":{"S":"R"},"c":{"N":"1"},"d":{"S":"x"}`),
			err: "ValidationException: The provided starting key is invalid"},
		{name: "start key without a RANGE attribute",
			in:  from(`"pk":{"S":"r1"},"a":{"S":"R"},"b":{"S":"R"},"c":{"N":"1"}`),
			err: "ValidationException: The provided starting key is invalid"},
		{name: "start key without the table's key",
			in:  from(`"a":{"S":"R"},"b":{"S":"R"},"c":{"N":"1"},"d":{"S":"x"}`),
			err: "ValidationException: The provided starting key is invalid"},
		{name: "start key of another type",
			in:  from(`"pk":{"S":"r1"},"a":{"S":"R"},"b":{"S":"R"},"c":{"S":"1"},"d":{"S":"x"}`),
			err: "ValidationException: The provided starting key is invalid"},
		{name: "start key of another partition",
			in:  from(`"pk":{"S":"r1"},"a":{"S":"R"},"b":{"S":"other"},"c":{"N":"1"},"d":{"S":"x"}`),
			err: "ValidationException: The provided starting key is outside query boundaries based on provided conditions"},
		{name: "filter on a RANGE attribute", in: query(`,"FilterExpression":"d = :a"`),
			err: filterOnKey},
		{name: "an attribute twice",
			in: `{"IndexName":"mall","KeyConditionExpression":"a = :a AND a = :a","ExpressionAttributeValues":{":a":{"S":"R"}}}`, err: "ValidationException: Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"},
		{name: "value of another type",
			in: `{"IndexName":"mall","KeyConditionExpression":"a = :a AND b = :b","ExpressionAttributeValues":{":a":{"S":"R"},":b":{"N":"1"}}}`, err: "ValidationException: One or more parameter values were invalid: Condition parameter type does not match schema type"},
		{name: "COUNT", in: query(`,"Select":"COUNT"`), want: `{"Count":2,"ScannedCount":2}`},
		{name: "KeyConditions", in: `{"IndexName":"mall","KeyConditions":{` + equal + `}}`,
			want: answerOf(stored...)},
		{name: "KeyConditions with a range",
			in: `{"IndexName":"mall","KeyConditions":{` +
				equal + `,` + condition("c", "GT", `{"N":"1"}`) + `}}`, want: answerOf(stored[1])},
		{name: "KeyConditions with a range before another",
			in: `{"IndexName":"mall","KeyConditions":{` +
				equal + `,` + condition("c", "GT", `{"N":"1"}`) + `,` + condition("d", "EQ",
				`{"S":"x"}`) + `}}`, err: "ValidationException: *"},
		{name: "KeyConditions without a HASH attribute",
			in:  `{"IndexName":"mall","KeyConditions":{` + condition("a", "EQ", `{"S":"R"}`) + `}}`,
			err: "ValidationException: *"},
	})
}

func TestMultiAttributeWrites(t *testing.T) {
	t.Parallel()
	whole := `{@pk,"a":{"S":"$k"},"b":{"S":"B"},"c":{"N":"1"},"d":{"S":"x"}}`
	mismatch := func(name, expected, actual string) string {
		return "ValidationException: One or more parameter values were invalid: Type mismatch for Index Key " + name + " Expected: " + expected + " Actual: " + actual + " IndexName: mall"
	}
	used := func(total, index string) string {
		if index != "" {
			index = `,"GlobalSecondaryIndexes":{"mall":{"CapacityUnits":` + index + `}}`
		}
		return `{"ConsumedCapacity":` +
			consumed("multi", total, `,"Table":{"CapacityUnits":1}`+index) + `}`
	}
	const asking = `"ReturnConsumedCapacity":"INDEXES"`
	run(t, defaults{src: multiKeys, table: "multi", op: "PutItem"}, []kase{
		{name: "second HASH attribute of another type", in: `{"Item":{@pk,"b":{"N":"1"}}}`,
			err: mismatch("b", "S", "N"), then: "none"},
		{name: "first RANGE attribute of another type", in: `{"Item":{@pk,"c":{"S":"1"}}}`,
			err: mismatch("c", "N", "S"), then: "none"},
		{name: "last RANGE attribute of another type", in: `{"Item":{@pk,"d":{"NULL":true}}}`,
			err: mismatch("d", "S", "NULL"), then: "none"},
		{name: "empty RANGE attribute", in: `{"Item":{@pk,"d":{"S":""}}}`,
			err: "ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: mall, IndexKey: d", then: "none"},
		{name: "all attributes", in: `{` + asking + `,"Item":` + whole + `}`, want: used("2", "1")},
		{name: "one attribute less",
			in:   `{` + asking + `,"Item":{@pk,"a":{"S":"$k"},"b":{"S":"B"},"c":{"N":"1"}}}`,
			want: used("1", "")},
		{name: "the last attribute comes", op: "UpdateItem",
			given: []string{`{@pk,"a":{"S":"$k"},"b":{"S":"B"},"c":{"N":"1"}}`},
			in: `{@key,` + asking +
				`,"UpdateExpression":"SET d = :d","ExpressionAttributeValues":{":d":{"S":"x"}}}`,
			want: used("2", "1")},
		{name: "an attribute goes", op: "UpdateItem", given: []string{whole},
			in: `{@key,` + asking + `,"UpdateExpression":"REMOVE b"}`, want: used("2", "1")},
		{name: "an attribute changes", op: "UpdateItem", given: []string{whole},
			in: `{@key,` + asking +
				`,"UpdateExpression":"SET d = :d","ExpressionAttributeValues":{":d":{"S":"y"}}}`,
			want: used("3", "2")},
	})
}

// TestMultiAttributeIndexIsAdded: Developer Guide, Managing Global Secondary Indexes.
func TestMultiAttributeIndexIsAdded(t *testing.T) {
	t.Parallel()
	table := newTable(t, keys("pk:S")).name
	for _, item := range []string{
		`{"pk":{"S":"1"},"a":{"S":"A"},"b":{"N":"1"},"c":{"B":"AQ=="},"x":{"S":"x"}}`,
		`{"pk":{"S":"2"},"a":{"S":"A"},"b":{"N":"1"}}`,
		`{"pk":{"S":"3"},"a":{"S":"A"},"b":{"S":"1"},"c":{"B":"AQ=="}}`,
		`{"pk":{"S":"4"},"a":{"S":"A"},"b":{"N":"1"},"c":{"B":""}}`,
	} {
		call(t, "PutItem", `{"TableName":"`+table+`","Item":`+item+`}`)
	}
	got := change(t,
		table, `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"N"},{"AttributeName":"c","AttributeType":"B"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"several","KeySchema":[`+element("a",
			"HASH")+`,`+element("b", "HASH")+`,`+element("c", "RANGE")+
			`],"Projection":{"ProjectionType":"KEYS_ONLY"}}}]`)
	assertHas(t,
		`{"GlobalSecondaryIndexes":[{"IndexName":"several","IndexStatus":"ACTIVE","KeySchema":[`+
			element("a", "HASH")+`,`+element("b", "HASH")+`,`+element("c", "RANGE")+`]}]}`, got)
	eventually(t, "Query", func(t2 assert.TestingT) {
		answer := call(t, "Query",
			`{"TableName":"`+table+
				`","IndexName":"several","KeyConditionExpression":"a = :a AND b = :b","ExpressionAttributeValues":{":a":{"S":"A"},":b":{"N":"1"}}}`)
		assert.Equal(t2,
			normal(parseJSON(
				answerOf(`{"pk":{"S":"1"},"a":{"S":"A"},"b":{"N":"1"},"c":{"B":"AQ=="}}`))),
			normal(answer),
			"only an item with all of the key is in the index, with no more than keys")
	})
}
