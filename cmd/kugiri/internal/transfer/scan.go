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
	name   string
	in     *stream
	within bool // the reader is inside a list of items
	begun  bool // which has an element already
	n      int
	since  int // the position after the last item
}

func newScanReader(name string, in io.Reader) *scanReader {
	return &scanReader{name: name, in: newStream(in)}
}

func (r *scanReader) Next() (Sourced, error) {
	text, err := r.item()
	if err == io.EOF {
		return Sourced{}, io.EOF
	}
	at := Origin{Name: r.name, Item: r.n}
	var item Item
	if err == nil {
		item, err = UnmarshalItem(text)
	}
	if err != nil {
		return Sourced{}, fmt.Errorf("%s: %w", at, err)
	}
	return Sourced{item, at}, nil
}

// item returns the text of the next item. After the last answer its error is io.EOF.
func (r *scanReader) item() ([]byte, error) {
	for {
		if !r.within {
			if err := r.findItems(); err != nil {
				return nil, err
			}
		}
		begin, err := r.in.peek()
		if err == nil && begin != ']' {
			break
		}
		if err == nil {
			r.in.take()
			r.within = false
			err = r.members(false)
		}
		if err != nil {
			return nil, wrong(err)
		}
	}
	r.n++
	if r.begun {
		if err := r.in.next(','); err != nil {
			return nil, wrong(err)
		}
	}
	r.begun = true
	text, err := r.in.value(maxLine)
	r.since = r.in.pos()
	return text, wrong(err)
}

// wrong returns the error of an answer that has no end as such.
func wrong(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// findItems advances to the items of the next answer. It returns io.EOF after the last answer.
func (r *scanReader) findItems() error {
	for !r.within {
		if err := r.in.idle(r.since); err != nil {
			return err
		}
		switch begin, err := r.in.peek(); {
		case err != nil:
			return err
		case begin != '{':
			return errors.New(`an answer of a scan is an object with "Items"`)
		}
		r.in.take()
		if err := r.members(true); err != nil {
			return wrong(err)
		}
	}
	return nil
}

// members reads the members of an answer up to its items or its end. first is true if none was read
// before.
func (r *scanReader) members(first bool) error {
	for {
		begin, err := r.in.peek()
		if err != nil {
			return err
		}
		if begin == '}' {
			r.in.take()
			return nil
		}
		if !first {
			if err := r.in.next(','); err != nil {
				return err
			}
		}
		first = false
		if err := r.member(); err != nil || r.within {
			return err
		}
	}
}

// member reads a member of an answer. Of the items it reads the begin.
func (r *scanReader) member() error {
	if err := r.in.idle(r.since); err != nil {
		return err
	}
	text, err := r.in.value(maxLine)
	if err != nil {
		return err
	}
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	if err := r.in.next(':'); err != nil {
		return err
	}
	switch name {
	case "Items":
		if err := r.in.next('['); err != nil {
			return errors.New(`"Items" is a list`)
		}
		r.within, r.begun = true, false
		return nil
	case "Count", "ScannedCount", "LastEvaluatedKey", "NextToken", "ConsumedCapacity":
		text, err := r.in.value(maxLine)
		if err != nil {
			return err
		}
		var ignored json.RawMessage
		return json.Unmarshal(text, &ignored)
	}
	return fmt.Errorf("an answer of a scan has no %q", name)
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
