package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// importInto returns a request that imports JSON into a table with the key pk.
func importInto(table, prefix, more string) string {
	if !strings.Contains(more, "ClientToken") {
		more += `,"ClientToken":"of ` + table + `"`
	}
	return `{"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"` + prefix +
		`"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":"` + table +
		`",` + schema("pk:S") + `}` + more + `}`
}

// songLines returns lines of JSON with items of some keys. A line that starts with ! is itself.
func songLines(keys ...string) string {
	var text strings.Builder
	for _, key := range keys {
		if line, ok := strings.CutPrefix(key, "!"); ok {
			text.WriteString(line + "\n")
			continue
		}
		text.WriteString(`{"Item":{"pk":{"S":"` + key + `"}}}` + "\n")
	}
	return text.String()
}

const failedImport = `{"ImportStatus":"FAILED","FailureCode":"ItemValidationError"`

// TestProbesOfImports: ack-api-quirks, DDB-IMPORT-003, 005, 008 and 012–015, probes of the service.
func TestProbesOfImports(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	x.put("nokey.json", songLines("1", "2", "3", "4", `!{"Item":{"other":{"S":"a"}}}`, "6", "7",
		"8", "9", "10"))
	x.put("garbage.json", songLines("1", "2", "3", "4", "5", "!garbage", "7", "8", "9", "10"))
	x.put("data-1.json", songLines("1"))
	x.put("data2-x.json", "garbage\n")
	x.put("data.bak", "garbage\n")
	x.put("plain.csv", "pk,val\na,1\nb,2\nc,3\n")
	x.put("options.csv", "a;1\nb;2\nc;3\n")
	csv := func(request string) string {
		return strings.Replace(request, "DYNAMODB_JSON", "CSV",
			1)
	}
	for _, tc := range []struct{ name, request, want string }{
		{"no-key", importInto("no-key", "nokey.json", ""), failedImport +
			`,"ProcessedItemCount":10,"ImportedItemCount":9,"ErrorCount":1}`},
		{"garbage", importInto("garbage", "garbage.json", ""), failedImport +
			`,"ProcessedItemCount":6,"ImportedItemCount":5,"ErrorCount":1}`},
		{"prefix", importInto("prefix", "data", ""), failedImport +
			`,"ProcessedItemCount":3,"ImportedItemCount":1,"ErrorCount":2,"S3BucketSource":{"S3KeyPrefix":"data"}}`},
		{"object", importInto("object", "data-1.json", ""),
			`{"ImportStatus":"COMPLETED","ProcessedItemCount":1,"ImportedItemCount":1,"ErrorCount":0,"FailureCode":null,
			"InputCompressionType":"NONE","InputFormatOptions":null,
			"S3BucketSource":{"S3Bucket":"bucket","S3BucketOwner":"000000000000","S3KeyPrefix":"data-1.json"},
			"CloudWatchLogGroupArn":"arn:aws:logs:eu-west-3:000000000000:log-group:/aws-dynamodb/imports:*"}`},
		{"csv-plain", csv(importInto("csv-plain", "plain.csv", "")),
			`{"ImportStatus":"COMPLETED","ImportedItemCount":3,"ErrorCount":0,"InputFormatOptions":null}`},
		{"csv-options", csv(importInto("csv-options", "options.csv",
			`,"InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["pk","val"]}}`)),
			`{"ImportStatus":"COMPLETED","ImportedItemCount":3,"InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["pk","val"]}}}`},
		{"gzip", importInto("gzip", "data-1.json", `,"InputCompressionType":"GZIP"`), failedImport +
			`,"ProcessedItemCount":1,"ImportedItemCount":0}`},
		{"empty", importInto("empty", "nothing/", ""),
			`{"ImportStatus":"COMPLETED","ProcessedItemCount":0,"ImportedItemCount":0,"ErrorCount":0}`},
		{"no-bucket", strings.Replace(importInto("no-bucket", "", ""), `"bucket"`, `"missing"`, 1),
			`{"ImportStatus":"FAILED","FailureCode":"S3NoSuchBucket","ProcessedItemCount":0,
			"TableArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/no-bucket"}`},
	} {
		assertHas(t, tc.want, x.began("ImportTable", tc.request))
	}
	const tableARN = "arn:aws:dynamodb:eu-west-3:000000000000:table/object"
	follow(t, x.send, []step{
		{name: "what could be imported is there", op: "Scan", body: `{"TableName":"no-key"}`, has: `{"Count":9}`},
		{name: "up to the garbage", op: "Scan", body: `{"TableName":"garbage"}`,
			has: `{"Count":5}`},
		{name: "no table", op: "DescribeTable", body: `{"TableName":"no-bucket"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: no-bucket not found"},
		{name: "an empty table", op: "DescribeTable", body: `{"TableName":"empty"}`, has: `{"Table":{"TableStatus":"ACTIVE"}}`},
		{name: "a table like any other", op: "DescribeTable", body: `{"TableName":"object"}`,
			has: `{"Table":{"TableStatus":"ACTIVE","RestoreSummary":null}}`},
		{name: "tag", op: "TagResource", body: `{"ResourceArn":"` + tableARN + `","Tags":[{"Key":"a","Value":"b"}]}`},
		{name: "TTL", op: "UpdateTimeToLive", body: `{"TableName":"object","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}`},
		{name: "recovery", op: "UpdateContinuousBackups",
			body: `{"TableName":"object","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`},
		{name: "protect", op: "UpdateTable", body: `{"TableName":"object","DeletionProtectionEnabled":true}`},
		{name: "backup", op: "CreateBackup", body: `{"TableName":"object","BackupName":"backup"}`},
		{name: "expose", op: "UpdateTable", body: `{"TableName":"object","DeletionProtectionEnabled":false}`},
		{name: "delete", op: "DeleteTable", body: `{"TableName":"object"}`},
		{name: "the import is still there", op: "ListImports", body: `{"TableArn":"` + tableARN +
			`"}`,
			has: `{"ImportSummaryList":[{"ImportStatus":"COMPLETED","TableArn":"` + tableARN + `"}]}`},
	})
}

// TestProbesOfImportRequests: ack-api-quirks, DDB-IMPORT-009–011 and 017, probes of the service.
func TestProbesOfImportRequests(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	x.put("a.json", songLines("1"))
	d := x.began("ImportTable", importInto("songs", "a.json", `,"ClientToken":"token"`))
	arn := d["ImportArn"].(string)
	const conflict = "ImportConflictException: Import conflict: Duplicate request detected with conflicting parameters"
	provisioned := func(more string) string {
		return strings.Replace(importInto("units", "a.json", ""), `"PAY_PER_REQUEST"`,
			`"PROVISIONED"`+more, 1)
	}
	csv := func(more string) string {
		return strings.Replace(importInto("csv", "a.json", more), "DYNAMODB_JSON", "CSV", 1)
	}
	describe := func(name, arn, err string) step {
		return step{name: name, op: "DescribeImport", body: `{"ImportArn":"` + arn + `"}`, err: err}
	}
	const v = "ValidationException: "
	follow(t, x.send, []step{
		{name: "again, while the table is there", op: "ImportTable",
			body: importInto("songs", "a.json", `,"ClientToken":"token"`), err: "ResourceInUseException: Table already exists: songs"},
		{name: "another table", op: "ImportTable", body: importInto("others", "a.json",
			`,"ClientToken":"token"`), err: conflict},
		{name: "delete", op: "DeleteTable", body: `{"TableName":"songs"}`},
		{name: "again", op: "ImportTable", body: importInto("songs", "a.json",
			`,"ClientToken":"token"`),
			has: `{"ImportTableDescription":{"ImportArn":"` + arn + `"}}`},
		{name: "of another prefix", op: "ImportTable", body: importInto("songs", "b.json",
			`,"ClientToken":"token"`),
			has: `{"ImportTableDescription":{"ImportArn":"` + arn + `"}}`},
		{name: "no table", op: "DescribeTable", body: `{"TableName":"songs"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: songs not found"},

		{name: "no units", op: "ImportTable", body: provisioned(""),
			err: v + "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{name: "no billing mode", op: "ImportTable", body: strings.Replace(importInto("units", "a.json", ""), `"BillingMode":"PAY_PER_REQUEST",`, "", 1),
			err: v + "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{name: "three keys, as of no table", op: "ImportTable",
			body: strings.Replace(importInto("units", "a.json", ""), `"KeyType":"HASH"}]`,
				`"KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"},{"AttributeName":"b","KeyType":"RANGE"}]`, 1),
			err: v + "1 validation error detected: Value '[*"},
		{name: "maxima of units", op: "ImportTable",
			body: provisioned(`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},"OnDemandThroughput":{"MaxWriteRequestUnits":1}`),
			err:  v + "One or more parameter values were invalid: MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."},
		{name: "two delimiters", op: "ImportTable", body: csv(`,"InputFormatOptions":{"Csv":{"Delimiter":";;"}}`),
			err: v + "2 validation errors detected: Value ';;' at 'inputFormatOptions.csv.delimiter' failed to satisfy constraint: Member must satisfy regular expression pattern: [,;*"},
		{name: "options of another format", op: "ImportTable", body: importInto("csv", "a.json", `,"InputFormatOptions":{"Csv":{"Delimiter":";"}}`),
			err: v + "Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON."},
		{name: "a compression that is none", op: "ImportTable", body: csv(`,"InputCompressionType":"BZIP2"`),
			err: v + "1 validation error detected: Value 'BZIP2' at 'inputCompressionType' failed to satisfy constraint: Member must satisfy enum value set: [ZSTD, NONE, GZIP]"},

		describe("another region", strings.Replace(arn, "eu-west-3", "eu-west-1", 1),
			"ImportNotFoundException: *"),
		describe("another account", strings.Replace(arn, ":000000000000:", ":999999999999:", 1),
			"AccessDeniedException: *"),
		describe("another number", arn[:len(arn)-1]+"x", "ImportNotFoundException: *"),
		describe("an export", strings.Replace(arn, "/import/", "/export/", 1), v+"*"),
		describe("a table", catalogARN, v+"Invalid Import ARN"),
		describe("no ARN", "foo", v+"1 validation error detected: Value 'foo' at 'importArn' failed to satisfy constraint: Member must have length greater than or equal to 37"),
		{name: "no page", op: "ListImports", body: `{"PageSize":0}`,
			err: v + "1 validation error detected: Value '0' at 'pageSize' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "too large a page", op: "ListImports", body: `{"PageSize":26}`,
			err: v + "1 validation error detected: Value '26' at 'pageSize' failed to satisfy constraint: Member must have value less than or equal to 25"},
	})
}

// TestProbesOfImportPages: ack-api-quirks, DDB-IMPORT-016, a probe of the service.
func TestProbesOfImportPages(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	for _, name := range "abcdefghijk" {
		x.began("ImportTable", strings.Replace(importInto("table-"+string(name), "", ""),
			`"bucket"`, `"missing"`, 1))
		x.clock.Advance(time.Second)
	}
	page, err := x.send("KEY", "ListImports", `{}`)
	require.NoError(t, err)
	assert.Len(t, page["ImportSummaryList"], 10)
	assert.NotEmpty(t, page["NextToken"])
	assertHas(t, `{"ImportStatus":"FAILED","TableArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/table-k"}`,
		page["ImportSummaryList"].([]any)[0])
}

// TestProbesOfExportedImports: ack-api-quirks, DDB-IMPORT-020, a probe of the service.
func TestProbesOfExportedImports(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	follow(t, x.send, []step{
		{name: "create", op: "CreateTable", body: `{"TableName":"songs",` + schema("pk:S") + `}`},
		{name: "recovery", op: "UpdateContinuousBackups",
			body: `{"TableName":"songs","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`},
		{name: "put", op: "BatchWriteItem", body: `{"RequestItems":{"songs":[{"PutRequest":{"Item":{"pk":{"S":"1"}}}},
			{"PutRequest":{"Item":{"pk":{"S":"2"}}}},{"PutRequest":{"Item":{"pk":{"S":"3"}}}}]}}`},
	})
	e := x.began("ExportTableToPointInTime", `{"TableArn":"arn:aws:dynamodb:eu-west-3:000000000000:table/songs","S3Bucket":"bucket"}`)
	root := strings.TrimSuffix(e["ExportManifest"].(string), "manifest-summary.json")
	const gzip = `,"InputCompressionType":"GZIP"`
	assertHas(t, failedImport+`,"ProcessedItemCount":7,"ImportedItemCount":3,"ErrorCount":4}`,
		x.began("ImportTable", importInto("root", root, gzip)))
	assertHas(t, `{"ImportStatus":"COMPLETED","ImportedItemCount":3,"ErrorCount":0}`,
		x.began("ImportTable", importInto("data", root+"data/", gzip)))
	d := x.began("ImportTable", importInto("none", root+"data/", `,"InputCompressionType":"NONE"`))
	assertHas(t, failedImport+`,"ImportedItemCount":0}`, d)
	assert.Equal(t, d["ProcessedItemCount"], d["ErrorCount"], "an error for each object")
}
