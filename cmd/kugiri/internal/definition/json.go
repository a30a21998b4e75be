package definition

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonParser parses JSON as document does YAML.
type jsonParser struct {
	*document
	text    []byte
	decoder *json.Decoder
	line    int   // the line of offset
	offset  int64 // lines are counted up to here
}

// json parses one value of JSON.
func (d *document) json(text []byte) (any, error) {
	if err := d.budget.Bytes(int64(len(text))); err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	p := &jsonParser{document: d, text: text, line: 1,
		decoder: json.NewDecoder(bytes.NewReader(text))}
	p.decoder.UseNumber()
	v, err := p.next(0)
	if err == nil {
		if _, end := p.decoder.Token(); end != io.EOF {
			err = errors.New("there is more than one value")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", p.here(), err)
	}
	return v, nil
}

// here returns the line of the last token.
func (p *jsonParser) here() int { return p.lineOf(p.decoder.InputOffset()) }

// ahead returns the line on which the next value begins.
func (p *jsonParser) ahead() int {
	at := p.decoder.InputOffset()
	for at < int64(len(p.text)) && bytes.IndexByte([]byte(" \t\r\n,"), p.text[at]) >= 0 {
		at++
	}
	return p.lineOf(at)
}

// lineOf returns the line of an offset, which is not before that of the last call.
func (p *jsonParser) lineOf(to int64) int {
	to = min(to, int64(len(p.text)))
	p.line += bytes.Count(p.text[p.offset:to], []byte("\n"))
	p.offset = to
	return p.line
}

func (p *jsonParser) next(depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("the file is too large or too deep")
	}
	if err := p.steps.Step(); err != nil {
		return nil, fmt.Errorf("the file is too large or too deep: %w", err)
	}
	token, err := p.decoder.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return p.object(depth)
		}
		return p.list(depth)
	case json.Number:
		if n, err := token.Int64(); err == nil {
			return n, nil
		}
		return token.Float64()
	}
	return token, nil
}

func (p *jsonParser) list(depth int) (any, error) {
	list := []any{}
	o := origin{file: p.name}
	for p.decoder.More() {
		o.elements = append(o.elements, p.ahead())
		v, err := p.next(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := p.decoder.Token()
	p.lines.add(list, o)
	return list, err
}

// objectSteps is how many more steps an object counts than another value: it takes two maps.
const objectSteps = 10

func (p *jsonParser) object(depth int) (any, error) {
	for range objectSteps {
		if err := p.steps.Step(); err != nil {
			return nil, fmt.Errorf("the file is too large or too deep: %w", err)
		}
	}
	object := map[string]any{}
	o := origin{file: p.name, members: map[string]int{}}
	for p.decoder.More() {
		token, err := p.decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		line := p.here()
		v, err := p.next(depth + 1)
		if err != nil {
			return nil, err
		}
		if first, twice := o.members[name]; twice {
			p.note(place{p.name, first, ""},
				"%s is there twice: the last one counts, on line %d", name, line)
		}
		object[name], o.members[name] = v, line
	}
	_, err := p.decoder.Token()
	p.lines.add(object, o)
	return object, err
}
