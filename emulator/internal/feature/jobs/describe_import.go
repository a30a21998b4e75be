package jobs

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func DescribeImport(c *serve.Call, in *api.DescribeImportInput) (*api.DescribeImportOutput, error) {
	text := string(*in.ImportArn)
	notFound := &apierr.Error{Type: apierr.ImportNotFound, Message: "Import not found: " + text}
	if c.OfAnotherRegion(text) && strings.Contains(text, "/import/") {
		return nil, notFound
	}
	table, id, ok, err := parseJobARN(c, importJob, text)
	switch {
	case err != nil && apierr.As(err).Type != apierr.Validation:
		return nil, err
	case err != nil, !ok:
		// ack-api-quirks, DDB-IMPORT-010, a probe of the service
		return nil, apierr.Invalid("Invalid Import ARN")
	}
	out := new(api.DescribeImportOutput)
	return out, c.Store.View(func(*storage.Tx) error {
		j := knownJob(c, importJob, table, id)
		if j == nil {
			return notFound
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
		S3BucketSource:          ownedSource(c, in.S3BucketSource),
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
	if !j.overAt(c.Now()) { // the service counts at the end: service facts H.3
		*d.ErrorCount, *d.ProcessedItemCount, *d.ImportedItemCount = 0, 0, 0
		if j.Bytes == 0 {
			d.ProcessedSizeBytes = nil
		}
	} else {
		d.EndTime = tables.Timestamp(j.Ended.Time())
		d.FailureCode, d.FailureMessage = optionalText[string](j.FailureCode), optionalText[string](
			j.FailureMessage)
	}
	return d
}

// ownedSource returns a source with its owner, who is the caller's account unless a request says
// otherwise (ack-api-quirks, DDB-IMPORT-003).
func ownedSource(c *serve.Call, given *api.S3BucketSource) *api.S3BucketSource {
	s := *given
	if s.S3BucketOwner == nil {
		s.S3BucketOwner = api.Ref(api.S3BucketOwner(c.Account))
	}
	return &s
}

// compressionOf returns the compression of a request. The default is NONE (API Reference,
// InputS3Configuration, InputCompressionType).
func compressionOf(given *api.InputCompressionType) api.InputCompressionType {
	if given == nil {
		return "NONE"
	}
	return *given
}
