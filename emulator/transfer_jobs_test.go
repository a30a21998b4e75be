package emulator

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/jobs"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// heldBuckets are buckets with the source "src" of a thousand records, whose reading can be held.
func heldBuckets() *memoryBuckets {
	b := newMemoryBuckets()
	for n := range 1000 {
		b.sources["src"] = append(b.sources["src"], record(fmt.Sprint(n), ""))
	}
	return b
}

// begin sends a request that begins a job and returns its ARN. It does not wait for the job if the
// buckets are held.
func (x *requestTest) begin(b *memoryBuckets, op, request string) (arn string) {
	x.Helper()
	answer := make(chan string, 1)
	go func() { answer <- x.do(op, request) }()
	if b.hold != nil {
		<-b.holding
		x.emulator.stopAwaiting()
	}
	var out map[string]map[string]any
	require.NoError(x, json.Unmarshal([]byte(<-answer), &out))
	for _, d := range out {
		for _, member := range []string{"ExportArn", "ImportArn", "BulkOperationArn"} {
			if d[member] != nil {
				return d[member].(string)
			}
		}
	}
	return ""
}

// stopAwaiting answers the requests that wait for their jobs.
func (e *Emulator) stopAwaiting() {
	e.service.Runs.Settle()
}

// state returns the status and the failure of a job.
func (x *requestTest) state(op, arn string) string {
	x.Helper()
	member := map[string]string{
		"DescribeExport": "ExportArn", "DescribeImport": "ImportArn",
		"DescribeBulkOperation": "BulkOperationArn",
	}[op]
	var out map[string]map[string]any
	answer := x.do(op, fmt.Sprintf(`{%q:%q}`, member, arn))
	require.NoError(x, json.Unmarshal([]byte(answer), &out), answer)
	for _, d := range out {
		for _, status := range []string{"ExportStatus", "ImportStatus", "BulkOperationStatus"} {
			if d[status] != nil {
				return strings.TrimSuffix(fmt.Sprint(d[status], " ", d["FailureCode"]), " <nil>")
			}
		}
	}
	return answer
}

// describes returns the operation that describes the jobs of another.
func describes(op string) string {
	return map[string]string{
		"ExportTableToPointInTime": "DescribeExport", "ImportTable": "DescribeImport",
		"StartBulkPutItems": "DescribeBulkOperation",
	}[op]
}

// creationOf creates a table.
func creationOf(table string) string {
	return tableRequest(table, defs("pk"), keySchema("pk"), onDemandBilling)
}

func TestJobsAreKept(t *testing.T) {
	b := heldBuckets()
	x := newDurableTest(t, WithBuckets(b))
	imported := x.begin(b, "ImportTable", importOf(`"ClientToken":"t"`))
	x.mustDo("UpdateContinuousBackups", tableRequest("table", recoveryOn))
	exported := x.begin(b, "ExportTableToPointInTime",
		exportOf(`"FilterSpecification":{"FilterExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"1"}}}`))
	bulk := x.begin(b, "StartBulkPutItems", bulkOf(`"MaxWriteRequestUnits":100000`))
	x.emulator.service.Runs.Wait()
	x.reopen(`DescribeImport {"ImportArn":"`+imported+`"}`,
		`DescribeExport {"ExportArn":"`+exported+`"}`,
		`DescribeBulkOperation {"BulkOperationArn":"`+bulk+`"}`,
		`ListImports {}`, `ListExports {}`, `ListBulkOperations {}`,
		`DescribeTable {"TableName":"table"}`, `ImportTable `+importOf(`"ClientToken":"t"`))
	assert.Equal(t, "COMPLETED", x.state("DescribeImport", imported))
	assert.Equal(t, "COMPLETED", x.state("DescribeExport", exported))
	assert.Equal(t, "COMPLETED", x.state("DescribeBulkOperation", bulk))
}

