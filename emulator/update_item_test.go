package emulator

import (
	"strings"
	"testing"
)

const updatePlain = `{"TableName":"plain","Key":{"pk":{"S":"a"}}`

func TestUpdateItem(t *testing.T) {
	x := newItemTest(t)
	for _, step := range []struct{ name, body, stored string }{
		{"key alone creates the item", `}`, `{"pk":{"S":"a"}}`},
		{"set", `,"UpdateExpression":"SET a = :a, m = :m","ExpressionAttributeValues":{":a":{"N":"1"},":m":{"M":{"x":{"S":"y"}}}}}`,
			`{"pk":{"S":"a"},"a":{"N":"1"},"m":{"M":{"x":{"S":"y"}}}}`},
		{"key alone changes nothing", `}`,
			`{"pk":{"S":"a"},"a":{"N":"1"},"m":{"M":{"x":{"S":"y"}}}}`},
		{"all sections",
			`,"UpdateExpression":"SET #c = a + :n REMOVE m.x ADD a :n, s :s","ExpressionAttributeNames":{"#c":"count"},"ExpressionAttributeValues":{":n":{"N":"2"},":s":{"SS":["q","p"]}}}`,
			`{"pk":{"S":"a"},"a":{"N":"3"},"count":{"N":"3"},"m":{"M":{}},"s":{"SS":["p","q"]}}`},
		{"condition",
			`,"UpdateExpression":"DELETE s :s","ConditionExpression":"a = :n","ExpressionAttributeValues":{":n":{"N":"3"},":s":{"SS":["q","p"]}}}`,
			`{"pk":{"S":"a"},"a":{"N":"3"},"count":{"N":"3"},"m":{"M":{}}}`},
		{"legacy",
			`,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"1"}},"count":{"Action":"DELETE"},"m":{"Value":{"S":"m"}}},"Expected":{"a":{"Value":{"N":"3"}}}}`,
			`{"pk":{"S":"a"},"a":{"N":"4"},"m":{"S":"m"}}`},
		{"empty legacy", `,"AttributeUpdates":{}}`, `{"pk":{"S":"a"},"a":{"N":"4"},"m":{"S":"m"}}`},
	} {
		x.Run(step.name, func(t *testing.T) {
			sub := &itemTest{T: t, emulator: x.emulator}
			sub.want(`{}`, "UpdateItem", updatePlain+step.body)
			sub.wantItem(step.stored, "plain", `{"pk":{"S":"a"}}`)
		})
	}
}

func TestUpdateItemCreates(t *testing.T) {
	for _, tc := range []itemCase{
		{"remove", `,"UpdateExpression":"REMOVE a"}`, ``},
		{"add", `,"UpdateExpression":"ADD a :n","ExpressionAttributeValues":{":n":{"N":"2"}}}`,
			`{"pk":{"S":"a"},"a":{"N":"2"}}`},
		{"condition on absence", `,"ConditionExpression":"attribute_not_exists(pk)"}`,
			`{"pk":{"S":"a"}}`},
		{"legacy put", `,"AttributeUpdates":{"a":{"Value":{"S":"x"}}}}`,
			`{"pk":{"S":"a"},"a":{"S":"x"}}`},
		{"legacy add",
			`,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"2"}},"b":{"Action":"DELETE"}}}`,
			`{"pk":{"S":"a"},"a":{"N":"2"}}`},
		{"legacy delete", `,"AttributeUpdates":{"a":{"Action":"DELETE"}}}`, ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := newItemTest(t)
			x.want(`{}`, "UpdateItem", updatePlain+tc.body)
			x.wantItem(tc.want, "plain", `{"pk":{"S":"a"}}`)
		})
	}
}

