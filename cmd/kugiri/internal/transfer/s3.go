package transfer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/item"
)

// These files are beside an export. They are not part of the service's layout, which lacks what
// creating the table needs. The AWS CLI reads both: `create-table --cli-input-json` takes the
// first, and update-time-to-live the second, which is there if the table has time to live.
const (
	definitionFile = "table-definition.json"
	timeToLiveFile = "time-to-live.json"
)

// s3Writer writes a full export in DynamoDB JSON.
type s3Writer struct {
	export transfers.ExportWriter
	dir    string // directory of the export
	now    func() time.Time
	table  *types.TableDescription
	set    *Settings
}

// NewS3Writer makes an export of a table below a directory that stands for a bucket. The settings
// are written beside it.
func NewS3Writer(dir string, table *dynamodb.DescribeTableOutput, set *Settings,
	now func() time.Time) (Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var random [4]byte
	rand.Read(random[:])
	started, t := now().UTC(), table.Table
	id := fmt.Sprintf("%014d-%x", started.UnixMilli(), random)
	export, err := bucket.New(bucket.Single(dir)).Export(context.Background(), &transfers.Export{
		ID: id, ARN: aws.ToString(t.TableArn) + "/export/" + id, TableARN: aws.ToString(t.TableArn),
		TableID: aws.ToString(t.TableId),
		Format:  transfers.FormatJSON, Started: started, Time: started,
	})
	return &s3Writer{export, filepath.Join(dir, filepath.FromSlash(bucket.ExportPrefix("", id))),
		now, t, set}, err
}

func (w *s3Writer) Write(it Item) error {
	return w.export.Write(&transfers.ExportRecord{New: item.JSON(MarshalItem(it))})
}

func (w *s3Writer) Close() error {
	if err := w.writeSettings(); err != nil {
		return err
	}
	_, err := w.export.Close(&transfers.ExportSum{
		Ended: w.now(), BilledBytes: aws.ToInt64(w.table.TableSizeBytes),
	})
	return err
}

// writeSettings writes the files beside the export.
func (w *s3Writer) writeSettings() error {
	definition := new(bytes.Buffer)
	if err := WriteDefinition(definition, w.set.Create); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.dir, definitionFile), definition.Bytes(),
		0o666); err != nil || w.set.TimeToLive == "" {
		return err
	}
	text, err := json.MarshalIndent(ttlInput{w.set.Create.TableName,
		ttlSpecification{w.set.TimeToLive, true}}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.dir, timeToLiveFile), append(text, '\n'), 0o666)
}

// ttlInput is the input of an UpdateTimeToLive request.
type ttlInput struct {
	TableName               *string `json:",omitempty"`
	TimeToLiveSpecification ttlSpecification
}

type ttlSpecification struct {
	AttributeName string
	Enabled       bool
}

// s3Reader reads the files of a full export.
type s3Reader struct {
	dir     string
	format  string
	files   []bucket.DataFile
	current *dataReader
}

// dataReader reads a file of items and checks it.
type dataReader struct {
	Reader
	bucket.DataFile
	file *os.File
	sum  hash.Hash
	raw  io.Reader // the whole file, before decompression
	n    int64
}

// NewS3Reader opens an export. dir is the directory of the export, or one with a single export in
// AWSDynamoDB.
func NewS3Reader(dir string) (Reader, error) {
	dir, err := exportDir(dir)
	if err != nil {
		return nil, err
	}
	text, err := checkedFile(dir, bucket.SummaryName)
	if err != nil {
		return nil, err
	}
	var summary bucket.Summary
	if err := json.Unmarshal(text, &summary); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, bucket.SummaryName), err)
	}
	if summary.ExportType == bucket.Incremental {
		return nil, fmt.Errorf("%s: the export is incremental; only full exports can be read", dir)
	}
	if text, err = checkedFile(dir, bucket.FilesName); err != nil {
		return nil, err
	}
	r := &s3Reader{dir: dir, format: summary.OutputFormat}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var f bucket.DataFile
		switch err := d.Decode(&f); {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, bucket.FilesName), err)
		}
		r.files = append(r.files, f)
	}
}

// CountS3 returns how many items an export has, as its manifest says.
func CountS3(dir string) (items int64, err error) {
	dir, err = exportDir(dir)
	if err != nil {
		return 0, err
	}
	text, err := checkedFile(dir, bucket.SummaryName)
	if err != nil {
		return 0, err
	}
	var summary bucket.Summary
	err = json.Unmarshal(text, &summary)
	return summary.ItemCount, err
}

