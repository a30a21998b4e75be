package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// maxDepth is how deep a JSON document may be nested.
const maxDepth = 100

// OpenJSON is Open of JSON, which has escapes in strings that YAML does not have.
func OpenJSON(text []byte) (*Decoder, Field, error) {
	if len(text) > MaxBytes {
		return nil, Field{}, &conventions.FileError{
			Message: fmt.Sprintf("the file is larger than %d bytes", MaxBytes),
		}
	}
	if err := budget.CheckMarks(text); err != nil {
		return nil, Field{}, &conventions.FileError{Message: err.Error()}
	}
	p := &jsonParser{text: text, tokens: json.NewDecoder(bytes.NewReader(text)), line: 1}
	p.tokens.UseNumber()
	root, err := p.value(0)
	if err == nil {
		if _, more := p.tokens.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("the file goes on after its JSON value")
		}
	}
	if err != nil {
		p.moveTo(int(p.tokens.InputOffset()))
		return nil, Field{}, &conventions.FileError{
			Line: p.line, Column: p.offset - p.start + 1, Message: err.Error(),
		}
	}
	return &Decoder{at: map[string]*yaml.Node{}}, Field{root, ""}, nil
}

// jsonParser makes nodes of JSON, with the places at which they end.
type jsonParser struct {
	text   []byte
	tokens *json.Decoder

	offset, line, start int // the place of the last token; start is the offset of its line
}

// moveTo counts the lines up to an offset.
func (p *jsonParser) moveTo(offset int) {
	for ; p.offset < min(offset, len(p.text)); p.offset++ {
		if p.text[p.offset] == '\n' {
			p.line, p.start = p.line+1, p.offset+1
		}
	}
}

func (p *jsonParser) value(depth int) (*yaml.Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the file is nested more than %d deep", maxDepth)
	}
	token, err := p.tokens.Token()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file ends too early")
	} else if err != nil {
		return nil, err
	}
	p.moveTo(int(p.tokens.InputOffset()))
	n := &yaml.Node{Kind: Scalar, Line: p.line, Column: p.offset - p.start}
	switch token := token.(type) {
	case json.Delim:
		return n, p.elements(n, token, depth)
	case string:
		n.Tag, n.Value = "!!str", token
	case json.Number:
		n.Tag, n.Value = "!!float", token.String()
		if _, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			n.Tag = "!!int"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(token)
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
}

// elements reads the elements of a list, or the names and values of an object.
func (p *jsonParser) elements(n *yaml.Node, open json.Delim, depth int) error {
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	for p.tokens.More() {
		element, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.Content = append(n.Content, element)
	}
	_, err := p.tokens.Token()
	if errors.Is(err, io.EOF) {
		return errors.New("the file ends too early")
	}
	return err
}