func TestUpdateItemReturnValues(t *testing.T) {
	const (
		old = `{"pk":{"S":"a"},"a":{"N":"1"},"m":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"r":{"S":"r"}}`
		new = `{"pk":{"S":"a"},"a":{"N":"2"},"m":{"M":{"x":{"N":"9"},"y":{"N":"2"}}},"n":{"S":"n"}}`
	)
	const update = `,"UpdateExpression":"SET a = a + :one, m.x = :nine, n = :n REMOVE r","ExpressionAttributeValues":{":one":{"N":"1"},":nine":{"N":"9"},":n":{"S":"n"}}`
	for _, tc := range []itemCase{
		{"nothing asked", `}`, `{}`},
		{"NONE", `,"ReturnValues":"NONE"}`, `{}`},
		{"ALL_OLD", `,"ReturnValues":"ALL_OLD"}`, `{"Attributes":` + old + `}`},
		{"ALL_NEW", `,"ReturnValues":"ALL_NEW"}`, `{"Attributes":` + new + `}`},
		{"UPDATED_OLD", `,"ReturnValues":"UPDATED_OLD"}`,
			`{"Attributes":{"a":{"N":"1"},"m":{"M":{"x":{"N":"1"}}},"r":{"S":"r"}}}`},
		{"UPDATED_NEW", `,"ReturnValues":"UPDATED_NEW"}`,
			`{"Attributes":{"a":{"N":"2"},"m":{"M":{"x":{"N":"9"}}},"n":{"S":"n"}}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := newItemTest(t)
			x.put("plain", old)
			x.want(tc.want, "UpdateItem", updatePlain+update+tc.body)
			x.wantItem(new, "plain", `{"pk":{"S":"a"}}`)
		})
	}
}

func TestUpdateItemReturnValuesOfNothing(t *testing.T) {
	const set = `,"UpdateExpression":"SET a = :a","ExpressionAttributeValues":{":a":{"N":"1"}}`
	for _, tc := range []itemCase{
		{"created, ALL_OLD", set + `,"ReturnValues":"ALL_OLD"}`, `{}`},
		{"created, UPDATED_OLD", set + `,"ReturnValues":"UPDATED_OLD"}`, `{}`},
		{"created, ALL_NEW", set + `,"ReturnValues":"ALL_NEW"}`,
			`{"Attributes":{"pk":{"S":"a"},"a":{"N":"1"}}}`},
		{"created, UPDATED_NEW", set + `,"ReturnValues":"UPDATED_NEW"}`,
			`{"Attributes":{"a":{"N":"1"}}}`},
		{"no update, UPDATED_NEW", `,"ReturnValues":"UPDATED_NEW"}`, `{}`},
		{"no update, ALL_NEW", `,"ReturnValues":"ALL_NEW"}`, `{"Attributes":{"pk":{"S":"a"}}}`},
		{"legacy delete, ALL_NEW",
			`,"AttributeUpdates":{"a":{"Action":"DELETE"}},"ReturnValues":"ALL_NEW"}`, `{}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			newItemTest(t).want(tc.want, "UpdateItem", updatePlain+tc.body)
		})
	}
}

