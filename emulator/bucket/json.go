package bucket

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// jsonRecords reads JSON lines.
type jsonRecords struct{ lines *bufio.Scanner }

func newJSONRecords(in *limitedReader) *jsonRecords {
	r := &jsonRecords{bufio.NewScanner(unlimited{in})}
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

var errNotJSON = errors.New("the line is not a JSON object")

func (r *jsonRecords) next() (string, error) {
	for r.lines.Scan() {
		line := bytes.TrimSpace(r.lines.Bytes())
		if len(line) == 0 {
			continue
		}
		text := string(line)
		s := jsontext.NewScanner(text)
		if s.Peek() != '{' || s.Skip(maxJSONDepth) != nil || s.End() != nil {
			return "", errNotJSON
		}
		return text, nil
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return "", errLongRecord
	case err != nil:
		return "", err
	}
	return "", io.EOF
}
