package emulator

import (
	"strings"
	"testing"
)

func TestPutItem(t *testing.T) {
	x := newItemTest(t)
	x.put("ranged",
		`{"pk":{"S":"a"},"sk":{"N":"1.0"},"m":{"M":{"l":{"L":[{"BOOL":true},{"NULL":true}]}}},"e":{"S":""}}`)
	x.wantItem(
		`{"pk":{"S":"a"},"sk":{"N":"1"},"m":{"M":{"l":{"L":[{"BOOL":true},{"NULL":true}]}}},"e":{"S":""}}`, "ranged", `{"pk":{"S":"a"},"sk":{"N":"1"}}`)
	x.put("ranged", `{"pk":{"S":"a"},"sk":{"N":"1"},"x":{"N":"2"}}`)
	x.wantItem(`{"pk":{"S":"a"},"sk":{"N":"1"},"x":{"N":"2"}}`, "ranged",
		`{"pk":{"S":"a"},"sk":{"N":"1"}}`)
}

func TestPutItemReturnValues(t *testing.T) {
	x := newItemTest(t)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"1"}},"ReturnValues":"ALL_OLD"}`)
	x.want(`{"Attributes":{"pk":{"S":"a"},"v":{"N":"1"}}}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"2"}},"ReturnValues":"ALL_OLD"}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"3"}},"ReturnValues":"NONE"}`)
}

func TestPutItemConditions(t *testing.T) {
	const failed = conditionFailed
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"1"}}`)
	x.refused("PutItem", []itemCase{
		{"expression",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)"}`, failed},
		{"old item on failure",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
			failed + ` {"pk":{"S":"a"},"v":{"N":"1"}}`},
		{"no old item on failure",
			`{"TableName":"plain","Item":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, failed},
		{"none on failure",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"NONE"}`, failed},
		{"names and values",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"ConditionExpression":"#v > :v","ExpressionAttributeNames":{"#v":"v"},"ExpressionAttributeValues":{":v":{"N":"1"}}}`, failed},
		{"expected value",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"Expected":{"v":{"Value":{"N":"2"}}}}`,
			failed},
		{"expected absence",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"Expected":{"v":{"Exists":false}}}`,
			failed},
		{"expected comparison",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"Expected":{"v":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"1"}]}}}`, failed},
		{"both expected",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"Expected":{"v":{"Value":{"N":"1"}},"w":{"Value":{"N":"1"}}}}`, failed},
	})
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"b"}},"ConditionExpression":"attribute_not_exists(pk)"}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"2"}},"ConditionExpression":"v = :v","ExpressionAttributeValues":{":v":{"N":"1.0"}}}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"3"}},"Expected":{"v":{"Value":{"N":"2"},"Exists":true}}}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"4"}},"Expected":{"v":{"Value":{"N":"9"}},"w":{"Exists":false}},"ConditionalOperator":"OR"}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"5"}},"Expected":{"v":{"ComparisonOperator":"EQ","Value":{"N":"4"}}}}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"N":"6"}},"Expected":{"v":{"ComparisonOperator":"NOT_NULL"}}}`)
	x.wantItem(`{"pk":{"S":"a"},"v":{"N":"6"}}`, "plain", `{"pk":{"S":"a"}}`)
}

