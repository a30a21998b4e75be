package transfer

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeImport(c *serve.Call, in *api.DescribeImportInput) (*api.DescribeImportOutput, error) {
	table, id, ok, err := parseJobARN(c, importJob, string(*in.ImportArn))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, apierr.Invalid("Invalid ImportArn: Invalid ResourceArn provided as input %s",
			*in.ImportArn)
	}
	out := new(api.DescribeImportOutput)
	return out, c.Store.View(func(*storage.Tx) error {
		j := knownJob(c, importJob, table, id)
		if j == nil {
			return &apierr.Error{
				Type: apierr.ImportNotFound, Message: "Import not found: " + string(*in.ImportArn),
			}
		}
		out.ImportTableDescription = describeImportJob(c, j)
		return nil
	})
}

func DescribeImportTargets(in *api.DescribeImportInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ImportArn)})
}

func describeImportJob(c *serve.Call, j *Job) *api.ImportTableDescription {
	in := requestOf[api.ImportTableInput](j)
	d := &api.ImportTableDescription{
		ImportArn:               api.Ref(api.ImportArn(j.arn(c.Owner))),
		ImportStatus:            api.Ref(api.ImportStatus(j.statusAt(c.Now()))),
		TableArn:                api.Ref(api.TableArn(c.TableARN(j.Table))),
		TableId:                 api.Ref(api.TableId(j.TableID)),
		ClientToken:             optionalText[api.ClientToken](j.Token),
		S3BucketSource:          in.S3BucketSource,
		ErrorCount:              api.Ref(api.ErrorCount(j.Errors)),
		CloudWatchLogGroupArn:   api.Ref(api.CloudWatchLogGroupArn(importLogGroupARN(c.Owner))),
		InputFormat:             in.InputFormat,
		InputFormatOptions:      in.InputFormatOptions,
		InputCompressionType:    api.Ref(compressionOf(in.InputCompressionType)),
		TableCreationParameters: in.TableCreationParameters,
		StartTime:               tables.Timestamp(j.Started.Time()),
		ProcessedSizeBytes:      api.Ref(j.Bytes),
		ProcessedItemCount:      api.Ref(api.ProcessedItemCount(j.Processed)),
		ImportedItemCount:       api.Ref(api.ImportedItemCount(j.Written)),
	}
	if j.overAt(c.Now()) {
		d.EndTime = tables.Timestamp(j.Ended.Time())
		d.FailureCode, d.FailureMessage = optionalText[string](j.FailureCode), optionalText[string](
			j.FailureMessage)
	}
	return d
}

// compressionOf returns the compression of a request. The default is NONE (API Reference,
// InputS3Configuration, InputCompressionType).
func compressionOf(given *api.InputCompressionType) api.InputCompressionType {
	if given == nil {
		return "NONE"
	}
	return *given
}