// exportDir finds the directory with the manifest.
func exportDir(dir string) (string, error) {
	for _, pattern := range [...]string{bucket.SummaryName, path.Join("*", bucket.SummaryName),
		path.Join(bucket.Root, "*", bucket.SummaryName)} {
		found, err := fs.Glob(os.DirFS(dir), pattern) // the name of dir is no pattern
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			continue
		}
		first := filepath.Join(dir, filepath.FromSlash(path.Dir(found[0])))
		if len(found) > 1 {
			return "", fmt.Errorf("%s holds %d exports; name the directory of one, such as %s", dir,
				len(found), first)
		}
		return first, nil
	}
	return "", fmt.Errorf("%s holds no export to S3: there is no %s", dir, bucket.SummaryName)
}

// S3Settings reads the definition of the table beside an export, if there is one.
func S3Settings(dir string) (*Settings, error) {
	dir, err := exportDir(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, definitionFile)
	text, err := budget.ReadFile(name, budget.StateBytes)
	if err != nil {
		return nil, fmt.Errorf(
			"the export does not say how its table was defined, give --definition: %w", err)
	}
	set := new(Settings)
	if set.Create, err = ReadDefinition(name, text); err != nil {
		return nil, err
	}
	name = filepath.Join(dir, timeToLiveFile)
	text, err = budget.ReadFile(name, budget.StateBytes)
	if errors.Is(err, os.ErrNotExist) {
		return set, nil
	}
	if err != nil {
		return nil, err
	}
	var in ttlInput
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, fmt.Errorf(
			"%s is not the JSON that `aws dynamodb update-time-to-live --cli-input-json` takes: %w",
			name, err)
	}
	if in.TimeToLiveSpecification.Enabled {
		set.TimeToLive = in.TimeToLiveSpecification.AttributeName
	}
	return set, nil
}

// checkedFile reads a file, and compares it with its checksum if there is one.
func checkedFile(dir, name string) ([]byte, error) {
	text, err := budget.ReadFile(filepath.Join(dir, name), budget.StateBytes)
	if err != nil {
		return nil, err
	}
	want, err := budget.ReadFile(filepath.Join(dir, bucket.ChecksumName(name)),
		budget.StateBytes)
	if errors.Is(err, os.ErrNotExist) {
		return text, nil
	}
	if err != nil {
		return nil, err
	}
	if bucket.Checksum(text) != strings.TrimSpace(string(want)) {
		return nil, fmt.Errorf("%s is damaged: its checksum differs", filepath.Join(dir, name))
	}
	return text, nil
}

func (r *s3Reader) Next() (Sourced, error) {
	for {
		if r.current == nil {
			if len(r.files) == 0 {
				return Sourced{}, io.EOF
			}
			if err := r.open(r.files[0]); err != nil {
				return Sourced{}, err
			}
			r.files = r.files[1:]
		}
		next, err := r.current.Next()
		if err == nil {
			r.current.n++
			return next, nil
		}
		if !errors.Is(err, io.EOF) {
			return Sourced{}, err
		}
		if err := r.current.check(); err != nil {
			return Sourced{}, err
		}
		r.current = nil
	}
}

// open opens a file of items. The manifest has its key in the bucket, but the export may be in any
// directory.
func (r *s3Reader) open(f bucket.DataFile) error {
	file, err := os.Open(filepath.Join(r.dir, "data", path.Base(f.DataFileS3Key)))
	if err != nil {
		return err
	}
	d := &dataReader{DataFile: f, file: file, sum: md5.New()}
	d.raw = io.TeeReader(file, d.sum)
	unzipped, err := gzip.NewReader(bufio.NewReader(d.raw))
	if err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	d.Reader = newLines(file.Name(), unzipped, lineItem)
	if r.format == transfers.FormatIon {
		in, err := bucket.NewReader(&transfers.Source{Format: r.format}, unzipped)
		if err != nil {
			return err
		}
		d.Reader = &ionReader{name: file.Name(), in: in}
	}
	r.current = d
	return nil
}

// ionReader reads the items of a file in Ion.
type ionReader struct {
	name string
	in   *bucket.Reader
	n    int
}

func (r *ionReader) Next() (Sourced, error) {
	text, err := r.in.Next()
	if errors.Is(err, io.EOF) {
		return Sourced{}, io.EOF
	}
	r.n++
	if err != nil {
		return Sourced{}, errorAt(r.name, r.n, err)
	}
	it, err := lineItem([]byte(text))
	if err != nil {
		return Sourced{}, errorAt(r.name, r.n, err)
	}
	return Sourced{it, Origin{Name: r.name, Line: r.n}}, nil
}

// check closes a file and compares it with the manifest.
func (d *dataReader) check() error {
	defer d.file.Close()
	if _, err := io.Copy(io.Discard, d.raw); err != nil {
		return err
	}
	switch {
	case d.MD5Checksum != "" && base64.StdEncoding.EncodeToString(d.sum.Sum(nil)) != d.MD5Checksum:
		return fmt.Errorf("%s is damaged: its checksum differs from the manifest", d.file.Name())
	case d.n != d.ItemCount:
		return fmt.Errorf("%s holds %d items, the manifest says %d", d.file.Name(), d.n,
			d.ItemCount)
	}
	return nil
}
