package bucket

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/kugiri-db/kugiri/emulator/transfers"
)

const (
	// maxObjects is the most objects of a source (Developer Guide, "Import format quotas and
	// validation"; "Best practices for bulk put items in DynamoDB").
	maxObjects = 50_000

	// maxRecord is the largest size of a record: an item of 400 KB in the longest escaped form.
	maxRecord = 4 << 20

	// maxBlank is how many bytes the blank lines of an object may have together.
	maxBlank = 64 << 20

	// zstdMemory limits what an object in ZSTD makes the decoder allocate.
	zstdMemory = 64 << 20
)

// sourceReader reads the objects of a source one after another.
type sourceReader struct {
	store   Store
	ctx     context.Context
	source  *transfers.Source
	objects []Object // not read yet
	now     *objectReader
	record  transfers.SourceRecord
	transfers.SourceProgress
}

// objectReader reads an object.
type objectReader struct {
	Object
	raw     io.ReadCloser
	stored  *countingReader // counts the bytes of raw
	content *limitedReader
	closes  func()
	records records
	index   int64
}

// records reads the records of an object as JSON. It returns io.EOF after the last. After any other
// error the rest of the object cannot be read, unless the error is a badRecord.
type records interface {
	next() (text string, err error)
}

// Reader reads the records of one object that is unpacked already.
type Reader struct{ records }

// NewReader reads records in the format of a source.
func NewReader(s *transfers.Source, in io.Reader) (*Reader, error) {
	r, err := newRecords(s, &limitedReader{in: in})
	return &Reader{r}, err
}

// Next returns the next record as JSON with the member Item in DynamoDB JSON, or io.EOF after the
// last.
func (r *Reader) Next() (text string, err error) { return r.next() }

// badRecord is the error of a record that the next one can be read after.
type badRecord struct{ error }

func (b *buckets) Read(ctx context.Context, s *transfers.Source) (transfers.SourceReader, error) {
	r := &sourceReader{store: b.Store, ctx: ctx, source: s}
	for o, err := range b.List(ctx, s.Location) {
		if err != nil {
			return nil, err
		}
		if isOf(s.Except, s.Bucket, o.Key) {
			continue
		}
		if len(r.objects) == maxObjects {
			return nil, &transfers.Error{
				Code:    "TooManyObjects",
				Message: fmt.Sprintf("There are more than %d objects", maxObjects),
			}
		}
		if s.MaxObject > 0 && o.Size > s.MaxObject {
			return nil, &transfers.Error{
				Code:    "ObjectTooLarge",
				Message: fmt.Sprintf("The object %s has more than %d bytes", o.Key, s.MaxObject),
			}
		}
		r.objects = append(r.objects, o)
		r.Total += o.Size
	}
	if len(r.objects) == 0 {
		return nil, NoSuchKey()
	}
	r.Objects = versionOf(r.objects)
	return r, nil
}

// versionOf returns a text that stands for objects and their versions, or "" if a store does not
// know them.
func versionOf(objects []Object) string {
	all := sha256.New()
	for _, o := range objects {
		if o.Version == "" {
			return ""
		}
		fmt.Fprintf(all, "%q %d %q\n", o.Key, o.Size, o.Version)
	}
	return hex.EncodeToString(all.Sum(nil))
}

// isOf reports whether an object belongs to a report, which may be nil.
func isOf(r *transfers.Report, bucket, key string) bool {
	return r != nil && bucket == r.Bucket &&
		strings.HasPrefix(key, ExportPrefix(r.Prefix, r.ID)+"/")
}

func (r *sourceReader) Next() (*transfers.SourceRecord, error) {
	for {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		if r.now == nil {
			if len(r.objects) == 0 {
				return nil, io.EOF
			}
			if err := r.open(r.objects[0]); err != nil {
				return nil, err
			}
			r.objects = r.objects[1:]
		}
		text, err := r.now.records.next()
		if !errors.Is(err, io.EOF) {
			return r.found(text, err)
		}
		r.end()
	}
}

// found returns the record of a text or an error.
func (r *sourceReader) found(text string, err error) (*transfers.SourceRecord, error) {
	if r.now.stored.err != nil { // the store, not the content
		return nil, r.now.stored.err
	}
	r.record = transfers.SourceRecord{Key: r.now.Key, Index: r.now.index, Text: text, Err: err}
	r.now.index++
	var bad badRecord
	if err != nil && !errors.As(err, &bad) {
		r.end()
	}
	return &r.record, nil
}

// open opens an object.
func (r *sourceReader) open(o Object) error {
	raw, err := r.store.Get(r.ctx, Place{r.source.Bucket, r.source.Owner, o.Key})
	if err != nil {
		return err
	}
	x := &objectReader{Object: o, raw: raw, stored: &countingReader{in: raw}, closes: func() {}}
	r.now = x
	unpacked, err := x.unpacked(r.source.Compression)
	x.content = &limitedReader{in: unpacked}
	if err == nil {
		x.records, err = newRecords(r.source, x.content)
	}
	if err != nil {
		x.records = failedRecords{err}
	}
	return nil
}

// failedRecords are those of an object that cannot be read at all.
type failedRecords struct{ error }

func (r failedRecords) next() (string, error) { return "", r.error }

// unpacked returns the content of an object.
func (x *objectReader) unpacked(compression string) (io.Reader, error) {
	in := bufio.NewReaderSize(x.stored, 64<<10)
	switch compression {
	case "GZIP":
		return gzip.NewReader(in)
	case "ZSTD":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(zstdMemory), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		x.closes = z.Close
		return z, nil
	}
	return in, nil
}

// newRecords reads records in the format of a source.
func newRecords(s *transfers.Source, in *limitedReader) (records, error) {
	switch s.Format {
	case transfers.FormatIon:
		return newIonRecords(in), nil
	case transfers.FormatCSV:
		return newCSVRecords(s, in)
	}
	return newJSONRecords(in), nil
}

// end ends the present object.
func (r *sourceReader) end() {
	r.Stored += r.now.Size // also if the rest of it was skipped
	r.Unpacked += r.now.content.total
	r.now.closes()
	r.now.raw.Close()
	r.now = nil
}

func (r *sourceReader) Progress() transfers.SourceProgress {
	p := r.SourceProgress
	if r.now != nil {
		p.Stored += r.now.stored.n
		p.Unpacked += r.now.content.total
	}
	return p
}

func (r *sourceReader) Close() error {
	if r.now != nil {
		r.end()
	}
	return nil
}

// countingReader counts what is read, and keeps the error of the reader.
type countingReader struct {
	in  io.Reader
	n   int64
	err error
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// limitedReader limits how much is read for one record.
type limitedReader struct {
	in     io.Reader
	total  int64
	record int64 // what was read since the last reset
	over   bool
}

var errLongRecord = fmt.Errorf("the record is longer than %d bytes, more than any item", maxRecord)

// reset begins a record.
func (r *limitedReader) reset() { r.record = 0 }

// because returns the reason of an error.
func (r *limitedReader) because(err error) error {
	if r.over {
		return errLongRecord
	}
	return err
}

func (r *limitedReader) Read(p []byte) (int, error) {
	if r.record > maxRecord {
		r.over = true
		return 0, errLongRecord
	}
	n, err := r.in.Read(p)
	r.total += int64(n)
	r.record += int64(n)
	return n, err
}
