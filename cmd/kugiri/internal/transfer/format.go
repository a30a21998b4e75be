package transfer

import (
	"bufio"
	"bytes"
	"compress/gzip"
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
		return JSONLines, nil
	}
	start, _ := in.Peek(in.Size())
	start = bytes.TrimSpace(start)
	switch {
	case len(start) == 0 || start[0] == '{' && !mentionsItems(start):
		return JSONLines, nil
	case start[0] == '{':
		return ScanJSON, nil
	}
	return "", fmt.Errorf("%s: cannot tell the format; name it with --format", name)
}

// mentionsItems reports whether JSON begins with a member that the answer of a scan has, but no item:
// a value of an item is an object, these are lists and numbers.
func mentionsItems(start []byte) bool {
	rest := bytes.TrimLeft(start[1:], " \t\r\n")
	for _, member := range [...]string{`"Items"`, `"Count"`, `"ScannedCount"`, `"ConsumedCapacity"`, `"LastEvaluatedKey"`} {
		if after, ok := bytes.CutPrefix(rest, []byte(member)); ok {
			after = bytes.TrimLeft(after, " \t\r\n:")
			return len(after) > 0 && (after[0] != '{' || member == `"LastEvaluatedKey"` || member == `"ConsumedCapacity"`)
		}
	}
	return false
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
