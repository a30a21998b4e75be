package transfer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// scanReader reads the items of one or more outputs of the AWS CLI for Scan or Query, one after the
// other.
type scanReader struct {
	name    string
	in      *limitedValue
	decoder *json.Decoder
	within  bool // the reader is inside a list of items
	n       int
}

func newScanReader(name string, in io.Reader) *scanReader {
	limited := &limitedValue{in: in, most: maxLine, left: maxLine}
	return &scanReader{name: name, in: limited, decoder: json.NewDecoder(limited)}
}

func (r *scanReader) Next() (Sourced, error) {
	for {
		r.in.reset()
		if !r.within {
			if err := r.findItems(); err != nil {
				return Sourced{}, err
			}
		}
		if r.decoder.More() {
			break
		}
		r.within = false
		if _, err := r.decoder.Token(); err != nil { // ]
			return Sourced{}, r.wrong(err)
		}
		if err := r.members(); err != nil {
			return Sourced{}, err
		}
	}
	r.n++
	r.in.reset()
	var text json.RawMessage
	if err := r.decoder.Decode(&text); err != nil {
		return Sourced{}, r.wrong(err)
	}
	item, err := UnmarshalItem(text)
	if err != nil {
		return Sourced{}, r.wrong(err)
	}
	return Sourced{item, r.place()}, nil
}

func (r *scanReader) place() string { return fmt.Sprintf("%s: item %d", r.name, r.n) }

func (r *scanReader) wrong(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: %w", r.place(), err)
}

// findItems advances to the items of the next answer. It returns io.EOF after the last answer.
func (r *scanReader) findItems() error {
	for !r.within {
		start, err := r.decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return io.EOF
		case err != nil:
			return r.wrong(err)
		case start != json.Delim('{'):
			return r.wrong(errors.New(`an answer of a scan is an object with "Items"`))
		}
		if err := r.members(); err != nil {
			return err
		}
	}
	return nil
}

// members reads the members of an answer up to its items or its end.
func (r *scanReader) members() error {
	for r.decoder.More() {
		r.in.reset()
		name, err := r.decoder.Token()
		if err != nil {
			return r.wrong(err)
		}
		switch name {
		case "Items":
			if start, err := r.decoder.Token(); err != nil || start != json.Delim('[') {
				return r.wrong(errors.New(`"Items" is a list`))
			}
			r.within = true
			return nil
		case "Count", "ScannedCount", "LastEvaluatedKey", "NextToken", "ConsumedCapacity":
			var ignored json.RawMessage
			if err := r.decoder.Decode(&ignored); err != nil {
				return r.wrong(err)
			}
		default:
			return r.wrong(fmt.Errorf("an answer of a scan has no %q", name))
		}
	}
	if _, err := r.decoder.Token(); err != nil { // }
		return r.wrong(err)
	}
	return nil
}

// scanWriter writes the output of `aws dynamodb scan`.
type scanWriter struct {
	out *bufio.Writer
	n   int
}

func (w *scanWriter) Write(item Item) error {
	before := ",\n    "
	if w.n == 0 {
		before = "{\"Items\": [\n    "
	}
	w.n++
	w.out.WriteString(before)
	_, err := w.out.Write(MarshalItem(item)) // the writer keeps its first error
	return err
}

func (w *scanWriter) Close() error {
	if w.n == 0 {
		w.out.WriteString("{\"Items\": [")
	}
	fmt.Fprintf(w.out, "\n], \"Count\": %d, \"ScannedCount\": %d, \"ConsumedCapacity\": null}\n",
		w.n, w.n)
	return w.out.Flush()
}
