package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/jobs"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage"
)

// newImportTest has the source "src" with records.
func newImportTest(t *testing.T, records []string, options ...Option) (*requestTest,
	*memoryBuckets) {
	b := newMemoryBuckets()
	b.sources["src"] = records
	return newTableTest(t, append(options, WithBuckets(b))...), b
}

// importTokens numbers the client tokens of imports.
var importTokens atomic.Int64

// importOf is a request to import into the table "table" with the key pk and the index idx of a.
func importOf(members ...string) string {
	if !strings.Contains(strings.Join(members, ""), "ClientToken") {
		members = append(members, fmt.Sprintf(`"ClientToken":"token-%d"`, importTokens.Add(1)))
	}
	return `{"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"src"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":` +
		tableRequest("table", defs("pk", "a:N"), keySchema("pk"), onDemandBilling,
			globals(index("idx", keySchema("a"), projectAll))) +
		strings.Join(append([]string{""}, members...), ",") + `}`
}

// record is a record with an item.
func record(pk, members string) string {
	return fmt.Sprintf(`{"Item":{"pk":{"S":%q}%s}}`, pk, members)
}

// count returns the number of items of the table.
func (x *requestTest) count() string {
	x.Helper()
	return x.member("Scan", `{"TableName":"table"}`, "Count")
}

func TestImportTable(t *testing.T) {
	var logged bytes.Buffer
	x, _ := newImportTest(t, []string{
		record("1", `,"a":{"N":"1"}`),
		record("2", ""),
		record("1", `,"a":{"N":"2"}`),
		`{"Item":{"other":{"S":"x"}}}`,
		record("3", `,"a":{"S":"no number"}`),
		`{"NoItem":{}}`,
		"!the line is not a JSON object",
		record("4", `,"b":{"X":"?"}`),
		record("5", `,"big":{"S":"`+strings.Repeat("x", 400<<10)+`"}`),
	}, WithLogger(slog.New(slog.NewJSONHandler(&logged, nil))))
	d := x.started("ImportTable", importOf(`"ClientToken":"t"`))
	assert.Equal(t, "FAILED", d["ImportStatus"])
	assert.Equal(t, "ItemValidationError", d["FailureCode"])
	assert.Equal(t,
		"Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.", d["FailureMessage"])
	for member, want := range map[string]float64{
		"ProcessedItemCount": 9, "ImportedItemCount": 3, "ErrorCount": 6, "ProcessedSizeBytes": 900,
	} {
		assert.Equal(t, want, d[member], member)
	}
	assert.Equal(t, "arn:aws:logs:us-east-1:000000000000:log-group:/aws-dynamodb/imports:*",
		d["CloudWatchLogGroupArn"])
	assert.Equal(t, "NONE", d["InputCompressionType"])
	assert.Equal(t, `"ACTIVE"`, x.table("table", "TableStatus"))
	assert.Equal(t, fmt.Sprintf("%q", d["TableId"]), x.table("table", "TableId"))
	assert.Equal(t, "2", x.count())
	assert.Equal(t, `"2"`,
		x.member("GetItem", `{"TableName":"table","Key":{"pk":{"S":"1"}}}`, "Item", "a", "N"),
		"the last item with a key stays")
	assert.Equal(t, "1",
		x.member("Query",
			`{"TableName":"table","IndexName":"idx","KeyConditionExpression":"a = :a","ExpressionAttributeValues":{":a":{"N":"2"}}}`, "Count"))
	for _, message := range []string{
		`{\"itemS3Pointer\":{\"bucket\":\"bucket\",\"key\":\"src\",\"itemIndex\":3},\"importArn\":\"` + d["ImportArn"].(string) +
			`\",\"errorMessages\":[\"One or more parameter values were invalid: Missing the key pk in the item\"]}`,
		"Item size has exceeded the maximum allowed size",
		"The record has no Item",
		"the line is not a JSON object",
	} {
		assert.Contains(t, logged.String(), message)
	}
	require.NoError(t, x.account().Store.Check())
}

