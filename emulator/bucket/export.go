package bucket

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/transfers"
)

// dataBytes is the size at which a data file ends. It is in memory until then.
const dataBytes = 8 << 20

// New returns the buckets of a Store.
func New(s Store) transfers.Buckets { return &buckets{s} }

type buckets struct{ Store }

// exportWriter writes the objects of an export.
type exportWriter struct {
	store  Store
	ctx    context.Context
	export *transfers.Export
	encode encoder

	content bytes.Buffer // the content of the data file
	zip     *gzip.Writer // nil: no data file is open
	line    []byte
	count   int64 // the number of items in the data file
	files   []DataFile
}

func (b *buckets) Export(ctx context.Context, e *transfers.Export) (transfers.ExportWriter, error) {
	w := &exportWriter{store: b.Store, ctx: ctx, export: e, encode: appendJSON}
	if e.Format == transfers.FormatIon {
		w.encode = appendIon
	}
	_, err := w.put(w.key(StartedName), nil)
	return w, err
}

// key returns the key of an object of the export.
func (w *exportWriter) key(name string) string {
	return path.Join(ExportPrefix(w.export.Prefix, w.export.ID), name)
}

func (w *exportWriter) put(key string, content []byte) (etag string, err error) {
	return w.store.Put(w.ctx, Place{w.export.Bucket, w.export.Owner, key}, content,
		w.export.Encryption)
}

func (w *exportWriter) Write(r *transfers.ExportRecord) (err error) {
	if w.zip == nil {
		w.content.Reset()
		w.zip = gzip.NewWriter(&w.content)
	}
	if w.line, err = w.encode(w.line[:0], r, w.export.Incremental()); err != nil {
		return err
	}
	if _, err := w.zip.Write(append(w.line, '\n')); err != nil {
		return err
	}
	w.count++
	if w.content.Len() >= dataBytes {
		return w.finish()
	}
	return nil
}

// finish ends the data file.
func (w *exportWriter) finish() error {
	if err := w.zip.Close(); err != nil {
		return err
	}
	key := w.dataKey(len(w.files))
	etag, err := w.put(key, w.content.Bytes())
	if err != nil {
		return err
	}
	w.files = append(w.files, DataFile{w.count, Checksum(w.content.Bytes()), etag, key})
	w.zip, w.count = nil, 0
	return nil
}

// dataKey returns the key of a data file. Those of all incremental exports are in one place. The
// name is derived, so that the same requests make the same objects.
func (w *exportWriter) dataKey(number int) string {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s/%d", w.export.ARN, number)
	name := strings.ToLower(
		base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)))
	name += map[string]string{transfers.FormatJSON: ".json.gz",
		transfers.FormatIon: ".ion.gz"}[w.export.Format]
	if w.export.Incremental() {
		return path.Join(w.export.Prefix, Root, dataName, name)
	}
	return w.key(path.Join(dataName, name))
}

func (w *exportWriter) Close(sum *transfers.ExportSum) (manifest string, err error) {
	if w.zip == nil && len(w.files) == 0 { // an export without items has an empty file
		w.content.Reset()
		w.zip = gzip.NewWriter(&w.content)
	}
	if w.zip != nil {
		if err := w.finish(); err != nil {
			return "", err
		}
	}
	if err := w.putChecked(FilesName, FormatFiles(w.files)); err != nil {
		return "", err
	}
	summary, err := json.Marshal(w.summary(sum))
	if err != nil {
		return "", err
	}
	return w.key(SummaryName), w.putChecked(SummaryName, summary)
}

// putChecked writes a manifest after its checksum.
func (w *exportWriter) putChecked(name string, content []byte) error {
	if _, err := w.put(w.key(ChecksumName(name)), []byte(Checksum(content))); err != nil {
		return err
	}
	_, err := w.put(w.key(name), content)
	return err
}

func (w *exportWriter) summary(sum *transfers.ExportSum) *Summary {
	e := w.export
	s := &Summary{
		Version: fullVersion, ExportARN: e.ARN, TableARN: e.TableARN, TableID: e.TableID,
		StartTime: FormatTime(e.Started), EndTime: FormatTime(sum.Ended),
		S3Bucket: e.Bucket, S3Prefix: orNull(e.Prefix), S3SSEAlgorithm: e.Algorithm,
		S3SSEKMSKeyID:      orNull(e.KMSKeyID),
		ManifestFilesS3Key: w.key(FilesName), BilledSizeBytes: sum.BilledBytes,
		OutputFormat: e.Format, ExportType: Full,
	}
	for i := range w.files {
		s.ItemCount += w.files[i].ItemCount
	}
	if s.S3SSEAlgorithm == "" {
		s.S3SSEAlgorithm = "AES256"
	}
	if !e.Incremental() {
		s.ExportTime = FormatTime(e.Time)
		return s
	}
	s.Version, s.ExportType, s.OutputView = incrementalVersion, Incremental, e.View
	s.ExportFromTime, s.ExportToTime = FormatTime(e.From), FormatTime(e.To)
	return s
}

// orNull returns a member of a manifest that is null if the text is empty.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (w *exportWriter) Abort() {}