func TestUpdateItemRefused(t *testing.T) {
	const (
		failed  = conditionFailed
		none    = `{"TableName":"nosuch","Key":{"pk":{"S":"a"}}`
		indexed = `{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}}`
	)
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"1"},"s":{"S":"s"},"n":{"NULL":true},"m":{"M":{}}}`)
	x.put("indexed",
		`{"pk":{"S":"a"},"sk":{"S":"a"},"gh":{"S":"g"},"gr":{"N":"1"},"n":{"N":"1"},"e":{"S":""},"long":{"S":"`+strings.Repeat("x", 2049)+`"}}`)
	x.refused("UpdateItem", []itemCase{
		{"condition",
			updatePlain +
				`,"UpdateExpression":"SET v = :v","ConditionExpression":"v > :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`, failed},
		{"old item",
			updatePlain +
				`,"UpdateExpression":"REMOVE v","ConditionExpression":"attribute_not_exists(v)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
			failed + ` {"m":{"M":{}},"n":{"NULL":true},"pk":{"S":"a"},"s":{"S":"s"},"v":{"N":"1"}}`},
		{"condition before operands",
			updatePlain +
				`,"UpdateExpression":"SET v = s + :v","ConditionExpression":"v > :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`, failed},
		{"expected",
			updatePlain +
				`,"AttributeUpdates":{"v":{"Action":"DELETE"}},"Expected":{"v":{"Exists":false}}}`,
			failed},
		{"operand type",
			updatePlain +
				`,"UpdateExpression":"SET v = s + :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`,
			"ValidationException: An operand in the update expression has an incorrect data type"},
		{"missing operand", updatePlain + `,"UpdateExpression":"SET v = nosuch"}`,
			"ValidationException: The provided expression refers to an attribute that does not exist in the item"},
		{"path", updatePlain + `,"UpdateExpression":"SET s.x = v"}`,
			"ValidationException: The document path provided in the update expression is invalid for update"},
		{"key attribute",
			updatePlain +
				`,"UpdateExpression":"SET pk = :v","ExpressionAttributeValues":{":v":{"S":"a"}}}`,
			invalidValues + "Cannot update attribute pk. This attribute is part of the key"},
		{"legacy key attribute", updatePlain + `,"AttributeUpdates":{"pk":{"Value":{"S":"a"}}}}`,
			invalidValues + "Cannot update attribute pk. This attribute is part of the key"},
		{"key schema",
			`{"TableName":"ranged","Key":{"pk":{"S":"a"}},"UpdateExpression":"REMOVE a"}`,
			wrongKey},
		{"no table", none + `,"UpdateExpression":"REMOVE a"}`,
			noSuchTable},
		{"size", updatePlain +
			`,"UpdateExpression":"SET big = :b","ExpressionAttributeValues":{":b":{"S":"` +
			strings.Repeat("x", 400*1024) + `"}}}`,
			"ValidationException: Item size to update has exceeded the maximum allowed size"},
		{"size with local entry",
			indexed + `,"UpdateExpression":"SET a = :a, lr = :b","ExpressionAttributeValues":{":a":{"S":"` + strings.Repeat("x", 200*1024) + `"},":b":{"B":"AA=="}}}`,
			"ValidationException: Item size to update has exceeded the maximum allowed size"},
		{"index key type",
			indexed + `,"UpdateExpression":"SET gh = :v","ConditionExpression":"attribute_not_exists(pk)","ExpressionAttributeValues":{":v":{"NULL":true}}}`,
			invalidValues +
				"Type mismatch for Index Key gh Expected: S Actual: NULL IndexName: gsi1"},
		{"legacy index key type", indexed + `,"AttributeUpdates":{"lr":{"Value":{"N":"1"}}}}`,
			invalidValues + "Type mismatch for Index Key lr Expected: B Actual: N IndexName: lsi1"},
		{"index key type by path", indexed + `,"UpdateExpression":"SET gh = n"}`,
			"ValidationException: The update expression attempted to update the secondary index key to unsupported type"},
		{"index key empty", indexed + `,"UpdateExpression":"SET gh = e"}`,
			"ValidationException: One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."},
		{"index key too long",
			indexed + `,"UpdateExpression":"SET gh = #l","ExpressionAttributeNames":{"#l":"long"}}`,
			"ValidationException: The update expression attempted to update the secondary index key beyond allowed size limits"},
	})
	x.refused("UpdateItem", []itemCase{
		{"mixed", none +
			`,"AttributeUpdates":{"a":{"Action":"DELETE"}},"Expected":{"a":{"Exists":false}},"UpdateExpression":"REMOVE a","ConditionExpression":"attribute_exists(a)"}`,
			"ValidationException: 1 validation error detected: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: {UpdateExpression, ConditionExpression}"},
		{"values alone", none + `,"ExpressionAttributeValues":{":a":{"S":"a"}}}`,
			"ValidationException: 1 validation error detected: ExpressionAttributeValues can only be specified when using expressions"},
		{"names alone", none + `,"ExpressionAttributeNames":{"#a":"a"}}`,
			"ValidationException: 1 validation error detected: ExpressionAttributeNames can only be specified when using expressions"},
		{"no value", none + `,"AttributeUpdates":{"a":{"Action":"PUT"}}}`,
			invalidParameterValues +
				"Only DELETE action is allowed when no attribute value is specified"},
		{"legacy add of a string",
			none + `,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"S":"x"}}}}`,
			invalidParameterValues + "ADD action is not supported for the type S"},
		{"legacy delete of a number",
			none + `,"AttributeUpdates":{"a":{"Action":"DELETE","Value":{"N":"1"}}}}`,
			invalidParameterValues + "DELETE action with value is not supported for the type N"},
		{"bad legacy value", none + `,"AttributeUpdates":{"a":{"Value":{"N":"x"}}}}`,
			"ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: x"},
		{"bad key", `{"TableName":"nosuch","Key":{"pk":{"N":"x"}},"UpdateExpression":""}`,
			"ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: x"},
		{"empty update", none + `,"UpdateExpression":""}`,
			"ValidationException: 1 validation error detected: Invalid UpdateExpression: The expression can not be empty;"},
		{"update before condition", none + `,"UpdateExpression":"","ConditionExpression":""}`,
			"ValidationException: 1 validation error detected: Invalid UpdateExpression: The expression can not be empty;"},
	})
}

