package jobs

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/backups"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/storage"
)

const (
	// maxExports is the most exports in progress (Developer Guide, "Quotas in Amazon DynamoDB",
	// "Export to Amazon S3").
	maxExports = 300

	// The bounds of the period of an incremental export (Developer Guide, "DynamoDB data export to
	// Amazon S3: how it works").
	minExportPeriod = 15 * time.Minute
	maxExportPeriod = 24 * time.Hour
)

func ExportTableToPointInTime(c *serve.Call,
	in *api.ExportTableToPointInTimeInput) (*api.ExportTableToPointInTimeOutput, error) {
	token := in.ClientToken
	without := *in
	without.ClientToken = nil
	if f := without.FilterSpecification; f != nil {
		slices.SortFunc(f.ExpressionAttributeNames,
			func(a, b api.Entry[api.AttributeName]) int { return strings.Compare(a.Key, b.Key) })
	}
	if err := orderOfExport.Judge(exportRequest{c, in}); err != nil {
		return nil, err
	}
	own, text := kept(&without)
	table, err := c.TableOfARN(string(*own.TableArn))
	if err != nil {
		return nil, err
	}
	filter, err := newExportFilter(own.FilterSpecification)
	if err != nil {
		return nil, err
	}
	out := new(api.ExportTableToPointInTimeOutput)
	return out, startJob(c, &jobStart{
		kind: exportJob, request: text, token: token, reused: errExportConflict,
		begin: func(tx *storage.Tx) (*jobRun, func() error, error) {
			x, err := beginExport(c, tx, own, newJob(c, exportJob, table, "", text, token), filter)
			if err != nil {
				return nil, nil, err
			}
			return x.jobRun, x.write, nil
		},
		describe: func(_ *storage.Tx, j *Job) { out.ExportDescription = describeExportJob(c, j) },
	})
}

func ExportTableToPointInTimeTargets(in *api.ExportTableToPointInTimeInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableArn)})
}

// exportRequest is a request for an export.
type exportRequest struct {
	call *serve.Call
	in   *api.ExportTableToPointInTimeInput
}

// orderOfExport orders the checks of ExportTableToPointInTime that need no table. After it come the
// token, and the table (orderOfExported).
var orderOfExport = serve.Order[exportRequest]{
	serve.Step("an empty prefix", "H.4", func(x exportRequest) error {
		if x.in.S3Prefix != nil && *x.in.S3Prefix == "" {
			return apierr.Invalid("1 validation error detected: Value '' at 's3Prefix' failed to " +
				"satisfy constraint: Member must have length greater than or equal to 1")
		}
		return nil
	}),
	serve.Step("the filter", "", func(x exportRequest) error {
		_, err := newExportFilter(x.in.FilterSpecification)
		return err
	}),
	serve.Step("an empty ARN", "T.11", func(x exportRequest) error {
		if *x.in.TableArn == "" {
			return apierr.Invalid("Invalid TableArn: Invalid Table ARN")
		}
		return nil
	}),
	serve.Step("the ARN", "DDB-EXPORT-001, DDB-EXPORT-002", exportRequest.checkARN),
	serve.Step("the type and the period", "DDB-EXPORT-003",
		func(x exportRequest) error { return checkExportType(x.in) }),
	serve.Step("the key of the bucket", "DDB-EXPORT-005", func(x exportRequest) error {
		return checkBucketKey(x.in.S3SseAlgorithm, x.in.S3SseKmsKeyId)
	}),
}

// checkARN checks the ARN of the table.
func (x exportRequest) checkARN() error {
	text := string(*x.in.TableArn)
	switch {
	case !strings.HasPrefix(text, "arn:"):
		return apierr.BadParameter("tableArn is not a valid ARN")
	case strings.Contains(text, "/index/"):
		return apierr.Invalid("Invalid Request: Table ARN is invalid.")
	case x.call.OfAnotherRegion(text), strings.Contains(text, "@"): // service facts H.4
		return backups.ErrTableNotFound(text)
	}
	_, err := x.call.TableOfARN(text)
	return err
}

// errExportConflict is the error of a request with the token of another export (ack-api-quirks,
// DDB-EXPORT-009 and -010, probes of the service).
var errExportConflict = &apierr.Error{
	Type:    apierr.ExportConflict,
	Message: "Export conflict: Duplicate request detected with conflicting parameters",
}

// checkExportType checks which parameters go together. (Messages: ack-api-quirks, DDB-EXPORT-003, a
// probe of the service.)
func checkExportType(in *api.ExportTableToPointInTimeInput) error {
	incremental := api.Deref(in.ExportType) == "INCREMENTAL_EXPORT"
	spec := in.IncrementalExportSpecification
	switch {
	case incremental && spec == nil:
		return apierr.Invalid(
			"Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export")
	case incremental && spec.ExportFromTime == nil:
		return apierr.Invalid(
			"Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification")
	case incremental && in.ExportTime != nil:
		return apierr.BadParameter("ExportTime must not be provided for INCREMENTAL_EXPORT")
	case in.ExportType == nil && spec != nil:
		return apierr.Invalid(
			"Invalid Request: Export Type expected to be Incremental Export when incremental export specification is provided")
	case !incremental && spec != nil:
		return apierr.Invalid(
			"Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be provided")
	}
	return nil
}

