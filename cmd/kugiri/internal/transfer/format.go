package transfer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// Sourced is an item and its origin.
type Sourced struct {
	Item   Item
	Origin Origin
}

// Origin is the place that an item comes from: "items.jsonl:12", "items.json: item 3".
type Origin struct {
	Name string
	Line int // the number of the line, from 1; 0: none
	Item int // the same
}

// String implements fmt.Stringer.
func (o Origin) String() string {
	switch {
	case o.Line > 0:
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	case o.Item > 0:
		return fmt.Sprintf("%s: item %d", o.Name, o.Item)
	}
	return o.Name
}

// Reader reads items one after another. It returns io.EOF after the last. Its errors name the place
// in the file.
type Reader interface {
	Next() (Sourced, error)
}

// Writer writes items one after another. Close writes the rest.
type Writer interface {
	Write(Item) error
	Close() error
}

// LineWriter is the Writer of a format with an item on each line. Flush writes the lines that are
// in memory. What another LineWriter writes after them continues the file.
type LineWriter interface {
	Writer
	Flush() error
}

// Format is a format of files.
type Format string

// The formats.
const (
	// an item in DynamoDB JSON on each line, optionally as {"Item":{...}}
	JSONLines Format = "jsonl"
	Plain     Format = "plain" // an item in JSON without types on each line
	ScanJSON  Format = "scan"  // the output of `aws dynamodb scan` and `query`
	CSV       Format = "csv"   // a header, and an item on each line
	S3        Format = "s3"    // the directory of an export to S3
)

// Formats lists all formats.
var Formats = []Format{JSONLines, Plain, ScanJSON, CSV, S3}

// maxLine is the largest length of a line: an item of 400 KB in the longest escaped form.
const maxLine = 4 << 20

// maxBlank is how many bytes of a file may be blank: those of all lines without an item, or those
// between two values. A short compressed file can have any number of them.
const maxBlank = 64 << 20

// errBlank is the error of a file with more.
var errBlank = fmt.Errorf("more than %d bytes of blank lines or spaces: this is no file of items",
	maxBlank)

// errIdle is the error of a file with as many bytes of JSON that is valid and has no items, such as
// {"Items":[]} again and again.
var errIdle = fmt.Errorf("more than %d bytes of JSON without an item: this is no file of items",
	maxBlank)

// errorAt adds the place to an error.
func errorAt(name string, line int, err error) error {
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

// DetectFormat finds the format of a file by its name, or by its first object. It waits for no more
// of a pipe than that object.
func DetectFormat(name string, in *bufio.Reader) (Format, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return S3, nil
	}
	base := name
	if end := filepath.Ext(base); end == ".gz" || end == ".zst" {
		base = base[:len(base)-len(end)]
	}
	switch filepath.Ext(base) {
	case ".csv":
		return CSV, nil
	case ".jsonl", ".ndjson":
		if form, ok := formOf(in); ok {
			return form, nil
		}
		return JSONLines, nil
	}
	if form, ok := formOf(in); ok {
		return form, nil
	}
	start, _ := in.Peek(16)
	return "", fmt.Errorf("%s: cannot tell the format: it begins with %q, which is no item in JSON; "+
		"name one of %s, %s, %s and %s with --format", name, start, JSONLines, Plain, ScanJSON, CSV)
}

// ahead reads what comes next in a reader without consuming it, as far as the reader's buffer has
// room.
type ahead struct {
	in *bufio.Reader
	n  int // how much was read
}

func (a *ahead) Read(p []byte) (int, error) {
	if _, err := a.in.Peek(a.n + 1); err != nil {
		return 0, io.EOF
	}
	next, err := a.in.Peek(a.in.Buffered())
	n := copy(p, next[a.n:])
	a.n += n
	return n, err
}

// scanMembers are the members of the output of scan and query. The value is true if the member may
// be an object. Attributes in DynamoDB JSON always are objects.
var scanMembers = map[string]bool{
	"Items": false, "Count": false, "ScannedCount": false, "NextToken": false,
	"ConsumedCapacity": true, "LastEvaluatedKey": true,
}

// formOf finds the format of JSON by the object that it begins with. ok is false if it begins with
// anything else.
func formOf(in *bufio.Reader) (f Format, ok bool) {
	d := json.NewDecoder(&ahead{in: in})
	d.UseNumber()
	begin, err := d.Token()
	if errors.Is(err, io.EOF) {
		return JSONLines, true // the file has no items
	}
	if err == nil && begin == json.Delim('[') {
		if begin, err = d.Token(); begin == json.Delim(']') {
			return JSONLines, true
		}
	}
	if err != nil || begin != json.Delim('{') {
		return "", false
	}
	return formOfMembers(d), true
}

// formOfMembers finds the format of an object that may be truncated, after its brace. An item
// without types has its key, a member that is not an object. All members of an item with types are
// objects.
func formOfMembers(d *json.Decoder) Format {
	scan, attributes := false, false
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		value, err := d.Token()
		if err != nil {
			break
		}
		isObject := value == json.Delim('{')
		member, _ := name.(string)
		switch mayBeObject, ofScan := scanMembers[member]; {
		case ofScan && (mayBeObject || !isObject):
			scan = true
		case !isObject:
			return Plain
		default:
			attributes = true
		}
		if skipRest(d, value) != nil {
			break
		}
	}
	if scan && !attributes {
		return ScanJSON
	}
	return JSONLines
}

// skipRest skips the rest of a value after its first token.
func skipRest(d *json.Decoder, begin json.Token) error {
	for depth := depthOf(begin); depth > 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		depth += depthOf(token)
	}
	return nil
}

// depthOf returns the change of the depth at a token.
func depthOf(t json.Token) int {
	switch t {
	case json.Delim('{'), json.Delim('['):
		return 1
	case json.Delim('}'), json.Delim(']'):
		return -1
	}
	return 0
}

// maxWindow is the most memory that the window of a Zstandard frame may take: what its levels up to
// 19 need.
const maxWindow = 8 << 20

// Decompressed returns the content of a file, decompressed if it is gzip or Zstandard.
func Decompressed(in io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(in, 64<<10)
	if start, _ := b.Peek(4); bytes.Equal(start, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxWindow(maxWindow),
			zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return bufio.NewReaderSize(z, 64<<10), nil
	}
	if start, _ := b.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 64<<10), nil
}

// NewReader reads items in a format of a single file.
func NewReader(f Format, name string, in *bufio.Reader, keys KeyTypes) (Reader, error) {
	if (f == JSONLines || f == Plain) && isValues(in) {
		return newValues(name, in, f == Plain), nil
	}
	switch f {
	case JSONLines:
		return newLines(name, in, lineItem), nil
	case Plain:
		return newLines(name, in, unmarshalPlain), nil
	case ScanJSON:
		return newScanReader(name, in), nil
	case CSV:
		return newCSVReader(name, in, keys)
	}
	return nil, fmt.Errorf("%s is not a format of a single file", f)
}

// NewWriter writes items in a format of a single file.
func NewWriter(f Format, out io.Writer) (Writer, error) {
	switch f {
	case JSONLines:
		return &lineWriter{bufio.NewWriter(out), MarshalItem}, nil
	case Plain:
		return &lineWriter{bufio.NewWriter(out), marshalPlain}, nil
	case ScanJSON:
		return &scanWriter{out: bufio.NewWriter(out)}, nil
	case CSV:
		return newCSVWriter(out)
	}
	return nil, fmt.Errorf("%s is not a format of a single file", f)
}
