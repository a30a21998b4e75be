package fields

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/budget"
	"github.com/kugiri-db/kugiri/storage/jsontree"
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
	tree, err := jsontree.Read(text, maxDepth)
	p := &places{text: text, line: 1}
	if err != nil {
		return nil, Field{}, p.unread(err)
	}
	return &Decoder{at: map[string]*yaml.Node{}}, Field{p.node(tree), ""}, nil
}

// places counts lines up to offsets that grow.
type places struct {
	text                []byte
	offset, line, start int // start is the offset of the line
}

func (p *places) moveTo(offset int) {
	for ; p.offset < min(offset, len(p.text)); p.offset++ {
		if p.text[p.offset] == '\n' {
			p.line, p.start = p.line+1, p.offset+1
		}
	}
}

// unread returns the error of a document that cannot be read.
func (p *places) unread(err error) error {
	var e *jsontree.Error
	if !errors.As(err, &e) {
		return err
	}
	p.moveTo(e.Offset)
	text := e.Error()
	switch e.Err {
	case jsontree.ErrDeep:
		text = fmt.Sprintf("the file is nested more than %d deep", maxDepth)
	case jsontree.ErrEnds:
		text = "the file ends too early"
	case jsontree.ErrMore:
		text = "the file goes on after its JSON value"
	}
	return &conventions.FileError{Line: p.line, Column: p.offset - p.start + 1, Message: text}
}

// node returns a value as a node of YAML, with the place at which it ends.
func (p *places) node(of jsontree.Node) *yaml.Node {
	n := p.placed(yaml.Node{Kind: Scalar}, of.End)
	switch v := of.Value.(type) {
	case jsontree.Object:
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		for _, m := range v {
			n.Content = append(n.Content,
				p.placed(yaml.Node{Kind: Scalar, Tag: "!!str", Value: m.Name}, m.End),
				p.node(m.Value))
		}
	case []jsontree.Node:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		for _, element := range v {
			n.Content = append(n.Content, p.node(element))
		}
	case string:
		n.Tag, n.Value = "!!str", v
	case json.Number:
		n.Tag, n.Value = "!!float", v.String()
		if _, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
			n.Tag = "!!int"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(v)
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n
}

// placed returns a node with the place of an offset.
func (p *places) placed(n yaml.Node, offset int) *yaml.Node {
	p.moveTo(offset)
	n.Line, n.Column = p.line, p.offset-p.start
	return &n
}