// An item that does not fit an index made later cannot be updated, though the
// update does not touch it, until it is put right.
func TestUpdateItemWithViolation(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"g":{"NULL":true}}`)
	answer := x.do(
		"UpdateTable",
		`{"TableName":"plain","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"},{"AttributeName":"pk","AttributeType":"S"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"late","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
	if !strings.HasPrefix(answer, "{") {
		t.Fatal(answer)
	}
	x.want("ValidationException: The update expression attempted to update the secondary index key to unsupported type", "UpdateItem",
		updatePlain+
			`,"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"x"}}}`)
	x.want(`{}`, "UpdateItem",
		updatePlain+
			`,"UpdateExpression":"SET v = :v REMOVE g","ExpressionAttributeValues":{":v":{"S":"x"}}}`)
	x.wantItem(`{"pk":{"S":"a"},"v":{"S":"x"}}`, "plain", `{"pk":{"S":"a"}}`)
}

func TestUpdateItemCapacity(t *testing.T) {
	x := newItemTest(t)
	kb := strings.Repeat("x", 1024)
	for _, tc := range []itemCase{
		{"created", `{"TableName":"plain","Key":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`,
			`{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":1}}`},
		{"unchanged",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"TOTAL"}`,
			`{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":1}}`},
		{"grows", `{"TableName":"plain","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"` + kb + `"}},"ReturnConsumedCapacity":"TOTAL"}`,
			`{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":2}}`},
		{"shrinks",
			`{"TableName":"plain","Key":{"pk":{"S":"a"}},"UpdateExpression":"REMOVE v","ReturnConsumedCapacity":"TOTAL"}`, `{"ConsumedCapacity":{"TableName":"plain","CapacityUnits":2}}`},
		{"into an index",
			`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}},"UpdateExpression":"SET gr = :v","ExpressionAttributeValues":{":v":{"N":"1"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":2,"Table":{"CapacityUnits":1},"GlobalSecondaryIndexes":{"gsi2":{"CapacityUnits":1}}}}`},
		{"moves in an index",
			`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}},"UpdateExpression":"SET gr = :v","ExpressionAttributeValues":{":v":{"N":"2"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":3,"Table":{"CapacityUnits":1},"GlobalSecondaryIndexes":{"gsi2":{"CapacityUnits":2}}}}`},
		{"not projected",
			`{"TableName":"indexed","Key":{"pk":{"S":"a"},"sk":{"S":"a"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"N":"2"}},"ReturnConsumedCapacity":"INDEXES"}`,
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`},
	} {
		x.Run(tc.name, func(t *testing.T) {
			(&itemTest{T: t, emulator: x.emulator}).want(tc.want, "UpdateItem", tc.body)
		})
	}
}
