package jobs

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage"
)

// maxBulkPuts is the most bulk operations in progress. The service's number is not on public
// record: this is that of imports.
const maxBulkPuts = 50

// maxBulkObject is the largest size of an object of a bulk put (Developer Guide, "Best practices
// for bulk put items in DynamoDB").
const maxBulkObject = 5 << 30

func StartBulkPutItems(c *serve.Call, in *api.StartBulkPutItemsInput) (*api.StartBulkPutItemsOutput,
	error) {
	token := in.ClientToken
	without := *in
	without.ClientToken = nil
	own, text := kept(&without)
	name, err := c.TableName(*own.TableName)
	if err != nil {
		return nil, err
	}
	if err := checkBulkOutput(own.OutputS3Configuration); err != nil {
		return nil, err
	}
	out := new(api.StartBulkPutItemsOutput)
	return out, startJob(c, &jobStart{
		kind: bulkJob, request: text, token: token, reused: items.ErrTokenReused,
		begin: func(tx *storage.Tx) (*jobRun, func() error, error) {
			r := &bulkRequest{call: c, tx: tx, name: name}
			if err := orderOfBulk.Judge(r); err != nil {
				return nil, nil, err
			}
			t := r.table
			x := &bulkRun{jobRun: beginJob(c, tx, newJob(c, bulkJob, t.Name, t.ID, text, token)),
				in: own}
			return x.jobRun, x.load, nil
		},
		describe: func(tx *storage.Tx, j *Job) {
			out.BulkOperationDescription = describeBulkJob(c, tx, j)
		},
	})
}

