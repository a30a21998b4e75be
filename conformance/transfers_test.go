package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// TestTransferRequests: what exports, imports and bulk puts say of requests that cannot succeed.
func TestTransferRequests(t *testing.T) {
	t.Parallel()
	x := newTable(t, keys("pk:S"))
	const violated = "ValidationException: 1 validation error detected: "
	export := func(arn, more string) string {
		return `{"TableArn":"` + arn + `","S3Bucket":"kugiri-bucket"` + more + `}`
	}
	elsewhere := strings.TrimSuffix(x.arn, x.name) + "no-such-table"
	unknown := func(kind string) string { return x.arn + "/" + kind + "/01693685827463-2d8752fd" }
	imported := func(name, more string) string {
		return `{"ClientToken":"token","S3BucketSource":{"S3Bucket":"kugiri-bucket"},"InputFormat":"CSV","TableCreationParameters":{"TableName":"` + name + `",` + keys("pk:S") + `}` + more + `}`
	}
	bulk := func(more string) string {
		return `{"TableName":"` + x.name +
			`","InputS3Configuration":{"S3Bucket":"kugiri-bucket","InputFormat":"DYNAMODB_JSON"},` +
			`"OutputS3Configuration":{"S3Bucket":"kugiri-bucket","OutputType":["ERROR"]}` +
			more + `}`
	}
	run(t, defaults{src: "API Reference"}, []kase{
		{name: "an export without recovery", op: "ExportTableToPointInTime", in: export(x.arn, ""),
			err: "PointInTimeRecoveryUnavailableException: *"},
		{name: "an export of no table", op: "ExportTableToPointInTime", in: export(elsewhere, ""),
			err: "TableNotFoundException: *"},
		{name: "a bucket that cannot be", op: "ExportTableToPointInTime",
			in: `{"TableArn":"` + x.arn + `","S3Bucket":"-"}`,
			err: violated +
				`Value '-' at 's3Bucket' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$`},
		{name: "an incremental export of no period", op: "ExportTableToPointInTime",
			src: "ack-api-quirks, DDB-EXPORT-003",
			in:  export(x.arn, `,"ExportType":"INCREMENTAL_EXPORT"`),
			err: "ValidationException: Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export"},
		{name: "an incremental export from no time", op: "ExportTableToPointInTime",
			src: "ack-api-quirks, DDB-EXPORT-003",
			in: export(x.arn,
				`,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{}`),
			err: "ValidationException: Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification"},
		{name: "a key without KMS", op: "ExportTableToPointInTime",
			src: "ack-api-quirks, DDB-EXPORT-005",
			in:  export(x.arn, `,"S3SseAlgorithm":"AES256","S3SseKmsKeyId":"k"`),
			err: "ValidationException: Invalid Request: KMS Key Id is not supported for this encryption type"},
		{name: "an export that is not there", op: "DescribeExport",
			in: `{"ExportArn":"` + unknown("export") + `"}`, err: "ExportNotFoundException: *"},
		{name: "too many exports at once", op: "ListExports", in: `{"MaxResults":26}`,
			err: violated +
				"Value '26' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 25"},
		{name: "an import to a table that is there",
			src: "Developer Guide, Import format quotas and validation, Target table exists",
			op:  "ImportTable", in: imported(x.name, ""),
			err: "ResourceInUseException: Table already exists: " + x.name},
		{name: "a delimiter that is none", op: "ImportTable",
			in: imported("imported", `,"InputFormatOptions":{"Csv":{"Delimiter":"x"}}`),
			err: violated +
				`Value 'x' at 'inputFormatOptions.csv.delimiter' failed to satisfy constraint: Member must satisfy regular expression pattern: [,;:|\t ]`},
		{name: "an import that is not there", op: "DescribeImport",
			in: `{"ImportArn":"` + unknown("import") + `"}`, err: "ImportNotFoundException: *"},
		{name: "a bulk put to no table", op: "StartBulkPutItems",
			in:  strings.Replace(bulk(""), x.name, "no-such-table", 1),
			err: "ResourceNotFoundException: Requested resource not found: Table: no-such-table not found"},
		{name: "a bulk put that is too slow", op: "StartBulkPutItems",
			in: bulk(`,"MaxWriteRequestUnits":1023`),
			err: violated +
				"Value '1023' at 'maxWriteRequestUnits' failed to satisfy constraint: Member must have value greater than or equal to 1024"},
		{name: "a report in no bucket", op: "StartBulkPutItems",
			in: strings.Replace(bulk(""), `"S3Bucket":"kugiri-bucket","OutputType"`, `"OutputType"`,
				1), err: "ValidationException: *"},
		{name: "a bulk put that is not there", op: "DescribeBulkOperation",
			in:  `{"BulkOperationArn":"` + unknown("bulk-operation") + `"}`,
			err: "ResourceNotFoundException: *"},
		{name: "a bulk put to cancel that is not there", op: "CancelBulkOperation",
			in:  `{"BulkOperationArn":"` + unknown("bulk-operation") + `"}`,
			err: "ResourceNotFoundException: *"},
		{name: "too many bulk puts at once", op: "ListBulkOperations", in: `{"MaxResults":26}`,
			err: violated +
				"Value '26' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 25"},
	})
}

