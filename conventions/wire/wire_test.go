package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// decoded decodes a body to a new In, a shape of requests, and returns its JSON.
func decoded[In any](body string) (string, error) {
	in := new(In)
	if err := Decode(body, in, nil); err != nil {
		return "", err
	}
	return string(Append(nil, in)), nil
}

type decodeFunc func(string) (string, error)

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, body, want string // want "": as body
		decode           decodeFunc
	}{
		{"an empty object", `{}`, "", decoded[api.GetItemInput]},
		{"white space", " {\n\"TableName\" :\t\"a\" } \r\n", `{"TableName":"a"}`,
			decoded[api.GetItemInput]},
		{"every kind of member",
			`{"TableName":"t","IndexName":"i","Select":"COUNT","AttributesToGet":["a","b"],"Limit":3,` +
				`"ConsistentRead":true,"KeyConditions":{"k":{"AttributeValueList":[{"S":"v"}],"ComparisonOperator":"EQ"}},` +
				`"ScanIndexForward":false,"ExclusiveStartKey":{"k":{"S":"v"}}}`, "",
			decoded[api.QueryInput]},
		{"members in any order", `{"Key":{"k":{"S":"v"}},"TableName":"t"}`,
			`{"TableName":"t","Key":{"k":{"S":"v"}}}`, decoded[api.GetItemInput]},
		{"unknown members of all kinds",
			`{"a":{"b":[1,"x",{"c":null}]},"TableName":"t","d":true,"e":-1.5e3}`,
			`{"TableName":"t"}`, decoded[api.GetItemInput]},
		{"null is absence",
			`{"TableName":null,"Key":null,"AttributesToGet":null,"ConsistentRead":null,"ExpressionAttributeNames":null}`, `{}`, decoded[api.GetItemInput]},
		{"empty is not absence",
			`{"TableName":"","Key":{},"AttributesToGet":[],"ExpressionAttributeNames":{}}`, "",
			decoded[api.GetItemInput]},
		{"lists of structures",
			`{"TableName":"t","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}]}`, "", decoded[api.CreateTableInput]},
		{"nested structures",
			`{"RequestItems":{"t":[{"PutRequest":{"Item":{"a":{"S":"b"}}}},{"DeleteRequest":{"Key":{"a":{"S":"c"}}}}]}}`, "", decoded[api.BatchWriteItemInput]},
		{"escaped names and values", `{"Table\u004eame":"a\tb\ud83d\ude00"}`,
			`{"TableName":"a\tb😀"}`, decoded[api.GetItemInput]},
		{"names that begin alike",
			`{"TableName":"t","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ReturnValues":"NONE","ReturnConsumedCapacity":"TOTAL"}`,
			`{"TableName":"t","ReturnValues":"NONE","ReturnConsumedCapacity":"TOTAL","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, decoded[api.PutItemInput]},
		{"a name that begins as another does", `{"Key":{},"Ke":1,"Keys":2,"Key ":3}`, `{"Key":{}}`,
			decoded[api.GetItemInput]},
		{"names before space and colons after it", `{"Key" :{}, "TableName"	: "t" }`,
			`{"TableName":"t","Key":{}}`, decoded[api.GetItemInput]},
		{"decimals are cut off", `{"TableName":"t","Limit":3.99}`, `{"TableName":"t","Limit":3}`,
			decoded[api.QueryInput]},
		{"exponents", `{"TableName":"t","Limit":1.2E1}`, `{"TableName":"t","Limit":12}`,
			decoded[api.QueryInput]},
		{"the largest Integer", `{"TableName":"t","Limit":2147483647}`, "",
			decoded[api.QueryInput]},
		{"the smallest Long",
			`{"TableName":"t","OnDemandThroughput":{"MaxReadRequestUnits":-9223372036854775808}}`,
			"", decoded[api.CreateTableInput]},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.decode(c.body)
			require.NoError(t, err)
			if c.want == "" {
				c.want = c.body
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestDecodeLists reads lists of many lengths, because each list gets memory for as many elements
// as the one before had. Structures and strings that are made several at a time have to be each its
// own.
func TestDecodeLists(t *testing.T) {
	action := func(i int) string {
		if i%5 == 3 {
			return fmt.Sprintf(`{"Delete":{"Key":{"k":{"N":"%d"}},"TableName":"t%d"}}`, i, i)
		}
		return fmt.Sprintf(
			`{"Put":{"Item":{"k":{"N":"%d"}},"TableName":"t%d","ConditionExpression":"a%d = :v","ExpressionAttributeNames":{"#n%d":"n"}}}`, i, i, i, i)
	}
	for _, n := range []int{1, 10, 0, 300, 2, 129, 10, 0, 10} {
		actions := make([]string, n)
		for i := range actions {
			actions[i] = action(i)
		}
		body := `{"TransactItems":[` + strings.Join(actions, ",") + `]}`
		got, err := decoded[api.TransactWriteItemsInput](body)
		require.NoError(t, err)
		require.Equal(t, body, got)
	}
}

func TestDecodeKeepsInvalidValues(t *testing.T) {
	var in api.PutItemInput
	require.NoError(t,
		Decode(`{"TableName":"tab","Item":{"a":{"N":"x"}},"Expected":{"b":{"Value":{"N":"y"}}}}`,
			&in, nil))
	require.NotNil(t, in.Item.Invalid)
	assert.Equal(t, "a", in.Item.Invalid.Name)
	assert.True(t, in.Expected[0].Value.Value.Present)
	assert.NotNil(t, in.Expected[0].Value.Value.Invalid)
	assert.Empty(t, Validate(&in))
}

func TestDecodeErrors(t *testing.T) {
	const (
		notJSON = ""
		list    = "Unrecognized collection type "
		object  = "Start of structure or map found where not expected"

		// service facts 11.1
		noField, noPayload = "Unexpected field type", "Unexpected value type in payload"
		// service facts 11.2
		noClass = string(errNoClass)
	)
	put, batchGet, batchWrite :=
		decoded[api.PutItemInput], decoded[api.BatchGetItemInput], decoded[api.BatchWriteItemInput]
	get, query, create :=
		decoded[api.GetItemInput], decoded[api.QueryInput], decoded[api.CreateTableInput]
	for _, c := range []struct {
		name, body, want string
		decode           decodeFunc
	}{
		{"nothing", ``, notJSON, get},
		{"half an object", `{"TableName":"a"`, notJSON, get},
		{"two objects", `{}{}`, notJSON, get},
		{"a trailing comma", `{"TableName":"a",}`, notJSON, get},
		{"a comma before the first member", `{,"TableName":"a"}`, notJSON, get},
		{"no comma between members", `{"TableName":"a""Key":{}}`, notJSON, get},
		{"no comma between elements", `{"AttributesToGet":["a""b"]}`, notJSON, get},
		{"no colon", `{"TableName""a"}`, notJSON, get},
		{"no colon after a key", `{"ExpressionAttributeNames":{"#a" "a"}}`, notJSON, get},
		{"a name without quotes", `{TableName:"a"}`, notJSON, get},
		{"a list that ends as an object", `{"AttributesToGet":["a"}}`, notJSON, get},
		{"a name that does not end", `{"TableName`, notJSON, get},
		{"a bad literal", `{"ConsistentRead":tru}`, notJSON, get},
		{"a bad literal where a string is wanted", `{"TableName":tru}`, notJSON, get},
		{"a bad null", `{"TableName":nul}`, notJSON, get},
		{"a bad number", `{"Limit":01}`, notJSON, query},
		{"not UTF-8", "{\"TableName\":\"\xff\"}", notJSON, get},
		{"an unknown member too deep",
			`{"x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, notJSON, get},
		{"null instead of an object", `null`, "Unexpected value type in payload", get},
		{"a list instead of an object", `[]`,
			list + "class com.amazonaws.dynamodb.v20120810.GetItemInput", get},
		{"a string instead of an object", `"x"`, "Unexpected value type in payload", get},

		{"String from a number", `{"TableName":1}`, "NUMBER_VALUE cannot be converted to String",
			get},
		{"String from a decimal", `{"TableName":1.5}`,
			"DECIMAL_VALUE cannot be converted to String", get},
		{"String from true", `{"TableName":true}`, "TRUE_VALUE cannot be converted to String", get},
		{"String from false", `{"TableName":false}`, "FALSE_VALUE cannot be converted to String",
			get},
		{"String from a list", `{"TableName":[]}`, list + "class java.lang.String", get},
		{"String from a map", `{"TableName":{}}`, object, get},
		{"String in a list", `{"AttributesToGet":["a",1]}`,
			"NUMBER_VALUE cannot be converted to String", get},
		{"String in a map", `{"ExpressionAttributeNames":{"#a":1}}`,
			"NUMBER_VALUE cannot be converted to String", get},

		{"Integer from a string", `{"Limit":"1"}`, "STRING_VALUE cannot be converted to Integer",
			query},
		{"Integer from true", `{"Limit":true}`, "TRUE_VALUE cannot be converted to Integer", query},
		{"Integer from a list", `{"Limit":[1]}`, list + "class java.lang.Integer", query},
		{"Integer from a map", `{"Limit":{}}`, object, query},
		{"Integer too large", `{"Limit":2147483648}`, "NUMBER_VALUE cannot be converted to Integer",
			query},
		{"Integer much too large", `{"Limit":1e400}`,
			"DECIMAL_VALUE cannot be converted to Integer", query},
		{"Long from a string", `{"ProvisionedThroughput":{"ReadCapacityUnits":"1"}}`,
			"STRING_VALUE cannot be converted to Long", create},
		{"Long too large", `{"ProvisionedThroughput":{"ReadCapacityUnits":9223372036854775808}}`,
			"NUMBER_VALUE cannot be converted to Long", create},

		{"Boolean from a string", `{"ConsistentRead":"on"}`,
			"Unexpected token received from parser", get},
		{"Boolean from a number", `{"ConsistentRead":1}`,
			"NUMBER_VALUE cannot be converted to Boolean", get},
		{"Boolean from a list", `{"ConsistentRead":[]}`, list + "class java.lang.Boolean", get},

		{"list from a string", `{"AttributesToGet":"a"}`, "Unexpected field type", get},
		{"list from a map", `{"AttributesToGet":{}}`, object, get},
		{"map from a string", `{"ExpressionAttributeNames":"a"}`, "Unexpected field type", get},
		{"map from a list", `{"ExpressionAttributeNames":[]}`,
			list + "java.util.Map<java.lang.String, java.lang.String>", get},
		{"map of lists from a list", `{"RequestItems":[]}`,
			list + "java.util.Map<java.lang.String, java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>", batchWrite},
		{"structure in a structure from a number", `{"ProvisionedThroughput":1}`, noField, create},
		{"structure in a structure from true", `{"ProvisionedThroughput":true}`, noField, create},
		{"structure in a structure in a list", `{"GlobalSecondaryIndexes":[{"Projection":"x"}]}`,
			noField, create},
		{"structure in a structure in a map of lists", `{"RequestItems":{"a":[{"PutRequest":1}]}}`,
			noField, batchWrite},
		{"list in a structure in a list", `{"GlobalSecondaryIndexes":[{"KeySchema":"x"}]}`, noField,
			create},
		{"attributes in a structure", `{"RequestItems":{"a":[{"PutRequest":{"Item":1}}]}}`, noField,
			batchWrite},
		{"value in a structure", `{"Expected":{"a":{"Value":"x"}}}`, noField, put},
		{"value in a structure from a list", `{"Expected":{"a":{"Value":[]}}}`,
			list + "class com.amazonaws.dynamodb.v20120810.AttributeValue", put},
		{"value in a structure from garbage", `{"Expected":{"a":{"Value":x}}}`, notJSON, put},
		{"structure in a list", `{"GlobalSecondaryIndexes":["x"]}`, noPayload, create},
		{"structure in a list in a map", `{"RequestItems":{"a":[1]}}`, noPayload, batchWrite},
		{"structure in a map", `{"Expected":{"a":"x"}}`, noPayload, put},
		{"structure in a map, of a list in others", `{"RequestItems":{"a":1}}`, noPayload,
			batchGet},
		{"value in a map", `{"ExpressionAttributeValues":{":a":"x"}}`, noPayload, put},
		{"value in a list", `{"Expected":{"a":{"AttributeValueList":["x"]}}}`, noPayload, put},
		{"value in a list in a value in a structure", `{"Expected":{"a":{"Value":{"L":["x"]}}}}`,
			noPayload, put},
		{"value in an item", `{"Item":{"a":1}}`, noPayload, put},
		{"list in a value", `{"Item":{"a":{"L":1}}}`, noField, put},
		{"map in a value", `{"Item":{"a":{"M":1}}}`, noField, put},
		{"set in a value", `{"Item":{"a":{"SS":"x"}}}`, noField, put},
		{"list in a map", `{"RequestItems":{"a":1}}`, noClass, batchWrite},
		{"list in a map from a string", `{"RequestItems":{"a":"x"}}`, noClass, batchWrite},
		{"list in a map from a map", `{"RequestItems":{"a":{}}}`, object, batchWrite},
		{"map in a list", `{"RequestItems":{"a":{"Keys":[1]}}}`, noClass, batchGet},
		{"second map in a list", `{"RequestItems":{"a":{"Keys":[{},true]}}}`, noClass, batchGet},
		{"map in a list from a list", `{"RequestItems":{"a":{"Keys":[[]]}}}`,
			list + item.JavaAttributes, batchGet},
		{"map in a list from garbage", `{"RequestItems":{"a":{"Keys":[x]}}}`, notJSON, batchGet},
		{"map of values from a list", `{"ExpressionAttributeValues":[]}`,
			list + item.JavaAttributes, put},
		{"list of maps from a string", `{"RequestItems":{"a":{"Keys":"x"}}}`, noField, batchGet},
		{"structure from a list", `{"ProvisionedThroughput":[]}`,
			list + "class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput", create},

		{"a member twice", `{"TableName":"a","TableName":"a"}`, "Duplicate field 'TableName'", get},
		{"a member twice in different forms", `{"TableName":"a","Table\u004eame" : "a"}`,
			"Duplicate field 'TableName'", get},
		{"a key twice", `{"ExpressionAttributeNames":{"#a":"a","#a":"b"}}`, "Duplicate field '#a'",
			get},
		{"one of many keys twice",
			`{"ExpressionAttributeNames":{` + manyNames(100) + `,"#50":"b"}}`,
			"Duplicate field '#50'", get},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.decode(c.body)
			var serialization item.SerializationError
			require.True(t, errors.As(err, &serialization), "%v", err)
			assert.Equal(t, c.want, string(serialization))
		})
	}
}

// manyNames are n members of ExpressionAttributeNames.
func manyNames(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"#%d":"a"`, i)
	}
	return strings.Join(members, ",")
}
