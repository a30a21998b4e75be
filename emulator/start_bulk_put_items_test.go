package emulator

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newBulkTest has the table "table" with the key pk, and the source "src" with records.
func newBulkTest(t *testing.T, records []string, options ...Option) (*requestTest, *memoryBuckets) {
	x, b := newImportTest(t, records, options...)
	x.create("table", defs("pk", "a"), keySchema("pk"), onDemandBilling,
		globals(index("idx", keySchema("a"), `"Projection":{"ProjectionType":"KEYS_ONLY"}`)))
	return x, b
}

// bulkOf is a request to put the source into the table.
func bulkOf(members ...string) string {
	return `{"TableName":"table","InputS3Configuration":{"S3Bucket":"in","S3KeyPrefix":"src","InputFormat":"DYNAMODB_JSON"},` +
		`"OutputS3Configuration":{"S3Bucket":"out","S3KeyPrefix":"r","OutputType":["ERROR","CONDITION_CHECK_FAILURE"]}` +
		strings.Join(append([]string{""}, members...), ",") + `}`
}

// entries returns what the report of a bulk operation has, as "type index message item existing".
func (b *memoryBuckets) entries(d map[string]any) (list []string) {
	arn := d["BulkOperationArn"].(string)
	for _, e := range b.reports[arn[strings.LastIndexByte(arn, '/')+1:]].entries {
		list = append(list,
			fmt.Sprintf("%s %s/%s %d: %s %s %s", e.Type, e.Bucket, e.Key, e.Index, e.Message,
				e.Item, e.Existing))
	}
	return list
}

func TestBulkPut(t *testing.T) {
	const unlessThere = `,"ConditionExpression":"attribute_not_exists(#k)","ExpressionAttributeNames":{"#k":"pk"}`
	conditional := func(pk string) string {
		return `{"Item":{"pk":{"S":"` + pk + `"}}` + unlessThere + `}`
	}
	x, b := newBulkTest(t,
		[]string{record("1", `,"a":{"S":"x"}`), conditional("1"), conditional("2")})
	d := x.started("StartBulkPutItems", bulkOf(`"PerformanceTier":"ACCELERATED"`))
	assert.Equal(t, "COMPLETED", d["BulkOperationStatus"], "failed conditions are no errors")
	for member, want := range map[string]any{"ProcessedItemCount": 3.0, "FailedItemCount": 0.0,
		"ProcessedInputBytes": 30.0, "TotalInputBytes": 30.0,
		"PerformanceTier": "ACCELERATED"} {
		assert.Equal(t, want, d[member], member)
	}
	assert.NotContains(t, d, "FailureCode")
	assert.Equal(t, []any{map[string]any{
		"TableName": "table", "BulkPutBytes": 13.0, "Table": map[string]any{"BulkPutBytes": 8.0},
		"GlobalSecondaryIndexes": map[string]any{"idx": map[string]any{"BulkPutBytes": 5.0}}}},
		d["BulkOperationUsage"])
	assert.Equal(t,
		[]string{`CONDITION_CHECK_FAILURE in/src 1: The conditional request failed {"pk":{"S":"1"}} {"a":{"S":"x"},"pk":{"S":"1"}}`}, b.entries(d))
	assert.Equal(t, "2", x.count())
}

func TestBulkPutWithErrors(t *testing.T) {
	x, b := newBulkTest(t,
		[]string{record("1", ""), `{"Item":{"a":{"S":"x"}}}`, "!no JSON",
			`{"Item":{"pk":{"S":"2"}},"ConditionExpression":"a ="}`, record("3", "")})
	d := x.started("StartBulkPutItems", bulkOf())
	assert.Equal(t, []any{"COMPLETED_WITH_ERRORS", 5.0, 3.0},
		[]any{d["BulkOperationStatus"], d["ProcessedItemCount"], d["FailedItemCount"]})
	assert.NotContains(t, d, "FailureCode")
	assert.Equal(t, []string{
		`ERROR in/src 1: One or more parameter values were invalid: Missing the key pk in the item {"a":{"S":"x"}} `,
		`ERROR in/src 2: no JSON  `,
		`ERROR in/src 3: Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "=" {"pk":{"S":"2"}} `,
	}, b.entries(d))
	assert.Equal(t, "2", x.count())

	quiet := x.started("StartBulkPutItems", strings.Replace(bulkOf(), `"ERROR",`, "", 1))
	assert.Empty(t, b.entries(quiet), "errors are not asked for")
}