// transferTest has buckets in a directory. One is there: "bucket".
type transferTest struct {
	*testing.T
	send  func(accessKey, op, body string) (map[string]any, error)
	clock *emulator.Clock
	dir   string
}

func newTransferTest(t *testing.T) *transferTest {
	buckets := t.TempDir()
	dir := filepath.Join(buckets, "bucket")
	require.NoError(t, os.Mkdir(dir, 0o777))
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithBuckets(bucket.New(bucket.Dir(buckets))),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	return &transferTest{t, send, clock, dir}
}

// put adds an object.
func (x *transferTest) put(key, content string) {
	x.Helper()
	require.NoError(x, os.WriteFile(filepath.Join(x.dir, key), []byte(content), 0o666))
}

// began sends a request that begins an operation, and returns its description at its end.
func (x *transferTest) began(op, body string) map[string]any {
	x.Helper()
	answer, err := x.send("KEY", op, body)
	require.NoError(x, err)
	for _, kind := range []struct{ description, arn, status, describe string }{
		{"ExportDescription", "ExportArn", "ExportStatus", "DescribeExport"},
		{"ImportTableDescription", "ImportArn", "ImportStatus", "DescribeImport"},
		{"BulkOperationDescription", "BulkOperationArn", "BulkOperationStatus",
			"DescribeBulkOperation"},
	} {
		begun, ok := answer[kind.description].(map[string]any)
		if !ok {
			continue
		}
		assert.Equal(x, "IN_PROGRESS", begun[kind.status])
		for {
			answer, err := x.send("KEY", kind.describe,
				fmt.Sprintf(`{%q:%q}`, kind.arn, begun[kind.arn]))
			require.NoError(x, err)
			if d := answer[kind.description].(map[string]any); d[kind.status] != "IN_PROGRESS" {
				return d
			}
			runtime.Gosched()
		}
	}
	require.Fail(x, "nothing began", "%v", answer)
	return nil
}

// data returns the content of the data files of an export, and its summary.
func (x *transferTest) data(d map[string]any) (data string, summary map[string]any) {
	x.Helper()
	require.Equal(x, "COMPLETED", d["ExportStatus"], d)
	read := func(key any) []byte {
		text, err := os.ReadFile(filepath.Join(x.dir, filepath.FromSlash(key.(string))))
		require.NoError(x, err)
		return text
	}
	manifest := json.NewDecoder(bytes.NewReader(read(d["ExportManifest"])))
	manifest.UseNumber()
	require.NoError(x, manifest.Decode(&summary))
	for _, line := range strings.Split(
		strings.TrimSpace(string(read(summary["manifestFilesS3Key"]))), "\n") {
		var file map[string]any
		require.NoError(x, json.Unmarshal([]byte(line), &file))
		z, err := gzip.NewReader(strings.NewReader(string(read(file["dataFileS3Key"]))))
		require.NoError(x, err)
		text, err := io.ReadAll(z)
		require.NoError(x, err)
		data += string(text)
	}
	return data, summary
}

