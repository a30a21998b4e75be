package transfer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// The files of an export to S3 (Developer Guide, "DynamoDB table export output format").
const (
	s3Root         = "AWSDynamoDB"
	summaryFile    = "manifest-summary.json"
	filesFile      = "manifest-files.json"
	definitionFile = "table-definition.json" // not part of the service's layout, which lacks what creating the table needs
	itemsInFile    = 100_000
)

// manifestSummary is manifest-summary.json of a full export.
type manifestSummary struct {
	Version            string  `json:"version"`
	ExportARN          string  `json:"exportArn"`
	StartTime          string  `json:"startTime"`
	EndTime            string  `json:"endTime"`
	TableARN           string  `json:"tableArn"`
	TableID            string  `json:"tableId"`
	ExportTime         string  `json:"exportTime"`
	S3Bucket           string  `json:"s3Bucket"`
	S3Prefix           *string `json:"s3Prefix"`
	S3SSEAlgorithm     string  `json:"s3SseAlgorithm"`
	S3SSEKMSKeyID      *string `json:"s3SseKmsKeyId"`
	ManifestFilesS3Key string  `json:"manifestFilesS3Key"`
	BilledSizeBytes    int64   `json:"billedSizeBytes"`
	ItemCount          int64   `json:"itemCount"`
	OutputFormat       string  `json:"outputFormat"`
	ExportType         string  `json:"exportType"`
}

// manifestFile is a line of manifest-files.json.
type manifestFile struct {
	ItemCount     int64  `json:"itemCount"`
	MD5Checksum   string `json:"md5Checksum"`
	ETag          string `json:"etag"`
	DataFileS3Key string `json:"dataFileS3Key"`
}

// s3Writer writes a full export in DynamoDB JSON.
type s3Writer struct {
	dir     string // directory of the export
	prefix  string // prefix of the keys
	started time.Time
	now     func() time.Time
	table   *dynamodb.DescribeTableOutput
	files   []manifestFile
	total   int64
	data    *dataFile
}

// dataFile is a file of items that is being written.
type dataFile struct {
	key   string
	file  *os.File
	sum   hash.Hash
	zip   *gzip.Writer
	count int64
}

// NewS3Writer makes an export of a table below a directory that stands for a bucket.
func NewS3Writer(dir string, table *dynamodb.DescribeTableOutput, now func() time.Time) (Writer, error) {
	var id [4]byte
	rand.Read(id[:])
	started := now().UTC()
	w := &s3Writer{started: started, now: now, table: table}
	w.prefix = fmt.Sprintf("%s/%014d-%x", s3Root, started.UnixMilli(), id)
	w.dir = filepath.Join(dir, filepath.FromSlash(w.prefix))
	if err := os.MkdirAll(filepath.Join(w.dir, "data"), 0o777); err != nil {
		return nil, err
	}
	return w, os.WriteFile(filepath.Join(w.dir, "_started"), nil, 0o666)
}

func (w *s3Writer) Write(item Item) error {
	if w.data == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	line := append(append([]byte(`{"Item":`), MarshalItem(item)...), "}\n"...)
	if _, err := w.data.zip.Write(line); err != nil {
		return err
	}
	w.data.count++
	if w.data.count == itemsInFile {
		return w.finish()
	}
	return nil
}

func (w *s3Writer) open() error {
	name := strings.ToLower(rand.Text()) + ".json.gz"
	file, err := os.Create(filepath.Join(w.dir, "data", name))
	if err != nil {
		return err
	}
	d := &dataFile{key: path.Join(w.prefix, "data", name), file: file, sum: md5.New()}
	d.zip = gzip.NewWriter(io.MultiWriter(file, d.sum))
	w.data = d
	return nil
}

// finish ends a file of items.
func (w *s3Writer) finish() error {
	d := w.data
	w.data = nil
	if err := errors.Join(d.zip.Close(), d.file.Close()); err != nil {
		return err
	}
	sum := d.sum.Sum(nil)
	w.total += d.count
	w.files = append(w.files, manifestFile{d.count, base64.StdEncoding.EncodeToString(sum), hex.EncodeToString(sum) + "-1", d.key})
	return nil
}

func (w *s3Writer) Close() error {
	if w.data == nil && len(w.files) == 0 { // an export without items has an empty file
		if err := w.open(); err != nil {
			return err
		}
	}
	if w.data != nil {
		if err := w.finish(); err != nil {
			return err
		}
	}
	var files bytes.Buffer
	e := json.NewEncoder(&files)
	for i := range w.files {
		e.Encode(&w.files[i]) // encoding this struct to a buffer cannot fail
	}
	definition := new(bytes.Buffer)
	if err := WriteDefinition(definition, Definition(w.table.Table)); err != nil {
		return err
	}
	summary, err := json.Marshal(w.summary())
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(w.dir, definitionFile), definition.Bytes(), 0o666),
		w.checked(filesFile, files.Bytes()),
		w.checked(summaryFile, summary))
}

