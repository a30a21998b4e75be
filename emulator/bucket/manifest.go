package bucket

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"path"
	"strings"
	"time"
)

// Names of the objects of an export (Developer Guide, "DynamoDB table export output format").
const (
	Root        = "AWSDynamoDB"
	StartedName = "_started"
	SummaryName = "manifest-summary.json"
	FilesName   = "manifest-files.json"
	dataName    = "data"
)

// The versions of summaries of full and incremental exports.
const (
	fullVersion        = "2020-06-30"
	incrementalVersion = "2023-08-01"
)

// Types of exports.
const (
	Full        = "FULL_EXPORT"
	Incremental = "INCREMENTAL_EXPORT"
)

// Summary is manifest-summary.json.
type Summary struct {
	Version            string  `json:"version"`
	ExportARN          string  `json:"exportArn"`
	StartTime          string  `json:"startTime"`
	EndTime            string  `json:"endTime"`
	TableARN           string  `json:"tableArn"`
	TableID            string  `json:"tableId"`
	ExportTime         string  `json:"exportTime,omitempty"`     // the time of a full export
	ExportFromTime     string  `json:"exportFromTime,omitempty"` // the period of an incremental one
	ExportToTime       string  `json:"exportToTime,omitempty"`   // likewise
	S3Bucket           string  `json:"s3Bucket"`
	S3Prefix           *string `json:"s3Prefix"`
	S3SSEAlgorithm     string  `json:"s3SseAlgorithm"`
	S3SSEKMSKeyID      *string `json:"s3SseKmsKeyId"`
	ManifestFilesS3Key string  `json:"manifestFilesS3Key"`
	BilledSizeBytes    int64   `json:"billedSizeBytes"`
	ItemCount          int64   `json:"itemCount"`
	OutputFormat       string  `json:"outputFormat"`
	OutputView         string  `json:"outputView,omitempty"` // the view of an incremental export
	ExportType         string  `json:"exportType"`
}

// DataFile is a line of manifest-files.json.
type DataFile struct {
	ItemCount     int64  `json:"itemCount"`
	MD5Checksum   string `json:"md5Checksum"`
	ETag          string `json:"etag"`
	DataFileS3Key string `json:"dataFileS3Key"`
}

// FormatTime returns a time in the form of a manifest.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// FormatFiles returns the text of manifest-files.json.
func FormatFiles(files []DataFile) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	for i := range files {
		e.Encode(&files[i]) // encoding this struct to a buffer cannot fail
	}
	return text.Bytes()
}

// Checksum returns what an export has as the checksum of an object.
func Checksum(content []byte) string {
	sum := md5.Sum(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// ChecksumName returns the name of the object with the checksum of a manifest.
func ChecksumName(manifest string) string { return strings.TrimSuffix(manifest, ".json") + ".md5" }

// ExportPrefix returns the common prefix of the objects of an export, which ends in its ID.
func ExportPrefix(prefix, id string) string { return path.Join(prefix, Root, id) }