// The example of the Developer Guide, "DynamoDB table export output format" and "Amazon S3 import
// formats for DynamoDB".
const (
	exampleBook = `{"Authors":{"SS":["Author1","Author2"]},"Dimensions":{"S":"8.5 x 11.0 x 1.5"},"ISBN":{"S":"333-3333333333"},"Id":{"N":"103"},` +
		`"InPublication":{"BOOL":false},"PageCount":{"N":"600"},"Price":{"N":"2000"},"ProductCategory":{"S":"Book"},"Title":{"S":"Book 103 Title"}}`
	exampleBookIon = `$ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],Dimensions:"8.5 x 11.0 x 1.5",ISBN:"333-3333333333",Id:103.,` +
		`InPublication:false,PageCount:6d2,Price:2d3,ProductCategory:"Book",Title:"Book 103 Title"}}`
	catalogARN = "arn:aws:dynamodb:eu-west-3:000000000000:table/ProductCatalog"
)

// schema returns the schema of a table with a partition key, such as "Id:N".
func schema(key string) string {
	name, kind, _ := strings.Cut(key, ":")
	return `"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"` + name +
		`","AttributeType":"` + kind + `"}],` +
		`"KeySchema":[{"AttributeName":"` + name + `","KeyType":"HASH"}]`
}

// createCatalog creates the table of the example, whose recovery is enabled.
func (x *transferTest) createCatalog() {
	follow(x.T, x.send, []step{
		{name: "create", op: "CreateTable",
			body: `{"TableName":"ProductCatalog",` + schema("Id:N") + `}`},
		{name: "enable", op: "UpdateContinuousBackups",
			body: `{"TableName":"ProductCatalog","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`},
	})
}

// TestExports: Developer Guide, "DynamoDB table export output format"; API Reference,
// ExportTableToPointInTime.
func TestExports(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	x.createCatalog()
	follow(t, x.send,
		[]step{{name: "put", op: "PutItem",
			body: `{"TableName":"ProductCatalog","Item":` + exampleBook + `}`}})
	for _, tc := range []struct{ format, want string }{
		{"DYNAMODB_JSON", `{"Item":` + exampleBook + "}\n"},
		{"ION", exampleBookIon + "\n"},
	} {
		d := x.began("ExportTableToPointInTime",
			`{"TableArn":"`+catalogARN+
				`","S3Bucket":"bucket","S3Prefix":"2020-Nov","ExportFormat":"`+tc.format+`"}`)
		data, summary := x.data(d)
		assert.Equal(t, tc.want, data, tc.format)
		id := strings.TrimPrefix(d["ExportArn"].(string), catalogARN+"/export/")
		assert.Regexp(t, `^[0-9]{14}-[0-9a-f]{8}$`, id)
		assert.Equal(t, "2020-Nov/AWSDynamoDB/"+id+"/manifest-summary.json", d["ExportManifest"])
		assertHas(t,
			`{"version":"2020-06-30","exportArn":"`+
				d["ExportArn"].(string)+`","tableArn":"`+catalogARN+
				`","s3Bucket":"bucket","s3Prefix":"2020-Nov",
			"s3SseAlgorithm":"AES256","itemCount":1,"outputFormat":"`+tc.format+
				`","exportType":"FULL_EXPORT","exportTime":"2026-01-01T00:00:00.000Z"}`, summary)
		assertHas(t, `{"ExportType":null,"ExportFormat":"`+tc.format+`","ItemCount":1}`, d)
	}
	x.clock.Advance(time.Second)
	missing := x.began("ExportTableToPointInTime",
		`{"TableArn":"`+catalogARN+`","S3Bucket":"missing"}`)
	assertHas(t, `{"ExportStatus":"FAILED","FailureCode":"S3NoSuchBucket"}`, missing)
	follow(t, x.send, []step{
		{name: "the future", op: "ExportTableToPointInTime", err: "InvalidExportTimeException: *",
			body: fmt.Sprintf(`{"TableArn":"%s","S3Bucket":"bucket","ExportTime":%d}`, catalogARN,
				x.clock.Now().Add(time.Minute).Unix())},
		{name: "list", op: "ListExports", body: `{"MaxResults":1}`,
			has: `{"ExportSummaries":[{"ExportStatus":"FAILED","ExportType":"FULL_EXPORT"}]}`},
	})
}