func TestPutItemRefused(t *testing.T) {
	big := strings.Repeat("x", 400*1024-len("pk")-1-len("v"))
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"`+big+`"}}`)
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"}}`)
	x.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"large"},"lr":{"B":"AA=="},"v":{"S":"`+big[:300*1024]+`"}}`)
	x.refused("PutItem", []itemCase{
		{"no table", `{"TableName":"nosuch","Item":{"pk":{"S":"a"}}}`,
			noSuchTable},
		{"missing hash key", `{"TableName":"ranged","Item":{"x":{"S":"a"}}}`,
			invalidValues + "Missing the key pk in the item"},
		{"missing range key", `{"TableName":"ranged","Item":{"pk":{"S":"a"}}}`,
			invalidValues + "Missing the key sk in the item"},
		{"hash key type", `{"TableName":"ranged","Item":{"pk":{"N":"1"},"sk":{"N":"1"}}}`,
			invalidValues + "Type mismatch for key pk expected: S actual: N"},
		{"range key type", `{"TableName":"ranged","Item":{"pk":{"S":"a"},"sk":{"NULL":true}}}`,
			invalidValues + "Type mismatch for key sk expected: N actual: NULL"},
		{"empty string key", `{"TableName":"plain","Item":{"pk":{"S":""}}}`,
			"ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
		{"empty binary key", `{"TableName":"binary","Item":{"pk":{"B":"AA=="},"sk":{"B":""}}}`,
			"ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: sk"},
		{"long hash key",
			`{"TableName":"plain","Item":{"pk":{"S":"` + strings.Repeat("é", 1024) + `e"}}}`,
			invalidValues + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"long range key",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"` +
				strings.Repeat("x", 1025) + `"}}}`,
			invalidValues +
				"Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
		{"index key type",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"N":"1"}}}`,
			invalidValues + "Type mismatch for Index Key gh Expected: S Actual: N IndexName: gsi1"},
		{"local index key type",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"lr":{"S":"1"}}}`,
			invalidValues + "Type mismatch for Index Key lr Expected: B Actual: S IndexName: lsi1"},
		{"empty index key",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":""}}}`,
			"ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: gsi1, IndexKey: gh"},
		{"empty binary index key",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"lr":{"B":""}}}`,
			"ValidationException: One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: lsi1, IndexKey: lr"},
		{"long index key",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"` +
				strings.Repeat("x", 2049) + `"}}}`,
			invalidValues +
				"Size limit exceeded for Index Key gh Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: gsi1"},
		{"too large with its local entry",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"lr":{"B":"AA=="},"a":{"S":"` + big[:200*1024] + `"}}}`,
			tooLargeItem},
		{"condition inside a key",
			`{"TableName":"ranged","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConditionExpression":"attribute_exists(a.sk) OR attribute_exists(sk.a)"}`,
			"ConditionalCheckFailedException: The conditional request failed"},
		{"too large", `{"TableName":"nosuch","Item":{"pk":{"S":"a"},"v":{"S":"` + big + `x"}}}`,
			tooLargeItem},
		{"return values",
			`{"TableName":"nosuch","Item":{"pk":{"S":"a"}},"ReturnValues":"UPDATED_NEW"}`,
			"ValidationException: 1 validation error detected: ReturnValues can only be ALL_OLD or NONE"},
		{"bad value", `{"TableName":"nosuch","Item":{"pk":{}}}`,
			"ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{"bad number", `{"TableName":"nosuch","Item":{"pk":{"N":"x"}}}`,
			"ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: x"},
	})
}

func TestPutItemParameters(t *testing.T) {
	const none = `{"TableName":"nosuch","Item":{"pk":{"S":"a"}},`
	x := newItemTest(t)
	x.refused("PutItem", []itemCase{
		{"mixed", none +
			`"Expected":{"a":{"Exists":false}},"ConditionExpression":"attribute_exists(a)"}`,
			"ValidationException: 1 validation error detected: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"},
		{"operator with expression",
			none + `"ConditionalOperator":"AND","ConditionExpression":"attribute_exists(a)"}`,
			"ValidationException: 1 validation error detected: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {ConditionalOperator} Expression parameters: {ConditionExpression}"},
		{"names alone", none + `"ExpressionAttributeNames":{"#a":"a"}}`,
			"ValidationException: 1 validation error detected: ExpressionAttributeNames can only be specified when using expressions"},
		{"values alone", none + `"ExpressionAttributeValues":{":a":{"S":"a"}}}`,
			"ValidationException: 1 validation error detected: ExpressionAttributeValues can only be specified when using expressions"},
		{"operator alone", none + `"ConditionalOperator":"AND"}`,
			"ValidationException: 1 validation error detected: ConditionalOperator cannot be used without Filter or Expected"},
		{"operator for one",
			none + `"ConditionalOperator":"AND","Expected":{"a":{"Exists":false}}}`,
			"ValidationException: 1 validation error detected: ConditionalOperator can only be used when Filter or Expected has two or more elements"},
		{"invalid value",
			none + `"ConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"x"}}}`,
			"ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: x"},
		{"unused value",
			none + `"ConditionExpression":"attribute_exists(a)","ExpressionAttributeValues":{":a":{"N":"1"}}}`,
			"ValidationException: 1 validation error detected: Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}"},
		{"empty expression", none + `"ConditionExpression":""}`,
			"ValidationException: 1 validation error detected: Invalid ConditionExpression: The expression can not be empty;"},
		{"exists without value", none + `"Expected":{"a":{"Exists":true}}}`,
			invalidParameterValues + "Value must be provided when Exists is true for Attribute: a"},
		{"neither", none + `"Expected":{"a":{}}}`,
			invalidParameterValues + "Value must be provided when Exists is null for Attribute: a"},
		{"absent with value", none + `"Expected":{"a":{"Exists":false,"Value":{"S":"a"}}}}`,
			invalidParameterValues + "Value cannot be used when Exists is false for Attribute: a"},
		{"value and list",
			none + `"Expected":{"a":{"Value":{"S":"a"},"AttributeValueList":[{"S":"a"}],"ComparisonOperator":"EQ"}}}`,
			invalidParameterValues +
				"Value and AttributeValueList cannot be used together for Attribute: a"},
		{"list without operator", none + `"Expected":{"a":{"AttributeValueList":[{"S":"a"}]}}}`,
			invalidParameterValues +
				"AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
		{"exists with operator",
			none + `"Expected":{"a":{"Exists":true,"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}}}`,
			invalidParameterValues +
				"Exists and ComparisonOperator cannot be used together for Attribute: a"},
		{"operator without values", none + `"Expected":{"a":{"ComparisonOperator":"EQ"}}}`,
			invalidParameterValues +
				"Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
		{"bad expected value", none + `"Expected":{"a":{"Value":{"N":"x"}}}}`,
			"ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: x"},
		{"argument count",
			none + `"Expected":{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"}]}}}`,
			invalidParameterValues +
				"Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
	})
}

