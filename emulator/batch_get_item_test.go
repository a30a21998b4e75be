package emulator

import (
	"fmt"
	"strings"
	"testing"
)

func TestBatchGetItemUnprocessed(t *testing.T) {
	x := newItemTest(t)
	x.emulator.service.Limits.BatchGetBytes = 10
	x.put("plain", `{"pk":{"S":"abc"}}`) // 5 bytes
	x.put("plain", `{"pk":{"S":"def"}}`)
	x.put("plain", `{"pk":{"S":"g"}}`)
	x.put("ranged", `{"pk":{"S":"a"},"sk":{"N":"1"}}`)
	x.want(`{"Responses":{"plain":[{"pk":{"S":"abc"}},{"pk":{"S":"def"}}],"ranged":[]},
		"UnprocessedKeys":{"plain":{"Keys":[{"pk":{"S":"g"}}],"ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"pk"},"ConsistentRead":true},
			"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}],"ProjectionExpression":"x"}},
		"ConsumedCapacity":[{"TableName":"plain","CapacityUnits":2}]}`, "BatchGetItem",
		`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"abc"}},{"pk":{"S":"def"}},{"pk":{"S":"g"}}],"ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"pk"},"ConsistentRead":true},
			"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}],"ProjectionExpression":"x"}},"ReturnConsumedCapacity":"TOTAL"}`)
	x.put("ranged", `{"pk":{"S":"large"},"sk":{"N":"1"},"v":{"S":"more than the limit alone"}}`)
	x.want(`{"Responses":{"ranged":[{"sk":{"N":"1"}}]},"UnprocessedKeys":{}}`, "BatchGetItem",
		`{"RequestItems":{"ranged":{"Keys":[{"pk":{"S":"large"},"sk":{"N":"1"}}],"AttributesToGet":["sk"]}}}`)
}

// The API Reference, BatchGetItem, says how many items of 300 KB an answer has.
func TestBatchGetItemDocumentedLimit(t *testing.T) {
	x := newItemTest(t)
	var keys []string
	for i := range 100 {
		key := fmt.Sprintf(`{"pk":{"S":"%03d"}}`, i)
		keys = append(keys, key)
		x.put("plain",
			fmt.Sprintf(`{"pk":{"S":"%03d"},"v":{"S":%q}}`, i, strings.Repeat("x", 300*1024-6)))
	}
	answer := x.do("BatchGetItem",
		`{"RequestItems":{"plain":{"Keys":[`+strings.Join(keys, ",")+`]}}}`)
	wantMember(t, `{"plain":{"Keys":[`+strings.Join(keys[52:], ",")+`]}}`, answer,
		"UnprocessedKeys")
}