// TestImportWithVectors: the vector index of an imported table finds its items, and a record whose
// vector has other dimensions is an error.
func TestImportWithVectors(t *testing.T) {
	vector := func(numbers string) string { return `,"v":{"L":[` + numbers + `]}` }
	x, _ := newImportTest(
		t, []string{record("1", vector(`{"N":"3"},{"N":"0"}`)),
			record("2", vector(`{"N":"1"},{"N":"0"}`)),
			record("3", vector(`{"N":"1"}`)), record("4", "")})
	d := x.started("ImportTable", strings.Replace(importOf(), `"GlobalSecondaryIndexes"`,
		`"VectorIndexes":[{"IndexName":"near","VectorAttribute":{"AttributeName":"v"},"Projection":{"ProjectionType":"KEYS_ONLY"},"Dimensions":2,"DistanceFunction":"EUCLIDEAN"}],"GlobalSecondaryIndexes"`, 1))
	assert.Equal(t, []any{3.0, 1.0}, []any{d["ImportedItemCount"], d["ErrorCount"]})
	const search = `{"TableName":"%s","IndexName":"near","TopK":5,"SearchVector":[{"N":"0"},{"N":"0"}]}`
	const found = `{"SearchResults":[{"Item":{"pk":{"S":"2"}},"Score":1},{"Item":{"pk":{"S":"1"}},"Score":3}]}`
	assert.JSONEq(t, found, x.ok("SearchVectors", fmt.Sprintf(search, "table")))
	backup := x.member("CreateBackup", `{"TableName":"table","BackupName":"before"}`,
		"BackupDetails", "BackupArn")
	x.ok("RestoreTableFromBackup", `{"TargetTableName":"restored","BackupArn":`+backup+`}`)
	assert.JSONEq(t, found, x.ok("SearchVectors", fmt.Sprintf(search, "restored")))
	require.NoError(t, x.account().Store.Check())
}

// TestImportSizes: the objects of the imports in progress are limited together, by region. Imports
// that have ended do not count.
func TestImportSizes(t *testing.T) {
	for _, tc := range []struct {
		region    string
		terabytes int64
	}{{"us-east-1", 15}, {"us-west-2", 15}, {"eu-west-1", 15}, {"eu-central-1", 1}} {
		t.Run(tc.region, func(t *testing.T) {
			x, b := newImportTest(t, []string{record("1", "")})
			x.region = tc.region
			limit := tc.terabytes * jobs.Terabyte
			b.sizes = map[string]int64{"src": limit}
			begin := func(table string) (arn string) {
				answer := x.ok("ImportTable",
					strings.Replace(importOf(), `"table"`, `"`+table+`"`, 1))
				var out struct{ ImportTableDescription struct{ ImportArn string } }
				require.NoError(t, json.Unmarshal([]byte(answer), &out))
				return out.ImportTableDescription.ImportArn
			}
			ended := func(arn string) string {
				d := x.described("DescribeImport", "ImportArn", arn)
				return fmt.Sprint(d["ImportStatus"], " ", d["FailureCode"], " ",
					d["FailureMessage"])
			}
			assert.Equal(t, "COMPLETED <nil> <nil>", ended(begin("first")))

			b.hold, b.holding = make(chan struct{}), make(chan struct{})
			held := make(chan string)
			go func() { held <- begin("held") }()
			<-b.holding
			b.sizes = map[string]int64{"src": 1}
			over := begin("over")
			close(b.hold)
			assert.Equal(t, "COMPLETED <nil> <nil>", ended(<-held))
			assert.Equal(t,
				fmt.Sprintf(
					"FAILED LimitExceededException The source objects of all imports in progress are larger than %d TB", tc.terabytes), ended(over))
			x.fails("DescribeTable", `{"TableName":"over"}`,
				"ResourceNotFoundException: Requested resource not found: Table: over not found")
			assert.Equal(t, "COMPLETED <nil> <nil>", ended(begin("after")))
		})
	}
}

