package jobs

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeExport(c *serve.Call, in *api.DescribeExportInput) (*api.DescribeExportOutput, error) {
	text := string(*in.ExportArn)
	if c.OfAnotherRegion(text) && strings.Contains(text, "/export/") {
		return nil, &apierr.Error{
			Type: apierr.ExportNotFound, Message: "Export not found: Invalid export arn",
		}
	}
	table, id, ok, err := parseJobARN(c, exportJob, string(*in.ExportArn))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		// ack-api-quirks, DDB-EXPORT-006, a probe of the service
		return nil, apierr.Invalid("Invalid Export ARN")
	}
	out := new(api.DescribeExportOutput)
	return out, c.Store.View(func(*storage.Tx) error {
		j := knownJob(c, exportJob, table, id)
		if j == nil {
			return &apierr.Error{
				Type: apierr.ExportNotFound,
				// twice, as in ack-api-quirks, DDB-EXPORT-006
				Message: "Export not found: Export not found: " + string(*in.ExportArn),
			}
		}
		out.ExportDescription = describeExportJob(c, j)
		return nil
	})
}

func DescribeExportTargets(in *api.DescribeExportInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ExportArn)})
}

// requestOf returns the request that began a job.
func requestOf[In any](j *Job) *In {
	in := new(In)
	if err := wire.Decode(j.Request, in, nil); err != nil {
		panic(err) // the job has what the request was encoded to
	}
	return in
}

func describeExportJob(c *serve.Call, j *Job) *api.ExportDescription {
	in := requestOf[api.ExportTableToPointInTimeInput](j)
	d := &api.ExportDescription{
		ExportArn:           api.Ref(api.ExportArn(j.arn(c.Owner))),
		ExportStatus:        api.Ref(api.ExportStatus(j.statusAt(c.Now()))),
		StartTime:           tables.Timestamp(j.Started.Time()),
		TableArn:            in.TableArn,
		TableId:             api.Ref(api.TableId(j.TableID)),
		ClientToken:         optionalText[api.ClientToken](j.Token),
		S3Bucket:            in.S3Bucket,
		S3BucketOwner:       in.S3BucketOwner,
		S3Prefix:            in.S3Prefix,
		S3SseAlgorithm:      in.S3SseAlgorithm,
		S3SseKmsKeyId:       in.S3SseKmsKeyId,
		ExportFormat:        api.Ref(exportFormat(in)),
		FilterSpecification: in.FilterSpecification,
	}
	if d.S3SseAlgorithm == nil {
		d.S3SseAlgorithm = api.Ref(api.S3SseAlgorithm("AES256"))
	}
	d.ExportType = in.ExportType // what was sent comes back: service facts H.4
	if spec := in.IncrementalExportSpecification; spec != nil {
		spec.ExportToTime, spec.ExportViewType = tables.Timestamp(j.Time.Time()), api.Ref(
			exportView(spec))
		d.IncrementalExportSpecification = spec
	} else {
		d.ExportTime = tables.Timestamp(j.Time.Time())
	}
	if !j.overAt(c.Now()) {
		return d
	}
	d.EndTime = tables.Timestamp(j.Ended.Time())
	d.FailureCode, d.FailureMessage = optionalText[string](j.FailureCode), optionalText[string](
		j.FailureMessage)
	if j.Status == jobCompleted {
		d.ExportManifest = &j.Manifest
		d.BilledSizeBytes, d.ItemCount = api.Ref(api.BilledSizeBytes(j.Bytes)), api.Ref(
			api.ItemCount(j.Written))
	}
	return d
}

// exportType returns the type of an export. The default is FULL_EXPORT (API Reference,
// ExportTableToPointInTime, ExportType).
func exportType(in *api.ExportTableToPointInTimeInput) api.ExportType {
	if in.ExportType == nil {
		return "FULL_EXPORT"
	}
	return *in.ExportType
}
