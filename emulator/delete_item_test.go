package emulator

import (
	"strings"
	"testing"
)

func TestDeleteItem(t *testing.T) {
	x := newItemTest(t)
	x.put("ranged", `{"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"x"}}`)
	x.put("ranged", `{"pk":{"S":"a"},"sk":{"N":"2"}}`)
	x.want(`{}`, "DeleteItem",
		`{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"3"}},"ReturnValues":"ALL_OLD"}`)
	x.want(`{"Attributes":{"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"x"}}}`, "DeleteItem",
		`{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnValues":"ALL_OLD"}`)
	x.want(`{}`, "DeleteItem", `{"TableName":"ranged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}`)
	x.wantItem("", "ranged", `{"pk":{"S":"a"},"sk":{"N":"1"}}`)
	x.wantItem(`{"pk":{"S":"a"},"sk":{"N":"2"}}`, "ranged", `{"pk":{"S":"a"},"sk":{"N":"2"}}`)
}

func TestDeleteItemConditions(t *testing.T) {
	const failed = conditionFailed
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"1"}}`)
	x.refused("DeleteItem", []itemCase{
		{"expression",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"ConditionExpression":"v = :v","ExpressionAttributeValues":{":v":{"N":"2"}}}`, failed},
		{"absent item",
			`{"TableName":"plain","Key":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)"}`, failed},
		{"old item",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"ConditionExpression":"v > :v","ExpressionAttributeValues":{":v":{"N":"2"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
			failed + ` {"pk":{"S":"a"},"v":{"N":"1"}}`},
		{"expected",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"Expected":{"v":{"Value":{"N":"2"}}}}`,
			failed},
	})
	x.want(`{}`, "DeleteItem",
		`{"TableName":"plain","Key":{"pk":{"S":"a"}},"Expected":{"v":{"Value":{"N":"1"}}}}`)
	x.wantItem("", "plain", `{"pk":{"S":"a"}}`)
	x.want(`{}`, "DeleteItem",
		`{"TableName":"plain","Key":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(v)"}`)
}

func TestDeleteItemRefused(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"}}`)
	x.refused("DeleteItem", []itemCase{
		{"no table", `{"TableName":"nosuch","Key":{"pk":{"S":"a"}}}`,
			noSuchTable},
		{"key", `{"TableName":"plain","Key":{"x":{"S":"a"}}}`,
			wrongKey},
		{"return values", `{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"ReturnValues":"ALL_NEW"}`,
			"ValidationException: 1 validation error detected: ReturnValues can only be ALL_OLD or NONE"},
		{"bad value", `{"TableName":"nosuch","Key":{"pk":{"N":""}}}`,
			"ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: "},
		{"mixed", `{"TableName":"nosuch","Key":{"pk":{"S":"a"}},"Expected":{},"ConditionExpression":"attribute_exists(a)"}`,
			"ValidationException: 1 validation error detected: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"},
	})
}

func TestDeleteItemCapacity(t *testing.T) {
	x := newItemTest(t)
	x.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"h"},"gr":{"N":"1"},"lr":{"B":"AA=="},"v":{"S":"`+
			strings.Repeat("x", 1024)+`"}}`)
	x.want(`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":6,"Table":{"CapacityUnits":2},
		"GlobalSecondaryIndexes":{"gsi1":{"CapacityUnits":2},"gsi2":{"CapacityUnits":1}},"LocalSecondaryIndexes":{"lsi1":{"CapacityUnits":1}}},
		"ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0,1]}}`, "DeleteItem",
		`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}},"ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`)
	x.want(`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`, "DeleteItem",
		`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}},"ReturnConsumedCapacity":"INDEXES"}`)
}
