package emulator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memoryBuckets are buckets in memory: what is exported, what can be read, and what is reported.
type memoryBuckets struct {
	exports map[string]*memoryExport // exports by ID
	sources map[string][]string      // sources by prefix: records, or errors if they begin with "!"
	// sizes of the objects by prefix; the default is 10 bytes for a record
	sizes   map[string]int64
	reports map[string]*memoryReport // reports by ID
	version string                   // the version of all sources
	refuse  error                    // the error of all calls
	hold    chan struct{}            // a Write or Next waits until it is closed; nil: it does not
	free    int                      // the records of a source that are read without waiting
	holding chan struct{}            // closed when one waits
}

func newMemoryBuckets() *memoryBuckets {
	return &memoryBuckets{
		exports: map[string]*memoryExport{}, sources: map[string][]string{},
		reports: map[string]*memoryReport{},
	}
}

// wait waits while the buckets are held.
func (b *memoryBuckets) wait(ctx context.Context) error {
	if b.hold == nil {
		return nil
	}
	select {
	case <-b.holding:
	default:
		close(b.holding)
	}
	select {
	case <-b.hold:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type memoryExport struct {
	*transfers.Export
	in      *memoryBuckets
	ctx     context.Context
	records []transfers.ExportRecord
	sum     *transfers.ExportSum
	aborted bool
}

func (b *memoryBuckets) Export(ctx context.Context, e *transfers.Export) (transfers.ExportWriter,
	error) {
	b.exports[e.ID] = &memoryExport{Export: e, in: b, ctx: ctx}
	return b.exports[e.ID], b.refuse
}

func (e *memoryExport) Write(r *transfers.ExportRecord) error {
	e.records = append(e.records, *r)
	return e.in.wait(e.ctx)
}

func (e *memoryExport) Close(sum *transfers.ExportSum) (string, error) {
	e.sum = sum
	return e.Prefix + "/manifest", nil
}

func (e *memoryExport) Abort() { e.aborted = true }

type memorySource struct {
	in      *memoryBuckets
	ctx     context.Context
	key     string
	records []string
	next    int
}

func (b *memoryBuckets) Read(ctx context.Context, s *transfers.Source) (transfers.SourceReader,
	error) {
	return &memorySource{in: b, ctx: ctx, key: s.Prefix, records: b.sources[s.Prefix]}, b.refuse
}

func (s *memorySource) Next() (*transfers.SourceRecord, error) {
	if s.next >= s.in.free {
		if err := s.in.wait(s.ctx); err != nil {
			return nil, err
		}
	}
	if s.next == len(s.records) {
		return nil, io.EOF
	}
	r := &transfers.SourceRecord{Key: s.key, Index: int64(s.next), Text: s.records[s.next]}
	if text, bad := strings.CutPrefix(r.Text, "!"); bad {
		r.Text, r.Err = "", errors.New(text)
	}
	s.next++
	return r, nil
}

func (s *memorySource) Progress() transfers.SourceProgress {
	p := transfers.SourceProgress{
		Unpacked: int64(100 * s.next), Stored: int64(10 * s.next),
		Total: int64(10 * len(s.records)), Objects: s.in.version,
	}
	if size, known := s.in.sizes[s.key]; known {
		p.Total = size
	}
	return p
}

func (s *memorySource) Close() error { return nil }

type memoryReport struct {
	*transfers.Report
	entries []transfers.ReportEntry
	closed  bool
}

func (b *memoryBuckets) Report(_ context.Context, r *transfers.Report) (transfers.ReportWriter,
	error) {
	b.reports[r.ID] = &memoryReport{Report: r}
	return b.reports[r.ID], b.refuse
}

func (r *memoryReport) Write(e *transfers.ReportEntry) (*transfers.ReportObject, error) {
	r.entries = append(r.entries, *e)
	return nil, nil
}

func (r *memoryReport) Close() error { r.closed = true; return nil }

func (r *memoryReport) Abort() {}

const tableARN = "arn:aws:dynamodb:us-east-1:000000000000:table/table"

// newExportTest has the table "table" with the keys pk and sk, whose recovery is enabled.
func newExportTest(t *testing.T, options ...Option) (*requestTest, *memoryBuckets) {
	b := newMemoryBuckets()
	x := newTableTest(t, append(options, WithBuckets(b))...)
	x.indexedTable()
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	return x, b
}

// exportOf is a request to export the table.
func exportOf(members ...string) string {
	return `{"TableArn":"` + tableARN + `","S3Bucket":"bucket"` +
		strings.Join(append([]string{""}, members...), ",") + `}`
}

// started sends a request that begins a job and returns the description of its end.
func (x *requestTest) started(op, request string) (description map[string]any) {
	x.Helper()
	var answer map[string]map[string]any
	require.NoError(x, json.Unmarshal([]byte(x.ok(op, request)), &answer))
	for _, d := range answer {
		for member, describe := range map[string]string{
			"ExportArn": "DescribeExport", "ImportArn": "DescribeImport",
			"BulkOperationArn": "DescribeBulkOperation",
		} {
			if arn, ok := d[member].(string); ok {
				return x.described(describe, member, arn)
			}
		}
	}
	require.Fail(x, "no ARN", "%v", answer)
	return nil
}

// described describes a job once its work has ended.
func (x *requestTest) described(op, member, arn string) map[string]any {
	x.Helper()
	x.emulator.service.Runs.Wait()
	var answer map[string]map[string]any
	require.NoError(x,
		json.Unmarshal([]byte(x.ok(op, fmt.Sprintf(`{%q:%q}`, member, arn))), &answer))
	for _, d := range answer {
		return d
	}
	return nil
}

// exported returns the records of an export: their new and old images.
func (b *memoryBuckets) exported(d map[string]any) (records []string) {
	arn := d["ExportArn"].(string)
	for _, r := range b.exports[arn[strings.LastIndexByte(arn, '/')+1:]].records {
		text := string(r.New)
		if r.Keys != "" {
			text = fmt.Sprintf("%s: %s to %s", r.Keys, r.Old, r.New)
		}
		records = append(records, text)
	}
	return records
}

func TestFullExportIsOfItsTime(t *testing.T) {
	x, b := newExportTest(t)
	x.putValue("table", "1", "one")
	x.now = x.now.Add(time.Minute)
	at := x.now
	x.now = x.now.Add(time.Minute)
	x.putValue("table", "1", "two")
	x.putValue("table", "2", "two")

	d := x.started("ExportTableToPointInTime",
		exportOf(fmt.Sprintf(`"ExportTime":%d`, at.Unix()), `"S3Prefix":"p"`, `"ClientToken":"t"`))
	assert.Equal(t, []string{`{"a":{"S":"one"},"b":{"S":"one"},"pk":{"S":"1"},"sk":{"S":"1"}}`},
		b.exported(d))
	assert.Equal(t, "COMPLETED", d["ExportStatus"])
	assert.Equal(t, "p/manifest", d["ExportManifest"])
	assert.Equal(t, 1.0, d["ItemCount"])
	assert.Greater(t, d["BilledSizeBytes"], 0.0)
	assert.Equal(t, float64(at.Unix()), d["ExportTime"])
	assert.Nil(t, d["ExportType"], "service facts T.23")
	assert.Equal(t, "DYNAMODB_JSON", d["ExportFormat"])
	assert.Equal(t, "t", d["ClientToken"])

	latest := x.started("ExportTableToPointInTime", exportOf())
	assert.Len(t, b.exported(latest), 2, "the time of the request is the default")
	assert.NotContains(t, latest, "IncrementalExportSpecification")
}

func TestIncrementalExportHasTheChangesOfItsPeriod(t *testing.T) {
	x, b := newExportTest(t)
	x.putValue("table", "stays", "1")
	x.putValue("table", "changes", "1")
	x.putValue("table", "goes", "1")
	x.now = x.now.Add(time.Hour)
	from := x.now
	x.putValue("table", "changes", "2")
	x.putValue("table", "comes", "1")
	x.putValue("table", "passes", "1")
	x.ok("DeleteItem", `{"TableName":"table","Key":{"pk":{"S":"goes"},"sk":{"S":"1"}}}`)
	x.ok("DeleteItem", `{"TableName":"table","Key":{"pk":{"S":"passes"},"sk":{"S":"1"}}}`)
	x.now = x.now.Add(time.Hour)
	to := x.now
	x.putValue("table", "changes", "3")
	x.now = x.now.Add(time.Hour)

	period := fmt.Sprintf(`"ExportFromTime":%d,"ExportToTime":%d`, from.Unix(), to.Unix())
	image := func(pk, v string) string {
		return fmt.Sprintf(`{"a":{"S":%q},"b":{"S":%q},"pk":{"S":%q},"sk":{"S":"1"}}`, v, v, pk)
	}
	key := func(pk string) string { return fmt.Sprintf(`{"pk":{"S":%q},"sk":{"S":"1"}}: `, pk) }
	for _, tc := range []struct {
		view, members string
		want          []string
	}{
		{"NEW_AND_OLD_IMAGES", "", []string{
			key("changes") + image("changes", "1") + " to " + image("changes", "2"),
			key("comes") + " to " + image("comes", "1"),
			key("goes") + image("goes", "1") + " to "}},
		{"NEW_IMAGE", `,"ExportViewType":"NEW_IMAGE"`, []string{
			key("changes") + " to " + image("changes", "2"),
			key("comes") + " to " + image("comes", "1"),
			key("goes") + " to "}},
	} {
		d := x.started("ExportTableToPointInTime",
			exportOf(`"ExportType":"INCREMENTAL_EXPORT"`,
				`"IncrementalExportSpecification":{`+period+tc.members+`}`))
		assert.ElementsMatch(t, tc.want, b.exported(d), tc.view)
		assert.Equal(t,
			map[string]any{
				"ExportFromTime": float64(from.Unix()), "ExportToTime": float64(to.Unix()),
				"ExportViewType": tc.view,
			},
			d["IncrementalExportSpecification"])
		assert.Equal(t, 3.0, d["ItemCount"])
	}
}

func TestExportFilters(t *testing.T) {
	x, b := newExportTest(t)
	x.putValue("table", "1", "one")
	x.putValue("table", "2", "two")
	for _, tc := range []struct {
		name, filter string
		want         []string
	}{
		{"a filter", `"FilterExpression":"a = :v","ExpressionAttributeValues":{":v":{"S":"two"}}`,
			[]string{`{"a":{"S":"two"},"b":{"S":"two"},"pk":{"S":"2"},"sk":{"S":"1"}}`}},
		{"a filter on the key",
			`"FilterExpression":"pk = :v","ProjectionExpression":"a","ExpressionAttributeValues":{":v":{"S":"1"}}`, []string{`{"a":{"S":"one"}}`}},
		{"a key condition and a projection",
			`"KeyConditionExpression":"#p = :v","ProjectionExpression":"#p, b","ExpressionAttributeNames":{"#p":"pk"},"ExpressionAttributeValues":{":v":{"S":"2"}}`,
			[]string{`{"b":{"S":"two"},"pk":{"S":"2"}}`}},
	} {
		d := x.started("ExportTableToPointInTime",
			exportOf(`"FilterSpecification":{`+tc.filter+`}`))
		assert.Equal(t, tc.want, b.exported(d), tc.name)
		assert.Contains(t, d, "FilterSpecification")
	}
}

func TestExportTokens(t *testing.T) {
	x, b := newExportTest(t)
	first := x.started("ExportTableToPointInTime", exportOf(`"ClientToken":"t"`))
	x.now = x.now.Add(8*time.Hour - 1)
	assert.Equal(t, first, x.started("ExportTableToPointInTime", exportOf(`"ClientToken":"t"`)))
	x.fails("ExportTableToPointInTime", exportOf(`"ClientToken":"t"`, `"S3Prefix":"other"`),
		"ExportConflictException: Export conflict: Duplicate request detected with conflicting parameters")
	assert.Len(t, b.exports, 1)
	x.now = x.now.Add(1)
	assert.NotEqual(t, first["ExportArn"],
		x.started("ExportTableToPointInTime", exportOf(`"ClientToken":"t"`))["ExportArn"])
}

func TestExportsThatFail(t *testing.T) {
	x, b := newExportTest(t)
	b.refuse = &transfers.Error{Code: "AccessDenied", Message: "Access Denied"}
	d := x.started("ExportTableToPointInTime", exportOf())
	assert.Equal(t, []any{"FAILED", "S3AccessDenied", "Access Denied"},
		[]any{d["ExportStatus"], d["FailureCode"], d["FailureMessage"]})
	assert.NotContains(t, d, "ExportManifest")

	b.refuse = nil
	d = x.started("ExportTableToPointInTime", exportOf(`"S3SseAlgorithm":"KMS"`,
		`"S3SseKmsKeyId":"arn:aws:kms:eu-north-1:000000000000:key/1a2b"`))
	assert.Equal(t, []any{"FAILED", "KmsNotFoundException"}, // ack-api-quirks, DDB-EXPORT-005
		[]any{d["ExportStatus"], d["FailureCode"]})

	x.emulator.service.Buckets = nil
	assert.Equal(t, "S3NoSuchBucket",
		x.started("ExportTableToPointInTime", exportOf())["FailureCode"])
}

func TestExportIsInProgressForTheDelay(t *testing.T) {
	x := newTableTest(t, WithTableDelays(time.Minute, 0, 0), WithBuckets(newMemoryBuckets()))
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.now = x.now.Add(time.Hour)
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	d := x.started("ExportTableToPointInTime", exportOf())
	assert.Equal(t, "IN_PROGRESS", d["ExportStatus"])
	assert.NotContains(t, d, "EndTime")
	x.now = x.now.Add(time.Minute)
	d = x.described("DescribeExport", "ExportArn", d["ExportArn"].(string))
	assert.Equal(t, "COMPLETED", d["ExportStatus"])
	assert.Equal(t, float64(x.now.Unix()), d["EndTime"])
}

func TestExportReadsNoLaterWrites(t *testing.T) {
	b := newMemoryBuckets()
	x := newTableTest(t, WithBuckets(b))
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling)
	x.ok("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	x.ok("PutItem", `{"TableName":"table","Item":{"pk":{"S":"1"}}}`)
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	answer := make(chan map[string]any)
	go func() { answer <- x.started("ExportTableToPointInTime", exportOf()) }()
	<-b.holding
	x.ok("PutItem", `{"TableName":"table","Item":{"pk":{"S":"1"},"later":{"S":"1"}}}`)
	x.ok("DeleteTable", `{"TableName":"table"}`)
	close(b.hold)
	d := <-answer
	assert.Equal(t, "COMPLETED", d["ExportStatus"])
	assert.Equal(t, []string{`{"pk":{"S":"1"}}`}, b.exported(d))
}

func TestListExports(t *testing.T) {
	x, _ := newExportTest(t)
	var arns []string
	for range 3 {
		begun := x.started("ExportTableToPointInTime", exportOf())["ExportArn"].(string)
		arns = append([]string{begun}, arns...)
		x.now = x.now.Add(time.Second)
	}
	var listed []string
	token := ""
	for page := 0; page == 0 || token != ""; page++ {
		var answer struct {
			ExportSummaries []struct{ ExportArn, ExportStatus, ExportType string }
			NextToken       string
		}
		more := ""
		if token != "" {
			more = `,"NextToken":"` + token + `"`
		}
		require.NoError(t,
			json.Unmarshal(
				[]byte(x.ok("ListExports", `{"MaxResults":2,"TableArn":"`+tableARN+`"`+more+`}`)),
				&answer))
		for _, s := range answer.ExportSummaries {
			assert.Equal(t, "COMPLETED FULL_EXPORT", s.ExportStatus+" "+s.ExportType)
			listed = append(listed, s.ExportArn)
		}
		token = answer.NextToken
	}
	assert.Equal(t, arns, listed)
	assert.JSONEq(t, `{"ExportSummaries":[]}`, x.ok("ListExports", `{"TableArn":"`+tableARN+`2"}`))
	x.fails("ListExports", `{"NextToken":"x"}`,
		"ValidationException: Invalid Request: Provided nextToken is invalid: x")
	x.now = x.now.Add(91 * backups.Day)
	assert.JSONEq(t, `{"ExportSummaries":[]}`, x.ok("ListExports", `{}`))
	x.fails("DescribeExport", `{"ExportArn":"`+arns[0]+`"}`,
		"ExportNotFoundException: Export not found: Export not found: "+arns[0])
}

func TestExportChecks(t *testing.T) {
	x, b := newExportTest(t)
	x.create("bare", defs("pk"), keySchema("pk"), onDemandBilling)
	x.now = x.now.Add(48 * time.Hour)
	at := func(d time.Duration) int64 { return x.now.Add(d).Unix() }
	incremental := func(members string) string {
		return exportOf(`"ExportType":"INCREMENTAL_EXPORT"`,
			`"IncrementalExportSpecification":{`+members+`}`)
	}
	const (
		invalid = "ValidationException: One or more parameter values were invalid: "
		outside = "InvalidExportTimeException: Export Time is invalid"
		request = "ValidationException: Invalid Request: "
		period  = "InvalidExportTimeException: The export period must be at least 15 minutes and at most 24 hours"
	)
	x.refused([]attempt{
		{"no table", "ExportTableToPointInTime",
			strings.Replace(exportOf(), "/table", "/tables", 1),
			"TableNotFoundException: Table not found: " + tableARN + "s"},
		{"no recovery", "ExportTableToPointInTime",
			strings.Replace(exportOf(), "table/table", "table/bare", 1),
			"PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'bare'"},
		{"no ARN", "ExportTableToPointInTime", strings.Replace(exportOf(), tableARN, "table", 1),
			invalid + "tableArn is not a valid ARN"},
		{"before the window", "ExportTableToPointInTime",
			exportOf(fmt.Sprintf(`"ExportTime":%d`, testTime.Add(-time.Minute).Unix())), outside},
		{"in the future", "ExportTableToPointInTime",
			exportOf(fmt.Sprintf(`"ExportTime":%d`, at(time.Second))), outside},
		{"no specification", "ExportTableToPointInTime",
			exportOf(`"ExportType":"INCREMENTAL_EXPORT"`),
			request + "Incremental Export Specification expected when export type is set as Incremental Export"},
		{"no beginning", "ExportTableToPointInTime", incremental(""),
			request + "ExportFromTime must be provided in IncrementalExportSpecification"},
		{"a specification for nothing", "ExportTableToPointInTime",
			exportOf(`"IncrementalExportSpecification":{}`),
			request + "Export Type expected to be Incremental Export when incremental export specification is provided"},
		{"a specification for a full export", "ExportTableToPointInTime",
			exportOf(`"ExportType":"FULL_EXPORT","IncrementalExportSpecification":{}`),
			request + "When Export Type is Full Export , Incremental Export Specification should not be provided"},
		{"a period that is too short", "ExportTableToPointInTime",
			incremental(fmt.Sprintf(`"ExportFromTime":%d`, at(-14*time.Minute))),
			"InvalidExportTimeException: Difference between export period from time and export period to time is less than 15 minutes"},
		{"a period that is too long", "ExportTableToPointInTime",
			incremental(fmt.Sprintf(`"ExportFromTime":%d`, at(-25*time.Hour))), period},
		{"a period before the window", "ExportTableToPointInTime",
			incremental(
				fmt.Sprintf(`"ExportFromTime":%d,"ExportToTime":%d`,
					testTime.Add(-time.Hour).Unix(), testTime.Add(time.Hour).Unix())),
			"InvalidExportTimeException: Incremental export period from time cannot be less than the table creation time : " +
				testTime.Add(-time.Hour).UTC().Format(time.RFC3339)},
		{"a key without KMS", "ExportTableToPointInTime", exportOf(`"S3SseKmsKeyId":"k"`),
			request + "KMS Key Id is not supported for this encryption type"},
		{"a filter that is none", "ExportTableToPointInTime",
			exportOf(`"FilterSpecification":{"FilterExpression":"a ="}`),
			`ValidationException: Invalid FilterExpression: Syntax error; token: "<EOF>", near: "="`},
		{"a filter on the key of a condition", "ExportTableToPointInTime",
			exportOf(`"FilterSpecification":{"KeyConditionExpression":"pk = :v","FilterExpression":"sk = :v","ExpressionAttributeValues":{":v":{"S":"1"}}}`),
			"ValidationException: Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"},
		{"no export", "DescribeExport",
			`{"ExportArn":"` + tableARN + `/export/00000000000000-00000000"}`,
			"ExportNotFoundException: Export not found: Export not found: " + tableARN +
				"/export/00000000000000-00000000"},
		{"no ARN of an export", "DescribeExport", `{"ExportArn":"` + tableARN + `/backup/1"}`,
			"ValidationException: Invalid Export ARN"},
	})
	assert.Empty(t, b.exports)
}

// sourceFunc is told which sources are read, which are empty.
type sourceFunc func(*transfers.Source)

func (f sourceFunc) Read(_ context.Context, s *transfers.Source) (transfers.SourceReader, error) {
	f(s)
	return &memorySource{in: newMemoryBuckets()}, nil
}

func (sourceFunc) Export(context.Context, *transfers.Export) (transfers.ExportWriter, error) {
	return nil, errors.ErrUnsupported
}

func (sourceFunc) Report(context.Context, *transfers.Report) (transfers.ReportWriter, error) {
	return nil, errors.ErrUnsupported
}
