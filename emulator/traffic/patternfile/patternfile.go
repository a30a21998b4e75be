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
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("access patterns: %w", err)
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("access patterns: there is more than one document")
	}
	if err := traffic.CheckPatterns(file.Patterns); err != nil {
		return nil, err
	}
	return file.Patterns, nil
}