// TestBulkPutIsPaced: the rate holds by the clock of the service.
func TestBulkPutIsPaced(t *testing.T) {
	var records []string
	for n := range 3000 {
		records = append(records, record(fmt.Sprint(n), ""))
	}
	clock := NewClock(testTime)
	b := newMemoryBuckets()
	b.sources["src"] = records
	x := &requestTest{T: t, emulator: New(WithBuckets(b), WithHeldClock(clock))}
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	arn := strings.Trim(
		x.member("StartBulkPutItems", bulkOf(`"MaxWriteRequestUnits":1024`),
			"BulkOperationDescription", "BulkOperationArn"), `"`)
	describe := func(member string) string {
		return x.member("DescribeBulkOperation", `{"BulkOperationArn":"`+arn+`"}`,
			"BulkOperationDescription", member)
	}
	require.NoError(t, clock.AwaitSleepers(context.Background(), 1))
	assert.Equal(t, `"IN_PROGRESS"`, describe("BulkOperationStatus"))
	assert.Equal(t, "1100", describe("ProcessedItemCount"),
		"the units of a second, and the rest of the batch")
	assert.Equal(t, "1100", x.count())

	clock.Advance(time.Second)
	require.NoError(t, clock.AwaitSleepers(context.Background(), 1))
	assert.Equal(t, "2100", describe("ProcessedItemCount"))

	x.ok("CancelBulkOperation", `{"BulkOperationArn":"`+arn+`"}`)
	x.emulator.service.Runs.Wait()
	assert.Equal(t, `"CANCELLED"`, describe("BulkOperationStatus"))
	assert.Equal(t, `"Cancelled"`, describe("FailureCode"))
	assert.Equal(t, "2100", x.count(), "what was written stays")
	x.fails("CancelBulkOperation", `{"BulkOperationArn":"`+arn+`"}`,
		"ValidationException: The bulk operation is not in progress: "+arn)
}

func TestBulkPutUsesNoThroughput(t *testing.T) {
	var records []string
	for n := range 100 {
		records = append(records,
			record(fmt.Sprint(n), `,"text":{"S":"`+strings.Repeat("x", 10_000)+`"}`))
	}
	x, _ := newImportTest(t, records, WithThroughput(Throughput{}))
	x.create("table", defs("pk"), keySchema("pk"), throughput(1, 1))
	assert.Equal(t, "COMPLETED", x.started("StartBulkPutItems", bulkOf())["BulkOperationStatus"])
	x.ok("PutItem", `{"TableName":"table","Item":{"pk":{"S":"1"}}}`)
}

func TestBulkPutEndsWithItsTable(t *testing.T) {
	x, b := newBulkTest(t, []string{record("1", "")})
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	done := make(chan map[string]any)
	go func() { done <- x.started("StartBulkPutItems", bulkOf()) }()
	<-b.holding
	x.ok("DeleteTable", `{"TableName":"table"}`)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	close(b.hold)
	d := <-done
	assert.Equal(t, []any{"FAILED", "ResourceNotFoundException"},
		[]any{d["BulkOperationStatus"], d["FailureCode"]})
	assert.Equal(t, "0", x.count())
}

