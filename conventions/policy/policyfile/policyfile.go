// Package policyfile reads policies of package policy from YAML. Schema returns a JSON schema of
// the format. testdata/policy.yaml is an example with all fields.
//
// Reading is strict. Unknown and repeated fields, values of a wrong type, merge keys (<<) and a
// second document are errors. Errors name the line and the field. An alias stands for the value
// with its anchor, so that tables can share one list of entities.
package policyfile

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// MaxBytes is the largest size of a file.
const MaxBytes = 1 << 20

//go:embed policy.schema.json
var schema []byte

// Schema returns the JSON schema (draft 2020-12) of policy files. The caller may change the result.
func Schema() []byte { return bytes.Clone(schema) }

// Error is an error in a policy file. Line and Column count from 1. Both are 0 if the file is not
// YAML and the parser does not report a place.
type Error struct {
	Line, Column int
	Field        string // tables[0].entities[2].sort; "" for the whole file
	Message      string
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	return b.String() + e.Message
}

// Parse reads and compiles a policy. Its error joins Errors in the order of their lines.
func Parse(text []byte) (policy.Policy, error) {
	_, p, _, err := load(text)
	return p, err
}

// Compile reads and compiles a policy.
func Compile(text []byte) (*policy.Engine, error) {
	_, _, e, err := load(text)
	return e, err
}

// CompileFile is Compile of a file. Its errors begin with the file's name.
func CompileFile(name string) (*policy.Engine, error) { return ofFile(name, Compile) }

// AdviseFile is Advise of a file. Its errors begin with the file's name.
func AdviseFile(name string) ([]Advice, error) { return ofFile(name, Advise) }

func ofFile[T any](name string, read func([]byte) (T, error)) (result T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return result, err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return result, err
	}
	if result, err = read(text); err != nil {
		return result, fmt.Errorf("%s: %w", name, err)
	}
	return result, nil
}

// Advice is a declaration that the documents advise against, with its place in the file.
type Advice struct {
	Line, Column int // from 1
	policy.Advice
}

func (a *Advice) Error() string {
	return fmt.Sprintf("line %d: %s: %s", a.Line, a.Field, a.Advice.Error())
}

// Advise returns the declarations of a policy that the documents advise against, in the order of
// their lines. Finding some is not an error.
func Advise(text []byte) ([]Advice, error) {
	d, p, _, err := load(text)
	if err != nil {
		return nil, err
	}
	var list []Advice
	for _, a := range policy.Advise(p) {
		n := d.nearest(a.Field)
		list = append(list, Advice{n.Line, n.Column, a})
	}
	slices.SortStableFunc(list, func(a, b Advice) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return list, nil
}

func load(text []byte) (d *decoder, p policy.Policy, e *policy.Engine, err error) {
	if len(text) > MaxBytes {
		return nil, p, nil, &Error{Message: fmt.Sprintf("the file is larger than %d bytes", MaxBytes)}
	}
	root, err := document(text)
	if err != nil {
		return nil, p, nil, err
	}
	d = &decoder{at: map[string]*yaml.Node{}}
	d.policy(root, &p)
	if d.errs == nil {
		e, err = policy.Compile(p)
		d.place(err)
	}
	if err := d.err(); err != nil {
		return nil, policy.Policy{}, nil, err
	}
	return d, p, e, nil
}

// document parses the one document of a file.
func document(text []byte) (*yaml.Node, error) {
	y := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := y.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &Error{Message: "the file is empty"}
		}
		return nil, &Error{Message: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if err := y.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, &Error{Message: strings.TrimPrefix(err.Error(), "yaml: ")}
		}
		return nil, &Error{Line: second.Line, Column: second.Column, Message: "the file has a second document"}
	}
	return doc.Content[0], nil
}
