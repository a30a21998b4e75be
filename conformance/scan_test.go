package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// scanned is a table of 100 items of a test that scans.
func scanned(t *testing.T) *table {
	shared := newTable(t, keys("pk:S"))
	for first := 0; first < 100; first += 25 {
		var puts []string
		for i := first; i < first+25; i++ {
			puts = append(puts,
				fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":"%d"},"n":{"N":"%d"}}}}`, i, i))
		}
		call(t, "BatchWriteItem",
			`{"RequestItems":{"`+shared.name+`":[`+strings.Join(puts, ",")+`]}}`)
	}
	return shared
}

func TestScan(t *testing.T) { // API Reference, Scan
	t.Parallel()
	table := `"ConsistentRead":true,"TableName":"` + scanned(t).name + `"`
	t.Run("gives each item once", func(t *testing.T) {
		t.Parallel()
		seen, perPage := everything(t, table)
		assert.Len(t, seen, 100)
		assert.Equal(t, []int{100}, perPage)
	})
	t.Run("by pages", func(t *testing.T) {
		t.Parallel()
		seen, perPage := everything(t, table+`,"Limit":30`)
		assert.Len(t, seen, 100)
		assert.Equal(t, []int{30, 30, 30, 10}, perPage)
	})
	t.Run("pages have the order of the whole", func(t *testing.T) {
		t.Parallel()
		whole := pages(t, "Scan", table)
		var parts []any
		for _, page := range pages(t, "Scan", table+`,"Limit":7`) {
			parts = append(parts, page...)
		}
		assert.Equal(t, whole[0], parts)
	})
	t.Run("projection", func(t *testing.T) {
		t.Parallel()
		for _, page := range pages(t, "Scan", table+`,"ProjectionExpression":"n"`) {
			for _, item := range page {
				assert.Len(t, item, 1)
				textAt(t, item, "n")
			}
		}
	})
}

// everything scans all pages. It returns how often each partition key occurred, and the lengths of
// the pages.
func everything(t *testing.T, members string) (seen map[string]int, perPage []int) {
	got := pages(t, "Scan", members)
	seen = map[string]int{}
	for _, page := range got {
		for _, item := range page {
			seen[textAt(t, item, "pk")]++
		}
	}
	return seen, sizes(got)
}

func TestParallelScan(t *testing.T) { // Developer Guide, Scan, Parallel scan
	t.Parallel()
	table := `"ConsistentRead":true,"TableName":"` + scanned(t).name + `"`
	for _, segments := range []int{1, 2, 3, 7, 200} {
		t.Run(fmt.Sprintf("in %d segments", segments), func(t *testing.T) {
			t.Parallel()
			all := map[string]int{}
			for segment := range segments {
				seen, _ := everything(t,
					table+fmt.Sprintf(`,"Limit":9,"TotalSegments":%d,"Segment":%d`, segments,
						segment))
				for key := range seen {
					all[key]++
				}
			}
			assert.Len(t, all, 100)
			for key, n := range all {
				assert.Equal(t, 1, n, "item %s came in %d segments", key, n)
			}
		})
	}
	t.Run("start key of another segment", func(t *testing.T) {
		t.Parallel()
		first := call(t, "Scan", `{`+table+`,"Limit":1,"TotalSegments":2,"Segment":0}`)
		refuse(t, "Scan",
			`{`+table+`,"TotalSegments":2,"Segment":1,"ExclusiveStartKey":`+
				encode(first["LastEvaluatedKey"])+`}`,
			"ValidationException: The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1 || ValidationException: The provided starting key is invalid")
	})
}

func TestScanFilters(t *testing.T) { // API Reference, Scan, FilterExpression, ScanFilter and Select
	t.Parallel()
	table := `"ConsistentRead":true,"TableName":"` + scanned(t).name + `"`
	t.Run("filter", func(t *testing.T) {
		t.Parallel()
		answer := call(t, "Scan",
			`{`+table+`,"FilterExpression":"n < :n AND pk <> :p","ExpressionAttributeValues":{":n":{"N":"10"},":p":{"S":"3"}}}`)
		assert.Equal(t, []string{"9", "100"},
			[]string{encode(answer["Count"]), encode(answer["ScannedCount"])})
	})
	t.Run("count", func(t *testing.T) {
		t.Parallel()
		answer := call(t, "Scan", `{`+table+`,"Select":"COUNT","Limit":40}`)
		assert.Equal(t, []string{"40", "40"},
			[]string{encode(answer["Count"]), encode(answer["ScannedCount"])})
		assert.NotContains(t, answer, "Items")
		assert.Contains(t, answer, "LastEvaluatedKey")
	})
	t.Run("legacy filter", func(t *testing.T) {
		t.Parallel()
		answer := call(t, "Scan",
			`{`+table+`,"ConditionalOperator":"OR","ScanFilter":{"n":{"ComparisonOperator":"LT","AttributeValueList":[{"N":"5"}]},"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"77"}]}}}`)
		assert.Equal(t, []string{"6", "100"},
			[]string{encode(answer["Count"]), encode(answer["ScannedCount"])})
	})
}

func TestScanErrors(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "API Reference, Scan", table: "hash", op: "Scan"}, []kase{
		{name: "unknown table", in: `{"TableName":"no-such-table"}`,
			err: noSuchTable},
		{name: "unknown index", in: `{"IndexName":"nope"}`,
			err: "ValidationException: The table does not have the specified index: nope"},
		{name: "limit of zero", in: `{"Limit":0}`,
			err: "ValidationException: 1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "Segment without TotalSegments", in: `{"Segment":0}`,
			err: "ValidationException: The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
		{name: "TotalSegments without Segment", in: `{"TotalSegments":2}`,
			err: "ValidationException: The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
		{name: "Segment beyond TotalSegments", in: `{"TotalSegments":4,"Segment":4}`,
			err: "ValidationException: The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 4 is not less than TotalSegments: 4"},
		{name: "negative Segment", in: `{"TotalSegments":4,"Segment":-1}`,
			err: "ValidationException: 1 validation error detected: Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0"},
		{name: "no TotalSegments", in: `{"TotalSegments":0,"Segment":0}`,
			err: "ValidationException: 1 validation error detected: Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "too many TotalSegments", in: `{"TotalSegments":1000001,"Segment":0}`,
			err: "ValidationException: 1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000"},
		{name: "ALL_PROJECTED_ATTRIBUTES of a table", in: `{"Select":"ALL_PROJECTED_ATTRIBUTES"}`,
			err: "Invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		{name: "SPECIFIC_ATTRIBUTES of none", in: `{"Select":"SPECIFIC_ATTRIBUTES"}`,
			err: "Invalid: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
		{name: "COUNT with a projection", in: `{"Select":"COUNT","ProjectionExpression":"a"}`,
			err: "Invalid: Cannot specify the ProjectionExpression when choosing to get only the Count"},
		{name: "start key of another type", in: `{"ExclusiveStartKey":{"pk":{"N":"1"}}}`,
			err: "ValidationException: The provided starting key is invalid: The provided key element does not match the schema"},
		{name: "start key of another name", in: `{"ExclusiveStartKey":{"x":{"S":"1"}}}`,
			err: "ValidationException: The provided starting key is invalid: The provided key element does not match the schema"},
		{name: "start key with another attribute",
			in:  `{"ExclusiveStartKey":{"pk":{"S":"1"},"x":{"S":"1"}}}`,
			err: "ValidationException: The provided starting key is invalid: The provided key element does not match the schema || ValidationException: Exclusive Start Key must have same size as table's key schema || ValidationException: The provided starting key is invalid"},
		{name: "ConditionalOperator without filter", in: `{"ConditionalOperator":"OR"}`,
			err: "Invalid: ConditionalOperator cannot be used without Filter or Expected"},
		{name: "values without expressions", in: `{"ExpressionAttributeValues":{":p":{"S":"x"}}}`,
			err: "ValidationException: ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null"},
		{name: "names without expressions", in: `{"ExpressionAttributeNames":{"#p":"x"}}`,
			err: "Invalid: ExpressionAttributeNames can only be specified when using expressions"},
		{name: "legacy filter without values",
			in:  `{"ScanFilter":{"a":{"ComparisonOperator":"EQ"}}}`,
			err: "Invalid: One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
		{name: "legacy filter without an operator", raw: true,
			in:  `{"ScanFilter":{"a":{"AttributeValueList":[{"S":"x"}]}}}`,
			err: "ValidationException: 1 validation error detected: Value null at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must not be null"},
	})
}