func TestImportInBatches(t *testing.T) {
	var records []string
	for n := range 1050 {
		records = append(records, record(fmt.Sprint(n), ""))
	}
	x, _ := newImportTest(t, records)
	d := x.started("ImportTable", importOf())
	assert.Equal(t, []any{"COMPLETED", 1050.0, 0.0},
		[]any{d["ImportStatus"], d["ImportedItemCount"], d["ErrorCount"]})
	assert.Equal(t, "1050", x.count())
}

func TestImportThatFindsNothingMakesNoTable(t *testing.T) {
	x, b := newImportTest(t, nil)
	b.refuse = &transfers.Error{
		Code: "NoSuchBucket", Message: "The specified bucket does not exist",
	}
	d := x.started("ImportTable", importOf())
	assert.Equal(t, []any{"FAILED", "S3NoSuchBucket"}, []any{d["ImportStatus"], d["FailureCode"]})
	assert.JSONEq(t, `{"TableNames":[]}`, x.ok("ListTables", `{}`))
}

func TestTableIsBeingCreatedWhileItIsImported(t *testing.T) {
	x, b := newImportTest(t, []string{record("1", "")}, WithTableDelays(time.Minute, 0, 0))
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	done := make(chan map[string]any)
	go func() { done <- x.started("ImportTable", importOf(`"ClientToken":"t"`)) }()
	<-b.holding
	assert.Equal(t, `"CREATING"`, x.table("table", "TableStatus"))
	x.fails("GetItem", getItem1, notFound)
	x.ok("ImportTable", importOf(`"ClientToken":"t"`, `"InputCompressionType":"GZIP"`)) // again
	x.fails("ImportTable", importOf(), inUse+"Table is being created: table")
	x.fails("DeleteTable", `{"TableName":"table"}`, inUse+"Table is being created: table")
	close(b.hold)
	d := <-done
	assert.Equal(t, "IN_PROGRESS", d["ImportStatus"], "the delay has not passed")
	x.fails("GetItem", getItem1, notFound)

	x.now = x.now.Add(time.Minute)
	d = x.described("DescribeImport", "ImportArn", d["ImportArn"].(string))
	assert.Equal(t, "COMPLETED", d["ImportStatus"])
	assert.Equal(t, "1", x.count())
}

func TestImportTokensAndLists(t *testing.T) {
	x, b := newImportTest(t, nil)
	b.sources["src"] = []string{record("1", "")}
	d := x.started("ImportTable", importOf(`"ClientToken":"t"`))
	x.fails("ImportTable", strings.Replace(importOf(`"ClientToken":"t"`), `"table"`, `"other"`, 1),
		"ImportConflictException: Import conflict: Duplicate request detected with conflicting parameters")
	for _, again := range []string{importOf(), importOf(`"ClientToken":"t"`)} {
		x.fails("ImportTable", again, "ResourceInUseException: Table already exists: table")
	}

	x.now = x.now.Add(time.Second)
	second := x.started("ImportTable", strings.Replace(importOf(), `"table"`, `"second"`, 1))
	page := `{"PageSize":1}`
	assert.Equal(t, fmt.Sprintf("%q", second["ImportArn"]),
		x.member("ListImports", page, "ImportSummaryList", 0, "ImportArn"))
	token := x.member("ListImports", page, "NextToken")
	assert.Equal(t, fmt.Sprintf("%q", d["ImportArn"]),
		x.member("ListImports", `{"PageSize":1,"NextToken":`+token+`}`, "ImportSummaryList", 0,
			"ImportArn"))
	assert.Empty(t, x.member("ListImports", `{"PageSize":1,"NextToken":`+token+`}`, "NextToken"))
	assert.Equal(t, `"COMPLETED"`,
		x.member("ListImports", `{"TableArn":"`+tableARN+`"}`, "ImportSummaryList", 0,
			"ImportStatus"))
}

