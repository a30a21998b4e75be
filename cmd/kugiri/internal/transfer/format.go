package transfer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Sourced is an item with the place that it was read from: "items.jsonl:12".
type Sourced struct {
	Item   Item
	Origin string
}

// Reader reads items one after another; io.EOF follows the last. Its errors name the place.
type Reader interface {
	Next() (Sourced, error)
}

// Writer takes items one after another. Close writes what remains.
type Writer interface {
	Write(Item) error
	Close() error
}

// Format is a form of files.
type Format string

// The forms.
const (
	JSONLines Format = "jsonl" // an item of DynamoDB JSON a line, also as {"Item":{...}}
	Plain     Format = "plain" // an item of JSON without types a line
	ScanJSON  Format = "scan"  // what `aws dynamodb scan` and `query` print
	CSV       Format = "csv"   // a header and a line an item
	S3        Format = "s3"    // the directory of an export to S3
)

// Formats lists all.
var Formats = []Format{JSONLines, Plain, ScanJSON, CSV, S3}

// maxLine is how long a line may be: an item of 400 KB, escaped as badly as possible.
const maxLine = 4 << 20

// errorAt names the place of an error.
func errorAt(name string, line int, err error) error { return fmt.Errorf("%s:%d: %w", name, line, err) }

// DetectFormat tells the format of a file by its name, or else by how it begins.
func DetectFormat(name string, in *bufio.Reader) (Format, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return S3, nil
	}
	base := name
	if filepath.Ext(base) == ".gz" {
		base = base[:len(base)-len(".gz")]
	}
	switch filepath.Ext(base) {
	case ".csv":
		return CSV, nil
	case ".jsonl", ".ndjson":
		if start, _ := in.Peek(in.Size()); formOfObject(start) == Plain {
			return Plain, nil
		}
		return JSONLines, nil
	}
	start, _ := in.Peek(in.Size())
	start = bytes.TrimSpace(start)
	switch {
	case len(start) == 0:
		return JSONLines, nil
	case start[0] == '{':
		return formOfObject(start), nil
	}
	return "", fmt.Errorf("%s: cannot tell the format; name it with --format", name)
}

// scanMembers are the members of what a scan and a query print. Their values are no
// objects, as those of attributes are in DynamoDB JSON, unless they are true here.
var scanMembers = map[string]bool{
	"Items": false, "Count": false, "ScannedCount": false, "NextToken": false, "ConsumedCapacity": true, "LastEvaluatedKey": true,
}

// formOfObject tells the form of JSON that begins with an object, and may be cut off. An
// item without types has a member that is no object, its key; one with types has none.
func formOfObject(start []byte) Format {
	d := json.NewDecoder(bytes.NewReader(start))
	d.UseNumber()
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return JSONLines
	}
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

// skipRest reads the rest of a value that begins with a token.
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

// depthOf is how much deeper it is after a token.
func depthOf(t json.Token) int {
	switch t {
	case json.Delim('{'), json.Delim('['):
		return 1
	case json.Delim('}'), json.Delim(']'):
		return -1
	}
	return 0
}

// Decompressed reads what a file holds, unpacked if it is gzip.
func Decompressed(in io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(in, 64<<10)
	if start, _ := b.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 64<<10), nil
}

// NewReader reads items in a format that is one file.
func NewReader(f Format, name string, in *bufio.Reader, keys KeyTypes) (Reader, error) {
	switch f {
	case JSONLines:
		return newLines(name, in, lineItem), nil
	case Plain:
		return newLines(name, in, UnmarshalPlain), nil
	case ScanJSON:
		return newScanReader(name, in), nil
	case CSV:
		return newCSVReader(name, in, keys)
	}
	return nil, fmt.Errorf("%s is no format of one file", f)
}

// NewWriter writes items in a format that is one file.
func NewWriter(f Format, out io.Writer) (Writer, error) {
	switch f {
	case JSONLines:
		return &lineWriter{bufio.NewWriter(out), MarshalItem}, nil
	case Plain:
		return &lineWriter{bufio.NewWriter(out), MarshalPlain}, nil
	case ScanJSON:
		return &scanWriter{out: bufio.NewWriter(out)}, nil
	case CSV:
		return newCSVWriter(out)
	}
	return nil, fmt.Errorf("%s is no format of one file", f)
}