func TestBulkOperationTokensAndLists(t *testing.T) {
	x, _ := newBulkTest(t, nil)
	d := x.started("StartBulkPutItems", bulkOf(`"ClientToken":"t"`))
	assert.Equal(t, d, x.started("StartBulkPutItems", bulkOf(`"ClientToken":"t"`)))
	x.fails("StartBulkPutItems", bulkOf(`"ClientToken":"t"`, `"MaxWriteRequestUnits":2000`),
		"IdempotentParameterMismatchException: "+
			"Specified idempotent token was used with different request parameters within the idempotency window")
	x.now = x.now.Add(8 * time.Hour)
	second := x.started("StartBulkPutItems", bulkOf(`"ClientToken":"t"`))
	assert.NotEqual(t, d["BulkOperationArn"], second["BulkOperationArn"])
	assert.Equal(t, fmt.Sprintf("%q", second["BulkOperationArn"]),
		x.member("ListBulkOperations", `{"MaxResults":1}`, "BulkOperationsSummaryList", 0,
			"BulkOperationArn"))
	token := x.member("ListBulkOperations", `{"MaxResults":1}`, "NextToken")
	assert.Equal(t, fmt.Sprintf("%q", d["BulkOperationArn"]),
		x.member("ListBulkOperations", `{"NextToken":`+token+`}`, "BulkOperationsSummaryList", 0,
			"BulkOperationArn"))
}

func TestBulkPutChecks(t *testing.T) {
	x, b := newBulkTest(t, nil)
	const invalid = "ValidationException: One or more parameter values were invalid: "
	output := func(with string) string {
		return strings.Replace(bulkOf(), `"OutputType":["ERROR","CONDITION_CHECK_FAILURE"]`, with,
			1)
	}
	x.refused([]attempt{
		{"no table", "StartBulkPutItems", strings.Replace(bulkOf(), `"table"`, `"another"`, 1),
			"ResourceNotFoundException: Requested resource not found: Table: another not found"},
		{"no bucket for the report", "StartBulkPutItems",
			strings.Replace(bulkOf(), `"S3Bucket":"out",`, "", 1),
			invalid + "S3Bucket must be specified in OutputS3Configuration"},
		{"no type of output", "StartBulkPutItems", output(`"OutputType":[]`),
			invalid + "OutputType must contain at least one value"},
		{"a type twice", "StartBulkPutItems", output(`"OutputType":["ERROR","ERROR"]`),
			invalid + "OutputType must not contain duplicate values"},
		{"KMS without a key", "StartBulkPutItems",
			output(`"OutputType":["ERROR"],"S3SseAlgorithm":"KMS"`),
			invalid + "S3SseKmsKeyId must be specified when S3SseAlgorithm is KMS"},
		{"a key without KMS", "StartBulkPutItems",
			output(`"OutputType":["ERROR"],"S3SseAlgorithm":"AES256","S3SseKmsKeyId":"k"`),
			"ValidationException: Invalid Request: KMS Key Id is not supported for this encryption type"},
		{"a rate that is too low", "StartBulkPutItems", bulkOf(`"MaxWriteRequestUnits":1023`),
			"ValidationException: 1 validation error detected: Value '1023' at 'maxWriteRequestUnits' failed to satisfy constraint: Member must have value greater than or equal to 1024"},
		{"no operation", "DescribeBulkOperation",
			`{"BulkOperationArn":"` + tableARN + `/bulk-operation/00000000000000-00000000"}`,
			"ResourceNotFoundException: Requested resource not found: Bulk operation: " + tableARN +
				"/bulk-operation/00000000000000-00000000 not found"},
		{"no ARN of an operation", "CancelBulkOperation",
			`{"BulkOperationArn":"` + tableARN + `/import/00000000000000-00000000"}`,
			"ValidationException: Invalid BulkOperationArn: Invalid ResourceArn provided as input " + tableARN + "/import/00000000000000-00000000"},
	})
	assert.Empty(t, b.reports)
}

