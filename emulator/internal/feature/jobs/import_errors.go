package jobs

import (
	"encoding/json"
	"log/slog"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

// importLogGroup is the log group of CloudWatch that has the errors of imports (Developer Guide,
// "Import format quotas and validation", "CloudWatch logs").
const importLogGroup = "/aws-dynamodb/imports"

// maxLoggedErrors is the most errors of an import that are logged. All are counted.
const maxLoggedErrors = 1000

// errImportItems is the failure of an import that did not import all items (Developer Guide,
// "Import format quotas and validation", "Data validation errors").
var errImportItems = &jobFailure{"ItemValidationError",
	"Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details."}

// importLogGroupARN returns the ARN of the log group.
func importLogGroupARN(o arn.Owner) string {
	return o.ARN("logs", "log-group:"+importLogGroup+":*")
}

// importError is the message of an event in the log stream of an import.
type importError struct {
	ItemS3Pointer struct {
		Bucket    string `json:"bucket"`
		Key       string `json:"key"`
		ItemIndex int64  `json:"itemIndex"`
	} `json:"itemS3Pointer"`
	ImportARN     string   `json:"importArn"`
	ErrorMessages []string `json:"errorMessages"`
}

// logRefused logs a record that is not imported: CloudWatch is not there, so the service's logger
// gets the event.
func (x *importRun) logRefused(r *loadRecord) error {
	if x.errors++; x.errors > maxLoggedErrors {
		return nil
	}
	m := importError{
		ImportARN: x.begun.arn(x.call.Owner), ErrorMessages: []string{r.refusal.Message},
	}
	m.ItemS3Pointer.Bucket, m.ItemS3Pointer.Key, m.ItemS3Pointer.ItemIndex = string(
		*x.in.S3BucketSource.S3Bucket), r.key, r.index
	text, err := json.Marshal(&m)
	x.call.Service.Logger.Warn("an item was not imported", slog.String("group", importLogGroup),
		slog.String("stream", x.begun.ID+"/error"), slog.String("message", string(text)))
	return err
}
