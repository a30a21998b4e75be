package emulator

import (
	"strings"
	"testing"
)

const updatePlain = `{"TableName":"plain","Key":{"pk":{"S":"a"}}`

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
