package bucket

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// jsonRecords reads JSON lines. A line may have several objects (service facts M.5).
type jsonRecords struct {
	lines *bufio.Scanner
	rest  string // the rest of the line
	blank int    // bytes of blank lines
}

func newJSONRecords(in *limitedReader) *jsonRecords {
	r := &jsonRecords{lines: bufio.NewScanner(unlimited{in})}
	r.lines.Buffer(make([]byte, 0, 64<<10), maxRecord)
	return r
}

// unlimited is a limitedReader whose user has a limit of its own.
type unlimited struct{ *limitedReader }

func (r unlimited) Read(p []byte) (int, error) {
	r.reset()
	return r.limitedReader.Read(p)
}

// maxJSONDepth is how deep the JSON of a record may be: more than that of any item.
const maxJSONDepth = 200

// The errors of lines that end their object (service facts H.3).
var (
	errNotJSON = errors.New("the line is not a JSON object")
	errNoItem  = errors.New("the record has no Item")
	errBlank   = fmt.Errorf("the object has more than %d bytes of blank lines", maxBlank)
)

func (r *jsonRecords) next() (string, error) {
	for r.rest == "" && r.lines.Scan() {
		line := r.lines.Bytes()
		if r.rest = string(bytes.TrimSpace(line)); r.rest != "" {
			break
		}
		if r.blank += len(line) + 1; r.blank > maxBlank {
			return "", errBlank
		}
	}
	if r.rest != "" {
		return r.object()
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return "", errLongRecord
	case err != nil:
		return "", err
	}
	return "", io.EOF
}

// object returns the first object of what is left of the line.
func (r *jsonRecords) object() (string, error) {
	s := jsontext.NewScanner(r.rest)
	r.rest = ""
	if s.Peek() != '{' || s.Skip(maxJSONDepth) != nil {
		return "", errNotJSON
	}
	text := s.Text(0)
	if !hasItem(text) {
		return "", errNoItem
	}
	if s.End() != nil {
		if s.Peek() != '{' {
			return "", errNotJSON
		}
		r.rest = s.Rest()
	}
	return text, nil
}

// hasItem reports whether a well-formed object has the member Item.
func hasItem(object string) bool {
	s := jsontext.NewScanner(object)
	for name := range s.Members(maxJSONDepth) {
		if name == "Item" {
			return true
		}
	}
	return false
}
