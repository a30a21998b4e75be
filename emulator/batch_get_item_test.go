package emulator

import (
	"fmt"
	"strings"
	"testing"
)

func TestBatchGetItem(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"N":"1"},"w":{"M":{"x":{"S":"y"}}}}`)
	x.put("plain", `{"pk":{"S":"b"},"v":{"N":"2"}}`)
	x.put("ranged", `{"pk":{"S":"a"},"sk":{"N":"1"}}`)
	for _, tc := range []itemCase{
		{"two tables",
			`{"plain":{"Keys":[{"pk":{"S":"b"}},{"pk":{"S":"nosuch"}},{"pk":{"S":"a"}}]},"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}],"ConsistentRead":true}}`,
			`{"plain":[{"pk":{"S":"b"},"v":{"N":"2"}},{"pk":{"S":"a"},"v":{"N":"1"},"w":{"M":{"x":{"S":"y"}}}}],"ranged":[{"pk":{"S":"a"},"sk":{"N":"1"}}]}`},
		{"nothing found", `{"plain":{"Keys":[{"pk":{"S":"nosuch"}}]}}`, `{"plain":[]}`},
		{"projection",
			`{"plain":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"ProjectionExpression":"#p, w.x","ExpressionAttributeNames":{"#p":"pk"}}}`,
			`{"plain":[{"pk":{"S":"a"},"w":{"M":{"x":{"S":"y"}}}},{"pk":{"S":"b"}}]}`},
		{"legacy projection", `{"plain":{"Keys":[{"pk":{"S":"b"}}],"AttributesToGet":["v"]}}`,
			`{"plain":[{"v":{"N":"2"}}]}`},
		{"none of the paths",
			`{"plain":{"Keys":[{"pk":{"S":"b"}}],"ProjectionExpression":"nosuch"}}`,
			`{"plain":[{}]}`},
		{"ARN", `{"arn:aws:dynamodb:us-east-1:000000000000:table/plain":{"Keys":[{"pk":{"S":"nosuch"}}]}}`, `{"arn:aws:dynamodb:us-east-1:000000000000:table/plain":[]}`},
	} {
		x.Run(tc.name, func(t *testing.T) {
			(&itemTest{T: t, emulator: x.emulator}).want(`{"Responses":`+tc.want+
				`,"UnprocessedKeys":{}}`, "BatchGetItem", `{"RequestItems":`+tc.body+`}`)
		})
	}
}

func TestBatchGetItemCapacity(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"},"v":{"S":"`+strings.Repeat("x", 4096)+`"}}`)
	x.want(`{"Responses":{"plain":[{}],"ranged":[]},"UnprocessedKeys":{},"ConsumedCapacity":[{"TableName":"plain","CapacityUnits":1.5},{"TableName":"ranged","CapacityUnits":1}]}`, "BatchGetItem",
		`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"AttributesToGet":["x"]},"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}],"ConsistentRead":true}},"ReturnConsumedCapacity":"TOTAL"}`)
	x.want(`{"Responses":{"ranged":[]},"UnprocessedKeys":{},"ConsumedCapacity":[{"TableName":"ranged","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}]}`, "BatchGetItem",
		`{"RequestItems":{"ranged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}}]}},"ReturnConsumedCapacity":"INDEXES"}`)
}

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

func TestBatchGetItemRefused(t *testing.T) {
	keys := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"pk":{"S":"%d"}}`, i))
		}
		return strings.Join(all, ",")
	}
	x := newItemTest(t)
	x.refused("BatchGetItem", []itemCase{
		{"no table",
			`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}}]},"nosuch":{"Keys":[{"pk":{"S":"a"}}]}}}`, noSuchTable},
		{"too many",
			`{"RequestItems":{"plain":{"Keys":[` + keys(60) + `]},"nosuch":{"Keys":[` +
				keys(41) + `]}}}`,
			"ValidationException: Too many items requested for the BatchGetItem call"},
		{"duplicates",
			`{"RequestItems":{"nosuch":{"Keys":[{"pk":{"N":"1"},"sk":{"S":"a"}},{"sk":{"S":"a"},"pk":{"N":"1"}}]}}}`,
			"ValidationException: Provided list of item keys contains duplicates"},
		{"key", `{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}},{"x":{"S":"a"}}]}}}`,
			wrongKey},
		{"bad value", `{"RequestItems":{"nosuch":{"Keys":[{"pk":{"N":"x"}}]}}}`,
			notNumeric},
		{"mixed", `{"RequestItems":{"nosuch":{"Keys":[{"pk":{"S":"a"}}],"AttributesToGet":["a"],"ProjectionExpression":"a"}}}`,
			"ValidationException: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{"names alone",
			`{"RequestItems":{"nosuch":{"Keys":[{"pk":{"S":"a"}}],"ExpressionAttributeNames":{"#a":"a"}}}}`,
			namesWithoutExpression},
		{"duplicate attribute",
			`{"RequestItems":{"nosuch":{"Keys":[{"pk":{"S":"a"}}],"AttributesToGet":["a","a"]}}}`,
			invalidValues + "Duplicate value in attribute name: a"},
	})
}
