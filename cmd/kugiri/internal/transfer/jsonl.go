package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines reads an item from each line.
type lines struct {
	name    string
	line    int
	blank   int // bytes of blank lines
	scanner *bufio.Scanner
	decode  func([]byte) (Item, error)
}

func newLines(name string, in io.Reader, decode func([]byte) (Item, error)) *lines {
	l := &lines{name: name, scanner: bufio.NewScanner(in), decode: decode}
	l.scanner.Buffer(make([]byte, 64<<10), maxLine)
	return l
}

func (l *lines) Next() (Sourced, error) {
	for l.scanner.Scan() {
		l.line++
		text := bytes.TrimSpace(l.scanner.Bytes())
		if len(text) == 0 {
			if l.blank += len(l.scanner.Bytes()) + 1; l.blank > maxBlank {
				return Sourced{}, errorAt(l.name, l.line, errBlank)
			}
			continue
		}
		item, err := l.decode(text)
		if err != nil {
			return Sourced{}, errorAt(l.name, l.line, err)
		}
		return Sourced{item, Origin{Name: l.name, Line: l.line}}, nil
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return Sourced{}, errorAt(l.name, l.line+1,
			fmt.Errorf("the line is longer than %d bytes, more than any item", maxLine))
	case err != nil:
		return Sourced{}, errorAt(l.name, l.line+1, err)
	}
	return Sourced{}, io.EOF
}

// lineItem reads {"pk":{"S":"a"}}, or {"Item":{"pk":{"S":"a"}}} as in exports to S3. It reads an
// item whose only attribute is a map called Item as the former, because its value has a type.
func lineItem(line []byte) (Item, error) {
	text := string(line)
	item, err := typedItem(text)
	if err == nil {
		return item, nil
	}
	if d := documentOf(text); d.members == 1 && isGroup(d.of["Item"], '{') {
		item, err = typedItem(d.of["Item"])
	}
	return item, explained(text, err)
}

// lineWriter writes each item on a line.
type lineWriter struct {
	out    *bufio.Writer
	encode func(Item) []byte
}

func (w *lineWriter) Write(item Item) error {
	if _, err := w.out.Write(w.encode(item)); err != nil {
		return err
	}
	return w.out.WriteByte('\n')
}

// Flush writes the lines that are in memory.
func (w *lineWriter) Flush() error { return w.out.Flush() }

func (w *lineWriter) Close() error { return w.Flush() }
