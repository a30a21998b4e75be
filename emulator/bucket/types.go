package bucket

import "github.com/kugiri-db/kugiri/emulator/internal/feature/transfer"

// What exports, imports and bulk puts ask of buckets: the types of the methods of
// emulator.Buckets.
type (
	// Location is a place in a bucket.
	Location = transfer.Location
	// Encryption says how S3 encrypts new objects.
	Encryption = transfer.Encryption
	// Error is an error of S3. Its code, with "S3" in front, is the FailureCode of what it ends.
	Error = transfer.BucketError

	// Export describes an export.
	Export = transfer.Export
	// ExportRecord is an item of an export.
	ExportRecord = transfer.ExportRecord
	// ExportWriter writes the items of an export. Either Close or Abort ends it.
	ExportWriter = transfer.ExportWriter
	// ExportSum is what is known of an export at its end.
	ExportSum = transfer.ExportSum

	// Source describes objects to read items from.
	Source = transfer.Source
	// SourceReader reads the records of a source, object after object in the order of their keys.
	SourceReader = transfer.SourceReader
	// SourceRecord is a record of a source, valid until the next one is read.
	SourceRecord = transfer.SourceRecord
	// SourceProgress counts the bytes of a source that have been read.
	SourceProgress = transfer.SourceProgress

	// Report describes the report of a bulk put.
	Report = transfer.Report
	// ReportObject is a complete object of a report.
	ReportObject = transfer.ReportObject
	// ReportWriter writes the entries of a report. Either Close or Abort ends it.
	ReportWriter = transfer.ReportWriter
	// ReportEntry says why an item of a bulk put was not written.
	ReportEntry = transfer.ReportEntry
)

// Formats of items in objects.
const (
	FormatJSON = transfer.FormatJSON
	FormatIon  = transfer.FormatIon
	FormatCSV  = transfer.FormatCSV // of imports only
)
