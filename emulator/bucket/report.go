package bucket

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"

	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// The report of a bulk put is in the format of its objects' names: JSON lines, below
// AWSDynamoDB and the ID of the operation, with a manifest. How the service names the objects and
// the members of a line is not on public record.
const reportName = "report"

// reportBytes is the size at which an object of a report ends. It is in memory until then.
const reportBytes = 8 << 20

// reportWriter writes the objects of a report.
type reportWriter struct {
	store   Store
	ctx     context.Context
	report  *transfers.Report
	content bytes.Buffer
	count   int64
	files   []DataFile
}

// reportLine is a line of a report.
type reportLine struct {
	Type         string          `json:"type"`
	S3Pointer    s3Pointer       `json:"itemS3Pointer"`
	Errors       []string        `json:"errorMessages"`
	Item         json.RawMessage `json:"item,omitempty"`
	ExistingItem json.RawMessage `json:"existingItem,omitempty"`
}

// s3Pointer has the members of an import's error log (Developer Guide, "Import format quotas and
// validation", "CloudWatch logs").
type s3Pointer struct {
	Bucket    string `json:"bucket"`
	Key       string `json:"key"`
	ItemIndex int64  `json:"itemIndex"`
}

func (b *buckets) Report(ctx context.Context, r *transfers.Report) (transfers.ReportWriter, error) {
	w := &reportWriter{store: b.Store, ctx: ctx, report: r}
	for _, o := range r.Written {
		w.files = append(w.files, DataFile{o.Entries, o.MD5, o.ETag, o.Key})
	}
	_, err := w.put(StartedName, nil)
	return w, err
}

func (w *reportWriter) key(name string) string {
	return path.Join(ExportPrefix(w.report.Prefix, w.report.ID), name)
}

func (w *reportWriter) put(name string, content []byte) (etag string, err error) {
	return w.store.Put(w.ctx, Place{w.report.Bucket, w.report.Owner, w.key(name)}, content,
		w.report.Encryption)
}

func (w *reportWriter) Write(e *transfers.ReportEntry) (*transfers.ReportObject, error) {
	line, err := json.Marshal(&reportLine{e.Type, s3Pointer{e.Bucket, e.Key, e.Index},
		[]string{e.Message},
		json.RawMessage(e.Item), json.RawMessage(e.Existing)})
	if err != nil {
		return nil, err
	}
	w.content.Write(append(line, '\n'))
	w.count++
	if w.content.Len() < reportBytes {
		return nil, nil
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	f := &w.files[len(w.files)-1]
	return &transfers.ReportObject{
		Entries: f.ItemCount, MD5: f.MD5Checksum, ETag: f.ETag, Key: f.DataFileS3Key,
	}, nil
}

// finish ends an object.
func (w *reportWriter) finish() error {
	name := fmt.Sprintf("%s-%06d.json", reportName, len(w.files))
	etag, err := w.put(name, w.content.Bytes())
	if err != nil {
		return err
	}
	w.files = append(w.files, DataFile{w.count, Checksum(w.content.Bytes()), etag, w.key(name)})
	w.content.Reset()
	w.count = 0
	return nil
}

func (w *reportWriter) Close() error {
	if w.count > 0 {
		if err := w.finish(); err != nil {
			return err
		}
	}
	files := FormatFiles(w.files)
	if _, err := w.put(ChecksumName(FilesName), []byte(Checksum(files))); err != nil {
		return err
	}
	_, err := w.put(FilesName, files)
	return err
}

func (w *reportWriter) Abort() {}