func StartBulkPutItemsTargets(in *api.StartBulkPutItemsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// checkBulkOutput checks an OutputS3Configuration (API Reference, OutputS3Configuration).
func checkBulkOutput(o *api.OutputS3Configuration) error {
	switch {
	case o.S3Bucket == nil:
		return apierr.BadParameter("S3Bucket must be specified in OutputS3Configuration")
	case len(o.OutputType) == 0:
		return apierr.BadParameter("OutputType must contain at least one value")
	case len(o.OutputType) > 1 && o.OutputType[0] == o.OutputType[1] || len(o.OutputType) > 2:
		return apierr.BadParameter("OutputType must not contain duplicate values")
	case o.S3SseKmsKeyId == nil && api.Deref(o.S3SseAlgorithm) == "KMS":
		return apierr.BadParameter("S3SseKmsKeyId must be specified when S3SseAlgorithm is KMS")
	}
	return checkBucketKey(o.S3SseAlgorithm, o.S3SseKmsKeyId)
}

// errBulkReplica keeps bulk puts from global tables (Developer Guide, "Bulk put items
// considerations, quotas, and permissions", "Global tables"). Its text has not been seen.
var errBulkReplica = apierr.BadParameter("Bulk put items does not support global tables")

// Loads reports whether a bulk put to a table is in progress.
func (s *Jobs) Loads(table string) bool {
	return len(
		s.List(func(j *Job) bool {
			return j.Kind == bulkJob && j.Table == table && j.unfinished()
		})) > 0
}

// bulkRequest is a request for a bulk put. The steps of its order fill in the table.
type bulkRequest struct {
	call     *serve.Call
	tx       *storage.Tx
	name     string // the table's name
	table    *storage.Table
	settings *tables.Settings
}

// orderOfBulk orders the checks of StartBulkPutItems on the table: it must not be being created,
// restored or deleted, and none of its indexes may be being created (Developer Guide, "Bulk put
// items considerations, quotas, and permissions", "Table state requirements").
var orderOfBulk = serve.Order[*bulkRequest]{
	serve.Step("the table and its state", "", func(x *bulkRequest) (err error) {
		x.table, x.settings, err = x.call.TableInPhase(x.tx, x.name, states.BulkPut)
		return err
	}),
	serve.Step("a global table", "", func(x *bulkRequest) error {
		if x.settings.Global != nil {
			return errBulkReplica
		}
		return nil
	}),
	serve.Step("the states of indexes", "", func(x *bulkRequest) error {
		_, changing := x.call.Changing(x.tx, x.name)
		for i := range x.settings.Indexes {
			ix := &x.settings.Indexes[i]
			phase := states.IndexPhase(ix, x.call.Now())
			if err := changing.Error(phase, states.BulkPut, "{index}", ix.Name); err != nil {
				return err
			}
		}
		return nil
	}),
	serve.Step("how many bulk puts are in progress", "", func(x *bulkRequest) error {
		if JobsOf(x.call.Data).inProgress(bulkJob, x.call.Now()) >= maxBulkPuts {
			return tables.ErrLimit("Only %d bulk operations can be in progress simultaneously",
				maxBulkPuts)
		}
		return nil
	}),
}

// bulkRun is a bulk put that runs.
type bulkRun struct {
	*jobRun
	in     *api.StartBulkPutItemsInput
	report bulkReport
}

// load puts the items of the source.
func (x *bulkRun) load() error {
	buckets, err := buckets(x.call)
	if err != nil {
		return err
	}
	in, out := x.in.InputS3Configuration, x.in.OutputS3Configuration
	report := &transfers.Report{
		Location: transfers.Location{Bucket: string(*out.S3Bucket),
			Owner:  string(api.Deref(out.S3BucketOwner)),
			Prefix: string(api.Deref(out.S3KeyPrefix))},
		Encryption: transfers.Encryption{Algorithm: string(api.Deref(out.S3SseAlgorithm)),
			KMSKeyID: string(api.Deref(out.S3SseKmsKeyId))},
		ID: x.begun.ID, ARN: x.begun.arn(x.call.Owner),
	}
	source, err := buckets.Read(x.ctx, &transfers.Source{
		Location: transfers.Location{Bucket: string(*in.S3Bucket),
			Owner: string(api.Deref(in.S3BucketOwner)), Prefix: string(api.Deref(in.S3KeyPrefix))},
		Format:      string(*in.InputFormat),
		Compression: string(compressionOf(in.InputCompressionType)),
		Except:      report,
		MaxObject:   maxBulkObject,
	})
	if err != nil {
		return err
	}
	defer source.Close()
	x.report = bulkReport{run: x.jobRun}
	if err := x.report.open(buckets, report); err != nil {
		return err
	}
	l := &loader{jobRun: x.jobRun, table: x.table, conditions: true,
		unitsRate: int64(api.Deref(x.in.MaxWriteRequestUnits)),
		refused:   x.reportRefused, keepRefused: x.keepRefused}
	if err := l.run(source); err != nil {
		x.report.out.Abort()
		return err
	}
	return x.report.out.Close()
}

// table finds the table, which must not have been deleted.
func (x *bulkRun) table(tx *storage.Tx) (*storage.Table, error) {
	t, err := x.call.ActiveTable(tx, x.begun.Table)
	if err != nil || t.ID != x.begun.TableID {
		return nil, errJobTable
	}
	return t, nil
}

// keepRefused keeps the report of a record that is not written.
func (x *bulkRun) keepRefused(tx *storage.Tx, r *loadRecord) {
	if e := x.entry(r); e != nil {
		x.report.keep(tx, e)
	}
}

// reportRefused reports a record that is not written.
func (x *bulkRun) reportRefused(r *loadRecord) error {
	if e := x.entry(r); e != nil {
		return x.report.write(e)
	}
	return nil
}

// entry returns the report of a record that is not written, or nil if such records are not asked
// for.
func (x *bulkRun) entry(r *loadRecord) *transfers.ReportEntry {
	e := &transfers.ReportEntry{
		Type: "ERROR", Bucket: string(*x.in.InputS3Configuration.S3Bucket), Key: r.key,
		Index: r.index, Message: r.refusal.Message,
	}
	if r.refusal.Type == apierr.ConditionFailed {
		e.Type, e.Existing = "CONDITION_CHECK_FAILURE", r.refusal.Item
	}
	if r.item != "" {
		e.Item = r.item.JSON()
	}
	if !slices.Contains(x.in.OutputS3Configuration.OutputType, api.OutputTypeEnum(e.Type)) {
		return nil
	}
	return e
}
