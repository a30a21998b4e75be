package conformance

import (
	"strings"
	"testing"
)

const (
	one          = "ValidationException: 1 validation error detected: "
	oldCapacity  = "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
	oldMetrics   = "Value 'M' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"
	oldReturn    = "Value 'Y' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
	oldOperator  = "Value 'NOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]"
	newReturn    = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"
	newOperator  = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
	newEmptyName = one +
		"Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"
	nestingText = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)

// TestEnvelope checks which errors of PutItem, UpdateItem and DeleteItem are in the envelope.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	v := `"ExpressionAttributeValues":{":v":{"N":"1"}}`
	expected := func(members string) string {
		return `{"Item":{@pk},"Expected":{"a":` + members + `}}`
	}
	const parameter = one + "One or more parameter values were invalid: "
	run(t, defaults{src: "service facts 0.3", table: "hash"}, []kase{
		{name: "a syntax error", op: "UpdateItem", in: `{@key,"UpdateExpression":"PUT a"}`,
			err: one + `Invalid UpdateExpression: Syntax error; token: "PUT", near: "PUT a"`},
		{name: "an empty expression", op: "DeleteItem", raw: true,
			in:  `{@key,"ConditionExpression":""}`,
			err: one + "Invalid ConditionExpression: The expression can not be empty;"},
		{name: "an undefined value beside another", op: "PutItem",
			in: `{"Item":{@pk},"ConditionExpression":"a = :v OR b = :w",` + v + `}`,
			err: one +
				"Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :w"},
		{name: "an unused value", op: "DeleteItem",
			in: `{@key,"ConditionExpression":"attribute_exists(a)",` + v + `}`,
			err: one +
				"Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}"},
		{name: "no names", op: "DeleteItem", raw: true,
			in:  `{@key,"ConditionExpression":"attribute_exists(a)","ExpressionAttributeNames":{}}`,
			err: one + "ExpressionAttributeNames must not be empty"},
		{name: "overlapping paths", op: "UpdateItem", in: `{@key,"UpdateExpression":"REMOVE a, a"}`,
			err: one +
				"Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
		{name: "an empty set in an update", op: "UpdateItem",
			in: `{@key,"AttributeUpdates":{"a":{"Value":{"NS":[]}}}}`, raw: true,
			err: one +
				"One or more parameter values were invalid: An number set  may not be empty"},
		{name: "the return values of another operation", op: "DeleteItem",
			in:  `{@key,"ReturnValues":"UPDATED_NEW"}`,
			err: one + "ReturnValues can only be ALL_OLD or NONE"},
		{name: "and of a put", op: "PutItem", in: `{"Item":{@pk},"ReturnValues":"ALL_NEW"}`,
			err: one + "ReturnValues can only be ALL_OLD or NONE"},

		{name: "Exists without a value", src: "service facts 0.4", op: "PutItem",
			in:  expected(`{"Exists":true}`),
			err: parameter + "Value must be provided when Exists is true for Attribute: a"},
		{name: "absence with a value", src: "service facts 0.4", op: "PutItem",
			in:  expected(`{"Exists":false,"Value":{"S":"x"}}`),
			err: parameter + "Value cannot be used when Exists is false for Attribute: a"},
		{name: "a value and a list", src: "service facts 0.4", op: "PutItem",
			in: expected(
				`{"ComparisonOperator":"EQ","Value":{"S":"x"},"AttributeValueList":[{"S":"x"}]}`),
			err: parameter +
				"Value and AttributeValueList cannot be used together for Attribute: a"},
		{name: "an operator without operands", src: "service facts 0.4", op: "PutItem",
			in: expected(`{"ComparisonOperator":"EQ"}`),
			err: parameter +
				"Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
		{name: "too few operands", src: "service facts 0.4", op: "PutItem",
			in:  expected(`{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"x"}]}`),
			err: parameter + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},

		{name: "values without an expression", src: "service facts 0.6", op: "PutItem",
			in:  `{"Item":{@pk},"Expected":{"a":{"Exists":false}},` + v + `}`,
			err: one + "ExpressionAttributeValues can only be specified when using expressions"},
		{name: "names without an expression", src: "service facts 0.6", op: "UpdateItem",
			in:  `{@key,"ExpressionAttributeNames":{"#a":"a"}}`,
			err: one + "ExpressionAttributeNames can only be specified when using expressions"},

		{name: "an update of the key", src: "service facts 0.5", op: "UpdateItem",
			in:  `{@key,"UpdateExpression":"REMOVE pk"}`,
			err: updatedKey},
		{name: "another key", src: "service facts 0.5", op: "DeleteItem",
			in:  `{"Key":{"other":{"S":"$k"}}}`,
			err: wrongKey},
		{name: "an empty key", src: "service facts 0.5", op: "PutItem",
			in:  `{"Item":{"pk":{"S":""}}}`,
			err: "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{name: "an item too large", src: "service facts 0.5", op: "PutItem",
			in:  `{"Item":{@pk,"a":{"S":"` + strings.Repeat("x", 400<<10) + `"}}}`,
			err: tooLargeItem},
		{name: "an unknown table", src: "service facts 0.5", op: "DeleteItem",
			in:  `{@key,"TableName":"no-such-table"}`,
			err: noSuchTable},
		{name: "a condition that does not hold", src: "service facts 0.5", op: "DeleteItem",
			in:  `{@key,"ConditionExpression":"attribute_exists(a)"}`,
			err: conditionFailed},
	})
}

// TestOldAndBareForms checks the operations that never use the envelope.
func TestOldAndBareForms(t *testing.T) {
	t.Parallel()
	const wrapped = "ValidationException: ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :v"
	const bare = "ValidationException: The parameter cannot be converted to a numeric value: x"
	v := `"ExpressionAttributeValues":{":v":{"N":"x"}}`
	transact := func(action string) string { return `{"TransactItems":[` + action + `]}` }
	run(t, defaults{src: "service facts 0.2, 1.2", table: "hash", op: "Query"}, []kase{
		{name: "a value of a query", in: `{"KeyConditionExpression":"pk = :v",` + v + `}`,
			err: bare},
		{name: "a value of a scan", op: "Scan", in: `{"FilterExpression":"a = :v",` + v + `}`,
			err: wrapped},
		{name: "a value of a put in a transaction", op: "TransactWriteItems",
			in: transact(
				`{"Put":{"TableName":"@hash","Item":{@pk},"ConditionExpression":"a = :v",` +
					v + `}}`), err: wrapped},
		{name: "an item in a transaction", op: "TransactWriteItems",
			in: transact(`{"Put":{"TableName":"@hash","Item":{@pk,"n":{"N":"x"}}}}`), err: bare},
		{name: "a key of a get", op: "GetItem", in: `{"Key":{"pk":{"N":"x"}}}`, err: bare},
		{name: "a filter of a query",
			in: `{"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"QueryFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"x"}]}}}`, err: bare},
		{name: "a start key of a query", src: "service facts 1.3",
			in: `{"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}},"ExclusiveStartKey":{"pk":{"NS":["1","1"]}}}`, err: "ValidationException: One or more parameter values were invalid: Input collection contains duplicates."},
		{name: "a start key of a scan", src: "service facts 1.3", op: "Scan",
			in:  `{"ExclusiveStartKey":{"pk":{"NS":["1","1"]}}}`,
			err: "ValidationException: Input collection contains duplicates"},
		{name: "a start key of a scan with an empty set", src: "service facts 1.3", op: "Scan",
			raw: true, in: `{"ExclusiveStartKey":{"pk":{"BS":[]}}}`,
			err: "ValidationException: The provided starting key is invalid: One or more parameter values were invalid: Binary sets should not be empty"},

		{name: "a syntax error of a query",
			in:  `{"KeyConditionExpression":"pk =","ExpressionAttributeValues":{":v":{"S":"x"}}}`,
			err: `ValidationException: Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "="`},
		{name: "Select of a query", src: "service facts 0.8",
			in: `{"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}},"Select":"COUNT","ProjectionExpression":"a"}`, err: one + "Cannot specify the ProjectionExpression when choosing to get only the Count"},
		{name: "Select of a query of no index", src: "service facts 0.8",
			in: `{"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}},"Select":"ALL_PROJECTED_ATTRIBUTES","ProjectionExpression":"a"}`, err: one + "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"},
		{name: "Select of a scan", src: "service facts 0.8", op: "Scan",
			in:  `{"Select":"SPECIFIC_ATTRIBUTES"}`,
			err: "ValidationException: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
	})
}

// TestMemberConstraints checks which violations of the model's constraints are reported, with their
// texts and order.
func TestMemberConstraints(t *testing.T) {
	t.Parallel()
	several := func(n string, violations ...string) string {
		return "ValidationException: " + n + " validation errors detected: " +
			strings.Join(violations, "; ")
	}
	mapKeys :=
		"' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, " +
			"Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
	const badKeys = `Value '{"my!table":{"Keys":[{"id":{"S":"7"}}]}}' at 'requestItems`
	bad := `"RequestItems":{"my!table":{"Keys":[{"id":{"S":"7"}}]}}`
	badWrite := `"RequestItems":{"my!table":[{"DeleteRequest":{"Key":{"id":{"S":"7"}}}}]}`
	keyed := `"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"x"}}`
	token := strings.Repeat("t", 37)
	deep := strings.Repeat(`{"L":[`, 70) + `{"S":"x"}` + strings.Repeat(`]}`, 70)
	run(t, defaults{src: "service facts 0.7", table: "hash", op: "UpdateItem"}, []kase{
		{name: "no name", raw: true,
			in:  `{"TableName":"",@key,"ReturnValues":"Y","ReturnConsumedCapacity":"X"}`,
			err: newEmptyName},
		{name: "no name and no item", op: "PutItem", raw: true, in: `{"TableName":""}`,
			err: newEmptyName},
		{name: "no name and no key", src: "service facts 0.11", raw: true, in: `{"TableName":""}`,
			err: several("2",
				"Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1", "Value null at 'key' failed to satisfy constraint: Member must not be null")},
		{name: "no key and all else", src: "service facts 0.11", raw: true,
			in: `{"TableName":"","ReturnValues":"Y","ReturnConsumedCapacity":"X"}`, err: several(
				"4", oldCapacity,
				"Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1", oldReturn, "Value null at 'key' failed to satisfy constraint: Member must not be null")},

		{name: "unknown return values", src: "service facts 0.9",
			in: `{@key,"ReturnValues":"Y","ReturnConsumedCapacity":"X"}`, err: one + newReturn},
		{name: "unknown return values of a put", src: "service facts 0.9", op: "PutItem",
			in: `{"Item":{@pk},"ReturnValues":"Y","ReturnConsumedCapacity":"X","ReturnItemCollectionMetrics":"M"}`, err: several("3", oldCapacity, newReturn, oldMetrics)},
		{name: "unknown return values of a delete", src: "service facts 0.9", op: "DeleteItem",
			in: `{@key,"ReturnValues":"Y"}`, err: one + newReturn},
		{name: "other enumerations", op: "DeleteItem",
			in:  `{@key,"ReturnConsumedCapacity":"X","ReturnItemCollectionMetrics":"M"}`,
			err: several("2", oldCapacity, oldMetrics)},
		{name: "an unknown operator of a scan", src: "service facts 0.2", op: "Scan",
			in: `{"ConditionalOperator":"NOR"}`, err: one + oldOperator},
		{name: "an unknown operator beside a deep value", src: "service facts 0.12", op: "PutItem",
			in: `{"Item":{@pk},"ConditionalOperator":"NOR","Expected":{"a":{"Value":` +
				deep + `}}}`, err: one + oldOperator},
		{name: "unknown return values beside a deep value", src: "service facts 0.12",
			in: `{"Key":{"pk":` + deep + `},"ReturnValues":"Y"}`, err: one + oldReturn},
		{name: "return values of another operation beside a deep value", src: "service facts 0.12",
			op: "DeleteItem", in: `{"Key":{"pk":` + deep + `},"ReturnValues":"UPDATED_NEW"}`,
			err: "ValidationException: ReturnValues can only be ALL_OLD or NONE"},
		{name: "a nesting that is less deep", src: "service facts 0.12", op: "DeleteItem",
			in: `{"Key":{"pk":` + deep[6*10:len(deep)-2*10] + `}}`, err: one + nestingText},

		{name: "a limit of a query", src: "service facts 3.3", op: "Query", raw: true,
			in: `{` + keyed + `,"Limit":0}`,
			err: one +
				"Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "a limit of a scan", src: "service facts 3.3", op: "Scan", raw: true,
			in: `{"Limit":0}`,
			err: one +
				"Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},

		{name: "a bad table of a batch", src: "service facts 4.5", op: "BatchGetItem",
			in: `{` + bad + `}`, err: one + badKeys + mapKeys},
		{name: "and an unknown enumeration", src: "service facts 4.6", op: "BatchGetItem",
			in:  `{` + bad + `,"ReturnConsumedCapacity":"X"}`,
			err: several("2", badKeys+mapKeys, oldCapacity)},
		{name: "a bad table of a batch of writes", src: "service facts 4.5", op: "BatchWriteItem",
			in: `{` + badWrite + `}`, err: one + "Value '{my!table=[WriteRequest(*"},
		{name: "and unknown enumerations", src: "service facts 4.6", op: "BatchWriteItem",
			in: `{` + badWrite +
				`,"ReturnConsumedCapacity":"X","ReturnItemCollectionMetrics":"M"}`,
			err: several("2", oldCapacity, oldMetrics)},
		{name: "no tables of a batch of writes", src: "service facts 4.4", op: "BatchWriteItem",
			raw: true, in: `{"RequestItems":{}}`,
			err: "ValidationException: The requestItems parameter is required for BatchWriteItem"},

		{name: "a long token", src: "service facts 5.5", op: "TransactWriteItems",
			in: `{"ClientRequestToken":"` + token +
				`","ReturnConsumedCapacity":"X","TransactItems":[{"Delete":{"TableName":"@hash",@key}}]}`, err: several("2", "Value '"+token+"' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36", oldCapacity)},
		{name: "a bad table of a transaction", src: "service facts 5.6", op: "TransactWriteItems",
			in: `{"TransactItems":[{"Delete":{"TableName":"@hash",@key}},{"ConditionCheck":{"TableName":"my!table",@key,"ConditionExpression":"attribute_exists(a)"}}]}`, err: one + "Value 'my!table' at 'transactItems.2.member.conditionCheck.tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "a bad table of a get in a transaction", src: "service facts 5.6",
			op: "TransactGetItems", in: `{"TransactItems":[{"Get":{"TableName":"my!table",@key}}]}`,
			err: one +
				"Value 'my!table' at 'transactItems.1.member.get.tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{name: "no actions", src: "service facts 13.2", op: "TransactWriteItems", raw: true,
			in: `{"TransactItems":[]}`,
			err: one +
				"Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},

		{name: "short names of indexes", src: "service facts 6.4", op: "CreateTable",
			in: `{"TableName":"$k",` + keys("pk:S", "sk:S") + `,"BillingMode":"PAY_PER_REQUEST",` +
				`"LocalSecondaryIndexes":[{"IndexName":"lx","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],` +
				`"GlobalSecondaryIndexes":[{"IndexName":"gx","KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`,
			err: several("2",
				"Value 'gx' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3",
				"Value 'lx' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3")},
		{name: "a short name with an empty key schema", src: "service facts 7.3", op: "CreateTable",
			raw: true, in: `{"TableName":"ab","KeySchema":[],"AttributeDefinitions":[]}`,
			err: one +
				"Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
	})
}