// checkBucketKey checks that a KMS key goes with the algorithm KMS (API Reference,
// OutputS3Configuration, S3SseKmsKeyId).
func checkBucketKey(algorithm *api.S3SseAlgorithm, key *api.S3SseKmsKeyId) error {
	if key != nil && api.Deref(algorithm) != "KMS" {
		return apierr.Invalid(
			"Invalid Request: KMS Key Id is not supported for this encryption type")
	}
	return nil
}

// beginExport takes what the export is of, and adds its job.
func beginExport(c *serve.Call, tx *storage.Tx, in *api.ExportTableToPointInTimeInput, j *Job,
	filter *exportFilter) (*exportRun, error) {
	t, _, err := c.TableInPhase(tx, j.Table, states.Export)
	if err != nil { // the table comes before the number of exports
		return nil, err
	}
	if JobsOf(c.Data).inProgress(exportJob, c.Now()) >= maxExports {
		return nil, &apierr.Error{
			Type: apierr.LimitExceeded, Message: "Too many exports are in progress",
		}
	}
	j.TableID = t.ID
	x := &exportRun{in: in, filter: filter, key: &t.Key}
	if err := x.open(c, tx, t, c.Now()); err != nil {
		return nil, err
	}
	j.Time = storage.InstantOf(x.to)
	x.jobRun = beginJob(c, tx, j)
	return x, nil
}

// open takes what an export reads that was asked for at a moment.
func (x *exportRun) open(c *serve.Call, tx *storage.Tx, t *storage.Table, asked time.Time) error {
	e := &exportedTable{exportRun: x, call: c, tx: tx, table: t, asked: asked}
	if err := orderOfExported.Judge(e); err != nil {
		return err
	}
	x.take(tx, t)
	return nil
}

// exportedTable is the table that an export reads.
type exportedTable struct {
	*exportRun
	call   *serve.Call
	tx     *storage.Tx
	table  *storage.Table
	asked  time.Time
	window backups.RecoveryWindow
}

// orderOfExported orders the checks of ExportTableToPointInTime on the table.
var orderOfExported = serve.Order[*exportedTable]{
	serve.Step("a period outside the life of the table", "DDB-EXPORT-001, DDB-EXPORT-004",
		func(e *exportedTable) error { return e.checkPeriod(e.table, e.asked) }),
	serve.Step("recovery", "", func(e *exportedTable) (err error) {
		known := false
		if e.window, known = backups.RecoveryWindowOf(e.call, e.tx, e.table); !known {
			return backups.ErrNoRecovery(e.table.Name)
		}
		return nil
	}),
	serve.Step("the times, their period before the window", "DDB-EXPORT-001, DDB-EXPORT-004",
		func(e *exportedTable) error { return e.takeTimes(&e.window, e.in, e.asked) }),
	serve.Step("what the filter reads", "",
		func(e *exportedTable) error { return e.filter.open(e.tx, e.table) }),
}

// checkPeriod checks an incremental export's period against the life of the table, before anything
// else (ack-api-quirks, DDB-EXPORT-001 and -004, probes of the service).
func (x *exportRun) checkPeriod(t *storage.Table, now time.Time) error {
	spec := x.in.IncrementalExportSpecification
	if spec == nil {
		return nil
	}
	if from := timeOf(*spec.ExportFromTime); from.Before(t.Created) {
		return errExportTime(
			"Incremental export period from time cannot be less than the table creation time : " +
				from.UTC().Format(time.RFC3339))
	}
	if spec.ExportToTime == nil {
		return nil
	}
	if to := timeOf(*spec.ExportToTime); to.After(now) {
		return errExportTime(
			"Incremental export period to time cannot be greater than the current time : " +
				to.UTC().Format(time.RFC3339))
	}
	return nil
}

// takeTimes sets the times of an export. The time of a full one is to.
func (x *exportRun) takeTimes(w *backups.RecoveryWindow, in *api.ExportTableToPointInTimeInput,
	now time.Time) error {
	x.to, x.known = now, w.Known
	asked := in.ExportTime
	if spec := in.IncrementalExportSpecification; spec != nil {
		asked = spec.ExportToTime
		x.from = timeOf(*spec.ExportFromTime)
	}
	if asked != nil {
		x.to = timeOf(*asked)
	}
	begin := x.to
	if x.incremental() {
		begin = x.from
		switch period := x.to.Sub(x.from); {
		case period < minExportPeriod: // ack-api-quirks, DDB-EXPORT-004, a probe of the service
			return errExportTime(
				"Difference between export period from time and export period to time is less than 15 minutes")
		case period > maxExportPeriod:
			return errExportTime(
				"The export period must be at least 15 minutes and at most 24 hours")
		}
	}
	switch outside := begin.Before(w.Earliest) || x.to.After(now); {
	case outside && x.incremental():
		return errExportTime(
			"The specified ExportTime is outside of the point in time recovery window.")
	case outside: // ack-api-quirks, DDB-EXPORT-001
		return errExportTime("Export Time is invalid")
	}
	return nil
}

// errExportTime returns an InvalidExportTimeException.
func errExportTime(text string) error {
	return &apierr.Error{Type: apierr.InvalidExportTime, Message: text}
}

// timeOf returns the time of a request's timestamp.
func timeOf(t api.Timestamp) time.Time {
	return time.UnixMilli(int64(math.Round(float64(t) * 1000)))
}