// TestBulkPutIsStreamed: bulk puts are writes as any others to streams and recovery.
func TestBulkPutIsStreamed(t *testing.T) {
	x, _ := newImportTest(t, []string{record("1", ""), record("1", `,"a":{"S":"x"}`)})
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling,
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}`)
	arn := x.table("table", "LatestStreamArn")
	x.started("StartBulkPutItems", bulkOf())
	shard := x.member("DescribeStream", `{"StreamArn":`+arn+`}`, "StreamDescription", "Shards", 0,
		"ShardId")
	iterator := x.member("GetShardIterator",
		`{"StreamArn":`+arn+`,"ShardId":`+shard+`,"ShardIteratorType":"TRIM_HORIZON"}`,
		"ShardIterator")
	assert.Equal(t, `"INSERT"`,
		x.member("GetRecords", `{"ShardIterator":`+iterator+`}`, "Records", 0, "eventName"))
	assert.Equal(t, `"MODIFY"`,
		x.member("GetRecords", `{"ShardIterator":`+iterator+`}`, "Records", 1, "eventName"))
}

func TestBulkPutsAndGlobalTables(t *testing.T) {
	x := &requestTest{T: t, emulator: New(WithBuckets(heldBuckets()))}
	b := x.emulator.settings.Buckets.(*memoryBuckets)
	x.do("CreateTable", tableRequest("table", defs("pk"), keySchema("pk"), onDemandBilling))
	const addReplica = `{"TableName":"table","ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]}`
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	x.begin(b, "StartBulkPutItems", bulkOf())
	assert.Contains(t, x.do("UpdateTable", addReplica),
		"ResourceInUseException: A bulk put items operation is in progress on the table")
	close(b.hold)
	x.emulator.service.Runs.Wait()
	assert.NotContains(t, x.do("UpdateTable", addReplica), "Exception")
	assert.Contains(t, x.do("StartBulkPutItems", bulkOf()),
		"Bulk put items does not support global tables")
}

// TestLoadVectors: imports make vector indexes, and bulk puts fill them.
func TestLoadVectors(t *testing.T) {
	const vectors = `"VectorIndexes":[{"IndexName":"near","VectorAttribute":{"AttributeName":"v"},"Projection":{"ProjectionType":"KEYS_ONLY"},"Dimensions":2,"DistanceFunction":"COSINE"}]`
	x, b := newImportTest(t, []string{record("1", `,"v":{"L":[{"N":"1"},{"N":"0"}]}`)})
	in := strings.Replace(importOf(), globals(index("idx", keySchema("a"), projectAll)), vectors, 1)
	in = strings.Replace(in, defs("pk", "a:N"), defs("pk"), 1)
	d := x.started("ImportTable", in)
	require.Equal(t, "COMPLETED", d["ImportStatus"], d["FailureMessage"])
	b.sources["src"] = []string{record("2", `,"v":{"L":[{"N":"0"},{"N":"1"}]}`),
		record("3", `,"v":{"L":[{"N":"1"}]}`)}
	d = x.started("StartBulkPutItems", bulkOf())
	assert.Equal(t, []any{"COMPLETED_WITH_ERRORS", 1.0},
		[]any{d["BulkOperationStatus"], d["FailedItemCount"]},
		"a vector of another dimension is refused")
	usage := d["BulkOperationUsage"].([]any)[0].(map[string]any)
	near := usage["VectorIndexes"].(map[string]any)["near"].(map[string]any)
	assert.Positive(t, near["BulkPutVectorBytes"])
	assert.Equal(t, usage["BulkPutBytes"], usage["Table"].(map[string]any)["BulkPutBytes"],
		"vector bytes are apart")
	found := x.ok("SearchVectors",
		`{"TableName":"table","IndexName":"near","TopK":5,"SearchVector":[{"N":"0"},{"N":"1"}]}`)
	assert.Contains(t, found, `{"S":"1"}`)
	assert.Contains(t, found, `{"S":"2"}`)
}
