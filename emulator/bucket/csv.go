package bucket

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// csvRecords reads the lines of a CSV file. All attributes are strings, except those of keys
// (Developer Guide, "Amazon S3 import formats for DynamoDB", "CSV").
type csvRecords struct {
	in      *csv.Reader
	source  *limitedReader
	headers []string
	types   map[string]string
	text    []byte
}

func newCSVRecords(s *transfers.Source, in *limitedReader) (*csvRecords, error) {
	r := &csvRecords{in: csv.NewReader(transfers.KeepCR(in)), source: in, headers: s.Headers,
		types: s.KeyTypes}
	r.in.ReuseRecord = true
	r.in.FieldsPerRecord = -1
	if s.Delimiter != "" {
		r.in.Comma = rune(s.Delimiter[0])
	}
	if r.headers != nil {
		return r, nil
	}
	header, err := r.in.Read()
	if errors.Is(err, io.EOF) {
		return r, nil // an empty object
	}
	if err != nil {
		return nil, in.because(err)
	}
	for i, h := range header {
		if i == 0 {
			h = strings.TrimPrefix(h, "\ufeff") // the byte order mark of spreadsheets
		}
		r.headers = append(r.headers, strings.Clone(h))
	}
	return r, nil
}

func (r *csvRecords) next() (string, error) {
	r.source.reset()
	fields, err := r.in.Read()
	if errors.Is(err, io.EOF) {
		return "", io.EOF
	}
	if err != nil {
		return "", r.source.because(err)
	}
	if len(fields) != len(r.headers) {
		return "", badRecord{
			fmt.Errorf("the line has %d columns instead of %d", len(fields), len(r.headers)),
		}
	}
	return r.item(fields)
}

// item returns the record of a line. An empty field means that there is no such attribute.
func (r *csvRecords) item(fields []string) (string, error) {
	r.text = append(r.text[:0], `{"Item":{`...)
	for i, field := range fields {
		if field == "" {
			continue
		}
		if !utf8.ValidString(field) {
			return "", badRecord{errors.New("the text is not UTF-8")}
		}
		if r.text[len(r.text)-1] != '{' {
			r.text = append(r.text, ',')
		}
		kind := r.types[r.headers[i]]
		if kind == "" {
			kind = "S"
		}
		r.text = append(jsontext.AppendQuoted(r.text, r.headers[i]), `:{"`+kind+`":`...)
		r.text = append(jsontext.AppendQuoted(r.text, field), '}')
	}
	return string(append(r.text, "}}"...)), nil
}
