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
	"slices"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

//go:embed policy.schema.json
var schema []byte

// Schema returns the JSON schema (draft 2020-12) of policy files. The caller may change the result.
func Schema() []byte { return bytes.Clone(schema) }

// Error is an error in a policy file, with its place.
type Error = conventions.FileError

// Parse reads and compiles a policy. Its error joins Errors in the order of their lines.
func Parse(text []byte) (policy.Policy, error) {
	_, p, _, err := load(text)
	return p, err
}

// ParseFile is Parse of a file. Its errors begin with the file's name.
func ParseFile(name string) (policy.Policy, error) { return fields.OfFile(name, Parse) }

// Compile reads and compiles a policy.
func Compile(text []byte) (*policy.Engine, error) {
	_, _, e, err := load(text)
	return e, err
}

// CompileFile is Compile of a file. Its errors begin with the file's name.
func CompileFile(name string) (*policy.Engine, error) { return fields.OfFile(name, Compile) }

// AdviseFile is Advise of a file. Its errors begin with the file's name.
func AdviseFile(name string) ([]Advice, error) { return fields.OfFile(name, advise) }

// Advice is a declaration that the documents advise against, with its place in the file.
type Advice struct {
	Line, Column int // the place in the file, from 1
	policy.Advice
}

func (a *Advice) Error() string {
	return fmt.Sprintf("line %d: %s: %s", a.Line, a.Field, a.Advice.Error())
}

// advise returns the declarations of a policy that the documents advise against, in the order of
// their lines. Finding some is not an error.
func advise(text []byte) ([]Advice, error) {
	d, p, _, err := load(text)
	if err != nil {
		return nil, err
	}
	var list []Advice
	for _, a := range policy.Advise(p) {
		n := d.Nearest(a.Field)
		list = append(list, Advice{n.Line, n.Column, a})
	}
	slices.SortStableFunc(list,
		func(a, b Advice) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return list, nil
}

// file reads the objects of a policy file.
type file struct{ *fields.Decoder }

func load(text []byte) (d file, p policy.Policy, e *policy.Engine, err error) {
	decoder, root, err := fields.Open(text)
	if err != nil {
		return d, p, nil, err
	}
	d = file{decoder}
	d.policy(root, &p)
	if d.Err() == nil {
		e, err = policy.Compile(p)
		d.Place(errors.Join(err, policy.Possible(p)))
	}
	if err := d.Err(); err != nil {
		return d, policy.Policy{}, nil, err
	}
	return d, p, e, nil
}
