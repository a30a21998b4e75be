// Package transfers has what exports, imports and bulk puts ask of S3: Buckets, and the types of
// its methods. Package bucket implements Buckets on a directory and on any store of objects;
// implement it for something else, and give it to emulator.WithBuckets.
package transfers

import (
	"context"
	"time"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Buckets is S3 as exports, imports and bulk puts see it. Package emulator/bucket implements it
// with the service's formats and layout, on a directory or on any store of objects. All methods are
// safe for concurrent use. Their errors are *Errors where S3 itself refuses something.
type Buckets interface {
	// Export begins an export. It returns an error unless the bucket can be written.
	Export(ctx context.Context, e *Export) (ExportWriter, error)

	// Read finds the objects of a source. It returns an error unless the bucket can be read.
	Read(ctx context.Context, s *Source) (SourceReader, error)

	// Report begins the report of a bulk put. It returns an error unless the bucket can be written.
	Report(ctx context.Context, r *Report) (ReportWriter, error)
}

// Error is an error of S3. Its code, with "S3" in front, is the FailureCode of the export,
// import or bulk put that it ends.
type Error struct {
	Code    string // "NoSuchBucket"
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Location is a place in a bucket.
type Location struct {
	Bucket string
	Owner  string // an account ID, "" for the caller's
	Prefix string // the beginning of the keys
}

// Encryption says how S3 encrypts new objects. Empty members leave that to the bucket.
type Encryption struct {
	Algorithm string // AES256 or KMS
	KMSKeyID  string
}

// Formats of items in objects.
const (
	FormatJSON = "DYNAMODB_JSON"
	FormatIon  = "ION"
	FormatCSV  = "CSV" // imports only
)

// Export describes an export.
type Export struct {
	Location
	Encryption
	ID                     string // the last part of the ARN
	ARN, TableARN, TableID string
	Format                 string
	Started                time.Time
	Time                   time.Time // the time of a full export
	From, To               time.Time // the period of an incremental export
	View                   string    // NEW_IMAGE or NEW_AND_OLD_IMAGES, of an incremental export
}

// Incremental reports whether the export has the changes of a period.
func (e *Export) Incremental() bool { return !e.To.IsZero() }

// ExportRecord is an item of an export. Of a full export it has only the new image.
type ExportRecord struct {
	Keys, New, Old item.JSON // "" for a missing one
	Written        time.Time // the time of the last change in the period
}

// ExportWriter writes the items of an export. Either Close or Abort ends it.
type ExportWriter interface {
	Write(r *ExportRecord) error

	// Close writes the rest and the manifests, and returns the key of the summary.
	Close(sum *ExportSum) (manifest string, err error)

	// Abort ends an export that has failed. Objects that are complete stay.
	Abort()
}

// ExportSum holds what is known of an export at its end.
type ExportSum struct {
	Ended       time.Time
	BilledBytes int64
}

// Source describes objects to read items from.
type Source struct {
	Location
	Format      string
	Compression string            // NONE, GZIP or ZSTD
	Delimiter   string            // CSV: "" is a comma
	Headers     []string          // CSV: nil if each object has its own
	KeyTypes    map[string]string // CSV: the types of attributes that are not strings
	Except      *Report           // a report whose objects are not part of the source; nil: all are
	MaxObject   int64             // the most bytes of an object; 0 is no limit
}

// SourceReader reads the records of a source, object after object in the order of their keys.
type SourceReader interface {
	// Next returns the next record, or io.EOF after the last. After any other error there is no
	// next record.
	Next() (*SourceRecord, error)

	// Progress returns how much has been read.
	Progress() SourceProgress

	Close() error
}

// SourceRecord is a record of a source, valid until the next one is read. Exactly one of Text and
// Err is set.
type SourceRecord struct {
	Key   string // the key of the object
	Index int64  // the number in the object, from 0
	Text  string // an object in JSON with the member Item in DynamoDB JSON, and perhaps others
	Err   error  // what is there is no record
}

// SourceProgress counts bytes, and names the objects that they are from.
type SourceProgress struct {
	Unpacked int64 // bytes of the records
	Stored   int64 // bytes of the objects, as far as they have been read
	Total    int64 // bytes of all objects

	// Objects stands for all objects of the source and their versions. It is another text if one of
	// them has changed, and "" if that is not known. A job does not go on with changed objects.
	Objects string
}

// Report describes the report of a bulk put.
type Report struct {
	Location
	Encryption
	ID, ARN string
	Written []ReportObject // objects of an earlier process that did not end the report
}

// ReportObject is a complete object of a report.
type ReportObject struct {
	Entries   int64
	MD5, ETag string
	Key       string
}

// ReportWriter writes the entries of a report. Either Close or Abort ends it.
type ReportWriter interface {
	// Write adds an entry. It returns the object that the entry completes, or nil. The same entries
	// make the same objects.
	Write(e *ReportEntry) (*ReportObject, error)

	// Close writes the rest and the manifest.
	Close() error
	Abort()
}

// ReportEntry says why an item of a bulk put was not written.
type ReportEntry struct {
	Type     string // ERROR or CONDITION_CHECK_FAILURE
	Bucket   string
	Key      string
	Index    int64
	Message  string
	Item     item.JSON // the attempted item, or ""
	Existing item.JSON // the item that the condition was evaluated on, or ""
}