// TestJobsThatAreInterruptedGoOn: what was in progress when the service ended ends after the next
// start, with the same counts.
func TestJobsThatAreInterruptedGoOn(t *testing.T) {
	b, clock := heldBuckets(), NewClock(testTime)
	x := newDurableTest(t, WithBuckets(b), WithHeldClock(clock))
	x.mustDo("CreateTable", tableRequest("other", defs("pk"), keySchema("pk"), onDemandBilling))
	x.mustDo("PutItem", `{"TableName":"other","Item":{"pk":{"S":"x"}}}`)
	x.mustDo("UpdateContinuousBackups", tableRequest("other", recoveryOn))
	b.hold = make(chan struct{})
	begin := func(op, request string) (arn string) {
		b.holding = make(chan struct{})
		return x.begin(b, op, request)
	}
	exported := begin("ExportTableToPointInTime",
		strings.Replace(exportOf(), "table/table", "table/other", 1))
	imported := begin("ImportTable", importOf())
	bulk := begin("StartBulkPutItems", strings.Replace(bulkOf(), `"table"`, `"other"`, 1))
	clock.Advance(time.Second)
	x.mustDo("PutItem", `{"TableName":"other","Item":{"pk":{"S":"later"}}}`)
	assert.Equal(t, "IN_PROGRESS", x.state("DescribeImport", imported))

	require.NoError(t, x.emulator.Close())
	close(b.hold)
	b.hold = nil
	x.open()
	x.emulator.service.Runs.Wait()
	assert.Equal(t, "COMPLETED", x.state("DescribeImport", imported))
	assert.Contains(t, x.do("DescribeImport", `{"ImportArn":"`+imported+`"}`),
		`"ProcessedSizeBytes":100000,"ProcessedItemCount":1000,"ImportedItemCount":1000`)
	assert.Contains(t, x.do("Scan", `{"TableName":"table","Select":"COUNT"}`), `"Count":1000,`)
	assert.Contains(t, x.do("DescribeTable", `{"TableName":"table"}`), `"TableStatus":"ACTIVE"`)
	assert.Equal(t, "COMPLETED", x.state("DescribeBulkOperation", bulk))
	assert.Contains(t, x.do("Scan", `{"TableName":"other","Select":"COUNT"}`), `"Count":1002,`)
	assert.Equal(t, "COMPLETED", x.state("DescribeExport", exported))
	assert.Equal(t, []string{`{"pk":{"S":"x"}}`}, b.exported(map[string]any{"ExportArn": exported}),
		"as of its time")
	x.reopen(`DescribeImport {"ImportArn":"`+imported+`"}`, `DescribeTable {"TableName":"table"}`)
}

// TestJobsThatCannotGoOnHaveFailed: the code says why.
func TestJobsThatCannotGoOnHaveFailed(t *testing.T) {
	b := heldBuckets()
	x := newDurableTest(t, WithBuckets(b))
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	imported := x.begin(b, "ImportTable", importOf())
	x.mustDo("CreateTable", tableRequest("other", defs("pk"), keySchema("pk"), onDemandBilling))
	x.mustDo("PutItem", `{"TableName":"other","Item":{"pk":{"S":"x"}}}`)
	x.mustDo("UpdateContinuousBackups", tableRequest("other", recoveryOn))
	var exported []string
	for range 2 {
		b.holding = make(chan struct{})
		exported = append(exported,
			x.begin(b, "ExportTableToPointInTime",
				strings.Replace(exportOf(), "table/table", "table/other", 1)))
	}
	x.mustDo("UpdateContinuousBackups",
		tableRequest("other", strings.Replace(recoveryOn, "true", "false", 1)))

	require.NoError(t, x.emulator.Close())
	x.opts = nil
	x.open()
	x.emulator.service.Runs.Wait()
	assert.Equal(t, "FAILED S3NoSuchBucket", x.state("DescribeImport", imported))
	assert.Contains(t, x.do("DescribeTable", `{"TableName":"table"}`), `"TableStatus":"ACTIVE"`)
	for _, arn := range exported {
		assert.Equal(t, "FAILED PointInTimeRecoveryUnavailableException",
			x.state("DescribeExport", arn))
	}
}

// TestJobsOfChangedSourcesFail: a job that has read a part of its objects does not go on with
// others.
func TestJobsOfChangedSourcesFail(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after string // the versions
		read          int    // records, before the interruption
		want          string
	}{
		{"the same", "1", "1", 500, "COMPLETED"},
		{"not known", "", "", 500, "COMPLETED"},
		{"changed", "1", "2", 500, "FAILED S3PreconditionFailed"},
		{"changed, but nothing was read", "1", "2", 0, "COMPLETED"},
	} {
		for op, request := range map[string]string{
			"ImportTable":       importOf(),
			"StartBulkPutItems": strings.Replace(bulkOf(), `"table"`, `"other"`, 1),
		} {
			t.Run(c.name+" "+op, func(t *testing.T) {
				b := heldBuckets()
				x := newDurableTest(t, WithBuckets(b))
				x.mustDo("CreateTable", creationOf("other"))
				b.version, b.free, b.hold, b.holding = c.before, c.read, make(chan struct{}), make(
					chan struct{})
				arn := x.begin(b, op, request)
				require.NoError(t, x.emulator.Close())
				b.version, b.hold = c.after, nil
				x.open()
				x.emulator.service.Runs.Wait()
				assert.Equal(t, c.want, x.state(describes(op), arn))
			})
		}
	}
}

