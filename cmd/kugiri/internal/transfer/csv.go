package transfer

import (
	"bufio"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// KeyTypes are the types of a table's key attributes: S, N or B.
type KeyTypes map[string]string

// column is a column of a CSV file: an attribute and the type of its values, or jsonColumn if each
// cell has its own type.
type column struct {
	name string
	kind string
}

// jsonColumn is the kind of a column whose values have several types, or are lists or maps. Its
// cells have the form {"S":"a"}.
const jsonColumn = "JSON"

var columnKinds = []string{"S", "N", "B", "BOOL", jsonColumn}

// header returns the header of the column: "name:S".
func (c column) header() string { return c.name + ":" + c.kind }

// parseColumn parses a header. A header without a type has that of the key attribute, or else S, as
// in imports from S3 (Developer Guide, "DynamoDB data import from Amazon S3", "CSV").
func parseColumn(header string, keys KeyTypes) column {
	if i := strings.LastIndexByte(header, ':'); i > 0 &&
		slices.Contains(columnKinds, header[i+1:]) {
		return column{header[:i], header[i+1:]}
	}
	if kind, ok := keys[header]; ok {
		return column{header, kind}
	}
	return column{header, "S"}
}

// cell formats a value. ok is false if the column cannot hold it. An empty cell means that the
// attribute is absent.
func (c column) cell(v types.AttributeValue) (text string, ok bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		// encoding/csv does not preserve it
		text, ok = v.Value, c.kind == "S" && v.Value != "" && !strings.Contains(v.Value, "\r")
	case *types.AttributeValueMemberN:
		text, ok = v.Value, c.kind == "N"
	case *types.AttributeValueMemberB:
		text, ok = base64.StdEncoding.EncodeToString(v.Value), c.kind == "B" && len(v.Value) > 0
	case *types.AttributeValueMemberBOOL:
		text, ok = fmt.Sprint(v.Value), c.kind == "BOOL"
	}
	if c.kind == jsonColumn {
		return string(appendValue(nil, v)), true
	}
	return text, ok
}

// errNotUTF8 is the error of a CSV file in another encoding, such as those of some spreadsheets.
var errNotUTF8 = errors.New("the text is not UTF-8; save or convert the file as UTF-8")

// value parses a cell that is not empty.
func (c column) value(cell string) (types.AttributeValue, error) {
	if !utf8.ValidString(cell) {
		return nil, errNotUTF8
	}
	switch c.kind {
	case "S":
		return &types.AttributeValueMemberS{Value: cell}, nil
	case "N":
		return &types.AttributeValueMemberN{Value: strings.TrimSpace(cell)}, nil
	case "B":
		b, err := binaryOf("B", cell)
		return &types.AttributeValueMemberB{Value: b}, err
	case "BOOL":
		switch strings.ToLower(strings.TrimSpace(cell)) {
		case "true":
			return &types.AttributeValueMemberBOOL{Value: true}, nil
		case "false":
			return &types.AttributeValueMemberBOOL{Value: false}, nil
		}
		return nil, fmt.Errorf("%q is neither true nor false", cell)
	}
	s := itemScanner{Scanner: jsontext.NewScanner(cell)}
	v, err := scanValue(&s, 1)
	if err == nil {
		err = s.End()
	}
	return v, explained(cell, err)
}

// limitedRecord ends with an error where one record is too long. Its reader resets it before each.
type limitedRecord struct {
	in   io.Reader
	most int
	left int
}

func (l *limitedRecord) reset() { l.left = l.most }

func (l *limitedRecord) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("one value is longer than %d bytes", l.most)
	}
	n, err := l.in.Read(p)
	l.left -= n
	return n, err
}

// csvReader reads an item from each record.
type csvReader struct {
	name    string
	in      *csv.Reader
	source  *limitedRecord
	columns []column
}