// TestIncrementalExports: Developer Guide, "DynamoDB table export output format", "Incremental
// export output"; API Reference, IncrementalExportSpecification.
func TestIncrementalExports(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	x.createCatalog()
	put := func(id, title string) step {
		return step{
			name: "put", op: "PutItem",
			body: `{"TableName":"ProductCatalog","Item":{"Id":{"N":"` +
				id + `"},"Title":{"S":"` + title + `"}}}`,
		}
	}
	remove := func(id string) step {
		return step{
			name: "delete", op: "DeleteItem",
			body: `{"TableName":"ProductCatalog","Key":{"Id":{"N":"` + id + `"}}}`,
		}
	}
	follow(t, x.send, []step{put("1", "stays"), put("2", "old")})
	x.clock.Advance(time.Hour)
	from := x.clock.Now()
	follow(t, x.send, []step{put("2", "new"), put("3", "passes"), remove("3")})
	x.clock.Advance(time.Hour)
	export := func(view string, from, to time.Time) string {
		return fmt.Sprintf(
			`{"TableArn":"%s","S3Bucket":"bucket","ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{"ExportFromTime":%d,"ExportToTime":%d%s}}`,
			catalogARN, from.Unix(), to.Unix(), view)
	}
	keys := fmt.Sprintf(`{"Metadata":{"WriteTimestampMicros":{"N":"%d"}},"Keys":{"Id":{"N":"2"}}`,
		from.UnixMicro())
	const newImage = `,"NewImage":{"Id":{"N":"2"},"Title":{"S":"new"}}}`
	for view, want := range map[string]string{
		``: keys + `,"OldImage":{"Id":{"N":"2"},"Title":{"S":"old"}}` +
			newImage,
		`,"ExportViewType":"NEW_IMAGE"`: keys + newImage,
	} {
		d := x.began("ExportTableToPointInTime", export(view, from, x.clock.Now()))
		data, summary := x.data(d)
		assert.Equal(t, want+"\n", data)
		assertHas(t,
			`{"exportType":"INCREMENTAL_EXPORT","exportFromTime":"2026-01-01T01:00:00.000Z","exportToTime":"2026-01-01T02:00:00.000Z","itemCount":1}`, summary)
	}
	follow(t, x.send, []step{
		{name: "a period of minutes", op: "ExportTableToPointInTime",
			body: export("", x.clock.Now().Add(-14*time.Minute), x.clock.Now()),
			err:  "InvalidExportTimeException: Difference between export period from time and export period to time is less than 15 minutes"},
		{name: "a period of days", op: "ExportTableToPointInTime",
			body: export("", x.clock.Now().Add(-25*time.Hour), x.clock.Now()),
			err:  "InvalidExportTimeException: *"},
	})
}