// crash ends the emulator as the end of its process would: nothing is written any more.
func (x *durableTest) crash() {
	left := filepath.Join(x.T.TempDir(), "data")
	require.NoError(x, os.CopyFS(left, os.DirFS(x.dir)))
	require.NoError(x, x.emulator.Close())
	x.dir = left
}

// TestJobsThatEndTheProcess: a job that has not survived three starts in a row is given up.
func TestJobsThatEndTheProcess(t *testing.T) {
	for _, c := range []struct {
		name string
		ends string // the end of each start: a crash, a stop, or a crash after records
		want string
	}{
		{"three crashes", "ccc", "FAILED Interrupted"},
		{"two crashes", "cc", "COMPLETED"},
		{"a stop between crashes", "ccsc", "COMPLETED"},
		{"stops", "ssss", "COMPLETED"},
	} {
		for op, request := range map[string]string{
			"ImportTable":       importOf(),
			"StartBulkPutItems": strings.Replace(bulkOf(), `"table"`, `"other"`, 1),
			"ExportTableToPointInTime": strings.Replace(exportOf(), "table/table", "table/other",
				1),
		} {
			t.Run(c.name+" "+op, func(t *testing.T) {
				b := heldBuckets()
				x := newDurableTest(t, WithBuckets(b))
				x.mustDo("CreateTable", creationOf("other"))
				x.mustDo("PutItem", `{"TableName":"other","Item":{"pk":{"S":"x"}}}`)
				x.mustDo("UpdateContinuousBackups",
					`{"TableName":"other","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
				b.hold, b.holding = make(chan struct{}), make(chan struct{})
				arn := x.begin(b, op, request)
				x.crash()
				for _, end := range c.ends {
					b.holding = make(chan struct{})
					x.open()
					<-b.holding
					if end == 's' {
						require.NoError(t, x.emulator.Close())
					} else {
						x.crash()
					}
				}
				b.hold = nil
				x.open()
				x.emulator.service.Runs.Wait()
				assert.Equal(t, c.want, x.state(describes(op), arn))
				x.mustDo("PutItem", `{"TableName":"other","Item":{"pk":{"S":"y"}}}`)
			})
		}
	}
}

// TestJobsThatGetOnAreNotGivenUp: kills between which a job writes something say nothing of it.
func TestJobsThatGetOnAreNotGivenUp(t *testing.T) {
	b := heldBuckets()
	x := newDurableTest(t, WithBuckets(b))
	b.hold, b.holding, b.free = make(chan struct{}), make(chan struct{}), 150
	arn := x.begin(b, "ImportTable", importOf())
	x.crash()
	for range 5 {
		b.free += 100
		b.holding = make(chan struct{})
		x.open()
		<-b.holding
		x.crash()
	}
	b.hold = nil
	x.open()
	x.emulator.service.Runs.Wait()
	assert.Equal(t, "COMPLETED", x.state("DescribeImport", arn))
	assert.Contains(t, x.do("Scan", `{"TableName":"table","Select":"COUNT"}`), `"Count":1000,`)
}

// TestJobsOfNoKnownKind: they do not keep the service from starting.
func TestJobsOfNoKnownKind(t *testing.T) {
	x := newDurableTest(t, WithBuckets(heldBuckets()))
	x.mustDo("CreateTable", creationOf("other"))
	a := x.emulator.service.Namespaces.All()[0]
	unknown := &jobs.Job{
		Kind: "rehearsal", ID: "1", Status: jobs.JobInProgress,
		Beginner: jobs.JobBeginner{Region: "us-east-1"},
	}
	require.NoError(t, a.Store.Update(func(tx *storage.Tx) error {
		jobs.JobsOf(a).Keep(tx, unknown)
		return nil
	}))
	x.crash()
	x.open()
	assert.Equal(t, jobs.JobFailed,
		jobs.JobsOf(x.emulator.service.Namespaces.All()[0]).Known[unknown.Key()].Status)
}

func TestForkHasNoneOfTheJobsThatRun(t *testing.T) {
	b := heldBuckets()
	x := &requestTest{T: t, emulator: New(WithBuckets(b))}
	done := x.begin(b, "ImportTable", strings.Replace(importOf(), `"table"`, `"before"`, 1))
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	running := x.begin(b, "ImportTable", importOf())
	fork := &requestTest{T: t, emulator: x.emulator.Fork()}
	snapshot := x.emulator.Snapshot()
	close(b.hold)
	x.emulator.service.Runs.Wait()

	assert.Equal(t, "COMPLETED", x.state("DescribeImport", running))
	assert.Contains(t, x.do("Scan", `{"TableName":"table","Select":"COUNT"}`), `"Count":1000`)
	for name, f := range map[string]*requestTest{"fork": fork, "snapshot": x} {
		if name == "snapshot" {
			x.emulator.Restore(snapshot)
		}
		assert.Equal(t, "COMPLETED", f.state("DescribeImport", done), name)
		assert.Equal(t, "FAILED Interrupted", f.state("DescribeImport", running), name)
		assert.Contains(t, f.do("Scan", `{"TableName":"table","Select":"COUNT"}`), `"Count":0`,
			name)
		f.emulator.check(t)
	}
}

func TestResetStopsJobs(t *testing.T) {
	b := heldBuckets()
	x := &requestTest{T: t, emulator: New(WithBuckets(b))}
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	x.begin(b, "ImportTable", importOf())
	x.emulator.Reset()
	x.emulator.service.Runs.Wait()
	assert.JSONEq(t, `{"ImportSummaryList":[]}`, x.do("ListImports", `{}`))
	assert.JSONEq(t, `{"TableNames":[]}`, x.do("ListTables", `{}`))
}

func TestJobsAreLimited(t *testing.T) {
	x, _ := newExportTest(t)
	x.ok("ExportTableToPointInTime", exportOf())
	require.NoError(t, x.account().Store.Update(func(tx *storage.Tx) error {
		known := jobs.JobsOf(x.account())
		for _, j := range known.List(func(*jobs.Job) bool { return true }) {
			for n := range jobs.MaxJobs + 10 {
				copied := *j
				copied.ID = fmt.Sprintf("%014d-%08x",
					testTime.Add(-time.Duration(n)*time.Minute).UnixMilli(), n)
				known.Keep(tx, &copied)
			}
		}
		known.Trim(tx, x.now)
		assert.Len(t, known.Known, jobs.MaxJobs)
		assert.NotContains(t, known.Known,
			"export/"+fmt.Sprintf("%014d-%08x",
				testTime.Add(-(jobs.MaxJobs+9)*time.Minute).UnixMilli(), jobs.MaxJobs+9),
			"the oldest are forgotten")
		return nil
	}))
}

// TestDamagedJobs: a record that is no job is left out, and all else opens.
func TestDamagedJobs(t *testing.T) {
	for _, c := range []struct{ name, key, text string }{
		{"cut off", "import/a", `{"Kind":`},
		{"of another key", "import/a", `{}`},
		{"nothing", "import/a", `null`},
		{"of another type", "import/a", `{"Index":"x"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			x := newDurableTest(t, WithLogger(slog.New(slog.NewTextHandler(&out, nil))))
			require.Contains(
				t, x.do("CreateTable", `{"TableName":"table","BillingMode":"PAY_PER_REQUEST",
				"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
				"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`), "TableArn")
			x.emulator.service.Namespaces.All()[0].Store.Update(func(tx *storage.Tx) error {
				tx.Keep(serve.JobState.Prefix()+c.key, c.text)
				return nil
			})
			x.reopen(`ListTables {}`, `ListImports {}`)
			require.Contains(t, out.String(), "level=ERROR")
			require.Contains(t, out.String(), c.key)
		})
	}
}

// TestTablesOfDamagedImports: a table whose import is left out does not stay CREATING, which nobody
// could end or delete.
func TestTablesOfDamagedImports(t *testing.T) {
	b := heldBuckets()
	x := newDurableTest(t, WithBuckets(b))
	b.hold, b.holding = make(chan struct{}), make(chan struct{})
	imported := x.begin(b, "ImportTable", importOf())
	assert.Contains(t, x.do("DescribeTable", `{"TableName":"table"}`), `"TableStatus":"CREATING"`)
	_, id, _ := strings.Cut(imported, "/import/")
	x.emulator.service.Namespaces.All()[0].Store.Update(func(tx *storage.Tx) error {
		tx.Keep(serve.JobState.Prefix()+"import/"+id, `{"Kind":`)
		return nil
	})
	require.NoError(t, x.emulator.Close())
	close(b.hold)

	var log strings.Builder
	x.opts = []Option{WithLogger(slog.New(slog.NewTextHandler(&log, nil)))}
	x.open()
	assert.Contains(t, x.do("DescribeTable", `{"TableName":"table"}`), `"TableStatus":"ACTIVE"`)
	assert.Contains(t, log.String(), "table=table")
	x.mustDo("DeleteTable", `{"TableName":"table"}`)
}
