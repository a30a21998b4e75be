package emulator

import (
	"fmt"
	"strings"
	"testing"
)

func TestBatchWriteItem(t *testing.T) {
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"gone"}}`)
	x.put("plain", `{"pk":{"S":"a"},"old":{"BOOL":true}}`)
	x.want(`{"UnprocessedItems":{}}`, "BatchWriteItem", `{"RequestItems":{
		"plain":[{"DeleteRequest":{"Key":{"pk":{"S":"gone"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"},"v":{"N":"1"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"never"}}}}],
		"ranged":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}}]}}`)
	x.wantItem("", "plain", `{"pk":{"S":"gone"}}`)
	x.wantItem(`{"pk":{"S":"a"},"v":{"N":"1"}}`, "plain", `{"pk":{"S":"a"}}`)
	x.wantItem(`{"pk":{"S":"a"},"sk":{"N":"1"}}`, "ranged", `{"pk":{"S":"a"},"sk":{"N":"1"}}`)
}

func TestBatchWriteItemRefused(t *testing.T) {
	put := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(`{"PutRequest":{"Item":{"pk":{"S":"x"}}}},`, n),
			",")
	}
	const good = `{"PutRequest":{"Item":{"pk":{"S":"good"}}}},`
	x := newItemTest(t)
	x.put("plain", `{"pk":{"S":"a"}}`)
	x.refused("BatchWriteItem", []itemCase{
		{"no table",
			`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"good"}}}}],"nosuch":[{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}}]}}`, noSuchTable},
		{"two puts", `{"RequestItems":{"plain":[` + good + put(2) + `]}}`,
			"ValidationException: Provided list of item keys contains duplicates"},
		{"put and delete",
			`{"RequestItems":{"plain":[{"DeleteRequest":{"Key":{"pk":{"S":"x"}}}},` +
				put(1) + `]}}`,
			"ValidationException: Provided list of item keys contains duplicates"},
		{"two names of a table",
			`{"RequestItems":{"plain":[` + put(1) +
				`],"arn:aws:dynamodb:us-east-1:000000000000:table/plain":[` + put(1) + `]}}`,
			"ValidationException: Provided list of item keys contains duplicates"},
		{"too many", `{"RequestItems":{"plain":[` + put(20) + `],"nosuch":[` + put(6) + `]}}`,
			"ValidationException: Too many items requested for the BatchWriteItem call"},
		{"both", `{"RequestItems":{"nosuch":[{"PutRequest":{"Item":{"pk":{"S":"x"}}},"DeleteRequest":{"Key":{"pk":{"S":"x"}}}}]}}`,
			"ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{"neither", `{"RequestItems":{"nosuch":[{}]}}`,
			"ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{"bad value", `{"RequestItems":{"nosuch":[{"PutRequest":{"Item":{"pk":{"N":"x"}}}}]}}`,
			notNumeric},
		{"too large",
			`{"RequestItems":{"nosuch":[{"PutRequest":{"Item":{"pk":{"S":"` +
				strings.Repeat("x", 400*1024-1) + `"}}}}]}}`,
			tooLargeItem},
		{"missing key",
			`{"RequestItems":{"plain":[` + good + `{"PutRequest":{"Item":{"x":{"S":"a"}}}}]}}`,
			wrongKey},
		{"delete key",
			`{"RequestItems":{"plain":[` + good +
				`{"DeleteRequest":{"Key":{"pk":{"S":"a"},"x":{"S":"a"}}}}]}}`,
			wrongKey},
		{"index key",
			`{"RequestItems":{"indexed":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gr":{"S":"1"}}}}]}}`,
			invalidValues + "Type mismatch for Index Key gr Expected: N Actual: S IndexName: gsi1"},
	})
	x.emulator.service.Limits.CollectionBytes = 10
	x.refused("BatchWriteItem", []itemCase{
		{"collection limit",
			`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"good"}}}}],"indexed":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"abcdef"}}}}]}}`,
			"ItemCollectionSizeLimitExceededException: Collection size exceeded."},
	})
}

func TestBatchWriteItemCapacity(t *testing.T) {
	x := newItemTest(t)
	kb := strings.Repeat("x", 1024)
	x.put("plain", fmt.Sprintf(`{"pk":{"S":"big"},"v":{"S":%q}}`, kb))
	body := `{"RequestItems":{
		"plain":[{"DeleteRequest":{"Key":{"pk":{"S":"big"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"never"}}}}],
		"indexed":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"a"},"gr":{"N":"1"}}}},{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"S":"b"},"gr":{"N":"1"}}}},
			{"DeleteRequest":{"Key":{"pk":{"S":"b"},"sk":{"S":"b"}}}}]},
		"ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`
	x.want(`{"UnprocessedItems":{},
		"ConsumedCapacity":[{"TableName":"plain","CapacityUnits":4,"Table":{"CapacityUnits":4}},
			{"TableName":"indexed","CapacityUnits":5,"Table":{"CapacityUnits":3},"GlobalSecondaryIndexes":{"gsi2":{"CapacityUnits":2}}}],
		"ItemCollectionMetrics":{"indexed":[{"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0,1]},{"ItemCollectionKey":{"pk":{"S":"b"}},"SizeEstimateRangeGB":[0,1]}]}}`,
		"BatchWriteItem", body)
	x.want(`{"UnprocessedItems":{},"ConsumedCapacity":[{"TableName":"plain","CapacityUnits":1}]}`,
		"BatchWriteItem",
		`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]},"ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE"}`)
}