// TestImports: Developer Guide, "Amazon S3 import formats for DynamoDB" and "Import format quotas
// and validation".
func TestImports(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	x.put("book.json", `{"Item":`+exampleBook+"}\n")
	x.put("book.ion", exampleBookIon+"\n")
	x.put("albums.csv",
		"pk,title,artist,year_of_release\nAlbums::Rock::Classic::1973::AlbumId::ALB25,The Dark Side of the Moon,Pink Floyd,1973\n")
	x.put("import-test.csv",
		"title,artist,year_of_release\nThe Dark Side of the Moon,Pink Floyd,1973\n")
	x.put("twice.json",
		`{"Item":{"pk":{"S":"a"},"n":{"N":"1"}}}`+"\n"+`{"Item":{"pk":{"S":"a"},"n":{"N":"2"}}}`+
			"\n")
	from := func(table, prefix, format, key, more string) string {
		return `{"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"` + prefix +
			`"},"InputFormat":"` + format + `","ClientToken":"` + table + `","TableCreationParameters":{"TableName":"` +
			table + `",` + schema(key) + `}` + more + `}`
	}
	completed := func(request string) {
		t.Helper()
		assertHas(t, `{"ImportStatus":"COMPLETED","ErrorCount":0}`, x.began("ImportTable", request))
	}
	completed(from("json", "book.json", "DYNAMODB_JSON", "Id:N", ""))
	completed(from("ion", "book.ion", "ION", "Id:N", ""))
	completed(from("csv", "albums.csv", "CSV", "pk:S", ""))
	completed(from("headers", "albums.csv", "CSV", "a:S",
		`,"InputFormatOptions":{"Csv":{"HeaderList":["a","b","c","d"]}}`))
	completed(from("twice", "twice.json", "DYNAMODB_JSON", "pk:S", ""))
	follow(t, x.send, []step{
		has("an item of JSON", "json", exampleBook),
		has("an item of Ion", "ion", exampleBook),
		has("an item of CSV", "csv",
			`{"pk":{"S":"Albums::Rock::Classic::1973::AlbumId::ALB25"},"title":{"S":"The Dark Side of the Moon"},"artist":{"S":"Pink Floyd"},"year_of_release":{"S":"1973"}}`),
		{name: "the header is an item", op: "Scan", body: `{"TableName":"headers"}`,
			has: `{"Count":2}`},
		{name: "one of two items with a key", op: "Scan", body: `{"TableName":"twice"}`,
			has: `{"Count":1}`},
	})
	const failed = `{"ImportStatus":"FAILED","ErrorCount":1,"ProcessedItemCount":1,"ImportedItemCount":0,"FailureCode":"ItemValidationError",
		"FailureMessage":"Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.",
		"CloudWatchLogGroupArn":"arn:aws:logs:eu-west-3:000000000000:log-group:/aws-dynamodb/imports:*"}`
	d := x.began("ImportTable", from("target-table", "import-test.csv", "CSV", "pk:S", ""))
	assertHas(t, failed, d)
	assert.Regexp(t,
		`^arn:aws:dynamodb:eu-west-3:000000000000:table/target-table/import/[0-9]{14}-[0-9a-f]{8}$`,
		d["ImportArn"])
	missing := x.began("ImportTable",
		strings.Replace(from("no-bucket", "", "CSV", "pk:S", ""), `"bucket"`, `"missing"`, 1))
	assertHas(t,
		`{"ImportStatus":"FAILED","ErrorCount":0,"FailureCode":"S3NoSuchBucket","ProcessedItemCount":0}`, missing)
	assert.True(t,
		strings.HasPrefix(missing["FailureMessage"].(string),
			"The specified bucket does not exist (Service: Amazon S3; Status Code: 404; Error Code: NoSuchBucket"))
	follow(t, x.send, []step{
		{name: "the table is there and empty", op: "Scan", body: `{"TableName":"target-table"}`,
			has: `{"Count":0}`},
		{name: "a new table is not created", op: "DescribeTable", body: `{"TableName":"no-bucket"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: no-bucket not found"},
		{name: "again", op: "ImportTable",
			body: from("target-table", "albums.csv", "CSV", "pk:S", ""),
			err:  "ResourceInUseException: Table already exists: target-table"},
	})
}

// TestBulkPuts: API Reference, StartBulkPutItems, BulkOperationDescription; Developer Guide,
// "Amazon S3 input formats for bulk put items". The members of a record besides Item are inferred.
func TestBulkPuts(t *testing.T) {
	t.Parallel()
	x := newTransferTest(t)
	follow(t, x.send, []step{
		{name: "create", op: "CreateTable", body: `{"TableName":"music",` + keys("pk:S") + `}`},
		{name: "put", op: "PutItem",
			body: `{"TableName":"music","Item":{"pk":{"S":"a"},"old":{"BOOL":true}}}`},
	})
	x.put("good.json", `{"Item":{"pk":{"S":"a"}}}`+"\n"+`{"Item":{"pk":{"S":"b"}}}`+"\n")
	x.put("bad.json", `{"Item":{"pk":{"S":"c"}}}`+"\n"+`{"Item":{"pk":{"N":"1"}}}`+"\n")
	x.put("conditional.json",
		`{"Item":{"pk":{"S":"a"}},"ConditionExpression":"attribute_not_exists(pk)"}`+"\n"+
			`{"Item":{"pk":{"S":"d"}},"ConditionExpression":"attribute_not_exists(pk)"}`+"\n")
	bulk := func(key, more string) string {
		return `{"TableName":"music","InputS3Configuration":{"S3Bucket":"bucket","S3KeyPrefix":"` +
			key + `","InputFormat":"DYNAMODB_JSON"},` +
			`"OutputS3Configuration":{"S3Bucket":"bucket","S3KeyPrefix":"report","OutputType":["ERROR","CONDITION_CHECK_FAILURE"]}` + more + `}`
	}
	good := x.began("StartBulkPutItems", bulk("good", `,"ClientToken":"token"`))
	assertHas(t,
		`{"BulkOperationStatus":"COMPLETED","ProcessedItemCount":2,"FailedItemCount":0,"ProcessedInputBytes":52,"TotalInputBytes":52,
		"PerformanceTier":"STANDARD","ClientToken":"token","FailureCode":null,"TableDetails":[{"TableName":"music"}],
		"BulkOperationUsage":[{"TableName":"music","BulkPutBytes":6,"Table":{"BulkPutBytes":6}}]}`,
		good)
	assertHas(t,
		`{"BulkOperationStatus":"COMPLETED_WITH_ERRORS","ProcessedItemCount":2,"FailedItemCount":1,"FailureCode":null}`, x.began("StartBulkPutItems", bulk("bad", "")))
	assertHas(t, `{"BulkOperationStatus":"COMPLETED","ProcessedItemCount":2,"FailedItemCount":0}`,
		x.began("StartBulkPutItems", bulk("conditional", "")))
	x.clock.Advance(time.Second)
	assertHas(t, `{"BulkOperationStatus":"FAILED"}`,
		x.began("StartBulkPutItems", strings.Replace(bulk("good", ""), `"bucket"`, `"missing"`, 1)))
	answer, err := x.send("KEY", "StartBulkPutItems", bulk("good", `,"ClientToken":"token"`))
	require.NoError(t, err)
	assert.Equal(t, good["BulkOperationArn"],
		at(t, answer, "BulkOperationDescription", "BulkOperationArn"),
		"the token stands for the operation")
	follow(t, x.send, []step{
		{name: "the token for something else", op: "StartBulkPutItems",
			body: bulk("bad", `,"ClientToken":"token"`),
			err:  "IdempotentParameterMismatchException: *"},
		{name: "what was put", op: "Scan", body: `{"TableName":"music"}`, has: `{"Count":4}`},
		{name: "the item was replaced", op: "GetItem",
			body: `{"TableName":"music","Key":{"pk":{"S":"a"}}}`,
			has:  `{"Item":{"pk":{"S":"a"},"old":null}}`},
		{name: "list", op: "ListBulkOperations", body: `{"MaxResults":1}`,
			has: `{"BulkOperationsSummaryList":[{"BulkOperationStatus":"FAILED"}]}`},
	})
	x.clock.Advance(8 * time.Hour)
	again := x.began("StartBulkPutItems", bulk("good", `,"ClientToken":"token"`))
	assert.NotEqual(t, good["BulkOperationArn"], again["BulkOperationArn"],
		"a token is for 8 hours")
}
