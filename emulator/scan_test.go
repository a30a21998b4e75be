package emulator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// scanned is a Scan of a table, with more members.
func scanned(table, more string) string { return `{"TableName":"` + table + `"` + more + `}` }

func TestScanRefusals(t *testing.T) {
	x := newReadTest(t)
	x.put("reads", `{"pk":{"S":"p"},"sk":{"N":"1"},"gh":{"S":"g"}}`)
	const schema = startWrong + ": The provided key element does not match the schema"
	start := func(key, more string) string {
		return scanned("reads", `,"ExclusiveStartKey":`+key+more)
	}
	x.refused("Scan", []itemCase{
		{"every kind of parameter",
			scanned("reads",
				`,"AttributesToGet":["a"],"ScanFilter":{},"ConditionalOperator":"AND","ProjectionExpression":"a","FilterExpression":"a"`),
			mixed + "Non-expression parameters: {AttributesToGet, ScanFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}"},
		{"values without expressions",
			scanned("reads",
				`,"ProjectionExpression":"a","ExpressionAttributeValues":{":a":{"S":"a"}}`),
			"ValidationException: ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null"},
		{"names without expressions", scanned("reads", `,"ExpressionAttributeNames":{"#a":"a"}`),
			namesWithoutExpression},
		{"unused name",
			scanned("reads", `,"ProjectionExpression":"a","ExpressionAttributeNames":{"#a":"a"}`),
			"ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
		{"unknown table", scanned("none", ""),
			noSuchTable},
		{"the request comes before the table", scanned("none", `,"Segment":0`),
			"ValidationException: The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
		{"unknown index", scanned("reads", `,"IndexName":"none"`),
			"ValidationException: The table does not have the specified index: none"},
		{"consistent global index", scanned("reads", `,"IndexName":"gall","ConsistentRead":true`),
			"ValidationException: Consistent reads are not supported on global secondary indexes"},
		{"ALL_PROJECTED_ATTRIBUTES without an index",
			scanned("reads", `,"Select":"ALL_PROJECTED_ATTRIBUTES"`),
			"ValidationException: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		{"ALL_ATTRIBUTES of a global index with less",
			scanned("reads", `,"IndexName":"gmulti","Select":"ALL_ATTRIBUTES"`),
			invalidValues +
				"Select type ALL_ATTRIBUTES is not supported for global secondary index gmulti because its projection type is not ALL"},
		{"filter into a key", scanned("reads", `,"FilterExpression":"attribute_exists(sk[0])"`),
			"ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk"},
		{"filter into a key of the index",
			scanned("reads", `,"IndexName":"gall","FilterExpression":"attribute_exists(gh.a)"`),
			"ValidationException: Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: gh"},
		{"Segment alone", scanned("reads", `,"Segment":1`),
			"ValidationException: The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
		{"TotalSegments alone", scanned("reads", `,"TotalSegments":1`),
			"ValidationException: The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
		{"Segment too high", scanned("reads", `,"TotalSegments":4,"Segment":4`),
			"ValidationException: The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 4 is not less than TotalSegments: 4"},
		{"ConditionalOperator without a filter",
			scanned("reads", `,"ScanFilter":{},"ConditionalOperator":"OR"`),
			"ValidationException: ConditionalOperator cannot be used without Filter or Expected"},
		{"start key without sort key", start(`{"pk":{"S":"p"}}`, ""), schema},
		{"start key with more", start(`{"pk":{"S":"p"},"sk":{"N":"1"},"gh":{"S":"g"}}`, ""),
			schema},
		{"start key of another type", start(`{"pk":{"S":"p"},"sk":{"S":"1"}}`, ""), schema},
		{"start key of an index without the index's key",
			start(`{"pk":{"S":"p"},"sk":{"N":"1"}}`, `,"IndexName":"gall"`), startWrong},
		{"start key with a bad value", start(`{"pk":{"S":"p"},"sk":{"N":"x"}}`, ""),
			notNumeric},
		{"start key with an empty value", start(`{"pk":{"S":""},"sk":{"N":"1"}}`, ""),
			startWrong + ": " + strings.TrimPrefix(emptyKey, "ValidationException: ") + "pk"},
	})
}

func TestScanFilters(t *testing.T) {
	x := newReadTest(t)
	for i := range 10 {
		x.put("reads", fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"N":"%d"},"n":{"N":"%d"}}`, i, i%5))
	}
	for name, tc := range map[string]struct {
		more string
		want []string
	}{
		"filter on a key": {
			`,"FilterExpression":"sk > :a","ExpressionAttributeValues":{":a":{"N":"7"}}`,
			[]string{"8", "9"},
		},
		"ScanFilter": {
			`,"ScanFilter":{"n":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"4"}]}}`, []string{"1", "4", "6", "9"},
		},
		"ScanFilter with AND": {
			`,"ScanFilter":{"n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]},"sk":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"2"}]}}`, []string{"6"},
		},
		"ScanFilter with OR": {
			`,"ConditionalOperator":"OR","ScanFilter":{"n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]},"sk":{"ComparisonOperator":"GT","AttributeValueList":[{"N":"8"}]}}`, []string{"1", "6", "9"},
		},
		"empty ScanFilter": {`,"ScanFilter":{},"Limit":2`, []string{"0", "1"}},
		"a filter after the page": {
			`,"Limit":3,"FilterExpression":"n = :a","ExpressionAttributeValues":{":a":{"N":"2"}}`,
			[]string{"2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			(&itemTest{T: t, emulator: x.emulator}).wantNumbers(tc.want, "Scan",
				scanned("reads", tc.more))
		})
	}
}

func TestScanOfNothing(t *testing.T) {
	x := newReadTest(t)
	x.want(`{"Items":[],"Count":0,"ScannedCount":0,"ConsumedCapacity":{"TableName":"reads","CapacityUnits":2}}`,
		"Scan", scanned("reads", `,"ReturnConsumedCapacity":"TOTAL"`))
	x.want(`{"Count":0,"ScannedCount":0}`, "Scan",
		scanned("reads", `,"Select":"COUNT","TotalSegments":1000000,"Segment":999999`))
}

// TestScanStartKeyOfSegments: each segment takes the start keys of its own part of the table only.
func TestScanStartKeyOfSegments(t *testing.T) {
	x := newReadTest(t)
	const key = `{"pk":{"S":"p"},"sk":{"N":"1"}}`
	taken := 0
	for i := range 5 {
		answer := x.do("Scan",
			scanned("reads",
				fmt.Sprintf(`,"ExclusiveStartKey":%s,"TotalSegments":5,"Segment":%d`, key, i)))
		if answer == `{"Items":[],"Count":0,"ScannedCount":0}` {
			taken++
			continue
		}
		assert.Equal(t,
			fmt.Sprintf(
				"%s: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 5 Segment: %d", startWrong, i), answer)
	}
	assert.Equal(t, 1, taken)
}