func (w *s3Writer) summary() *manifestSummary {
	const form = "2006-01-02T15:04:05.000Z"
	t := w.table.Table
	return &manifestSummary{
		Version:            "2020-06-30",
		ExportARN:          aws.ToString(t.TableArn) + "/export/" + path.Base(w.prefix),
		StartTime:          w.started.Format(form),
		EndTime:            w.now().UTC().Format(form),
		TableARN:           aws.ToString(t.TableArn),
		TableID:            aws.ToString(t.TableId),
		ExportTime:         w.started.Format(form),
		S3SSEAlgorithm:     "AES256",
		ManifestFilesS3Key: path.Join(w.prefix, filesFile),
		BilledSizeBytes:    aws.ToInt64(t.TableSizeBytes),
		ItemCount:          w.total,
		OutputFormat:       "DYNAMODB_JSON",
		ExportType:         "FULL_EXPORT",
	}
}

// checked writes a file and its checksum.
func (w *s3Writer) checked(name string, text []byte) error {
	sum := md5.Sum(text)
	return errors.Join(
		os.WriteFile(filepath.Join(w.dir, name), text, 0o666),
		os.WriteFile(filepath.Join(w.dir, strings.TrimSuffix(name, ".json")+".md5"), []byte(base64.StdEncoding.EncodeToString(sum[:])), 0o666))
}

// s3Reader reads the files of a full export.
type s3Reader struct {
	dir     string
	files   []manifestFile
	current *dataReader
}

// dataReader reads a file of items and checks it.
type dataReader struct {
	*lines
	manifestFile
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
	text, err := checkedFile(dir, summaryFile)
	if err != nil {
		return nil, err
	}
	var summary manifestSummary
	if err := json.Unmarshal(text, &summary); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, summaryFile), err)
	}
	if summary.OutputFormat != "DYNAMODB_JSON" || summary.ExportType == "INCREMENTAL_EXPORT" {
		return nil, fmt.Errorf("%s: the export is %s %s; only full exports in DYNAMODB_JSON can be read", dir, summary.ExportType, summary.OutputFormat)
	}
	if text, err = checkedFile(dir, filesFile); err != nil {
		return nil, err
	}
	r := &s3Reader{dir: dir}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var f manifestFile
		switch err := d.Decode(&f); {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, filesFile), err)
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
	text, err := checkedFile(dir, summaryFile)
	if err != nil {
		return 0, err
	}
	var summary manifestSummary
	err = json.Unmarshal(text, &summary)
	return summary.ItemCount, err
}

// exportDir finds the directory with the manifest.
func exportDir(dir string) (string, error) {
	for _, pattern := range [...]string{summaryFile, filepath.Join("*", summaryFile), filepath.Join(s3Root, "*", summaryFile)} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		switch len(found) {
		case 0:
		case 1:
			return filepath.Dir(found[0]), nil
		default:
			return "", fmt.Errorf("%s holds %d exports; name the directory of one, such as %s", dir, len(found), filepath.Dir(found[0]))
		}
	}
	return "", fmt.Errorf("%s holds no export to S3: there is no %s", dir, summaryFile)
}

// S3Definition reads the table definition beside an export, if there is one.
func S3Definition(dir string) (*dynamodb.CreateTableInput, error) {
	dir, err := exportDir(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, definitionFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the export does not say how its table was defined, give --definition: %w", err)
	}
	return ReadDefinition(name, text)
}

// checkedFile reads a file, and compares it with its checksum if there is one.
func checkedFile(dir, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	want, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ".json")+".md5"))
	if errors.Is(err, os.ErrNotExist) {
		return text, nil
	}
	if err != nil {
		return nil, err
	}
	sum := md5.Sum(text)
	if base64.StdEncoding.EncodeToString(sum[:]) != strings.TrimSpace(string(want)) {
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
func (r *s3Reader) open(f manifestFile) error {
	file, err := os.Open(filepath.Join(r.dir, "data", path.Base(f.DataFileS3Key)))
	if err != nil {
		return err
	}
	d := &dataReader{manifestFile: f, file: file, sum: md5.New()}
	d.raw = io.TeeReader(file, d.sum)
	unzipped, err := gzip.NewReader(bufio.NewReader(d.raw))
	if err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	d.lines = newLines(file.Name(), unzipped, lineItem)
	r.current = d
	return nil
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
		return fmt.Errorf("%s holds %d items, the manifest says %d", d.file.Name(), d.n, d.ItemCount)
	}
	return nil
}