func TestImportReadsWhatItIsAskedTo(t *testing.T) {
	x, _ := newImportTest(t, nil)
	in := strings.Replace(
		importOf(`"InputCompressionType":"ZSTD"`,
			`"InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["pk","a"]}}`),
		"DYNAMODB_JSON", "CSV", 1)
	in = strings.Replace(in, `"S3KeyPrefix"`, `"S3BucketOwner":"111122223333","S3KeyPrefix"`, 1)
	var asked *transfers.Source
	x.emulator.service.Buckets = sourceFunc(func(s *transfers.Source) { asked = s })
	x.started("ImportTable", in)
	assert.Equal(
		t, &transfers.Source{Location: transfers.Location{Bucket: "bucket", Owner: "111122223333",
			Prefix: "src"}, Format: "CSV", Compression: "ZSTD", Delimiter: ";",
			Headers: []string{"pk", "a"}, KeyTypes: map[string]string{"pk": "S", "a": "N"}}, asked)
}

func TestImportChecks(t *testing.T) {
	x, b := newImportTest(t, nil)
	const invalid = "ValidationException: One or more parameter values were invalid: "
	csv := func(headers string) string {
		return strings.Replace(
			importOf(`"InputFormatOptions":{"Csv":{"HeaderList":[`+headers+`]}}`), "DYNAMODB_JSON",
			"CSV", 1)
	}
	x.refused([]attempt{
		{"options of another format", "ImportTable", importOf(`"InputFormatOptions":{"Csv":{}}`),
			"ValidationException: Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON."},
		{"a header that occurs twice", "ImportTable", csv(`"a","b","a"`),
			invalid + "HeaderList has a duplicate header: a"},
		{"a table that cannot be", "ImportTable",
			strings.Replace(importOf(), onDemandBilling, `"BillingMode":"PROVISIONED"`, 1),
			invalid + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"no import", "DescribeImport",
			`{"ImportArn":"` + tableARN + `/import/00000000000000-00000000"}`,
			"ImportNotFoundException: Import not found: " + tableARN +
				"/import/00000000000000-00000000"},
		{"a token of no page", "ListImports", `{"NextToken":"` + strings.Repeat("00", 56) + `"}`,
			"ValidationException: Invalid Request: Provided nextToken is invalid: " +
				strings.Repeat("00", 56)},
	})
	assert.Empty(t, b.exports)
	require.NoError(t, x.account().Store.View(func(*storage.Tx) error {
		assert.Empty(t, jobs.JobsOf(x.account()).Known)
		return nil
	}))
}

// TestImportLimit: the 51st import has to wait.
func TestImportLimit(t *testing.T) {
	x, _ := newImportTest(t, nil, WithTableDelays(time.Hour, 0, 0))
	in := func(n int) string {
		return strings.Replace(importOf(), `"table"`, fmt.Sprintf(`"table%d"`, n), 1)
	}
	for n := range jobs.MaxImports {
		x.ok("ImportTable", in(n))
	}
	x.fails("ImportTable", in(jobs.MaxImports),
		"LimitExceededException: Subscriber limit exceeded: Only 50 imports can be in progress simultaneously")
	x.now = x.now.Add(time.Hour)
	x.ok("ImportTable", in(jobs.MaxImports))
}

// TestCountsOfImports: an import counts when it has ended (service facts H.3).
func TestCountsOfImports(t *testing.T) {
	x, b := newImportTest(t, []string{record("1", ""), `{"Item":{}}`},
		WithTableDelays(time.Minute, 0, 0))
	counts := func() string {
		arn := x.member("ListImports", `{}`, "ImportSummaryList", 0, "ImportArn")
		var out struct{ ImportTableDescription map[string]any }
		require.NoError(t,
			json.Unmarshal([]byte(x.ok("DescribeImport", `{"ImportArn":`+arn+`}`)), &out))
		d := out.ImportTableDescription
		return fmt.Sprint([]any{d["ProcessedItemCount"], d["ImportedItemCount"],
			d["ErrorCount"], d["ProcessedSizeBytes"]})
	}
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	done := make(chan map[string]any)
	go func() { done <- x.started("ImportTable", importOf()) }()
	<-b.holding
	assert.Equal(t, "[0 0 0 <nil>]", counts(), "nothing is read")
	close(b.hold)
	<-done
	assert.Equal(t, "[0 0 0 200]", counts(), "all is read")
	x.now = x.now.Add(time.Minute)
	assert.Equal(t, "[2 1 1 200]", counts(), "it has ended")
}