func newCSVReader(name string, in io.Reader, keys KeyTypes) (*csvReader, error) {
	limited := &limitedRecord{in: in, most: maxLine, left: maxLine}
	r := &csvReader{name: name, in: csv.NewReader(transfers.KeepCR(limited)), source: limited}
	r.in.ReuseRecord = true
	header, err := r.in.Read()
	if errors.Is(err, io.EOF) {
		return r, nil // the form of a table without items
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	known := make(map[string]bool, len(header))
	for i, h := range header {
		if i == 0 {
			h = strings.TrimPrefix(h, "\ufeff") // the byte order mark of spreadsheets
		}
		if !utf8.ValidString(h) {
			return nil, errorAt(name, 1, fmt.Errorf("column %d: %w", i+1, errNotUTF8))
		}
		c := parseColumn(h, keys)
		if c.name == "" || known[c.name] {
			return nil, errorAt(name, 1,
				fmt.Errorf("column %d: the attribute %q is empty or occurs twice", i+1, c.name))
		}
		known[c.name] = true
		r.columns = append(r.columns, c)
	}
	return r, nil
}

func (r *csvReader) Next() (Sourced, error) {
	r.source.reset()
	record, err := r.in.Read()
	if errors.Is(err, io.EOF) {
		return Sourced{}, io.EOF
	}
	if err != nil {
		return Sourced{}, fmt.Errorf("%s: %w", r.name, err)
	}
	line, _ := r.in.FieldPos(0)
	item := Item{}
	for i, cell := range record {
		if cell == "" {
			continue
		}
		c := r.columns[i]
		if item[c.name], err = c.value(cell); err != nil {
			return Sourced{}, errorAt(r.name, line, fmt.Errorf("column %s: %w", c.header(), err))
		}
	}
	return Sourced{item, Origin{Name: r.name, Line: line}}, nil
}

// csvWriter keeps the items in a temporary file until it knows all columns.
type csvWriter struct {
	out     io.Writer
	spool   *os.File
	lines   *lineWriter
	columns []column
	places  map[string]int
}

func newCSVWriter(out io.Writer) (*csvWriter, error) {
	spool, err := os.CreateTemp("", "kugiri-export-*.jsonl")
	if err != nil {
		return nil, err
	}
	return &csvWriter{
		out: out, spool: spool, lines: &lineWriter{bufio.NewWriter(spool), MarshalItem},
		places: map[string]int{},
	}, nil
}

func (w *csvWriter) Write(item Item) error {
	for name, v := range item {
		place, known := w.places[name]
		if !known {
			place = len(w.columns)
			w.places[name] = place
			w.columns = append(w.columns, column{name, flatKind(v)})
		}
		c := &w.columns[place]
		if _, ok := c.cell(v); !ok {
			c.kind = jsonColumn
		}
	}
	return w.lines.Write(item)
}

// flatKind returns the kind of a column whose first value is v.
func flatKind(v types.AttributeValue) string {
	switch v.(type) {
	case *types.AttributeValueMemberS:
		return "S"
	case *types.AttributeValueMemberN:
		return "N"
	case *types.AttributeValueMemberB:
		return "B"
	case *types.AttributeValueMemberBOOL:
		return "BOOL"
	}
	return jsonColumn
}

func (w *csvWriter) Close() (err error) {
	defer func() {
		w.spool.Close()
		os.Remove(w.spool.Name())
	}()
	if err := w.lines.Close(); err != nil {
		return err
	}
	if _, err := w.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	slices.SortFunc(w.columns, func(a, b column) int { return strings.Compare(a.name, b.name) })
	out := csv.NewWriter(w.out)
	record := make([]string, len(w.columns))
	for i, c := range w.columns {
		record[i] = c.header()
	}
	if len(record) > 0 {
		out.Write(record) // the writer keeps its first error
	}
	items := newLines(w.spool.Name(), w.spool, UnmarshalItem)
	for {
		next, err := items.Next()
		if errors.Is(err, io.EOF) {
			out.Flush()
			return out.Error()
		}
		if err != nil {
			return err
		}
		for i, c := range w.columns {
			record[i] = ""
			if v := next.Item[c.name]; v != nil {
				record[i], _ = c.cell(v)
			}
		}
		out.Write(record)
	}
}
