// Package patternfile reads access patterns from YAML or JSON. It is apart from package traffic, so
// that only programs with such files link a YAML parser.
package patternfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/emulator/traffic"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// maxBytes is the largest size of a file.
const maxBytes = 1 << 20

// Read reads patterns from YAML or JSON:
//
//	patterns:
//	  - name: orders of a customer, newest first
//	    table: orders
//	    index: by-customer
//	    operation: Query
//	    keyCondition: customer = ? AND created > ?
//
// name and table are required. A name may occur only once. A file has at most 1 MB.
func Read(in io.Reader) ([]traffic.Pattern, error) {
	var file struct {
		Patterns []traffic.Pattern `yaml:"patterns"`
	}
	text, err := budget.ReadAll(in, "the file of access patterns", maxBytes)
	if err != nil {
		return nil, err
	}
	if err := checkWidth(text); err != nil {
		return nil, budget.Brief(fmt.Errorf("access patterns: %w", err))
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, budget.Brief(fmt.Errorf("access patterns: %w", err))
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("access patterns: there is more than one document")
	}
	if err := traffic.CheckPatterns(file.Patterns); err != nil {
		return nil, budget.Brief(err)
	}
	return file.Patterns, nil
}

// maxWidth is how many members an object has at most: more than are known. What decodes an object
// compares each member with each other one.
const maxWidth = 1000

// checkWidth returns an error if a text is too large, or an object in it, to be decoded.
func checkWidth(text []byte) error {
	if err := budget.CheckMarks(text); err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return err
	}
	return narrow(&doc)
}

// narrow returns an error if an object in a value has too many members.
func narrow(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode && len(n.Content) > 2*maxWidth {
		return fmt.Errorf("line %d: an object has more than %d members", n.Line, maxWidth)
	}
	for _, inner := range n.Content {
		if err := narrow(inner); err != nil {
			return err
		}
	}
	return nil
}