func TestPutItemCapacity(t *testing.T) {
	x := newItemTest(t)
	kb := strings.Repeat("x", 1024)
	for _, tc := range []itemCase{
		{"new", `{"TableName":"plain","Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`,
			`{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":1}}`},
		{"none", `{"TableName":"plain","Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"NONE"}`,
			`{}`},
		{"larger",
			`{"TableName":"plain","Item":{"pk":{"S":"a"},"v":{"S":"` + kb +
				`"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":2,"Table":{"CapacityUnits":2}}}`},
		{"smaller",
			`{"TableName":"plain","Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`,
			`{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":2}}`},
		{"no index",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`},
		{"into all indexes",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"g"},"gr":{"N":"1"},"lr":{"B":"AA=="},"v":{"S":"` + kb + `"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":6,"Table":{"CapacityUnits":2},
				"GlobalSecondaryIndexes":{"gsi1":{"CapacityUnits":2},"gsi2":{"CapacityUnits":1}},"LocalSecondaryIndexes":{"lsi1":{"CapacityUnits":1}}}}`},
		{"moves in gsi1",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"h"},"gr":{"N":"1"},"lr":{"B":"AA=="},"v":{"S":"x"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":5,"Table":{"CapacityUnits":2},"GlobalSecondaryIndexes":{"gsi1":{"CapacityUnits":3}}}}`},
		{"stays in gsi1",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"h"},"gr":{"N":"1"},"lr":{"B":"AA=="},"v":{"S":"` + kb + `"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":4,"Table":{"CapacityUnits":2},"GlobalSecondaryIndexes":{"gsi1":{"CapacityUnits":2}}}}`},
		{"leaves gsi2",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"h"},"lr":{"B":"AA=="}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":5,"Table":{"CapacityUnits":2},"GlobalSecondaryIndexes":{"gsi1":{"CapacityUnits":2},"gsi2":{"CapacityUnits":1}}}}`},
		{"total", `{"TableName":"indexed","Item":{"pk":{"S":"b"},"sk":{"S":"a"},"gr":{"N":"1"}},"ReturnConsumedCapacity":"TOTAL"}`, `{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":2}}`},
		{"by ARN",
			`{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/plain","Item":{"pk":{"S":"b"}},"ReturnConsumedCapacity":"TOTAL"}`,
			`{"ConsumedCapacity":{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/plain","CapacityUnits":1}}`},
	} {
		x.Run(tc.name, func(t *testing.T) {
			(&itemTest{T: t, emulator: x.emulator}).want(tc.want, "PutItem", tc.body)
		})
	}
}

func TestPutItemCollections(t *testing.T) {
	x := newItemTest(t)
	x.want(`{"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0,1]}}`, "PutItem",
		`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"}},"ReturnItemCollectionMetrics":"SIZE"}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"ranged","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"}`)
	x.want(`{}`, "PutItem",
		`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"b"}},"ReturnItemCollectionMetrics":"NONE"}`)
}

func TestPutItemCollectionLimit(t *testing.T) {
	x := newItemTest(t)
	x.emulator.service.Limits.CollectionBytes = 100
	large := `{"pk":{"S":"a"},"sk":{"S":"b"},"v":{"S":"` + strings.Repeat("x", 90) + `"}}`
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"x"}}`)
	x.refused("PutItem", []itemCase{
		{"another item", `{"TableName":"indexed","Item":` + large + `}`,
			"ItemCollectionSizeLimitExceededException: Collection size exceeded."},
	})
	x.put("indexed", `{"pk":{"S":"b"},"sk":{"S":"b"}}`)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"`+strings.Repeat("x", 200)+`"}}`)
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"1234567"}}`)
	x.emulator.service.Limits.CollectionBytes = 5
	// over the limit, but smaller than before
	x.put("indexed", `{"pk":{"S":"a"},"sk":{"S":"a"},"v":{"S":"123456"}}`)
	x.refused("PutItem", []itemCase{
		{"a smaller item with a larger entry",
			`{"TableName":"indexed","Item":{"pk":{"S":"a"},"sk":{"S":"a"},"lr":{"B":"AA=="}}}`,
			"ItemCollectionSizeLimitExceededException: Collection size exceeded."},
	})
}
